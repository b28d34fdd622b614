//! The clips, one by one.

use super::icon::{Icon, button};
use super::scrub::scrub;
use super::text;
use crate::app::view::deck::{Clip, Deck};
use crate::app::view::order::{ClipOrder, Order};
use crate::app::view::stage::Stage;
use egui::{
    Align, Button, ComboBox, DragValue, Frame, Id, Layout, Margin, Rect, RichText, ScrollArea, Slider, Ui,
    UiBuilder, vec2,
};
use fire_engine::animation::LoopMode;

/// The list is no higher, in points.
const HIGHEST: f32 = 330.0;

/// Inside of a clip's frame.
const MARGIN: f32 = 4.0;

/// How often a clip goes round at first, if it is to be counted.
const TIMES: u32 = 2;

/// Draws the section.
pub fn show(ui: &mut Ui, stage: &Stage, orders: &mut Vec<Order>) {
    let deck = &stage.deck;
    if deck.clips.is_empty() {
        ui.weak("the model has no clips");
        return;
    }
    let (line, gap) = (ui.spacing().interact_size.y, ui.spacing().item_spacing.y);
    // Those that play have three lines.
    let height = |clip: &Clip| {
        let lines = if clip.playback.is_some() { 3.0 * line + 2.0 * gap } else { line };
        lines + 2.0 * MARGIN
    };
    let total: f32 = deck.clips.iter().map(|clip| height(clip) + gap).sum();
    let area =
        ScrollArea::vertical().id_salt("clips").max_height(HIGHEST).min_scrolled_height(HIGHEST.min(total));
    area.auto_shrink([false, true]).show_viewport(ui, |ui, viewport| {
        ui.set_height((total - gap).max(0.0));
        let (space, mut y) = (ui.max_rect(), 0.0);
        for (position, clip) in deck.clips.iter().enumerate() {
            let height = height(clip);
            if y + height >= viewport.top() && y <= viewport.bottom() {
                let rect = Rect::from_min_size(space.min + vec2(0.0, y), vec2(space.width(), height));
                let place = UiBuilder::new().id_salt(("clip", position)).max_rect(rect);
                ui.scope_builder(place, |ui| card(ui, stage, position, orders));
            }
            y += height + gap;
        }
    });
}

fn card(ui: &mut Ui, stage: &Stage, position: usize, orders: &mut Vec<Order>) {
    let Stage { content, deck, .. } = stage;
    let (name, duration) = deck.facts(content, position);
    let (clip, time) = (deck.clips[position], deck.time(content, position));
    let mut give = |order| orders.push(Order::Clip(position, order));
    Frame::new().fill(super::style::WELL).corner_radius(3).inner_margin(Margin::same(MARGIN as i8)).show(
        ui,
        |ui| {
            ui.set_width(ui.available_width());
            ui.horizontal(|ui| {
                let (icon, hint, order) = match clip.playback {
                    Some(_) => (Icon::Stop, "stops the clip", ClipOrder::Stop),
                    None => (Icon::Play, "plays the clip beside the others", ClipOrder::Start),
                };
                if button(ui, Id::new(("play clip", position)), icon, hint).clicked() {
                    give(order);
                }
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let text =
                        time.map_or_else(|| format!("{duration:.2} s"), |time| text::time(time, duration));
                    ui.label(RichText::new(text).monospace().weak());
                    let label = text::numbered(position, name);
                    let label =
                        if clip.playback.is_some() { RichText::new(label).strong() } else { label.into() };
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                        let solo = ui.add(Button::new(label).frame(false).truncate());
                        if solo.on_hover_text("plays it instead of the others").clicked() {
                            give(ClipOrder::Solo);
                        }
                    });
                });
            });
            if let (Some(_), Some(time)) = (clip.playback, time) {
                let width = ui.available_width();
                let passes = deck.moves(content);
                let id = Id::new(("scrub clip", position));
                if let Some(to) = scrub(ui, id, width, (time, duration), passes) {
                    give(ClipOrder::Seek(to));
                }
                ui.horizontal(|ui| {
                    if let Some(wanted) = settings(ui, position, clip) {
                        give(ClipOrder::Set(wanted));
                    }
                });
            }
        },
    );
}

