//! The times of the last frames as bars.

use super::style::{FAILURE, GOOD, WARNING, WELL};
use crate::app::view::figures::Figures;
use egui::{Align2, Color32, FontId, Mesh, Rect, Sense, Shape, Stroke, Ui, pos2, vec2};

/// Height in points.
const HEIGHT: f32 = 56.0;

/// Milliseconds of a frame at 60 and 30 frames a second.
const MARKS: [f32; 2] = [1e3 / 60.0, 1e3 / 30.0];

/// Draws the graph; `high` is the time in milliseconds that is nearly as high as it.
pub fn show(ui: &mut Ui, figures: &Figures, high: f32) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, 3.0, WELL);
    let top = if high.is_finite() { (high * 1.25).max(1.2 * MARKS[0]) } else { 1.2 * MARKS[1] };
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
    for mark in MARKS.into_iter().filter(|mark| *mark < top) {
        let level = y(mark);
        painter.hline(rect.x_range(), level, Stroke::new(1.0, Color32::from_white_alpha(50)));
        let text = format!("{mark:.1} ms");
        let at = pos2(rect.left() + 4.0, level - 1.0);
        painter.text(at, Align2::LEFT_BOTTOM, text, FontId::monospace(9.5), Color32::from_white_alpha(150));
    }
}

fn color(time: f32) -> Color32 {
    // A little late is not late.
    match time {
        time if time <= 1.1 * MARKS[0] => GOOD,
        time if time <= 1.1 * MARKS[1] => WARNING,
        _ => FAILURE,
    }
}
