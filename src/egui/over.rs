//! Where egui lies in a picture.

use ::egui::{Context, Order, Pos2};

/// Whether a point in physical pixels lies over something of egui, as the last run left it.
///
/// `Context::is_pointer_over_area` asks that of where the pointer was in the last run.
pub(super) fn is_over(context: &Context, (x, y): (f32, f32)) -> bool {
    let scale = context.pixels_per_point();
    let point = Pos2::new(x / scale, y / scale);
    match context.layer_id_at(point) {
        None => false,
        // The layer of the panels is as large as the picture.
        Some(layer) if layer.order == Order::Background => {
            context.viewport(|viewport| !viewport.prev_pass.unused_rect.contains(point))
        }
        Some(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::egui::{Area, CentralPanel, Id, Modal, RawInput, Rect, Sense, SidePanel, vec2};

    const SCALE: f32 = 2.0;

    /// In a picture of 800 by 600 pixels.
    fn run_once(context: &Context, interface: impl FnMut(&Context)) {
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(400.0, 300.0))),
            ..RawInput::default()
        };
        let viewport = input.viewports.entry(input.viewport_id).or_default();
        viewport.native_pixels_per_point = Some(SCALE);
        let _output = context.run(input, interface);
    }

    fn run(context: &Context, mut interface: impl FnMut(&Context)) {
        // egui measures what it has not seen before, and shows it in the run after.
        run_once(context, &mut interface);
        run_once(context, interface);
    }

    fn panel(context: &Context) {
        SidePanel::left("panel").exact_width(100.0).resizable(false).show(context, |ui| ui.label("panel"));
    }

    /// From (200, 100) to (250, 140) in points.
    fn area(context: &Context) {
        Area::new(Id::new("area")).fixed_pos((200.0, 100.0)).show(context, |ui| {
            ui.allocate_exact_size(vec2(50.0, 40.0), Sense::click());
        });
    }

    #[test]
    fn nothing_lies_anywhere_before_the_first_run_and_without_an_interface() {
        let context = Context::default();
        assert!(!is_over(&context, (10.0, 10.0)));
        run(&context, |_| ());
        assert!(!is_over(&context, (10.0, 10.0)));
    }

    #[test]
    fn panels_and_areas_lie_where_they_were_laid_out_in_pixels() {
        let context = Context::default();
        run(&context, |context| {
            panel(context);
            area(context);
        });
        for (at, over) in [
            ((10.0, 590.0), true),
            ((190.0, 10.0), true),
            ((250.0, 10.0), false),
            ((410.0, 210.0), true),
            ((490.0, 270.0), true),
            ((510.0, 270.0), false),
            ((410.0, 290.0), false),
            ((210.0, 110.0), false),
            // A drag goes on outside of the window.
            ((-10.0, 590.0), false),
            ((900.0, 10.0), false),
        ] {
            assert_eq!(is_over(&context, at), over, "{at:?}");
        }
        // As the very last run left it, wherever the pointer is.
        run_once(&context, |_| ());
        for at in [(10.0, 590.0), (410.0, 210.0)] {
            assert!(!is_over(&context, at), "{at:?}");
        }
    }

    #[test]
    fn a_central_panel_and_a_modal_window_lie_everywhere() {
        let context = Context::default();
        run(&context, |context| {
            CentralPanel::default().show(context, |ui| ui.label("all"));
        });
        assert!(is_over(&context, (790.0, 590.0)));
        let context = Context::default();
        run(&context, |context| {
            Modal::new(Id::new("modal")).show(context, |ui| ui.label("sure?"));
        });
        assert!(is_over(&context, (790.0, 590.0)) && is_over(&context, (10.0, 10.0)));
    }
}
