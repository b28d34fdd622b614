//! What egui paints, pixel by pixel.

use crate::gui::{Gui, SIZE, Test};
use crate::support::assert_clean;
use crate::support::stage::{BLACK, BLUE, GREEN, RED, WHITE, expect_pixel};
use fire_engine::assets::ImageData;
use fire_engine::egui::egui::epaint::{Mesh, PaintCallback, RectShape};
use fire_engine::egui::egui::{
    self, Align2, CentralPanel, Color32, ColorImage, Context, CornerRadius, FontId, Frame, Id, LayerId,
    Order, Rect, Shape, TextureId, TextureOptions, Theme, Ui, pos2, vec2,
};
use libtest_mimic::Failed;
use std::sync::Arc;

pub const TESTS: &[Test] = &[
    ("opaque_colors_are_exact_and_clips_cut_pixels", opaque_colors_are_exact_and_clips_cut_pixels),
    ("widgets_show_in_both_themes_at_several_scales", widgets_show_in_both_themes_at_several_scales),
    ("text_is_as_dark_or_light_as_egui_means_it", text_is_as_dark_or_light_as_egui_means_it),
    ("images_and_registered_textures_show", images_and_registered_textures_show),
    ("what_cannot_be_shown_is_counted", what_cannot_be_shown_is_counted),
    ("a_screen_without_area_and_nothing_at_all_are_fine", a_screen_without_area_and_nothing_at_all_are_fine),
];

/// What is painted directly, without a widget around it.
fn painter(context: &Context) -> egui::Painter {
    context.layer_painter(LayerId::new(Order::Foreground, Id::new("test")))
}

/// A rectangle with sharp edges on whole pixels.
fn block(rect: [f32; 4], color: Color32) -> Shape {
    let [x, y, width, height] = rect;
    let rect = Rect::from_min_size(pos2(x, y), vec2(width, height));
    Shape::Rect(RectShape::filled(rect, CornerRadius::ZERO, color))
}

fn opaque_colors_are_exact_and_clips_cut_pixels() -> Result<(), Failed> {
    let (mut gui, log) = Gui::new(Theme::Dark, 2.0)?;
    let picture = gui.picture("blocks", |context| {
        let painter = painter(context);
        painter.add(block([10.0, 10.0, 20.0, 10.0], Color32::from_rgb(200, 30, 77)));
        let clip = Rect::from_min_max(pos2(60.0, 20.0), pos2(70.0, 25.0));
        painter.with_clip_rect(clip).add(block([50.0, 10.0, 60.0, 60.0], Color32::from_rgb(1, 128, 254)));
        let huge = Rect::from_min_max(pos2(-1e9, -1e9), pos2(1e9, 1e9));
        painter.with_clip_rect(huge).add(block([100.0, 60.0, 60.0, 60.0], Color32::from_rgb(9, 8, 7)));
        let outside = Rect::from_min_max(pos2(500.0, 0.0), pos2(600.0, 50.0));
        painter.with_clip_rect(outside).add(block([0.0, 0.0, 160.0, 120.0], Color32::WHITE));
    })?;
    assert_eq!((gui.painter.left_out(), gui.renderer.preparation().generation()), (0, 1));
    drop(gui);
    assert_clean(&log)?;
    // Two pixels a point.
    let (red, blue) = ([200, 30, 77, 255], [1, 128, 254, 255]);
    for (at, color) in [((30, 30), red), ((22, 22), red), ((57, 37), red), ((64, 30), BLACK)] {
        expect_pixel(&picture, at, color, 1)?;
    }
    for (at, color) in
        [((120, 40), blue), ((139, 49), blue), ((119, 45), BLACK), ((140, 45), BLACK), ((130, 50), BLACK)]
    {
        expect_pixel(&picture, at, color, 1)?;
    }
    expect_pixel(&picture, (SIZE.0 - 1, SIZE.1 - 1), [9, 8, 7, 255], 1)
}

/// A panel with most of what programs use; returns where the button is, in points.
fn widgets(ui: &mut Ui, image: TextureId) -> Rect {
    ui.heading("Letter cube");
    ui.label("The quick brown fox jumps over 12 lazy dogs.");
    ui.horizontal(|ui| {
        ui.checkbox(&mut true, "pause");
        ui.hyperlink_to("link", "");
        ui.weak("weak");
        ui.code("code");
    });
    ui.add(egui::Slider::new(&mut 0.6, 0.0..=1.0).text("speed"));
    let fill = Color32::from_rgb(255, 196, 0);
    let text = egui::RichText::new("dark on bright").color(Color32::BLACK);
    let button = ui.add(egui::Button::new(text).fill(fill).min_size(vec2(110.0, 24.0)));
    ui.add(egui::Image::new((image, vec2(24.0, 24.0))));
    ui.add(egui::ProgressBar::new(0.7).show_percentage());
    button.rect
}

