//! What is looked at: model, scene, variant, camera.

use super::facts::title;
use super::rows::{Look, row, rows};
use super::text::{self, numbered};
use crate::app::view::order::Order;
use crate::app::view::seen::Seen;
use crate::app::view::stage::{self, Stage};
use egui::{Id, Ui};
use fire_engine::scene::{Projection, SceneIdentity, SceneNodeId, VariantId};

/// So many rows of each kind are seen at once.
const ROWS: usize = 5;

/// The cameras of the scene on show: to find them, all nodes are looked at.
#[derive(Debug, Default)]
pub struct Choices {
    scene: Option<(SceneIdentity, u64)>,
    cameras: Vec<Lens>,
}

#[derive(Debug)]
struct Lens {
    node: SceneNodeId,
    label: String,
    kind: &'static str,
}

impl Choices {
    /// Draws the section.
    pub fn show(&mut self, ui: &mut Ui, seen: &Seen<'_>, orders: &mut Vec<Order>) {
        models(ui, seen, orders);
        let stage = seen.stage;
        scenes(ui, stage, orders);
        variants(ui, stage, orders);
        self.cameras(ui, stage, orders);
        ui.horizontal(|ui| {
            if ui.button("Frame (F)").on_hover_text("brings the model, as it is posed, into view").clicked() {
                orders.push(Order::Frame);
            }
            if ui.button("Load again (F5)").clicked() {
                orders.push(Order::Reload);
            }
        });
    }

