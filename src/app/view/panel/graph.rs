//! The times of the last frames as bars.

use super::style::{FAILURE, GOOD, WARNING, WELL};
use crate::app::view::figures::Figures;
use egui::{Color32, FontId, Mesh, Rect, Sense, Shape, Stroke, Ui, pos2, vec2};

/// Height in points.
const HEIGHT: f32 = 56.0;

/// Milliseconds of a frame at 60 and 30 frames a second.
const GOALS: [f32; 2] = [1e3 / 60.0, 1e3 / 30.0];

/// Times that are marked, in milliseconds.
const MARKS: [f32; 4] = [GOALS[0], GOALS[1], 100.0, 1000.0];

/// Draws the graph; `high` is the time in milliseconds that is nearly as high as it.
pub fn show(ui: &mut Ui, figures: &Figures, high: f32) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 3.0, WELL);
    let top = if high.is_finite() { (high * 1.25).max(1.2 * GOALS[0]) } else { 1.2 * GOALS[1] };
    let y = |time: f32| rect.bottom() - (time / top).clamp(0.0, 1.0) * rect.height();
    let times = figures.milliseconds();
    let width = rect.width() / times.len().max(1) as f32;
    let mut bars = Mesh::default();
    for (index, time) in times.enumerate().filter(|(_, time)| time.is_finite()) {
        let left = rect.left() + index as f32 * width;
        let bar = Rect::from_min_max(pos2(left, y(time)), pos2(left + (width - 0.5).max(0.5), rect.bottom()));
        bars.add_colored_rect(bar, color(time));
    }
    painter.add(Shape::mesh(bars));
    let mut last = Rect::NOTHING;
    for mark in MARKS.into_iter().filter(|mark| *mark < top) {
        let level = y(mark);
        let text = format!("{mark:.1} ms");
        let text = painter.layout_no_wrap(text, FontId::monospace(9.5), Color32::from_gray(190));
        // Above its line, or below where there is no room.
        let above = level - 1.0 - text.size().y;
        let at = if above < rect.top() { level + 1.0 } else { above };
        let place = Rect::from_min_size(pos2(rect.left() + 4.0, at), text.size());
        // Marks of a scale on which they are nearly the same are one.
        if place.intersects(last.expand(1.0)) {
            continue;
        }
        last = place;
        painter.hline(rect.x_range(), level, Stroke::new(1.0, Color32::from_white_alpha(50)));
        painter.rect_filled(place.expand2(vec2(2.0, 0.0)), 2.0, WELL.gamma_multiply(0.85));
        painter.galley(place.min, text, Color32::PLACEHOLDER);
    }
}

fn color(time: f32) -> Color32 {
    // A little late is not late.
    match time {
        time if time <= 1.1 * GOALS[0] => GOOD,
        time if time <= 1.1 * GOALS[1] => WARNING,
        _ => FAILURE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::view::panel::testing::{Bench, stage};
    use fire_engine::scene::Content;
    use std::time::{Duration, Instant};

    /// The marks of a graph of frames that take so long, from below.
    fn marks(bench: &Bench) -> Vec<(&str, Rect)> {
        let labels = MARKS.map(|mark| format!("{mark:.1} ms"));
        let is_mark = |text: &str| labels.iter().any(|label| label == text);
        bench.texts.iter().filter(|(text, _)| is_mark(text)).map(|(text, rect)| (&**text, *rect)).collect()
    }

    #[test]
    fn marks_never_lie_on_each_other_however_slow_frames_are() {
        let mut seen = Vec::new();
        for milliseconds in [1, 16, 20, 25, 27, 28, 40, 50, 60, 90, 120, 200, 500, 900, 1500, 20_000] {
            let mut bench = Bench::new(stage(Content::default()));
            let start = Instant::now();
            for frame in 0..20 {
                bench.figures.record(start + frame * Duration::from_millis(milliseconds));
            }
            bench.click("Statistics");
            let marks = marks(&bench);
            assert!(!marks.is_empty(), "{milliseconds}");
            for pair in marks.windows(2) {
                assert!(pair[1].1.bottom() <= pair[0].1.top(), "{milliseconds}: {marks:?}");
            }
            let graph = Rect::from_min_max(
                pos2(0.0, bench.place("99th percentile").bottom()),
                pos2(900.0, bench.place("GPU").top()),
            );
            assert!(marks.iter().all(|(_, place)| graph.contains_rect(*place)), "{milliseconds}: {marks:?}");
            seen.push(marks.iter().map(|(text, _)| (*text).to_owned()).collect::<Vec<_>>().join(" "));
        }
        assert_eq!((&*seen[0], &*seen[6]), ("16.7 ms", "16.7 ms 33.3 ms"));
        assert_eq!(seen[12], "16.7 ms", "{seen:?}");
        assert_eq!(seen[14], "16.7 ms 1000.0 ms", "{seen:?}");
    }
}
