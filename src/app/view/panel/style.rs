//! Colors and sizes.

use egui::{Color32, Context, CornerRadius, FontFamily, FontId, Frame, Id, Margin, Stroke, TextStyle, Theme};

/// What is chosen, and how far time is.
pub const ACCENT: Color32 = Color32::from_rgb(0x4c, 0x9f, 0xe8);
/// What is chosen, behind its text.
pub const CHOSEN: Color32 = Color32::from_rgb(0x24, 0x4a, 0x6e);
/// What may matter.
pub const WARNING: Color32 = Color32::from_rgb(0xe8, 0xb0, 0x4c);
/// What went wrong.
pub const FAILURE: Color32 = Color32::from_rgb(0xf0, 0x70, 0x68);
/// What is as it should be.
pub const GOOD: Color32 = Color32::from_rgb(0x6c, 0xc0, 0x80);
/// Behind titles.
pub const HEADER: Color32 = Color32::from_rgb(0x28, 0x2e, 0x37);
/// As [`HEADER`], under the pointer.
pub const HEADER_HOVERED: Color32 = Color32::from_rgb(0x33, 0x3b, 0x47);
/// Below bars, graphs and lists.
pub const WELL: Color32 = Color32::from_rgb(0x10, 0x13, 0x17);

const TEXT: Color32 = Color32::from_rgb(0xd4, 0xd8, 0xde);
const WEAK: Color32 = Color32::from_rgb(0x93, 0x9b, 0xa6);
/// Blended in linear light, in which a little of something bright is much: it may only be guessed at.
const BACKGROUND: [u8; 4] = [0x1a, 0x1e, 0x24, 0xfa];

/// The frame of everything that lies over the picture.
pub fn frame() -> Frame {
    let [red, green, blue, alpha] = BACKGROUND;
    Frame::new()
        .fill(Color32::from_rgba_unmultiplied(red, green, blue, alpha))
        .inner_margin(Margin::symmetric(10, 8))
}

/// Gives the context the panel's look, once.
pub fn apply(context: &Context) {
    let done = Id::new("panel style");
    if context.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default::<bool>(done), true)) {
        return;
    }
    context.set_theme(Theme::Dark);
    context.style_mut_of(Theme::Dark, |style| {
        for (text, size, family) in [
            (TextStyle::Small, 11.0, FontFamily::Proportional),
            (TextStyle::Body, 13.5, FontFamily::Proportional),
            (TextStyle::Button, 13.5, FontFamily::Proportional),
            (TextStyle::Heading, 16.0, FontFamily::Proportional),
            (TextStyle::Monospace, 11.5, FontFamily::Monospace),
        ] {
            style.text_styles.insert(text, FontId::new(size, family));
        }
        style.drag_value_text_style = TextStyle::Monospace;
        style.animation_time = 0.06;
        let spacing = &mut style.spacing;
        spacing.item_spacing = egui::vec2(6.0, 4.0);
        spacing.interact_size = egui::vec2(36.0, 20.0);
        spacing.button_padding = egui::vec2(6.0, 2.0);
        spacing.slider_rail_height = 4.0;
        spacing.scroll.floating = false;
        spacing.scroll.bar_width = 7.0;
        spacing.scroll.bar_inner_margin = 4.0;
        spacing.scroll.bar_outer_margin = 0.0;
        spacing.scroll.foreground_color = false;
        let visuals = &mut style.visuals;
        visuals.selection.bg_fill = CHOSEN;
        visuals.selection.stroke = Stroke::new(1.0, Color32::WHITE);
        visuals.extreme_bg_color = WELL;
        visuals.widgets.noninteractive.fg_stroke.color = TEXT;
        visuals.widgets.inactive.fg_stroke.color = TEXT;
        visuals.weak_text_color = Some(WEAK);
        visuals.window_fill = Color32::from_rgb(0x20, 0x25, 0x2c);
        visuals.slider_trailing_fill = true;
        for widget in [
            &mut visuals.widgets.noninteractive,
            &mut visuals.widgets.inactive,
            &mut visuals.widgets.hovered,
            &mut visuals.widgets.active,
            &mut visuals.widgets.open,
        ] {
            widget.corner_radius = CornerRadius::same(3);
            widget.expansion = 0.0;
        }
    });
}
