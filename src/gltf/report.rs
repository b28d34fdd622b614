//! What a load left out, mended or approximated.

use super::text::plain;
use std::fmt::Display;

/// How much a note matters for the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// What is drawn today does not suffer.
    Info,
    /// The picture or the motion may differ from what the author meant.
    Warning,
}

/// What happened to a part of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NoteKind {
    /// Present in the file and not used.
    Ignored,
    /// Against the specification, and understood all the same.
    Repaired,
    /// Used, in a simpler way than the file asks for.
    Approximated,
}

impl std::fmt::Display for Severity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Info => "info",
            Self::Warning => "warning",
        })
    }
}

impl std::fmt::Display for NoteKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Ignored => "ignored",
            Self::Repaired => "repaired",
            Self::Approximated => "approximated",
        })
    }
}

/// One row of a [`LoadReport`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct LoadNote {
    /// How much it matters.
    pub severity: Severity,
    /// Where in the document, such as `meshes[3].primitives[0]`; empty for the document as a whole.
    pub json_path: String,
    /// What happened.
    pub kind: NoteKind,
    /// In words.
    pub message: String,
}

impl LoadNote {
    /// A row of one's own, such as a program adds to [`LoadReport::rows`] for what it left out itself.
    #[must_use]
    pub fn new(
        severity: Severity,
        json_path: impl Into<String>,
        kind: NoteKind,
        message: impl Into<String>,
    ) -> Self {
        Self { severity, json_path: json_path.into(), kind, message: message.into() }
    }
}

impl std::fmt::Display for LoadNote {
    /// One line: `warning: skins[0]: ignored: ...`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = if self.json_path.is_empty() { "document" } else { &self.json_path };
        write!(f, "{}: {path}: {}: {}", self.severity, self.kind, self.message)
    }
}

/// Everything that a load ignored, repaired or approximated, in the order in which the document was read.
///
/// The same file gives the same report. Beyond [`LoadLimits::report_rows`](super::LoadLimits::report_rows) rows are counted,
/// and a last one says how many they are.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct LoadReport {
    /// The rows.
    pub rows: Vec<LoadNote>,
    /// How many rows are kept.
    limit: usize,
    /// How many were not, and the worst severity among them.
    left_out: (usize, Option<Severity>),
}

impl LoadReport {
    /// No row yet, and room for so many.
    pub(super) fn with_room(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Says in a last row how many found no room.
    pub(super) fn close(mut self) -> Self {
        if let (count, Some(severity)) = std::mem::take(&mut self.left_out) {
            let message = format!(
                "{count} more rows are left out; raise LoadLimits::report_rows ({}) to have them",
                self.limit
            );
            let json_path = String::new();
            self.rows.push(LoadNote { severity, json_path, kind: NoteKind::Ignored, message });
        }
        self
    }

    /// Whether the file was taken as it is, with nothing left out.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The rows in order.
    pub fn iter(&self) -> std::slice::Iter<'_, LoadNote> {
        self.rows.iter()
    }

    /// The rows of one severity, in order.
    pub fn of_severity(&self, severity: Severity) -> impl Iterator<Item = &LoadNote> {
        self.rows.iter().filter(move |note| note.severity == severity)
    }

    pub(super) fn note(
        &mut self,
        severity: Severity,
        kind: NoteKind,
        json_path: impl Display,
        message: impl Display,
    ) {
        if self.rows.len() >= self.limit {
            self.left_out = (self.left_out.0.saturating_add(1), self.left_out.1.max(Some(severity)));
            return;
        }
        // Parts of the file come in both, and a row is one line.
        let (json_path, message) = (plain(json_path), plain(message));
        self.rows.push(LoadNote { severity, json_path, kind, message });
    }

    pub(super) fn ignored(&mut self, severity: Severity, json_path: impl Display, message: impl Display) {
        self.note(severity, NoteKind::Ignored, json_path, message);
    }

    pub(super) fn repaired(&mut self, json_path: impl Display, message: impl Display) {
        self.note(Severity::Warning, NoteKind::Repaired, json_path, message);
    }
}

impl<'a> IntoIterator for &'a LoadReport {
    type Item = &'a LoadNote;
    type IntoIter = std::slice::Iter<'a, LoadNote>;

    fn into_iter(self) -> Self::IntoIter {
        self.rows.iter()
    }
}

impl std::fmt::Display for LoadReport {
    /// One line a row, or one line that says that there is none.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.rows.is_empty() {
            return f.write_str("everything in the file was used as it is");
        }
        for (index, note) in self.rows.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            note.fmt(f)?;
        }
        Ok(())
    }
}
