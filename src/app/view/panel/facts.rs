//! Names with values.

use super::rows::line;
use egui::{Color32, Rect, RichText, Sense, Stroke, StrokeKind, TextStyle, Ui, vec2};
use fire_engine::math::linear_to_srgb;

/// A value with its name, the value at the right, so that its digits stay where they are.
pub fn fact(ui: &mut Ui, name: &str, value: &str) {
    row(ui, name, value, TextStyle::Monospace, None);
}

/// As [`fact`], for a value of words.
pub fn said(ui: &mut Ui, name: &str, value: &str) {
    row(ui, name, value, TextStyle::Body, None);
}

/// As [`fact`], for a linear color.
pub fn color(ui: &mut Ui, name: &str, value: &str, [red, green, blue, alpha]: [f32; 4]) {
    row(ui, name, value, TextStyle::Monospace, Some(srgb([red, green, blue], alpha)));
}

/// A linear color as egui has it; what is no number is 0.
pub fn srgb(rgb: [f32; 3], alpha: f32) -> Color32 {
    let [red, green, blue] = rgb.map(linear_to_srgb);
    Color32::from_rgba_unmultiplied(red, green, blue, (alpha.clamp(0.0, 1.0) * 255.0).round() as u8)
}

fn row(ui: &mut Ui, name: &str, value: &str, style: TextStyle, swatch: Option<Color32>) {
    let size = vec2(ui.available_width(), 17.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    if !ui.is_rect_visible(rect) {
        return;
    }
    let mut space = rect.shrink2(vec2(5.0, 0.0));
    let (weak, strong) = (ui.visuals().weak_text_color(), ui.visuals().text_color());
    let used =
        line(ui, space.with_max_x(space.left() + 0.6 * space.width()), name, TextStyle::Body, weak, false);
    space.min.x += used + 10.0;
    if let Some(swatch) = swatch {
        let square = Rect::from_min_size(space.right_center() - vec2(12.0, 6.0), vec2(12.0, 12.0));
        paint_swatch(ui, square, swatch);
        space.max.x -= 18.0;
    }
    let width = line(ui, space, value, style, strong, true);
    if width + 2.0 >= space.width() {
        response.on_hover_text(value);
    }
}

/// A square of a color, over a checker where it is clear.
pub fn paint_swatch(ui: &Ui, square: Rect, color: Color32) {
    let painter = ui.painter();
    if !color.is_opaque() {
        painter.rect_filled(square, 2.0, Color32::from_gray(70));
        let half = square.size() / 2.0;
        painter.rect_filled(Rect::from_min_size(square.min, half), 0.0, Color32::from_gray(150));
        painter.rect_filled(Rect::from_min_size(square.center(), half), 0.0, Color32::from_gray(150));
    }
    painter.rect(square, 2.0, color, Stroke::new(1.0, Color32::from_gray(90)), StrokeKind::Inside);
}

/// A small title above facts.
pub fn title(ui: &mut Ui, text: &str) {
    ui.add_space(4.0);
    ui.label(RichText::new(text).small().strong());
}
