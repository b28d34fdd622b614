//! What keys and the mouse do, over the picture.

use super::facts::title;
use super::rows::line;
use crate::app::view::key_list::{Entry, LIST};
use crate::app::view::order::Order;
use crate::app::view::seen::Seen;
use egui::{Align2, Context, Id, Rect, ScrollArea, Sense, TextStyle, Ui, Window, vec2};

/// Width in points, where there is so much room.
const WIDTH: f32 = 370.0;

/// Beside it.
const MARGIN: f32 = 48.0;

/// What a key is called has so much of that.
const NAME: f32 = 0.31;

/// Draws the list, if it is wanted, in the middle of what is free.
pub fn show(context: &Context, seen: &Seen<'_>, orders: &mut Vec<Order>) {
    if !seen.shows_keys {
        return;
    }
    let free = context.available_rect();
    // Over the panel too, where there is too little room beside it.
    let free = if free.width() < WIDTH + MARGIN { context.content_rect() } else { free };
    let (mut is_open, width) = (true, (free.width() - MARGIN).clamp(40.0, WIDTH));
    let window = Window::new("Mouse and keys").id(Id::new("key list")).open(&mut is_open);
    // Above notices.
    let window = window.collapsible(false).resizable(false).order(egui::Order::Foreground);
    window.pivot(Align2::CENTER_CENTER).fixed_pos(free.center()).show(context, |ui| {
        ui.set_width(width);
        let height = (free.height() - 70.0).max(40.0);
        let area = ScrollArea::vertical().max_height(height).min_scrolled_height(height);
        area.auto_shrink([false, true]).show(ui, |ui| {
            for (name, entries) in LIST {
                title(ui, name);
                entries.iter().for_each(|entry| row(ui, *entry));
            }
        });
    });
    if !is_open {
        orders.push(Order::ToggleKeys);
    }
}

fn row(ui: &mut Ui, (key, what): Entry) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 17.0), Sense::hover());
    let (left, right) = rect.split_left_right_at_fraction(NAME);
    let cell = |ui: &Ui, space: Rect, text: &str, color| {
        line(ui, space.shrink2(vec2(5.0, 0.0)), text, TextStyle::Body, color, false)
    };
    cell(ui, left, key, ui.visuals().strong_text_color());
    cell(ui, right, what, ui.visuals().text_color());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::view::panel::testing::{Bench, stage};
    use fire_engine::scene::Content;

    #[test]
    fn the_keys_are_listed_with_and_without_the_panel_and_can_be_closed() {
        for is_shown in [true, false] {
            let mut bench = Bench::new(stage(Content::default()));
            bench.is_shown = is_shown;
            bench.settle();
            assert!(!bench.says("orbit"));
            bench.shows_keys = true;
            assert_eq!(bench.settle(), []);
            for (_, entries) in LIST {
                for (key, what) in entries {
                    assert!(bench.says(key) && bench.says(what), "{key} {what}: {:?}", bench.texts);
                }
            }
            // The cross is at the end of the title.
            let (title, list) = (bench.place("Mouse and keys"), bench.place("orbit"));
            assert!(list.left() > 0.0 && list.top() > title.bottom());
            let right = bench.context.memory(|memory| memory.area_rect("key list")).unwrap().right();
            assert_eq!(bench.click_at(egui::pos2(right - 16.0, title.center().y)), [Order::ToggleKeys]);
        }
    }

    #[test]
    fn the_panel_has_a_button_for_the_list() {
        let mut bench = Bench::new(stage(Content::default()));
        assert_eq!(bench.click("Keys (F1)"), [Order::ToggleKeys]);
    }

    #[test]
    fn windows_that_are_too_small_for_the_list_let_it_scroll() {
        let mut bench = Bench::new(stage(Content::default()));
        bench.shows_keys = true;
        for size in [vec2(1.0, 1.0), vec2(320.0, 160.0), vec2(700.0, 300.0)] {
            bench.size = size;
            assert_eq!(bench.settle(), [], "{size}");
        }
        let window = bench.context.memory(|memory| memory.area_rect("key list")).unwrap();
        assert!(window.height() < 300.0 && window.right() <= 701.0, "{window}");
        assert!(bench.says("orbit") && !bench.says("quit"), "the end is out of view");
    }
}