/// Weight, speed and end of a clip, where they are to be others.
fn settings(ui: &mut Ui, position: usize, clip: Clip) -> Option<Clip> {
    let mut wanted = clip;
    // What else stands in the line leaves so much to the slider; more would widen the panel.
    let counts = if let LoopMode::Times(_) = clip.loop_mode { 44.0 } else { 0.0 };
    let room = ui.available_width() - counts;
    let has_label = room > 256.0;
    ui.spacing_mut().slider_width = (room - if has_label { 236.0 } else { 188.0 }).clamp(12.0, 120.0);
    if has_label {
        ui.label(RichText::new("weight").weak());
    }
    let weight = ui.add(Slider::new(&mut wanted.weight, 0.0..=1.0).fixed_decimals(2));
    let weight = weight.on_hover_text("how much it counts among clips that drive the same");
    let mut changed = weight.changed();
    changed |= speed(ui, &mut wanted.speed).on_hover_text("its own speed; negative is backward").changed();
    changed |= end(ui, position, &mut wanted.loop_mode);
    (changed && wanted != clip).then_some(wanted)
}

/// A speed, as a number to drag.
pub fn speed(ui: &mut Ui, speed: &mut f64) -> egui::Response {
    let value = DragValue::new(speed).speed(0.01).range(-10.0..=10.0).clamp_existing_to_range(false);
    ui.add(value.fixed_decimals(2).suffix("\u{d7}"))
}

fn end(ui: &mut Ui, position: usize, mode: &mut LoopMode) -> bool {
    let before = *mode;
    let times = if let LoopMode::Times(times) = *mode { times } else { TIMES };
    ComboBox::from_id_salt(("end of clip", position)).width(66.0).selected_text(end_name(*mode)).show_ui(
        ui,
        |ui| {
            for choice in [LoopMode::Forever, LoopMode::Once, LoopMode::PingPong, LoopMode::Times(times)] {
                ui.selectable_value(mode, choice, end_name(choice));
            }
        },
    );
    if let LoopMode::Times(times) = mode {
        ui.add(DragValue::new(times).range(1..=u32::MAX).speed(0.05)).on_hover_text("how often");
    }
    *mode != before
}

fn end_name(mode: LoopMode) -> &'static str {
    match mode {
        LoopMode::Once => "once",
        LoopMode::Times(_) => "counted",
        LoopMode::Forever => "forever",
        LoopMode::PingPong => "ping-pong",
        _ => "other",
    }
}

