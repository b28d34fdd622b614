//! Long lists, of which only the rows that are seen are built.

use egui::scroll_area;
use egui::text::LayoutJob;
use egui::{
    Color32, FontId, Id, Rect, Response, ScrollArea, Sense, TextStyle, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

/// Beside texts.
const MARGIN: f32 = 5.0;

/// What stands at the end of a row has no more than this share of it.
const END: f32 = 0.6;

/// A list of so many rows of one height, of which at most `most` are seen at once. `scroll_to` is brought into view, to its
/// middle, unless it is there already.
pub fn rows(
    ui: &mut Ui,
    id: Id,
    total: usize,
    most: usize,
    scroll_to: Option<usize>,
    mut row: impl FnMut(&mut Ui, usize),
) {
    let height = ui.spacing().interact_size.y;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let seen = height * most.min(total) as f32;
        let mut area = ScrollArea::vertical()
            .id_salt(id)
            .max_height(seen)
            .min_scrolled_height(seen)
            .auto_shrink([false, true]);
        let state = scroll_area::State::load(ui.ctx(), ui.make_persistent_id(Id::new(id)));
        let from = state.map_or(0.0, |state| state.offset.y);
        let is_seen = |top: f32| top >= from && top + height <= from + seen;
        if let Some(top) = scroll_to.map(|position| position as f32 * height).filter(|top| !is_seen(*top)) {
            let end = total as f32 * height - seen;
            area = area.vertical_scroll_offset((top + (height - seen) / 2.0).min(end).max(0.0));
        }
        area.show_rows(ui, height, total, |ui, range| range.for_each(|index| row(ui, index)));
    });
}

/// How a row looks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Look<'a> {
    /// What it says.
    pub text: &'a str,
    /// What it says at its end, less loudly.
    pub end: &'a str,
    /// Whether it is the chosen one.
    pub chosen: bool,
    /// Whether its text is less loud.
    pub weak: bool,
    /// A color before the text.
    pub swatch: Option<Color32>,
    /// How far to the right it begins.
    pub indent: f32,
}

/// A row that can be clicked.
pub fn row(ui: &mut Ui, id: Id, look: Look<'_>) -> Response {
    let size = vec2(ui.available_width(), ui.spacing().interact_size.y);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let response = ui.interact(rect, id, Sense::click());
    let enabled = ui.is_enabled();
    response
        .widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, enabled, look.chosen, look.text));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let visuals = ui.visuals();
    let back = if look.chosen {
        Some(visuals.selection.bg_fill)
    } else {
        (response.hovered() || response.has_focus()).then_some(visuals.widgets.hovered.weak_bg_fill)
    };
    if let Some(back) = back {
        ui.painter().rect_filled(rect, 3.0, back);
    }
    let color = match look {
        Look { chosen: true, .. } => visuals.selection.stroke.color,
        Look { weak: true, .. } => visuals.weak_text_color(),
        _ => visuals.text_color(),
    };
    let weak = if look.chosen { color } else { visuals.weak_text_color() };
    let mut space = rect.shrink2(vec2(MARGIN, 0.0)).with_min_x(rect.left() + MARGIN + look.indent);
    if let Some(swatch) = look.swatch {
        let square = Rect::from_center_size(pos2(space.left() + 6.0, space.center().y), vec2(12.0, 12.0));
        super::facts::paint_swatch(ui, square, swatch);
        space.min.x += 18.0;
    }
    if !look.end.is_empty() {
        // The text keeps some of the line.
        let end = space.with_min_x(space.right() - END * space.width());
        let width = line(ui, end, look.end, TextStyle::Small, weak, true);
        space.max.x -= width + MARGIN;
    }
    line(ui, space, look.text, TextStyle::Body, color, false);
    response
}

/// A line of text in the middle of a place, cut at its end; its width.
pub fn line(ui: &Ui, space: Rect, text: &str, style: TextStyle, color: Color32, at_end: bool) -> f32 {
    let font: FontId = style.resolve(ui.style());
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, color);
    job.wrap.max_width = space.width().max(0.0);
    job.wrap.max_rows = 1;
    job.wrap.break_anywhere = true;
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let size = galley.size();
    let x = if at_end { space.right() - size.x } else { space.left() };
    ui.painter().galley(pos2(x, space.center().y - size.y / 2.0), galley, color);
    size.x
}
