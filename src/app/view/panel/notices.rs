//! What is seen also without the panel: that something is being loaded, what went wrong, that there is nothing to see; and only
//! without it for a moment what is drawn of the surfaces.

use super::drawn::NOTHING;
use super::key_window;
use super::state::PanelState;
use super::style;
use super::text;
use crate::app::view::order::Order;
use crate::app::view::seen::Seen;
use egui::{Align2, Area, Color32, Context, Id, Label, ProgressBar, RichText, Stroke, Ui, vec2};
use fire_engine::gltf::{LoadPhase, LoadProgress};
use std::time::Duration;

/// How often progress is looked at.
const PACE: Duration = Duration::from_millis(100);

/// The widest that it gets, in points.
const WIDEST: f32 = 460.0;

/// Draws them above the picture; after the panel, where that is shown.
pub fn notices(
    context: &Context,
    state: &mut PanelState,
    seen: &Seen<'_>,
    has_panel: bool,
    orders: &mut Vec<Order>,
) {
    style::apply(context);
    key_window::show(context, seen, orders);
    let mode = state.mode_notice.changed(context, seen.renderer.mode, has_panel);
    let is_empty = seen.message.is_none() && state.drawn.is_nothing(seen);
    if seen.loading.is_none() && seen.message.is_none() && mode.is_none() && !is_empty {
        return;
    }
    let free = context.available_rect();
    let width = (free.width() - 24.0).clamp(80.0, WIDEST);
    let area = Area::new(Id::new("notices")).order(egui::Order::Middle).interactable(seen.message.is_some());
    area.pivot(Align2::CENTER_TOP).fixed_pos(free.center_top() + vec2(0.0, 12.0)).show(context, |ui| {
        ui.set_width(width);
        if let Some((name, progress)) = &seen.loading {
            loading(ui, name, *progress);
            context.request_repaint_after(PACE);
        }
        if let Some(text) = seen.message {
            message(ui, text, orders);
        }
        if is_empty {
            ui.vertical_centered(|ui| boxed(ui, style::WARNING, |ui| drop(ui.label(NOTHING))));
        }
        if let Some(mode) = mode {
            ui.vertical_centered(|ui| boxed(ui, style::ACCENT, |ui| drop(ui.label(mode))));
        }
    });
}

fn loading(ui: &mut Ui, name: &str, progress: Option<LoadProgress>) {
    boxed(ui, style::ACCENT, |ui| {
        ui.set_width(ui.available_width());
        ui.add(Label::new(RichText::new(format!("Loading {}", text::name(name))).strong()).truncate());
        let (step, share) = progress.map_or(("begins".to_owned(), 0.0), |progress| {
            step(progress.phase, progress.done, progress.total)
        });
        ui.add(ProgressBar::new(share).desired_height(6.0));
        ui.label(RichText::new(step).small().weak());
    });
}

fn message(ui: &mut Ui, text: &str, orders: &mut Vec<Order>) {
    boxed(ui, style::FAILURE, |ui| {
        ui.set_width(ui.available_width());
        egui::ScrollArea::vertical().max_height(200.0).min_scrolled_height(200.0).show(ui, |ui| {
            ui.add(Label::new(text::message(text)).wrap().selectable(true));
        });
        if ui.small_button("Dismiss").clicked() {
            orders.push(Order::Dismiss);
        }
    });
}

fn boxed(ui: &mut Ui, edge: Color32, content: impl FnOnce(&mut Ui)) {
    style::frame().corner_radius(5).stroke(Stroke::new(1.0, edge)).show(ui, content);
}

