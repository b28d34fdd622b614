//! A bar on which time is dragged.

use super::style::{ACCENT, WELL};
use egui::{Id, Rect, Response, Sense, Ui, pos2, vec2};

/// Half the width of the handle: so far the ends of time lie within the bar.
const HANDLE: f32 = 4.0;

/// A bar of that width for a clip at `time` of `duration`, both in seconds. Gives the time that is dragged to, as long as it
/// is held, where that is another than `time`; while time `passes` also where it is the same, so that it stays.
pub fn scrub(ui: &mut Ui, id: Id, width: f32, (time, duration): (f64, f64), passes: bool) -> Option<f64> {
    let size = vec2(width.max(4.0 * HANDLE), ui.spacing().interact_size.y);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let can_move = duration.is_finite() && duration > 0.0;
    let response = ui.interact(rect, id, if can_move { Sense::drag() } else { Sense::hover() });
    let rail = Rect::from_x_y_ranges(
        rect.left() + HANDLE..=rect.right() - HANDLE,
        rect.center().y - 2.5..=rect.center().y + 2.5,
    );
    let at = |x: f32| f64::from(((x - rail.left()) / rail.width()).clamp(0.0, 1.0)) * duration;
    let wanted = can_move.then(|| held(ui, &response)).flatten().map(at);
    let shown = wanted.unwrap_or(time);
    paint(ui, &response, rail, if can_move { (shown / duration).clamp(0.0, 1.0) as f32 } else { 0.0 });
    if can_move && let Some(pointer) = response.hover_pos() {
        response.on_hover_text_at_pointer(format!("{:.3} s", at(pointer.x)));
    }
    wanted.filter(|wanted| passes || *wanted != time)
}

/// Where the bar is held, or was let go within this frame.
fn held(ui: &Ui, response: &Response) -> Option<f32> {
    let (pressed, at) = ui.input(|input| (input.pointer.primary_pressed(), input.pointer.interact_pos()));
    // A press that ends in the same frame is no drag.
    let is_tapped = pressed && response.contains_pointer();
    let is_held = response.is_pointer_button_down_on() || response.drag_stopped() || is_tapped;
    at.filter(|_| is_held).map(|pointer| pointer.x)
}

fn paint(ui: &Ui, response: &Response, rail: Rect, share: f32) {
    let share = if share.is_finite() { share } else { 0.0 };
    let x = rail.left() + share * rail.width();
    let color = if ui.is_enabled() { ACCENT } else { ui.visuals().weak_text_color() };
    ui.painter().rect_filled(rail, 2.5, WELL);
    ui.painter().rect_filled(rail.with_max_x(x), 2.5, color.gamma_multiply(0.75));
    let handle = Rect::from_center_size(pos2(x, rail.center().y), vec2(2.0 * HANDLE - 1.0, 14.0));
    let fill =
        if response.hovered() || response.is_pointer_button_down_on() { egui::Color32::WHITE } else { color };
    ui.painter().rect_filled(handle, 2.0, fill);
}
