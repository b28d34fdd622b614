//! What is known of the selected node.

use super::facts::{color, fact, said, title};
use super::nodes::label;
use super::rows::{Look, row, rows};
use super::text::{self, count, number, vector};
use crate::app::view::stage::Stage;
use egui::{Frame, Id, Ui};
use fire_engine::animation::PlaybackId;
use fire_engine::math::Affine3x4;
use fire_engine::scene::{Light, LightKind, LocalTransform, NodeRef, Projection, SceneNodeId};

/// So many rows of joints and weights are seen at once.
const ROWS: usize = 6;

/// So many channels are listed; a node has no more properties than that, unless it has many weights.
const CHANNELS: usize = 200;

/// What drives the selected node, which takes long to find.
#[derive(Debug, Default)]
pub struct NodeFacts {
    node: Option<SceneNodeId>,
    playing: Vec<PlaybackId>,
    channels: Vec<String>,
}

impl NodeFacts {
    /// Draws them. Gives another node that is to be selected.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        stage: &Stage,
        node: NodeRef<'_>,
        place: Option<u32>,
    ) -> Option<SceneNodeId> {
        let mut other = None;
        Frame::new().fill(super::style::WELL).corner_radius(3).inner_margin(6).show(ui, |ui| {
            let (name, _) = label(node, place);
            ui.add(egui::Label::new(egui::RichText::new(name).strong()).truncate());
            if !stage.content.document.nodes.is_empty() {
                said(
                    ui,
                    "in the file",
                    &place.map_or("added by the loader".to_owned(), |n| format!("nodes[{n}]")),
                );
            }
            if let Some(parent) = node.parent() {
                let name = parent.name();
                said(ui, "parent", &if name.is_empty() { "no name".to_owned() } else { text::name(name) });
            }
            transform(ui, node);
            drawn(ui, stage, node);
            camera(ui, node);
            light(ui, node);
            weights(ui, node);
            other = joints(ui, stage, node);
            self.animators(ui, stage, node);
        });
        other
    }

    fn animators(&mut self, ui: &mut Ui, stage: &Stage, node: NodeRef<'_>) {
        let playing = stage.content.scene.playbacks().iter().map(|playback| playback.id());
        if self.node != Some(node.id()) || !playing.clone().eq(self.playing.iter().copied()) {
            self.node = Some(node.id());
            self.playing = playing.collect();
            let clip = |playback| {
                let animation = stage.content.scene.playback(playback)?.animation();
                stage.content.animations.get(animation.index())
            };
            let driven = node.animators().take(CHANNELS);
            self.channels = driven
                .map(|animator| {
                    let clip = clip(animator.playback).map_or(String::new(), |clip| text::name(clip.name()));
                    format!("{}  {clip}", animator.path)
                })
                .collect();
        }
        if !self.channels.is_empty() {
            title(ui, "Driven by clips");
            rows(ui, Id::new("channels"), self.channels.len(), ROWS, None, |ui, index| {
                let text = &self.channels[index];
                row(ui, Id::new(("channel", index)), Look { text, weak: true, ..Look::default() });
            });
        }
    }
}

fn transform(ui: &mut Ui, node: NodeRef<'_>) {
    title(ui, "Transform");
    match node.local() {
        LocalTransform::Trs(local) => {
            fact(ui, "translation", &vector(&local.translation.to_array()));
            fact(ui, "rotation", &vector(&local.rotation.to_array()));
            fact(ui, "scale", &vector(&local.scale.to_array()));
        }
        LocalTransform::Matrix(matrix) => {
            for (index, row) in matrix_rows(&matrix).iter().enumerate() {
                fact(ui, if index == 0 { "matrix" } else { "" }, &vector(row));
            }
        }
    }
    fact(ui, "in the world", &vector(&node.world().translation().to_array()));
}

/// Row by row, the last of which is always the same and left out.
fn matrix_rows(matrix: &Affine3x4) -> [[f32; 4]; 3] {
    let columns = matrix.to_mat4().to_cols_array_2d();
    [0, 1, 2].map(|row| columns.map(|column| column[row]))
}

