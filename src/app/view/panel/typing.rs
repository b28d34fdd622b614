//! The end of typing.

use egui::{Context, Event, Key, Modifiers};

/// Ends what is being typed as Enter would, after everything that was typed until now; to be called before the
/// widgets are drawn.
pub fn end(context: &Context) {
    context.input_mut(|input| {
        for pressed in [true, false] {
            let (key, modifiers) = (Key::Enter, Modifiers::NONE);
            input.events.push(Event::Key { key, physical_key: None, pressed, repeat: false, modifiers });
        }
    });
}

#[cfg(test)]
mod tests {
    use crate::app::view::order::Order;
    use crate::app::view::panel::testing::{Bench, stage, with_clips};
    use egui::Event;

    fn typed(text: &str) -> Vec<Event> {
        vec![Event::Text(text.to_owned())]
    }

    #[test]
    fn a_number_that_was_typed_counts_also_if_its_last_digit_came_in_the_same_frame() {
        for frames in [&["0", ".", "5"][..], &["0.5"]] {
            let mut bench = Bench::new(stage(with_clips(&[("walk", 2.0)])));
            // The time line's is drawn first.
            bench.click("1.00\u{d7}");
            assert!(bench.context.wants_keyboard_input());
            let (last, before) = frames.split_last().unwrap();
            for text in before {
                bench.frame(typed(text));
            }
            bench.ends_typing = true;
            let mut orders = bench.frame(typed(last));
            orders.extend(bench.settle());
            assert_eq!(orders.last(), Some(&Order::Speed(0.5)), "{orders:?}");
            assert!(!bench.context.wants_keyboard_input());
        }
    }

    #[test]
    fn a_text_that_was_typed_stays() {
        let mut bench = Bench::new(stage(with_clips(&[("walk", 2.0)])));
        bench.click("Nodes");
        let place = bench.widget("search nodes").center();
        bench.click_at(place);
        bench.ends_typing = true;
        bench.frame(typed("bo"));
        bench.settle();
        assert!(!bench.context.wants_keyboard_input());
        assert!(bench.texts.iter().any(|(text, _)| text == "bo") && bench.says("box"));
        bench.frame(typed("x"));
        bench.settle();
        assert!(bench.texts.iter().any(|(text, _)| text == "bo"), "it is no field's any more");
    }
}