fn quarters() -> ColorImage {
    let colors = [RED, GREEN, BLUE, WHITE].map(|[red, green, blue, _]| Color32::from_rgb(red, green, blue));
    ColorImage::new([2, 2], colors.to_vec())
}

fn widgets_show_in_both_themes_at_several_scales() -> Result<(), Failed> {
    for (theme, panel) in [(Theme::Dark, 27), (Theme::Light, 248)] {
        for scale in [1.0, 1.25, 2.0] {
            let (mut gui, log) = Gui::new(theme, scale)?;
            let image = gui.context.load_texture("quarters", quarters(), TextureOptions::NEAREST);
            let mut button = Rect::NOTHING;
            let mut show = |context: &Context| {
                CentralPanel::default().show(context, |ui| button = widgets(ui, image.id()));
            };
            // The first frame sizes what the second shows.
            gui.frame(&mut show)?;
            let picture = gui.picture(&format!("widgets_{theme:?}_{scale}"), &mut show)?;
            assert_eq!((gui.painter.left_out(), gui.renderer.preparation().generation()), (0, 1));
            drop(image);
            drop(gui);
            assert_clean(&log)?;
            expect_pixel(&picture, (1, 1), [panel, panel, panel, 255], 1)?;
            // Between the button's edge and its text.
            let at = (button.min + vec2(4.0, 6.0)) * scale;
            expect_pixel(&picture, (at.x as u32, at.y as u32), [255, 196, 0, 255], 1)?;
        }
    }
    Ok(())
}

/// Against egui's own blending of encoded values, in software: the whole text's contrast, and the worst pixel.
fn text_is_as_dark_or_light_as_egui_means_it() -> Result<(), Failed> {
    // The curve is made for the themes' own text, so pure white and black are a little off.
    for (theme, panel, text, limit) in [
        (Theme::Dark, 27, 180, 0.01),
        (Theme::Dark, 27, 255, 0.04),
        (Theme::Light, 248, 60, 0.04),
        (Theme::Light, 248, 0, 0.16),
    ] {
        let (mut gui, log) = Gui::new(theme, 1.0)?;
        let mut show = |context: &Context| {
            CentralPanel::default().frame(Frame::NONE.fill(Color32::from_gray(panel))).show(context, |ui| {
                let color = Color32::from_gray(text);
                for row in 0..10 {
                    let at = pos2(4.0, 4.0 + 22.0 * row as f32);
                    let words = "Sphinx of black quartz, judge my vow 0123";
                    ui.painter().text(at, Align2::LEFT_TOP, words, FontId::proportional(13.0), color);
                }
            });
        };
        let output = gui.run(&mut show);
        // egui's own coverage, of the atlas that it made: which share of a texel's area is ink, in its eyes.
        let atlas = gui.context.fonts(|fonts| fonts.image());
        let primitives = gui.context.tessellate(output.shapes.clone(), 1.0);
        let expected = software(&primitives, &atlas, panel);
        gui.painter.paint(&mut gui.renderer, &gui.context, output)?;
        let camera = crate::support::stage::flat_camera();
        let picture = gui.renderer.render_to_image(&gui.scene, &camera)?;
        drop(gui);
        assert_clean(&log)?;
        let (mut sum, mut ink, mut worst) = (0.0, 0.0, 0_u8);
        for (pixel, &wanted) in picture.pixels().chunks_exact(4).zip(&expected) {
            sum += f32::from(pixel[0]) - f32::from(wanted);
            ink += f32::from(wanted.abs_diff(panel));
            worst = worst.max(pixel[0].abs_diff(wanted));
        }
        let contrast = sum.abs() / ink;
        assert!(ink > 10_000.0, "there is text: {ink}");
        assert!(contrast < limit, "{theme:?} {text}: the text's weight is off by {contrast}");
        assert!(worst <= 30, "{theme:?} {text}: a pixel is off by {worst}");
    }
    Ok(())
}

/// What egui's own painters make of glyphs and a background: encoded grays, blended as they are. Glyphs lie on whole
/// pixels here, a texel each.
fn software(primitives: &[egui::ClippedPrimitive], atlas: &ColorImage, panel: u8) -> Vec<u8> {
    let (width, height) = (SIZE.0 as usize, SIZE.1 as usize);
    let mut pixels = vec![panel; width * height];
    for primitive in primitives {
        let egui::epaint::Primitive::Mesh(mesh) = &primitive.primitive else { continue };
        for glyph in mesh.vertices.chunks_exact(4).filter(|glyph| glyph[0].uv != egui::epaint::WHITE_UV) {
            let (from, to, color) = (glyph[0], glyph[3], glyph[0].color);
            let texel = pos2(from.uv.x * atlas.width() as f32, from.uv.y * atlas.height() as f32).round();
            let (columns, rows) = ((to.pos.x - from.pos.x).round(), (to.pos.y - from.pos.y).round());
            for row in 0..rows as usize {
                for column in 0..columns as usize {
                    let x = from.pos.x.round() as usize + column;
                    let y = from.pos.y.round() as usize + row;
                    let coverage =
                        f32::from(atlas[(texel.x as usize + column, texel.y as usize + row)].a()) / 255.0;
                    if x < width && y < height {
                        let pixel = &mut pixels[y * width + x];
                        let mixed = f32::from(color.r()) * coverage + f32::from(*pixel) * (1.0 - coverage);
                        *pixel = mixed.round() as u8;
                    }
                }
            }
        }
    }
    pixels
}