fn drawn(ui: &mut Ui, stage: &Stage, node: NodeRef<'_>) {
    let assets = &stage.content.assets;
    let Some(object) = node.render_object().and_then(|id| assets.render_object(id)) else { return };
    title(ui, "Drawn");
    if let Some(mesh) = assets.mesh(object.mesh) {
        said(ui, "mesh", &text::numbered(object.mesh.index(), &mesh.name));
        fact(ui, "vertices", &count(mesh.positions.len() as u64));
        let primitives = mesh.index_count() / mesh.topology.arity();
        fact(ui, super::drawn::primitives(mesh.topology), &count(primitives as u64));
        if !mesh.morph_targets.is_empty() {
            fact(ui, "morph targets", &count(mesh.morph_targets.len() as u64));
        }
    }
    if let Some(material) = assets.material(object.material) {
        said(ui, "material", &text::numbered(object.material.index(), &material.name));
    }
}

fn camera(ui: &mut Ui, node: NodeRef<'_>) {
    let Some(camera) = node.camera() else { return };
    title(ui, "Camera");
    if !node.camera_name().is_empty() {
        said(ui, "name", &text::name(node.camera_name()));
    }
    match camera {
        Projection::Perspective { fov_y, aspect, near, far } => {
            fact(ui, "vertical field of view", &format!("{:.2}\u{b0}", fov_y.to_degrees()));
            fact(ui, "aspect", &aspect.map_or("the window's".to_owned(), number));
            fact(
                ui,
                "near, far",
                &format!("{}, {}", number(near), far.map_or("infinite".to_owned(), number)),
            );
        }
        Projection::Orthographic { xmag, ymag, near, far } => {
            fact(ui, "half width, height", &format!("{}, {}", number(xmag), number(ymag)));
            fact(ui, "near, far", &format!("{}, {}", number(near), number(far)));
        }
    }
}

fn light(ui: &mut Ui, node: NodeRef<'_>) {
    let Some(Light { kind, color: rgb, intensity }) = node.light() else { return };
    title(ui, "Light");
    if !node.light_name().is_empty() {
        said(ui, "name", &text::name(node.light_name()));
    }
    let (name, unit, range) = match kind {
        LightKind::Directional => ("directional", "lx", None),
        LightKind::Point { range } => ("point", "cd", range),
        LightKind::Spot { range, .. } => ("spot", "cd", range),
        _ => ("other", "", None),
    };
    said(ui, "kind", name);
    color(ui, "color", &text::numbers(&rgb.to_array()), [rgb.x, rgb.y, rgb.z, 1.0]);
    fact(ui, "intensity", &format!("{} {unit}", number(intensity)));
    if let Some(range) = range {
        fact(ui, "range", &format!("{} m", number(range)));
    }
    if let LightKind::Spot { inner_cone_angle, outer_cone_angle, .. } = kind {
        let [inner, outer] = [inner_cone_angle, outer_cone_angle].map(f32::to_degrees);
        fact(ui, "cone, inner to outer", &format!("{inner:.1}\u{b0} to {outer:.1}\u{b0}"));
    }
}

fn weights(ui: &mut Ui, node: NodeRef<'_>) {
    let weights = node.weights();
    if weights.is_empty() {
        return;
    }
    title(ui, "Weights of morph targets");
    rows(ui, Id::new("weights"), weights.len(), ROWS, None, |ui, index| {
        let (text, end) = (index.to_string(), number(weights[index]));
        row(ui, Id::new(("weight of target", index)), Look { text: &text, end: &end, ..Look::default() });
    });
}

fn joints(ui: &mut Ui, stage: &Stage, node: NodeRef<'_>) -> Option<SceneNodeId> {
    let skin = node.skin()?;
    title(ui, &format!("Skin: {}", text::counted(skin.joints().len(), "joint")));
    if !skin.name().is_empty() {
        said(ui, "name", &text::name(skin.name()));
    }
    let mut clicked = None;
    rows(ui, Id::new("joints"), skin.joints().len(), ROWS, None, |ui, index| {
        let joint = skin.joints()[index];
        let node = joint.and_then(|joint| stage.content.scene.find(joint));
        let name = node.map_or("not in this scene", |node| node.name());
        let text = text::numbered(index, name);
        let response =
            row(ui, Id::new(("joint", index)), Look { text: &text, weak: node.is_none(), ..Look::default() });
        if response.clicked() && node.is_some() {
            clicked = joint;
        }
    });
    clicked
}
