//! The seven ways in which glTF forms primitives from vertices, and lists in their place.

use crate::assets::Topology;
use crate::gltf::LoadError;
use crate::gltf::document::Whole;
use crate::gltf::report::{LoadReport, Severity};
use crate::gltf::source::Source;
use std::fmt::Display;

/// How consecutive vertices form primitives (glTF 2.0, section 3.7.2.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Points,
    Lines,
    LineLoop,
    LineStrip,
    Triangles,
    TriangleStrip,
    TriangleFan,
}

impl Mode {
    pub fn read(source: &Source<'_>, number: Option<Whole>, path: &dyn Display) -> Result<Self, LoadError> {
        Ok(match number.map_or(4, |number| number.0) {
            0 => Self::Points,
            1 => Self::Lines,
            2 => Self::LineLoop,
            3 => Self::LineStrip,
            4 => Self::Triangles,
            5 => Self::TriangleStrip,
            6 => Self::TriangleFan,
            number => {
                let reason = format!("{number} is not a mode that glTF defines; 4 means TRIANGLES");
                return Err(source.invalid(format_args!("{path}.mode"), reason));
            }
        })
    }

    /// What a list in its place is made of.
    pub const fn topology(self) -> Topology {
        match self {
            Self::Points => Topology::Points,
            Self::Lines | Self::LineLoop | Self::LineStrip => Topology::Lines,
            Self::Triangles | Self::TriangleStrip | Self::TriangleFan => Topology::Triangles,
        }
    }

    /// How many of `count` vertices form whole primitives.
    const fn whole(self, count: usize) -> usize {
        let arity = self.topology().arity();
        match self {
            Self::Points | Self::Lines | Self::Triangles => count - count % arity,
            _ if count < arity => 0,
            _ => count,
        }
    }

    /// Entries of a list in its place, for `count` vertices that form whole primitives, at least one.
    const fn entries(self, count: usize) -> usize {
        match self {
            Self::Points | Self::Lines | Self::Triangles => count,
            Self::LineLoop => count.saturating_mul(2),
            Self::LineStrip => count.saturating_sub(1).saturating_mul(2),
            Self::TriangleStrip | Self::TriangleFan => count.saturating_sub(2).saturating_mul(3),
        }
    }

    /// Writes which of `count` vertices each entry of the list is.
    fn fill(self, count: u32, out: &mut [u32]) {
        let primitives = 0..u32::MAX;
        match self {
            Self::Points | Self::Lines | Self::Triangles => {
                out.iter_mut().zip(primitives).for_each(|(entry, i)| *entry = i);
            }
            Self::LineLoop | Self::LineStrip => {
                let (lines, _) = out.as_chunks_mut::<2>();
                // Only the last line of a loop reaches `count`, and closes it.
                let next = |i: u32| if i + 1 == count { 0 } else { i + 1 };
                lines.iter_mut().zip(primitives).for_each(|(line, i)| *line = [i, next(i)]);
            }
            Self::TriangleStrip => {
                let (triangles, _) = out.as_chunks_mut::<3>();
                let corners = |i: u32| [i, i + 1 + i % 2, i + 2 - i % 2];
                triangles.iter_mut().zip(primitives).for_each(|(triangle, i)| *triangle = corners(i));
            }
            Self::TriangleFan => {
                let (triangles, _) = out.as_chunks_mut::<3>();
                triangles.iter_mut().zip(primitives).for_each(|(triangle, i)| *triangle = [i + 1, i + 2, 0]);
            }
        }
    }
}

/// Turns indices, or vertices taken in order, into a list of whole points, lines or triangles. What forms no whole one is
/// left out and reported.
///
/// `None`: nothing is left. `Some(None)`: the vertices in order are that list already.
pub(super) fn list(
    source: &Source<'_>,
    mode: Mode,
    indices: Option<Vec<u32>>,
    vertices: usize,
    path: &dyn Display,
    report: &mut LoadReport,
) -> Result<Option<Option<Vec<u32>>>, LoadError> {
    let count = indices.as_ref().map_or(vertices, Vec::len);
    let whole = mode.whole(count);
    let (what, noun) =
        (if indices.is_some() { "indices" } else { "vertices" }, ["point", "line", "triangle"]);
    let noun = noun[mode.topology().arity() - 1];
    if whole == 0 {
        let message = format!("its {count} {what} form no {noun}, so there is nothing to draw");
        report.ignored(Severity::Warning, path, message);
        return Ok(None);
    }
    if whole < count {
        let message = format!("the last {} of {count} {what} form no whole {noun}; left out", count - whole);
        report.repaired(path, message);
    }
    let is_list = matches!(mode, Mode::Points | Mode::Lines | Mode::Triangles);
    match indices {
        Some(mut indices) if is_list => {
            indices.truncate(whole);
            Ok(Some(Some(indices)))
        }
        None if is_list && whole == count => Ok(Some(None)),
        indices => {
            let mut entries: Vec<u32> = source.zeros(mode.entries(whole), path)?;
            // Beyond 32 bits the mesh is refused as too large.
            mode.fill(u32::try_from(whole).unwrap_or(u32::MAX), &mut entries);
            if let Some(indices) = indices {
                for entry in &mut entries {
                    *entry = indices[*entry as usize];
                }
            }
            Ok(Some(Some(entries)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(mode: Mode, count: usize) -> Vec<u32> {
        let whole = mode.whole(count);
        let mut out = vec![u32::MAX; if whole == 0 { 0 } else { mode.entries(whole) }];
        mode.fill(whole as u32, &mut out);
        out
    }

    #[test]
    fn every_mode_becomes_the_list_that_the_specification_gives() {
        assert_eq!(listed(Mode::Points, 3), [0, 1, 2]);
        assert_eq!(listed(Mode::Lines, 4), [0, 1, 2, 3]);
        assert_eq!(listed(Mode::LineLoop, 4), [0, 1, 1, 2, 2, 3, 3, 0]);
        assert_eq!(listed(Mode::LineStrip, 4), [0, 1, 1, 2, 2, 3]);
        assert_eq!(listed(Mode::Triangles, 6), [0, 1, 2, 3, 4, 5]);
        // p_i = {v_i, v_(i + 1 + i % 2), v_(i + 2 - i % 2)}.
        assert_eq!(listed(Mode::TriangleStrip, 6), [0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4]);
        // p_i = {v_(i + 1), v_(i + 2), v_0}.
        assert_eq!(listed(Mode::TriangleFan, 5), [1, 2, 0, 2, 3, 0, 3, 4, 0]);
    }

    #[test]
    fn too_few_vertices_form_nothing_and_surplus_ones_are_left_out() {
        for (mode, least) in [
            (Mode::Points, 1),
            (Mode::Lines, 2),
            (Mode::LineLoop, 2),
            (Mode::LineStrip, 2),
            (Mode::Triangles, 3),
            (Mode::TriangleStrip, 3),
            (Mode::TriangleFan, 3),
        ] {
            assert!(listed(mode, least - 1).is_empty(), "{mode:?}");
            assert!(!listed(mode, least).is_empty(), "{mode:?}");
        }
        assert_eq!(listed(Mode::LineLoop, 2), [0, 1, 1, 0]);
        assert_eq!(listed(Mode::Lines, 3), [0, 1]);
        assert_eq!(listed(Mode::Triangles, 5), [0, 1, 2]);
    }
}
