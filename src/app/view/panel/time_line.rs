//! The bar below the picture: time of all clips, told by the one that leads.

use super::clips::speed;
use super::icon::{Icon, button};
use super::rows::line;
use super::scrub::scrub;
use super::style;
use super::text;
use crate::app::view::order::Order;
use crate::app::view::stage::Stage;
use egui::{Align, Context, Id, Layout, RichText, Sense, TextStyle, TopBottomPanel, Ui, vec2};

/// A clip's name has so much room.
const NAME: f32 = 130.0;

/// Draws the bar, if there are clips.
pub fn show(context: &Context, stage: &Stage, orders: &mut Vec<Order>) {
    if stage.deck.clips.is_empty() {
        return;
    }
    let bar = TopBottomPanel::bottom("time line").frame(style::frame()).show_separator_line(false);
    bar.show(context, |ui| ui.horizontal(|ui| content(ui, stage, orders)));
}

fn content(ui: &mut Ui, stage: &Stage, orders: &mut Vec<Order>) {
    let Stage { content, deck, .. } = stage;
    if button(ui, Id::new("restart"), Icon::Restart, "puts all clips to their start (Home)").clicked() {
        orders.push(Order::Restart);
    }
    let (icon, hint) = sign(stage);
    if button(ui, Id::new("play all"), icon, hint).clicked() {
        orders.push(Order::TogglePlay);
    }
    let leader = deck.leader(content);
    if ui.available_width() > 3.0 * NAME {
        let (rect, _) = ui.allocate_exact_size(vec2(NAME, ui.spacing().interact_size.y), Sense::hover());
        let name =
            leader.map_or("no clip plays".to_owned(), |at| text::numbered(at, deck.facts(content, at).0));
        line(ui, rect, &name, TextStyle::Body, ui.visuals().weak_text_color(), false);
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let mut wanted = deck.speed;
        let response = speed(ui, &mut wanted).on_hover_text("the speed of all clips; negative is backward");
        if response.changed() && wanted != deck.speed {
            orders.push(Order::Speed(wanted));
        }
        let duration = leader.map_or(0.0, |at| deck.facts(content, at).1);
        let time = leader.and_then(|at| deck.time(content, at)).unwrap_or(0.0);
        ui.label(RichText::new(text::time(time, duration)).monospace());
        let width = ui.available_width();
        let wanted = scrub(ui, Id::new("scrub"), width, (time, duration), deck.moves(content));
        if let (Some(_), Some(to)) = (leader, wanted) {
            orders.push(Order::SeekAll(to));
        }
    });
}

/// What the space bar does, which is to play also where clips came to their end or none plays.
fn sign(stage: &Stage) -> (Icon, &'static str) {
    let Stage { content, deck, .. } = stage;
    if deck.paused || deck.is_over(content) || deck.leader(content).is_none() {
        (Icon::Play, "plays (Space)")
    } else {
        (Icon::Pause, "pauses (Space)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::view::deck::Clip;
    use crate::app::view::panel::testing::{Bench, stage, with_clips};
    use fire_engine::animation::LoopMode;
    use fire_engine::scene::Content;

    #[test]
    fn the_play_button_gives_the_order_of_the_space_bar() {
        let mut bench = Bench::new(stage(with_clips(&[("walk", 2.0)])));
        let place = bench.widget("play all").center();
        assert_eq!(bench.click_at(place), [Order::TogglePlay]);
        let place = bench.widget("restart").center();
        assert_eq!(bench.click_at(place), [Order::Restart]);
    }

    #[test]
    fn the_play_button_shows_what_it_does_also_once_all_clips_are_over_or_none_plays() {
        let mut stage = stage(with_clips(&[("walk", 2.0)]));
        assert_eq!(sign(&stage).0, Icon::Pause);
        stage.deck.paused = true;
        assert_eq!(sign(&stage).0, Icon::Play);
        stage.deck.paused = false;
        let once = Clip { loop_mode: LoopMode::Once, ..stage.deck.clips[0] };
        stage.deck.set(&mut stage.content, 0, once).unwrap();
        stage.advance(1.5).unwrap();
        assert_eq!(sign(&stage).0, Icon::Pause, "half a second is left");
        stage.advance(1.5).unwrap();
        assert_eq!(sign(&stage), (Icon::Play, "plays (Space)"));
        stage.deck.stop(&mut stage.content, 0).unwrap();
        assert_eq!(sign(&stage).0, Icon::Play);
    }

    #[test]
    fn scrubbing_moves_all_clips_to_the_time_of_the_one_that_leads() {
        let mut bench = Bench::new(stage(with_clips(&[("short", 2.0), ("long", 8.0)])));
        let Bench { stage, .. } = &mut bench;
        stage.deck.start(&mut stage.content, 1, 1.0).unwrap();
        bench.settle();
        assert!(bench.says("1.00 / 8.00 s"));
        let bar = bench.widget("scrub");
        let orders = bench.press(bar.center());
        let [Order::SeekAll(time)] = orders[..] else { panic!("{orders:?}") };
        assert!((time - 4.0).abs() < 1e-2, "{time}");
        let Bench { stage, .. } = &mut bench;
        stage.deck.seek_all(&mut stage.content, time).unwrap();
        assert_eq!(bench.frame(Vec::new()), orders, "time would pass, were it not held");
        bench.stage.deck.paused = true;
        assert_eq!(bench.frame(Vec::new()), [], "it stands there");
        assert_eq!(bench.release(bar.left_center()), [Order::SeekAll(0.0)]);
        assert_eq!(bench.settle(), []);
    }

    #[test]
    fn without_clips_there_is_no_bar_and_with_none_playing_it_rests() {
        let bench = Bench::new(stage(Content::default()));
        assert!(bench.context.read_response(Id::new("scrub")).is_none());
        let mut bench = Bench::new(stage(with_clips(&[("walk", 2.0)])));
        let Bench { stage, .. } = &mut bench;
        stage.deck.stop(&mut stage.content, 0).unwrap();
        bench.settle();
        let bar = bench.widget("scrub");
        assert_eq!(bench.click_at(bar.center()), []);
        assert!(bench.says("no clip plays"));
    }
}
