//! Where everything lies.

use super::drawn::NOTHING;
use super::state::PanelState;
use super::text::{self, count};
use super::{clips, display, nodes, rows, statistics, style, time_line};
use crate::app::view::order::Order;
use crate::app::view::seen::Seen;
use egui::collapsing_header::CollapsingState;
use egui::{
    Context, Id, Label, RichText, ScrollArea, Sense, SidePanel, TextStyle, Ui, WidgetInfo, WidgetType, vec2,
};

/// Height of a section's title.
const HEADER: f32 = 22.0;

/// Draws the panel at the left and the time line at the bottom. What is to be different is added to `orders`; a frame in which
/// nothing is touched adds nothing.
pub fn show(context: &Context, state: &mut PanelState, seen: &mut Seen<'_>, orders: &mut Vec<Order>) {
    style::apply(context);
    time_line::show(context, seen.stage, orders);
    let most = (0.8 * context.content_rect().width()).max(120.0);
    let panel = SidePanel::left("panel").frame(style::frame()).resizable(true);
    panel.default_width(320.0_f32.min(most)).width_range(250.0_f32.min(most)..=most.min(700.0)).show(
        context,
        |ui| {
            let name = text::name(&seen.stage.name());
            ui.add(Label::new(RichText::new(name).heading().strong()).truncate());
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| sections(ui, state, seen, orders));
        },
    );
}

fn sections(ui: &mut Ui, state: &mut PanelState, seen: &mut Seen<'_>, orders: &mut Vec<Order>) {
    let stage = seen.stage;
    section(ui, "Model", "", true, |ui| {
        if state.drawn.is_nothing(seen) {
            ui.weak(NOTHING);
        }
        state.choices.show(ui, seen, orders);
    });
    section(ui, "Clips", &clips::heading(&stage.deck), true, |ui| clips::show(ui, stage, orders));
    let nodes = state.nodes.heading(stage);
    section(ui, "Nodes", &nodes, false, |ui| state.nodes.show(ui, stage));
    let materials = match stage.content.assets.materials().len() {
        0 => String::new(),
        number => count(number as u64),
    };
    section(ui, "Materials", &materials, false, |ui| state.materials.show(ui, stage));
    section(ui, "Display", display::heading(seen), false, |ui| display::show(ui, seen, orders));
    section(ui, "Statistics", "", false, |ui| statistics::show(ui, seen, &mut state.drawn));
    let rows = state.report.heading(stage);
    section(ui, "Report", &rows, false, |ui| state.report.show(ui, stage));
}

