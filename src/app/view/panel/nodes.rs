//! The node tree.

use super::node_facts::NodeFacts;
use super::rows::{Look, row, rows};
use super::text;
use super::tree::{Row, Tree};
use crate::app::view::stage::Stage;
use egui::{Id, Rect, Sense, Shape, Stroke, TextEdit, Ui, pos2, vec2};
use fire_engine::scene::{NodeRef, SceneIdentity, SceneNodeId};

/// So many rows are seen at once.
const ROWS: usize = 14;

/// Rows are set in up to this depth; what lies deeper has its depth written.
const INDENTED: usize = 10;

/// For each level.
const INDENT: f32 = 12.0;

/// What the section remembers.
#[derive(Debug, Default)]
pub struct Nodes {
    tree: Tree,
    search: String,
    /// Bring the selected node into view.
    reveal: bool,
    facts: NodeFacts,
    counted: Option<(SceneIdentity, usize)>,
}

impl Nodes {
    /// How many nodes of the file are in the scene. Those that the loader added for what they draw are none of the file's.
    pub fn heading(&mut self, stage: &Stage) -> String {
        let scene = stage.content.scene.identity();
        let known = self.counted.filter(|(of, _)| *of == scene);
        let (_, number) =
            known.unwrap_or_else(|| (scene, stage.content.document.nodes.iter().flatten().count()));
        self.counted = Some((scene, number));
        if number == 0 { String::new() } else { text::count(number as u64) }
    }

    /// Draws the section.
    pub fn show(&mut self, ui: &mut Ui, stage: &Stage) {
        self.search(ui, stage);
        self.tree.update(stage);
        let to = std::mem::take(&mut self.reveal).then(|| self.tree.selected_row()).flatten();
        let (mut toggled, mut clicked) = (None, None);
        rows(ui, Id::new("nodes"), self.tree.rows().len(), ROWS, to, |ui, index| {
            let Some(entry) = self.tree.rows().get(index) else { return };
            let Some(node) = stage.content.scene.find(entry.node) else { return };
            match self.row(ui, index, entry, node) {
                Some(Touched::Arrow) => toggled = Some(entry.node),
                Some(Touched::Row) => clicked = Some(entry.node),
                None => {}
            }
        });
        if self.tree.rows().is_empty() {
            ui.weak(if self.tree.is_finding() { "no node has such a name" } else { "no nodes" });
        }
        if let Some(node) = toggled {
            self.tree.toggle(node);
        }
        if let Some(node) = clicked {
            if self.tree.selected() == Some(node) {
                self.tree.deselect();
            } else {
                self.tree.select(&stage.content.scene, node);
            }
        }
        let selected = self.tree.selected().and_then(|node| stage.content.scene.find(node));
        if let Some(node) = selected
            && let Some(other) = self.facts.show(ui, stage, node, self.tree.number(node.id()))
        {
            self.go_to(stage, other);
        }
    }

    fn go_to(&mut self, stage: &Stage, node: SceneNodeId) {
        self.search.clear();
        self.tree.find("");
        self.tree.select(&stage.content.scene, node);
        self.reveal = true;
    }

    fn search(&mut self, ui: &mut Ui, stage: &Stage) {
        ui.horizontal(|ui| {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if ui.button("close all").clicked() {
                    self.tree.close_all();
                }
                if ui.button("open all").clicked() {
                    self.tree.open_all(&stage.content.scene);
                }
                let edit = TextEdit::singleline(&mut self.search)
                    .id(Id::new("search nodes"))
                    .hint_text("search names")
                    .char_limit(200)
                    .desired_width(f32::INFINITY);
                if ui.add(edit).changed() {
                    self.tree.find(&self.search);
                    // Back in the tree, what was found is to be seen.
                    self.reveal = self.search.is_empty();
                }
            });
        });
    }

    fn row(&self, ui: &mut Ui, index: usize, entry: &Row, node: NodeRef<'_>) -> Option<Touched> {
        let id = Id::new("node").with(entry.node);
        let (label, weak) = label(node, self.tree.number(entry.node));
        let end = if entry.depth > INDENTED {
            format!("{}  depth {}", kind(node), entry.depth)
        } else {
            kind(node).to_owned()
        };
        let indent = INDENT * (1 + entry.depth.min(INDENTED)) as f32;
        let chosen = self.tree.selected() == Some(entry.node);
        let response = row(ui, id, Look { text: &label, end: &end, chosen, weak, swatch: None, indent });
        if let Some(is_open) = entry.children {
            let left = response.rect.left() + indent - INDENT + 2.0;
            let place = Rect::from_x_y_ranges(left..=left + INDENT + 2.0, response.rect.y_range());
            let arrow = ui.interact(place, Id::new(("arrow", index)), Sense::click());
            paint_arrow(ui, place, is_open, arrow.hovered());
            if arrow.clicked() || response.double_clicked() {
                return Some(Touched::Arrow);
            }
        }
        response.clicked().then_some(Touched::Row)
    }
}

/// What of a row was clicked.
enum Touched {
    Arrow,
    Row,
}

/// What to call a node, and whether it has no name of its own.
pub fn label(node: NodeRef<'_>, number: Option<u32>) -> (String, bool) {
    match (node.name(), number) {
        ("", Some(number)) => (format!("node {number}"), true),
        ("", None) if node.default_object().is_some() => ("primitive".to_owned(), true),
        ("", None) => ("no name".to_owned(), true),
        (name, _) => (text::name(name), false),
    }
}

fn kind(node: NodeRef<'_>) -> &'static str {
    match (node.rest_camera().is_some(), node.rest_light().is_some(), node.skin().is_some()) {
        (true, true, _) => "camera, light",
        (true, false, _) => "camera",
        (false, true, _) => "light",
        (false, false, true) => "skinned",
        (false, false, false) if node.render_object().is_some() => "mesh",
        (false, false, false) => "",
    }
}

/// The sign of something that opens: to the right, or down once it is open.
pub fn paint_arrow(ui: &Ui, place: Rect, is_open: bool, hovered: bool) {
    let color = if hovered { ui.visuals().strong_text_color() } else { ui.visuals().weak_text_color() };
    let sign = Rect::from_center_size(place.center(), vec2(8.0, 8.0));
    let points = if is_open {
        let (top, bottom) = (sign.top() + 1.5, sign.bottom() - 0.5);
        vec![pos2(sign.left(), top), pos2(sign.right(), top), pos2(sign.center().x, bottom)]
    } else {
        let (left, right) = (sign.left() + 1.5, sign.right() - 0.5);
        vec![pos2(left, sign.top()), pos2(right, sign.center().y), pos2(left, sign.bottom())]
    };
    ui.painter().add(Shape::convex_polygon(points, color, Stroke::NONE));
}
