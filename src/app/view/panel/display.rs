//! How it is drawn.

use super::facts::title;
use super::rows::{Look, row};
use crate::app::view::order::Order;
use crate::app::view::seen::Seen;
use egui::{Align, Id, Layout, Ui};
use fire_engine::vulkan::{PresentMode, ViewMode};

/// Draws the section.
pub fn show(ui: &mut Ui, seen: &Seen<'_>, orders: &mut Vec<Order>) {
    let renderer = seen.renderer;
    title(ui, "What is drawn of the surfaces");
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (index, &mode) in renderer.modes.iter().enumerate() {
            let (text, chosen) = (mode_name(mode), mode == renderer.mode);
            let response = row(ui, Id::new(("mode", index)), Look { text, chosen, ..Look::default() });
            if response.clicked() && !chosen {
                orders.push(Order::Mode(mode));
            }
        }
        ui.add_enabled_ui(false, |ui| {
            let look = Look { text: "Lighting", end: "not yet", weak: true, ..Look::default() };
            row(ui, Id::new("lighting"), look)
                .on_disabled_hover_text("This version lights nothing: base colors are shown as they are.");
        });
    });
    if !renderer.present_modes.is_empty() {
        title(ui, "How frames reach the screen");
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (index, &mode) in renderer.present_modes.iter().enumerate() {
                let ((text, end), chosen) = (present_name(mode), mode == renderer.present_mode);
                let response =
                    row(ui, Id::new(("present mode", index)), Look { text, end, chosen, ..Look::default() });
                if response.clicked() && !chosen {
                    orders.push(Order::Present(mode));
                }
            }
        });
    }
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.add_space(5.0);
        ui.label("Background");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            background(ui, renderer.clear_color, orders)
        });
    });
    ui.horizontal(|ui| {
        ui.add_space(5.0);
        let mut full = seen.is_full_screen;
        if ui.checkbox(&mut full, "Full screen (F11)").clicked() {
            orders.push(Order::ToggleFullScreen);
        }
    });
}

/// The mode, unless it is the usual one.
pub fn heading(seen: &Seen<'_>) -> &'static str {
    match seen.renderer.mode {
        ViewMode::BaseColor => "",
        mode => mode_name(mode),
    }
}

/// A button of the background's color, which opens a picker. Both it and egui's picker take linear light.
fn background(ui: &mut Ui, clear: [f32; 4], orders: &mut Vec<Order>) {
    let [red, green, blue, alpha] = clear;
    let shown = [red, green, blue].map(|value| if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 });
    let mut wanted = shown;
    if ui.color_edit_button_rgb(&mut wanted).changed() && wanted != shown {
        let [red, green, blue] = wanted.map(|value| value.clamp(0.0, 1.0));
        orders.push(Order::Background([red, green, blue, alpha]));
    }
}

/// What a mode is called.
pub fn mode_name(mode: ViewMode) -> &'static str {
    match mode {
        ViewMode::BaseColor => "Base color",
        ViewMode::Normals => "Normals",
        ViewMode::UvChecker => "UV checker",
        ViewMode::Wireframe => "Wireframe",
        ViewMode::MetallicRoughness => "Metallic and roughness",
        ViewMode::Occlusion => "Occlusion",
        ViewMode::NormalTexture => "Normal map",
        ViewMode::Emissive => "Emissive",
        _ => "Other",
    }
}

fn present_name(mode: PresentMode) -> (&'static str, &'static str) {
    match mode {
        PresentMode::Fifo => ("Vsync", "at the screen's pace"),
        PresentMode::FifoRelaxed => ("Vsync, relaxed", "late frames at once"),
        PresentMode::Mailbox => ("Mailbox", "newest, no tearing"),
        PresentMode::Immediate => ("Immediate", "may tear"),
        _ => ("Other", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::view::panel::testing::{Bench, stage};
    use fire_engine::math::srgb_to_linear;
    use fire_engine::scene::Content;

    fn opened() -> Bench {
        let mut bench = Bench::new(stage(Content::default()));
        assert_eq!(bench.click("Display"), []);
        bench
    }

    #[test]
    fn modes_are_asked_for_unless_they_are_chosen_already() {
        let mut bench = opened();
        assert_eq!((bench.click("Base color"), bench.click("Vsync")), (vec![], vec![]));
        assert_eq!(bench.click("Wireframe"), [Order::Mode(ViewMode::Wireframe)]);
        assert_eq!(bench.click("Immediate"), [Order::Present(PresentMode::Immediate)]);
        assert_eq!(bench.click("Full screen"), [Order::ToggleFullScreen]);
        assert_eq!(bench.click("Lighting"), [], "there is none yet");
        bench.click("Display");
        assert!(!bench.says("Base color"));
        bench.renderer.mode = ViewMode::Wireframe;
        bench.settle();
        assert!(bench.says("Wireframe"), "in the heading");
        bench.click("Display");
        bench.renderer.present_modes.clear();
        bench.settle();
        assert!(!bench.says("Vsync"), "no window");
    }

    #[test]
    fn a_background_that_is_picked_is_linear_and_keeps_its_alpha() {
        let mut bench = opened();
        bench.renderer.clear_color = [srgb_to_linear(128), 0.0, 0.0, 0.5];
        bench.settle();
        // At the end of the line.
        let (line, bar) = (bench.place("Background"), bench.widget("lighting"));
        assert_eq!(bench.click_at(egui::pos2(bar.right() - 10.0, line.center().y)), []);
        // The picker is open, and shows the bytes.
        let red = bench.place("R 128").center();
        let mut orders = bench.press(red);
        for by in [20.0, 40.0] {
            orders.extend(bench.frame(vec![egui::Event::PointerMoved(red + egui::vec2(by, 0.0))]));
        }
        orders.extend(bench.release(red + egui::vec2(40.0, 0.0)));
        let Some(Order::Background([red, green, blue, alpha])) = orders.last() else { panic!("{orders:?}") };
        assert!(*red > srgb_to_linear(130) && *red < srgb_to_linear(255), "{orders:?}");
        assert_eq!((*green, *blue, *alpha), (0.0, 0.0, 0.5));
    }

    #[test]
    fn backgrounds_that_are_no_colors_are_left_alone() {
        let mut bench = opened();
        bench.renderer.clear_color = [f32::NAN, f32::INFINITY, 7.0, -1.0];
        assert_eq!(bench.settle(), []);
    }
}