fn images_and_registered_textures_show() -> Result<(), Failed> {
    let (mut gui, log) = Gui::new(Theme::Dark, 1.0)?;
    let ours = ImageData::rgba8(1, 1, vec![10, 20, 30, 255]);
    let texture = gui.renderer.add_overlay_texture(&ours)?;
    let registered = gui.painter.register(texture);
    assert_eq!(gui.painter.register(texture), registered);
    let mut image = gui.context.load_texture("quarters", quarters(), TextureOptions::NEAREST);
    let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    let id = image.id();
    let show = move |context: &Context| {
        let painter = painter(context);
        let place = |x: f32| Rect::from_min_size(pos2(x, 10.0), vec2(20.0, 20.0));
        painter.image(id, place(10.0), uv, Color32::WHITE);
        painter.image(registered, place(50.0), uv, Color32::WHITE);
    };
    let first = gui.picture("images", show)?;
    // One texel of it, then all of it, while frames are in flight.
    image.set_partial([1, 0], ColorImage::filled([1, 1], Color32::YELLOW), TextureOptions::NEAREST);
    gui.frame(show)?;
    let second = gui.picture("images_partial", show)?;
    image.set(ColorImage::filled([3, 3], Color32::from_rgb(7, 77, 177)), TextureOptions::NEAREST);
    gui.frame(show)?;
    let third = gui.picture("images_whole", show)?;
    assert!(gui.painter.unregister(registered) && !gui.painter.unregister(registered));
    gui.frame(show)?;
    assert_eq!(gui.painter.left_out(), 1);
    assert!(gui.renderer.remove_overlay_texture(texture)?);
    gui.frame(show)?;
    drop(image);
    drop(gui);
    assert_clean(&log)?;
    for (at, color) in
        [((12, 12), RED), ((19, 19), RED), ((20, 19), GREEN), ((12, 28), BLUE), ((28, 28), WHITE)]
    {
        expect_pixel(&first, at, color, 0)?;
    }
    expect_pixel(&first, (60, 20), [10, 20, 30, 255], 1)?;
    expect_pixel(&second, (12, 12), RED, 0)?;
    expect_pixel(&second, (28, 12), [255, 255, 0, 255], 0)?;
    expect_pixel(&third, (12, 12), [7, 77, 177, 255], 0)?;
    expect_pixel(&third, (28, 28), [7, 77, 177, 255], 0)
}

fn what_cannot_be_shown_is_counted() -> Result<(), Failed> {
    let (mut gui, log) = Gui::new(Theme::Dark, 1.0)?;
    let picture = gui.picture("left_out", |context| {
        let painter = painter(context);
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(50.0, 50.0));
        painter.add(Shape::Callback(PaintCallback { rect, callback: Arc::new(()) }));
        for unknown in [TextureId::User(99), TextureId::Managed(99)] {
            let mut mesh = Mesh::with_texture(unknown);
            mesh.add_rect_with_uv(rect, rect, Color32::WHITE);
            painter.add(Shape::mesh(mesh));
        }
        painter.add(block([60.0, 0.0, 10.0, 10.0], Color32::RED));
    })?;
    assert_eq!(gui.painter.left_out(), 3);
    drop(gui);
    assert_clean(&log)?;
    expect_pixel(&picture, (20, 20), BLACK, 0)?;
    expect_pixel(&picture, (65, 5), RED, 0)
}

fn a_screen_without_area_and_nothing_at_all_are_fine() -> Result<(), Failed> {
    let (mut gui, log) = Gui::new(Theme::Dark, 1.0)?;
    let empty = gui.picture("nothing", |_| ())?;
    let show = |context: &Context| {
        CentralPanel::default().show(context, |ui| ui.label("text"));
    };
    let input = egui::RawInput { screen_rect: Some(Rect::ZERO), ..egui::RawInput::default() };
    let output = gui.context.run(input, show);
    gui.painter.paint(&mut gui.renderer, &gui.context, output)?;
    gui.renderer.draw_frame(&gui.scene, &crate::support::stage::flat_camera())?;
    // With an area again, the text is there.
    gui.frame(show)?;
    let shown = gui.picture("area_again", show)?;
    drop(gui);
    assert_clean(&log)?;
    expect_pixel(&empty, (10, 10), BLACK, 0)?;
    let light = shown.pixels().chunks_exact(4).filter(|pixel| pixel[0] > 90).count();
    assert!(light > 20, "{light} pixels of text");
    expect_pixel(&shown, (200, 200), [27, 27, 27, 255], 1)
}