/// What goes on, and which share of all is done. Phases take as long as they like, so each is a fifth.
fn step(phase: LoadPhase, done: usize, total: usize) -> (String, f32) {
    let (before, what) = match phase {
        LoadPhase::Document => (0.0, "document"),
        LoadPhase::Buffers => (1.0, "buffers"),
        LoadPhase::Images => (2.0, "images"),
        LoadPhase::Meshes => (3.0, "meshes"),
        LoadPhase::Scene => (4.0, "scene"),
        _ => (4.0, "more"),
    };
    let share = (before + done.min(total) as f32 / total.max(1) as f32) / 5.0;
    let text = if total > 1 { format!("{what}: {done} of {total}") } else { what.to_owned() };
    (text, share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::timed_load::load;
    use crate::app::view::panel::testing::{Bench, stage, with_clips};
    use fire_engine::assets::{Material, Mesh, RenderObject};
    use fire_engine::gltf::LoadOptions;
    use fire_engine::math::Vec3;
    use fire_engine::scene::Content;
    use fire_engine::vulkan::ViewMode;
    use std::ops::ControlFlow;
    use std::sync::{Arc, Mutex};

    /// Of a load that took place.
    fn progress() -> Vec<LoadProgress> {
        let all = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&all);
        let watch = move |progress| {
            noted.lock().unwrap().push(progress);
            ControlFlow::Continue(())
        };
        load(None, &LoadOptions::default(), watch).unwrap();
        let all = all.lock().unwrap();
        assert!(all.len() > 3);
        all.clone()
    }

    #[test]
    fn loading_and_faults_are_seen_with_and_without_the_panel() {
        for is_shown in [true, false] {
            let mut bench = Bench::new(stage(Content::default()));
            bench.is_shown = is_shown;
            bench.settle();
            assert!(!bench.says("Loading"));
            bench.loading = Some(("a\u{202e}.glb".to_owned(), None));
            bench.message = Some(format!("no such file\u{1b}[2J {}", "x".repeat(100_000)));
            assert_eq!(bench.settle(), []);
            assert!(bench.says("Loading a\\u{202e}.glb") && bench.says("begins"));
            assert!(bench.says("no such file\\u{1b}[2J"));
            for progress in progress() {
                bench.loading = Some(("cube".to_owned(), Some(progress)));
                assert_eq!(bench.settle(), []);
                assert!(bench.says(&step(progress.phase, progress.done, progress.total).0));
            }
            assert_eq!(bench.click("Dismiss"), [Order::Dismiss]);
        }
    }

    #[test]
    fn a_mode_that_changes_is_told_for_a_moment_while_the_panel_is_hidden() {
        let mut bench = Bench::new(stage(Content::default()));
        bench.is_shown = false;
        assert_eq!(bench.settle(), []);
        assert!(!bench.says("Base color"), "it is no news");
        assert_eq!(bench.repaint_after, Duration::MAX);
        bench.renderer.mode = ViewMode::Wireframe;
        bench.settle();
        assert!(bench.says("Wireframe"));
        assert!(bench.repaint_after > Duration::from_secs(1), "{:?}", bench.repaint_after);
        // Another, from then on for as long.
        bench.renderer.mode = ViewMode::Normals;
        (0..15).for_each(|_| drop(bench.frame(Vec::new())));
        assert!(bench.says("Normals") && !bench.says("Wireframe"));
        assert!(bench.repaint_after < Duration::from_secs(1), "{:?}", bench.repaint_after);
        (0..8).for_each(|_| drop(bench.frame(Vec::new())));
        assert!(!bench.says("Normals"));
        assert_eq!(bench.repaint_after, Duration::MAX);
        // Where the panel is it tells the mode, and nothing is caught up with when it goes.
        bench.is_shown = true;
        bench.renderer.mode = ViewMode::UvChecker;
        bench.settle();
        bench.is_shown = false;
        bench.settle();
        assert!(!bench.says("UV checker"));
        // Nor with what was told before the panel came.
        bench.renderer.mode = ViewMode::Wireframe;
        bench.frame(Vec::new());
        assert!(bench.says("Wireframe"));
        for is_shown in [true, false] {
            bench.is_shown = is_shown;
            bench.frame(Vec::new());
        }
        bench.frame(Vec::new());
        assert!(!bench.says("Wireframe"));
    }

    #[test]
    fn a_scene_without_anything_to_draw_is_told_unless_something_else_is_the_cause() {
        for is_shown in [true, false] {
            let mut bench = Bench::new(stage(with_clips(&[("walk", 1.0)])));
            bench.is_shown = is_shown;
            let told = |bench: &mut Bench| {
                bench.settle();
                bench.texts.iter().filter(|(text, _)| text == NOTHING).count()
            };
            assert_eq!(told(&mut bench), 0, "no model is there yet");
            bench.stage.path = Some("empty.gltf".into());
            assert_eq!(told(&mut bench), if is_shown { 2 } else { 1 });
            assert_eq!(bench.repaint_after, Duration::MAX);
            bench.loading = Some(("other".to_owned(), None));
            assert_eq!(told(&mut bench), 0);
            bench.loading = None;
            bench.refused.insert("empty.gltf".into(), "no such file".to_owned());
            assert_eq!(told(&mut bench), 0);
            bench.refused.clear();
            let assets = &mut bench.stage.content.assets;
            let material = assets.add_material(Material::default());
            let mesh = assets.add_mesh(Mesh { positions: vec![Vec3::ZERO; 3], ..Mesh::default() });
            let object = assets.add_render_object(RenderObject { mesh, material });
            let scene = &mut bench.stage.content.scene;
            let node = scene.add_root("seen").unwrap();
            scene.find_mut(node).unwrap().set_render_object(Some(object));
            assert_eq!(told(&mut bench), 0);
        }
    }

    #[test]
    fn the_share_of_a_load_grows_from_phase_to_phase_and_has_no_part_of_nothing() {
        let at = |phase, done, total| step(phase, done, total).1;
        assert_eq!((at(LoadPhase::Document, 0, 1), at(LoadPhase::Buffers, 0, 0)), (0.0, 0.2));
        assert!((at(LoadPhase::Images, 1, 2) - 0.5).abs() < 1e-6);
        assert_eq!(step(LoadPhase::Images, 3, 5).0, "images: 3 of 5");
        assert_eq!((at(LoadPhase::Scene, 1, 1), at(LoadPhase::Scene, 9, 1)), (1.0, 1.0));
    }
}