    fn cameras(&mut self, ui: &mut Ui, stage: &Stage, orders: &mut Vec<Order>) {
        let scene = &stage.content.scene;
        let key = Some((scene.identity(), scene.structure_revision()));
        if self.scene != key {
            self.scene = key;
            let lens =
                |(index, (node, camera)): (usize, (fire_engine::scene::NodeRef<'_>, Projection))| Lens {
                    node: node.id(),
                    label: numbered(
                        index,
                        if node.name().is_empty() { node.camera_name() } else { node.name() },
                    ),
                    kind: match camera {
                        Projection::Perspective { .. } => "perspective",
                        Projection::Orthographic { .. } => "orthographic",
                    },
                };
            self.cameras = scene.cameras().enumerate().map(lens).collect();
        }
        title(ui, "Camera");
        rows(ui, Id::new("cameras"), 1 + self.cameras.len(), ROWS, None, |ui, index| {
            let lens = index.checked_sub(1).and_then(|index| self.cameras.get(index));
            let wanted = lens.map(|lens| lens.node);
            let (text, end) = lens.map_or(("around the model", ""), |lens| (&lens.label, lens.kind));
            let chosen = stage.lens == wanted;
            let look = Look { text, end, chosen, ..Look::default() };
            if row(ui, Id::new(("camera", index)), look).clicked() && !chosen {
                orders.push(Order::Look(wanted));
            }
        });
    }
}

fn models(ui: &mut Ui, seen: &Seen<'_>, orders: &mut Vec<Order>) {
    if seen.models.len() < 2 {
        return;
    }
    title(ui, &text::counted(seen.models.len(), "model"));
    rows(ui, Id::new("models"), seen.models.len(), ROWS, None, |ui, index| {
        let path = &seen.models[index];
        let label = text::name(&stage::name(Some(path)));
        let chosen = seen.stage.path.as_ref() == Some(path);
        let refused = seen.refused.contains_key(path);
        let end = if refused { "refused" } else { "" };
        let look = Look { text: &label, end, chosen, weak: refused, ..Look::default() };
        let response = row(ui, Id::new(("model", index)), look);
        if response.clicked() && !chosen {
            orders.push(Order::Open(vec![path.clone()]));
        }
        response.on_hover_ui(|ui| {
            ui.label(text::message(&path.to_string_lossy()));
            if let Some(reason) = seen.refused.get(path) {
                ui.label(text::message(reason));
            }
        });
    });
}

fn scenes(ui: &mut Ui, stage: &Stage, orders: &mut Vec<Order>) {
    let scenes = &stage.content.document.scenes;
    if scenes.len() < 2 {
        return;
    }
    title(ui, "Scene");
    rows(ui, Id::new("scenes"), scenes.len(), ROWS, None, |ui, index| {
        let text = numbered(index, &scenes[index]);
        let chosen = stage.content.document.scene == Some(index);
        let look = Look { text: &text, chosen, ..Look::default() };
        if row(ui, Id::new(("scene", index)), look).clicked() && !chosen {
            orders.push(Order::Scene(index));
        }
    });
}

fn variants(ui: &mut Ui, stage: &Stage, orders: &mut Vec<Order>) {
    let scene = &stage.content.scene;
    let count = scene.variants().len();
    if count == 0 {
        return;
    }
    title(ui, "Variant");
    rows(ui, Id::new("variants"), 1 + count, ROWS, None, |ui, index| {
        let wanted = index.checked_sub(1).map(|index| VariantId::new(index as u32));
        let name = wanted.and_then(|variant| scene.variants().nth(variant.index()));
        let text = match (wanted, name) {
            (Some(variant), Some(name)) => numbered(variant.index(), name),
            _ => "none".to_owned(),
        };
        let chosen = scene.variant() == wanted;
        let look = Look { text: &text, chosen, ..Look::default() };
        if row(ui, Id::new(("variant", index)), look).clicked() && !chosen {
            orders.push(Order::Variant(wanted));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::view::panel::testing::{Bench, stage};
    use fire_engine::scene::Content;

    const LENS: Projection = Projection::Perspective { fov_y: 1.0, aspect: None, near: 0.1, far: None };

    fn with_cameras(names: &[&str]) -> Stage {
        let mut content = Content::default();
        for name in names {
            let node = content.scene.add_root(name).unwrap();
            content.scene.find_mut(node).unwrap().set_camera(Some(LENS));
        }
        stage(content)
    }

    #[test]
    fn a_camera_is_looked_through_when_it_is_clicked_and_the_chosen_one_is_not_asked_for() {
        let mut bench = Bench::new(with_cameras(&["front", "", "front"]));
        let cameras: Vec<SceneNodeId> = bench.stage.cameras().map(|(node, _)| node).collect();
        assert_eq!(bench.click("around the model"), []);
        assert_eq!(bench.click("2  front"), [Order::Look(Some(cameras[2]))]);
        assert_eq!(bench.click("1"), [Order::Look(Some(cameras[1]))], "one without a name");
        bench.stage.lens = Some(cameras[2]);
        assert_eq!(bench.click("2  front"), []);
        assert_eq!(bench.click("around the model"), [Order::Look(None)]);
    }

    #[test]
    fn cameras_of_another_model_take_the_place_of_the_old_ones() {
        let mut bench = Bench::new(with_cameras(&["old"]));
        assert!(bench.says("0  old"));
        bench.stage = with_cameras(&["new"]);
        bench.settle();
        assert!(bench.says("0  new") && !bench.says("old"));
    }

    #[test]
    fn models_scenes_and_variants_are_asked_for_by_their_place() {
        let mut content = Content::default();
        content.document.scenes = vec!["day".to_owned(), "night".to_owned(), String::new()];
        content.document.scene = Some(0);
        content.scene.add_variant("red");
        content.scene.add_variant("red");
        let mut bench = Bench::new(stage(content));
        bench.models = vec!["a/one.glb".into(), "b/two.glb".into()];
        bench.stage.path = Some("a/one.glb".into());
        bench.settle();
        assert_eq!(
            (bench.click("one.glb"), bench.click("0  day"), bench.click("none")),
            (vec![], vec![], vec![])
        );
        assert_eq!(bench.click("two.glb"), [Order::Open(vec!["b/two.glb".into()])]);
        assert!(!bench.says("refused"));
        bench.refused.insert("b/two.glb".into(), "it is broken".to_owned());
        bench.settle();
        assert!(bench.says("refused"));
        assert_eq!(
            bench.click("two.glb"),
            [Order::Open(vec!["b/two.glb".into()])],
            "it may be mended by now"
        );
        assert_eq!(bench.click("1  night"), [Order::Scene(1)]);
        assert_eq!(bench.click("1  red"), [Order::Variant(Some(VariantId::new(1)))]);
        assert_eq!(bench.click("Frame (F)"), [Order::Frame]);
        assert_eq!(bench.click("Load again"), [Order::Reload]);
    }
}
