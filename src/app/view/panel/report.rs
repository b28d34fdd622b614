//! What became of the file's parts.

use super::rows::{Look, row, rows};
use super::style::{ACCENT, WARNING};
use super::text;
use crate::app::view::stage::Stage;
use egui::{Frame, Id, Label, RichText, Ui};
use fire_engine::gltf::{LoadNote, Severity};
use fire_engine::scene::SceneIdentity;

/// So many rows are seen at once.
const ROWS: usize = 10;

/// The order of the rows, and which one is selected.
#[derive(Debug, Default)]
pub struct Report {
    key: Option<(SceneIdentity, usize)>,
    /// The worse ones first, else as they came.
    order: Vec<u32>,
    warnings: usize,
    selected: Option<usize>,
}

impl Report {
    fn update(&mut self, stage: &Stage) {
        let report = &stage.report;
        let key = Some((stage.content.scene.identity(), report.len()));
        if self.key != key {
            let mut order: Vec<u32> = (0..report.len() as u32).collect();
            order.sort_by_key(|index| std::cmp::Reverse(report.rows[*index as usize].severity));
            let warnings = report.of_severity(Severity::Warning).count();
            *self = Self { key, order, warnings, selected: None };
        }
    }

    /// `2 warnings, 1 note`.
    pub fn heading(&mut self, stage: &Stage) -> String {
        self.update(stage);
        let notes = self.order.len() - self.warnings;
        let parts = [(self.warnings, "warning"), (notes, "note")];
        let parts = parts.into_iter().filter(|(number, _)| *number > 0);
        let parts: Vec<String> = parts.map(|(number, what)| text::counted(number, what)).collect();
        parts.join(", ")
    }

    /// Draws the section.
    pub fn show(&mut self, ui: &mut Ui, stage: &Stage) {
        self.update(stage);
        let report = &stage.report;
        if report.is_empty() {
            ui.weak(report.to_string());
            return;
        }
        rows(ui, Id::new("report"), self.order.len(), ROWS, None, |ui, index| {
            let Some(note) = self.order.get(index).and_then(|at| report.rows.get(*at as usize)) else {
                return;
            };
            let swatch = Some(if note.severity == Severity::Info { ACCENT } else { WARNING });
            let line = format!("{}  {}", path(note), text::name(&note.message));
            let chosen = self.selected == Some(index);
            let look = Look { text: &line, chosen, swatch, ..Look::default() };
            if row(ui, Id::new(("note", index)), look).clicked() {
                self.selected = (!chosen).then_some(index);
            }
        });
        let selected = self.selected.and_then(|index| self.order.get(index));
        if let Some(note) = selected.and_then(|at| report.rows.get(*at as usize)) {
            details(ui, note);
        }
        if ui.button("copy all").on_hover_text("puts the whole report on the clipboard").clicked() {
            // Its rows are one line each already.
            ui.ctx().copy_text(report.to_string());
        }
    }
}

fn path(note: &LoadNote) -> String {
    if note.json_path.is_empty() { "document".to_owned() } else { text::name(&note.json_path) }
}

fn details(ui: &mut Ui, note: &LoadNote) {
    Frame::new().fill(super::style::WELL).corner_radius(3).inner_margin(6).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.add(Label::new(RichText::new(path(note)).monospace()).wrap().selectable(true));
        ui.label(RichText::new(format!("{}, {}", note.severity, note.kind)).small().weak());
        ui.add(Label::new(text::message(&note.message)).wrap().selectable(true));
        if ui.button("copy").clicked() {
            ui.ctx().copy_text(note.to_string());
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::view::panel::testing::{Bench, stage};
    use fire_engine::gltf::NoteKind;
    use fire_engine::scene::Content;

    fn note(severity: Severity, path: &str, message: &str) -> LoadNote {
        LoadNote::new(severity, path, NoteKind::Ignored, message)
    }

    fn opened(rows: Vec<LoadNote>) -> Bench {
        let mut stage = stage(Content::default());
        stage.report.rows = rows;
        let mut bench = Bench::new(stage);
        assert_eq!(bench.click("Report"), []);
        bench
    }

    #[test]
    fn warnings_come_first_and_are_read_and_copied_in_full() {
        let long = format!("{} end", "long ".repeat(100));
        let mut bench = opened(vec![
            note(Severity::Info, "extras", "kept"),
            note(Severity::Warning, "skins[0]", &long),
            note(Severity::Info, "", "of all"),
        ]);
        assert!(bench.says("1 warning, 2 notes"));
        assert!(bench.place("skins[0]").top() < bench.place("extras").top());
        assert!(bench.place("extras").top() < bench.place("document").top());
        assert!(!bench.says("long  end"), "cut");
        bench.click("skins[0]");
        assert!(bench.says("long  end") && bench.says("warning, ignored"));
        let place = bench.texts.iter().find(|(text, _)| text == "copy").unwrap().1.center();
        bench.click_at(place);
        assert_eq!(bench.copied.take(), Some(format!("warning: skins[0]: ignored: {long}")));
        bench.click("copy all");
        assert_eq!(bench.copied.take(), Some(bench.stage.report.to_string()));
    }

    #[test]
    fn of_100_000_rows_those_in_view_are_built() {
        let rows =
            (0..100_000).map(|index| note(Severity::Info, &format!("nodes[{index}]"), "a note")).collect();
        let bench = opened(rows);
        assert!(bench.says("100,000 notes") && bench.says("nodes[0]"));
        assert!(bench.shapes < 500, "{}", bench.shapes);
    }

    #[test]
    fn an_empty_report_says_so() {
        assert!(opened(Vec::new()).says("everything in the file was used as it is"));
    }
}
