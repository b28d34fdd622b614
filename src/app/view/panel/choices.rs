//! What is looked at: model, scene, variant, camera.

use super::facts::title;
use super::labels::Labels;
use super::rows::{Look, row, rows};
use super::text::{self, numbered};
use crate::app::view::order::Order;
use crate::app::view::seen::Seen;
use crate::app::view::stage::{self, Stage};
use egui::{Id, Ui};
use fire_engine::scene::{Projection, SceneIdentity, SceneNodeId, VariantId};
use std::path::PathBuf;

/// So many rows of each kind are seen at once.
const ROWS: usize = 5;

/// The cameras of the scene on show: to find them, all nodes are looked at.
#[derive(Debug, Default)]
pub struct Choices {
    scene: Option<(SceneIdentity, u64)>,
    cameras: Vec<Lens>,
    labels: Labels,
    /// The model whose lists were shown last.
    path: Option<PathBuf>,
    chosen: Chosen,
}

/// The rows that were chosen last.
#[derive(Debug, Default)]
struct Chosen {
    model: Last,
    scene: Last,
    variant: Last,
    camera: Last,
}

/// The row of a list that was chosen when it was shown last.
#[derive(Debug, Default)]
struct Last(Option<usize>);

impl Last {
    /// The row that is chosen now, if it is another: then it is to be seen. Else one may look elsewhere.
    fn change(&mut self, chosen: Option<usize>) -> Option<usize> {
        let before = std::mem::replace(&mut self.0, chosen);
        chosen.filter(|_| before != chosen)
    }
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
        let stage = seen.stage;
        self.models(ui, seen, orders);
        if self.path != stage.path {
            self.path.clone_from(&stage.path);
            self.chosen = Chosen { model: std::mem::take(&mut self.chosen.model), ..Chosen::default() };
        }
        scenes(ui, stage, &mut self.chosen.scene, orders);
        variants(ui, stage, &mut self.chosen.variant, orders);
        self.cameras(ui, stage, orders);
        ui.horizontal_wrapped(|ui| {
            if ui.button("Frame (F)").on_hover_text("brings the model, as it is posed, into view").clicked() {
                orders.push(Order::Frame);
            }
            if ui.button("Load again (F5)").clicked() {
                orders.push(Order::Reload);
            }
            if ui.button("Keys (F1)").on_hover_text("what keys and the mouse do").clicked() {
                orders.push(Order::ToggleKeys);
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
        let lens = |lens| self.cameras.iter().position(|camera| camera.node == lens);
        let chosen = stage.lens.map_or(Some(0), |node| Some(1 + lens(node)?));
        let to = self.chosen.camera.change(chosen);
        rows(ui, Id::new("cameras"), 1 + self.cameras.len(), ROWS, to, |ui, index| {
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

    fn models(&mut self, ui: &mut Ui, seen: &Seen<'_>, orders: &mut Vec<Order>) {
        if seen.models.len() < 2 {
            return;
        }
        self.labels.update(seen.models);
        title(ui, &text::counted(seen.models.len(), "model"));
        let chosen = seen.models.iter().position(|path| Some(path) == seen.stage.path.as_ref());
        let to = self.chosen.model.change(chosen);
        rows(ui, Id::new("models"), seen.models.len(), ROWS, to, |ui, index| {
            let path = &seen.models[index];
            let label = text::name(&stage::name(Some(path)));
            let chosen = seen.stage.path.as_ref() == Some(path);
            let refused = seen.refused.contains_key(path);
            let folder = text::name(self.labels.folder(index));
            let end = match (refused, folder.as_str()) {
                (true, "") => "refused".to_owned(),
                (true, folder) => format!("refused  {folder}"),
                (false, _) => folder,
            };
            let look = Look { text: &label, end: &end, chosen, weak: refused, ..Look::default() };
            let response = row(ui, Id::new(("model", index)), look);
            if response.clicked() {
                orders.push(if chosen { Order::Stay } else { Order::Open(vec![path.clone()]) });
            }
            response.on_hover_ui(|ui| {
                ui.label(text::message(&path.to_string_lossy()));
                if let Some(reason) = seen.refused.get(path) {
                    ui.label(text::message(reason));
                }
            });
        });
    }
}

fn scenes(ui: &mut Ui, stage: &Stage, last: &mut Last, orders: &mut Vec<Order>) {
    let scenes = &stage.content.document.scenes;
    if scenes.len() < 2 {
        return;
    }
    title(ui, "Scene");
    let to = last.change(stage.content.document.scene);
    rows(ui, Id::new("scenes"), scenes.len(), ROWS, to, |ui, index| {
        let text = numbered(index, &scenes[index]);
        let chosen = stage.content.document.scene == Some(index);
        let look = Look { text: &text, chosen, ..Look::default() };
        if row(ui, Id::new(("scene", index)), look).clicked() && !chosen {
            orders.push(Order::Scene(index));
        }
    });
}

fn variants(ui: &mut Ui, stage: &Stage, last: &mut Last, orders: &mut Vec<Order>) {
    let scene = &stage.content.scene;
    let count = scene.variants().len();
    if count == 0 {
        return;
    }
    title(ui, "Variant");
    let to = last.change(Some(scene.variant().map_or(0, |variant| 1 + variant.index())));
    rows(ui, Id::new("variants"), 1 + count, ROWS, to, |ui, index| {
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
    fn a_row_that_comes_to_be_chosen_is_scrolled_to_once() {
        let mut content = Content::default();
        content.document.scenes = (0..40).map(|number| format!("scene{number}")).collect();
        content.document.scene = Some(35);
        for number in 0..40 {
            content.scene.add_variant(&format!("variant{number}"));
        }
        for number in 0..40 {
            let node = content.scene.add_root(&format!("camera{number}")).unwrap();
            content.scene.find_mut(node).unwrap().set_camera(Some(LENS));
        }
        let mut bench = Bench::new(stage(content));
        bench.models = (0..40).map(|number| format!("model{number}").into()).collect();
        bench.stage.path = Some("model30".into());
        bench.settle();
        let shown = |bench: &Bench, number: usize, what: &str| {
            let ends = format!("{what}{number}");
            bench.texts.iter().any(|(text, _)| text.ends_with(&ends))
        };
        assert!(shown(&bench, 35, "scene") && !shown(&bench, 0, "scene"));
        assert!(shown(&bench, 30, "model") && !shown(&bench, 0, "model"));
        assert!(bench.says("around the model") && !shown(&bench, 20, "camera"));
        let cameras: Vec<SceneNodeId> = bench.stage.cameras().map(|(node, _)| node).collect();
        bench.stage.lens = Some(cameras[20]);
        bench.stage.content.scene.set_variant(Some(VariantId::new(25))).unwrap();
        bench.stage.path = Some("model2".into());
        bench.settle();
        for (number, what) in [(20, "camera"), (25, "variant"), (2, "model"), (35, "scene")] {
            assert!(shown(&bench, number, what), "{what}");
        }
        // A row in view is chosen, and nothing moves under the pointer.
        let before = bench.place("21  camera21");
        bench.stage.lens = Some(cameras[21]);
        bench.settle();
        assert_eq!(bench.place("21  camera21"), before);
        // Whoever scrolls away stays there.
        let wheel = |bench: &mut Bench, up: f32| {
            let (unit, modifiers) = (egui::MouseWheelUnit::Point, egui::Modifiers::NONE);
            bench.frame(vec![egui::Event::MouseWheel { unit, delta: egui::vec2(0.0, up), modifiers }]);
            (0..20).for_each(|_| drop(bench.frame(Vec::new())));
        };
        bench.frame(vec![egui::Event::PointerMoved(before.center())]);
        wheel(&mut bench, 10_000.0);
        assert!(bench.says("around the model") && !shown(&bench, 21, "camera"));
        bench.stage.lens = None;
        bench.settle();
        bench.stage.lens = Some(cameras[21]);
        bench.settle();
        assert!(shown(&bench, 21, "camera"));
    }

    #[test]
    fn models_of_one_name_have_their_folders_at_the_end_after_what_matters_more() {
        let mut bench = Bench::new(stage(Content::default()));
        bench.models = vec!["a/one.glb".into(), "b/one.glb".into(), "b/two.glb".into()];
        bench.refused.insert("b/one.glb".into(), "no such file".to_owned());
        bench.settle();
        let says = |bench: &Bench, wanted: &str| bench.texts.iter().any(|(text, _)| text == wanted);
        assert!(says(&bench, "a") && says(&bench, "refused  b") && !says(&bench, "b"), "{:?}", bench.texts);
        // A long folder leaves the name its place.
        bench.models[0] = format!("{}/one.glb", "x".repeat(500)).into();
        bench.models.push("three.glb".into());
        bench.settle();
        let name = bench.place("one.glb");
        let folder = bench.texts.iter().find(|(text, _)| text.starts_with("xxx")).unwrap().1;
        assert!(folder.left() > name.right() && name.width() > 40.0, "{name} {folder}");
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
        // The panel's title is called as the first row is.
        let chosen = bench.widget(("model", 0_usize)).center();
        assert_eq!(
            (bench.click_at(chosen), bench.click("0  day"), bench.click("none")),
            (vec![Order::Stay], vec![], vec![])
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
