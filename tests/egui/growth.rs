//! Many frames: textures that grow and go, and what stays the same.

use crate::gui::{Gui, Test};
use crate::support::assert_clean;
use crate::support::stage::expect_pixel;
use fire_engine::egui::egui::{CentralPanel, Color32, ColorImage, Context, RichText, TextureOptions, Theme};
use libtest_mimic::Failed;

pub const TESTS: &[Test] = &[
    ("text_changes_and_the_atlas_grows", text_changes_and_the_atlas_grows),
    ("freed_textures_go_after_the_frames_that_show_them", freed_textures_go_after_the_frames_that_show_them),
    ("steady_frames_grow_nothing", steady_frames_grow_nothing),
    ("a_cleared_painter_and_a_new_renderer_start_again", a_cleared_painter_and_a_new_renderer_start_again),
    ("a_change_of_theme_and_scale_while_running", a_change_of_theme_and_scale_while_running),
];

/// Text in several sizes, other each time.
fn text(round: u32) -> impl FnMut(&Context) {
    move |context| {
        CentralPanel::default().show(context, |ui| {
            for line in 0..3 {
                let size = 8.0 + ((round * 3 + line) % 40) as f32 * 2.0;
                let words = format!(
                    "{round} Ωµ€ {}",
                    char::from_u32(0x41 + (round * 7 + line) % 0x50).unwrap_or('?')
                );
                ui.label(RichText::new(words).size(size));
            }
        });
    }
}

fn text_changes_and_the_atlas_grows() -> Result<(), Failed> {
    let (mut gui, log) = Gui::new(Theme::Light, 1.5)?;
    gui.frame(text(0))?;
    let small = gui.context.fonts(|fonts| fonts.image()).size;
    let mut partial = 0;
    for round in 0..60 {
        let output = gui.run(text(round));
        partial += output.textures_delta.set.iter().filter(|(_, delta)| delta.pos.is_some()).count();
        gui.painter.paint(&mut gui.renderer, &gui.context, output)?;
        gui.renderer.draw_frame(&gui.scene, &crate::support::stage::flat_camera())?;
    }
    let large = gui.context.fonts(|fonts| fonts.image()).size;
    let incremental = gui.picture("growth", text(7))?;
    // The atlas as it is now, sent whole to a painter that has seen none of its parts.
    gui.painter.clear(&mut gui.renderer)?;
    let whole = gui.picture("growth_whole", text(7))?;
    assert_eq!((gui.painter.left_out(), gui.renderer.preparation().generation()), (0, 1));
    drop(gui);
    assert_clean(&log)?;
    assert!(large[1] > small[1] && partial > 5, "{small:?} {large:?} {partial} parts");
    assert!(incremental == whole, "parts and the whole give different pictures");
    Ok(())
}

fn freed_textures_go_after_the_frames_that_show_them() -> Result<(), Failed> {
    let (mut gui, log) = Gui::new(Theme::Dark, 1.0)?;
    let mut steady = None;
    for round in 0..20_u8 {
        let color = Color32::from_rgb(round * 10, 100, 200);
        let image = ColorImage::filled([16, 16], color);
        let texture = gui.context.load_texture("a", image, TextureOptions::LINEAR);
        let id = texture.id();
        // Dropped while it is shown: egui frees it in the output that still shows it.
        let mut texture = Some(texture);
        let picture = gui.picture("freed", |context| {
            let rect = context.content_rect();
            let uv = fire_engine::egui::egui::Rect::from_min_max(Default::default(), [1.0, 1.0].into());
            let layer = fire_engine::egui::egui::LayerId::background();
            context.layer_painter(layer).image(id, rect, uv, Color32::WHITE);
            texture.take();
        })?;
        expect_pixel(&picture, (100, 100), [round * 10, 100, 200, 255], 1)?;
        // The frame may be shown again before anything else is painted.
        gui.renderer.draw_frame(&gui.scene, &crate::support::stage::flat_camera())?;
        gui.frame(|_| ())?;
        assert_eq!(gui.painter.left_out(), 0);
        gui.renderer.wait_idle()?;
        let now = gui.renderer.live_objects();
        match &steady {
            Some(before) if round > 2 => assert_eq!(*before, now, "round {round}"),
            _ => steady = Some(now),
        }
    }
    drop(gui);
    assert_clean(&log)
}

fn steady_frames_grow_nothing() -> Result<(), Failed> {
    let (mut gui, log) = Gui::new(Theme::Dark, 1.0)?;
    for _ in 0..5 {
        gui.frame(text(3))?;
    }
    gui.renderer.wait_idle()?;
    let capacities = |gui: &mut Gui| {
        let overlay = gui.renderer.overlay_mut();
        [overlay.vertices.capacity(), overlay.indices.capacity(), overlay.draws.capacity()]
    };
    let before = (capacities(&mut gui), gui.renderer.live_objects());
    for _ in 0..50 {
        gui.frame(text(3))?;
    }
    gui.renderer.wait_idle()?;
    assert_eq!((capacities(&mut gui), gui.renderer.live_objects()), before);
    assert_eq!(gui.renderer.preparation().generation(), 1);
    drop(gui);
    assert_clean(&log)
}

fn a_cleared_painter_and_a_new_renderer_start_again() -> Result<(), Failed> {
    let (mut gui, log) = Gui::new(Theme::Dark, 1.0)?;
    gui.frame(text(1))?;
    gui.renderer.wait_idle()?;
    let expected = gui.picture("cleared", text(1))?;
    gui.painter.clear(&mut gui.renderer)?;
    assert!(gui.renderer.overlay_mut().is_empty());
    gui.renderer.draw_frame(&gui.scene, &crate::support::stage::flat_camera())?;
    assert!(gui.picture("cleared_again", text(1))? == expected);
    // The context lives on where the renderer was lost.
    let (mut next, next_log) = Gui::new(Theme::Dark, 1.0)?;
    next.context = gui.context.clone();
    drop(gui);
    assert!(next.picture("new_renderer", text(1))? == expected);
    drop(next);
    assert_clean(&log)?;
    assert_clean(&next_log)
}

fn a_change_of_theme_and_scale_while_running() -> Result<(), Failed> {
    let (mut gui, log) = Gui::new(Theme::Dark, 1.0)?;
    for (theme, scale, panel) in
        [(Theme::Dark, 1.0, 27), (Theme::Light, 1.0, 248), (Theme::Light, 1.75, 248), (Theme::Dark, 3.0, 27)]
    {
        gui.context.set_theme(theme);
        gui.pixels_per_point = scale;
        for round in 0..3 {
            gui.frame(text(round))?;
        }
        let picture = gui.picture("changed", text(3))?;
        expect_pixel(&picture, (319, 239), [panel, panel, panel, 255], 1)?;
    }
    drop(gui);
    assert_clean(&log)
}