/// A part of the panel that opens and closes when its title is clicked; `end` stands at the title's end.
fn section(ui: &mut Ui, title: &str, end: &str, open: bool, content: impl FnOnce(&mut Ui)) {
    let id = Id::new(("section", title));
    let mut state = CollapsingState::load_with_default_open(ui.ctx(), id, open);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEADER), Sense::hover());
    let response = ui.interact(rect, id.with("header"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::CollapsingHeader, true, title));
    if response.clicked() {
        state.toggle(ui);
    }
    let fill = if response.hovered() { style::HEADER_HOVERED } else { style::HEADER };
    ui.painter().rect_filled(rect, 3.0, fill);
    let (arrow, rest) = rect.split_left_right_at_x(rect.left() + HEADER);
    nodes::paint_arrow(ui, arrow, state.is_open(), response.hovered());
    let (strong, weak) = (ui.visuals().strong_text_color(), ui.visuals().weak_text_color());
    let used = rows::line(ui, rest, title, TextStyle::Body, strong, false);
    let rest = rest.with_min_x(rest.left() + used + 10.0).with_max_x(rest.right() - 6.0);
    rows::line(ui, rest, end, TextStyle::Small, weak, true);
    state.show_body_unindented(ui, |ui| {
        content(ui);
        ui.add_space(4.0);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::view::panel::testing::{Bench, stage, with_clips};
    use egui::{Event, pos2};
    use fire_engine::math::Vec3;
    use fire_engine::scene::Content;

    /// Opens every section; they move down as those above them open, so from the last to the first.
    fn open_all(bench: &mut Bench) {
        for title in ["Report", "Statistics", "Display", "Materials", "Nodes"] {
            assert_eq!(bench.click(title), []);
        }
    }

    #[test]
    fn an_empty_model_and_untouched_frames_ask_for_nothing() {
        for content in [Content::default(), with_clips(&[("walk", 1.0), ("walk", 1.0), ("", 0.0)])] {
            let mut bench = Bench::new(stage(content));
            open_all(&mut bench);
            bench.stage.advance(0.125).unwrap();
            assert_eq!(bench.settle(), []);
            bench.frame(vec![Event::PointerMoved(pos2(160.0, 500.0))]);
            assert_eq!(bench.settle(), [], "a pointer that only passes");
        }
    }

    #[test]
    fn names_that_are_empty_alike_very_long_or_full_of_orders_are_shown_and_told_apart() {
        let mut content = with_clips(&[("", 1.0), ("\u{1b}[2J", 1.0)]);
        for name in ["", "", "twin", "twin", "\u{202e}evil\n", &"long".repeat(5000)] {
            content.scene.add_root(name).unwrap();
        }
        let mut bench = Bench::new(stage(content));
        open_all(&mut bench);
        assert!(bench.says("\\u{202e}evil\\n") && bench.says("\\u{1b}[2J"));
        assert!(bench.texts.iter().all(|(text, _)| text.chars().count() < 5000));
        assert!(!bench.texts.iter().any(|(text, _)| text.contains(['\u{202e}', '\u{1b}'])));
        // egui paints a warning over widgets of one id.
        assert!(!bench.says("use of") && !bench.says("ID"), "{:?}", bench.texts);
        let twins: Vec<_> =
            bench.texts.iter().filter(|(text, _)| text == "twin").map(|(_, rect)| *rect).collect();
        assert_eq!(twins.len(), 2);
        bench.click_at(twins[1].center());
        assert!(bench.says("in the world"), "the second is selected");
    }

    #[test]
    fn of_100_000_nodes_those_in_view_are_built() {
        let mut content = Content::default();
        let top = content.scene.add_root("top").unwrap();
        // The file's are the children; what was added above them is none of its nodes.
        for number in 0..100_000 {
            let child = content.scene.add_child(top, &format!("n{number}")).unwrap();
            content.document.nodes.push(Some(child));
        }
        content.document.nodes.push(None);
        let mut bench = Bench::new(stage(content));
        open_all(&mut bench);
        bench.click("open all");
        assert!(bench.says("n0") && bench.says("100,000"));
        assert!(bench.shapes < 800, "{}", bench.shapes);
    }

    #[test]
    fn a_chain_of_100_000_nodes_is_opened_and_its_end_selected() {
        let mut content = Content::default();
        let mut node = content.scene.add_root("first").unwrap();
        for _ in 0..100_000 {
            node = content.scene.add_child(node, "").unwrap();
        }
        content.scene.find_mut(node).unwrap().set_name("last");
        let mut bench = Bench::new(stage(content));
        open_all(&mut bench);
        bench.click("open all");
        let search = bench.widget("search nodes");
        bench.click_at(search.center());
        bench.frame(vec![Event::Text("LAST".to_owned())]);
        bench.settle();
        bench.click("last");
        let at = bench.place("in the world");
        assert!(at.is_positive());
        // Away with the text: the tree shows where it is.
        bench.click_at(search.center());
        let key = egui::Key::Backspace;
        for _ in 0..4 {
            let modifiers = egui::Modifiers::NONE;
            bench.frame(vec![Event::Key {
                key,
                physical_key: None,
                pressed: true,
                repeat: false,
                modifiers,
            }]);
        }
        bench.settle();
        assert!(bench.says("depth 100000"), "{:?}", bench.texts);
        assert!(bench.shapes < 800, "{}", bench.shapes);
    }

    #[test]
    fn a_node_tells_what_it_is() {
        let mut content = with_clips(&[("walk", 1.0)]);
        let node = content.scene.roots().next().unwrap().id();
        let mut node = content.scene.find_mut(node).unwrap();
        node.set_weights(&[0.25, f32::MAX]).unwrap();
        let light = fire_engine::scene::Light {
            kind: fire_engine::scene::LightKind::Point { range: Some(3.0) },
            color: Vec3::ONE,
            intensity: 60.0,
        };
        node.set_light(Some(light)).unwrap();
        let mut bench = Bench::new(stage(content));
        bench.click("Nodes");
        bench.click("box");
        for said in ["rotation", "60.000 cd", "3.000 m", "0.250", "translation  walk"] {
            assert!(bench.says(said), "{said}: {:?}", bench.texts);
        }
        bench.click("box");
        assert!(!bench.says("rotation"));
    }

    #[test]
    fn windows_of_any_size_have_a_panel_that_leaves_something_of_the_picture() {
        let mut bench = Bench::new(stage(with_clips(&[("walk", 1.0)])));
        open_all(&mut bench);
        for size in [vec2(1.0, 1.0), vec2(150.0, 100.0), vec2(320.0, 240.0), vec2(7680.0, 4320.0)] {
            bench.size = size;
            assert_eq!(bench.settle(), [], "{size}");
            let free = bench.context.available_rect();
            assert!(size.x < 300.0 || free.width() > 0.15 * size.x, "{size}: {free}");
        }
        assert!(bench.context.read_response(Id::new("scrub")).is_some());
    }
}