/// `1 of 3 playing`.
pub fn heading(deck: &Deck) -> String {
    let playing = deck.clips.iter().filter(|clip| clip.playback.is_some()).count();
    match (deck.clips.len(), playing) {
        (0, _) => String::new(),
        (all, playing) => format!("{} of {} playing", text::count(playing as u64), text::count(all as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::view::panel::testing::{Bench, stage, with_clips};
    use egui::vec2;

    fn bench(clips: &[(&str, f32)]) -> Bench {
        Bench::new(stage(with_clips(clips)))
    }

    fn clip(bench: &Bench, position: usize) -> Clip {
        bench.stage.deck.clips[position]
    }

    #[test]
    fn a_clip_is_started_stopped_and_played_alone() {
        let mut bench = bench(&[("walk", 2.0), ("run", 4.0)]);
        let place = bench.widget(("play clip", 0_usize)).center();
        assert_eq!(bench.click_at(place), [Order::Clip(0, ClipOrder::Stop)]);
        let place = bench.widget(("play clip", 1_usize)).center();
        assert_eq!(bench.click_at(place), [Order::Clip(1, ClipOrder::Start)]);
        assert_eq!(bench.click("1  run"), [Order::Clip(1, ClipOrder::Solo)]);
    }

    #[test]
    fn scrubbing_seeks_to_the_time_under_the_pointer_as_long_as_it_is_held() {
        let mut bench = bench(&[("walk", 2.0)]);
        let bar = bench.widget(("scrub clip", 0_usize));
        let sought = |orders: &[Order]| match orders {
            [.., Order::Clip(0, ClipOrder::Seek(time))] => *time,
            other => panic!("{other:?}"),
        };
        let orders = bench.press(bar.center());
        assert!((sought(&orders) - 1.0).abs() < 1e-3, "{orders:?}");
        // Time went on, and is held where it was.
        bench.stage.content.advance(0.25).unwrap();
        assert!((sought(&bench.frame(Vec::new())) - 1.0).abs() < 1e-3);
        let orders = bench.release(bar.right_center() + vec2(500.0, 0.0));
        assert_eq!(sought(&orders), 2.0);
        assert_eq!(bench.settle(), [], "let go");
        bench.stage.deck.seek(&mut bench.stage.content, 0, 1.0).unwrap();
        assert_eq!(bench.settle(), []);
    }

    #[test]
    fn weight_speed_and_end_are_set_with_the_rest_as_it_was() {
        let mut bench = bench(&[("walk", 2.0)]);
        let before = clip(&bench, 0);
        let drag = |bench: &mut Bench, text: &str, by: f32| {
            // The time line has the same text, and is drawn first.
            let from = bench.texts.iter().rfind(|(found, _)| found == text).unwrap().1.center();
            let mut orders = bench.press(from);
            orders.extend(bench.frame(vec![egui::Event::PointerMoved(from + vec2(by / 2.0, 0.0))]));
            orders.extend(bench.release(from + vec2(by, 0.0)));
            orders.extend(bench.settle());
            orders
        };
        let orders = drag(&mut bench, "1.00\u{d7}", 40.0);
        let Some(Order::Clip(0, ClipOrder::Set(set))) = orders.last() else { panic!("{orders:?}") };
        assert!(set.speed > 1.0 && Clip { speed: 1.0, ..*set } == before, "{orders:?}");
        let label = bench.place("weight");
        let orders = bench.click_at(label.right_center() + vec2(6.0 + 31.0, 0.0));
        let [Order::Clip(0, ClipOrder::Set(set)), ..] = orders[..] else { panic!("{orders:?}") };
        assert!((set.weight - 0.5).abs() < 0.1 && Clip { weight: 1.0, ..set } == before, "{orders:?}");
        assert_eq!(bench.click("forever"), []);
        let wanted = Clip { loop_mode: LoopMode::PingPong, ..before };
        assert_eq!(bench.click("ping-pong"), [Order::Clip(0, ClipOrder::Set(wanted))]);
        bench.stage.deck.clips[0].loop_mode = LoopMode::Times(7);
        bench.settle();
        assert!(bench.says("counted") && bench.says("7"));
    }

    #[test]
    fn weights_and_speeds_that_are_no_numbers_and_clips_without_length_stay_as_they_are() {
        let mut bench = bench(&[("", 0.0), ("", 0.0)]);
        bench.stage.deck.clips[0].weight = f64::NAN;
        bench.stage.deck.clips[0].speed = f64::INFINITY;
        assert_eq!(bench.settle(), []);
        let bar = bench.widget(("scrub clip", 0_usize));
        assert_eq!((bench.press(bar.center()), bench.release(bar.center())), (vec![], vec![]));
        assert!(bench.says("0.00 / 0.00 s"));
    }

    #[test]
    fn of_thousands_of_clips_those_in_view_are_built() {
        let clips: Vec<(&str, f32)> = (0..5000).map(|_| ("clip", 1.0)).collect();
        let bench = bench(&clips);
        assert!(bench.says("0  clip") && bench.says("1 of 5,000 playing"));
        assert!(bench.shapes < 500, "{}", bench.shapes);
    }
}
