//! Buttons with a drawn sign.

use egui::{Id, Rect, Response, Sense, Shape, Ui, pos2, vec2};

/// What a button does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Icon {
    Play,
    Pause,
    Stop,
    Restart,
}

/// A square button of a row's height. Its id is known, so that it is the same whatever stands before it.
pub fn button(ui: &mut Ui, id: Id, icon: Icon, hint: &str) -> Response {
    let side = ui.spacing().interact_size.y;
    let (rect, _) = ui.allocate_exact_size(vec2(side + 4.0, side), Sense::hover());
    let response = ui.interact(rect, id, Sense::click());
    let enabled = ui.is_enabled();
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, enabled, hint));
    let look = ui.style().interact(&response);
    ui.painter().rect_filled(rect, look.corner_radius, look.weak_bg_fill);
    let sign = Rect::from_center_size(rect.center(), vec2(10.0, 10.0));
    let color = look.fg_stroke.color;
    let triangle = |left: f32, right: f32| {
        let points = vec![pos2(left, sign.top()), pos2(right, sign.center().y), pos2(left, sign.bottom())];
        Shape::convex_polygon(points, color, egui::Stroke::NONE)
    };
    let bar =
        |left: f32| Shape::rect_filled(Rect::from_x_y_ranges(left..=left + 3.0, sign.y_range()), 0.0, color);
    match icon {
        Icon::Play => ui.painter().add(triangle(sign.left() + 1.0, sign.right())),
        Icon::Pause => ui.painter().add(Shape::Vec(vec![bar(sign.left() + 1.0), bar(sign.right() - 4.0)])),
        Icon::Stop => ui.painter().add(Shape::rect_filled(sign.shrink(0.5), 1.0, color)),
        Icon::Restart => {
            let back = triangle(sign.right(), sign.left() + 3.0);
            ui.painter().add(Shape::Vec(vec![bar(sign.left() - 1.0), back]))
        }
    };
    if hint.is_empty() { response } else { response.on_hover_text(hint) }
}
