//! Surfaces.

use super::facts::{color, fact, said, srgb, title};
use super::rows::{Look, row, rows};
use super::text::{self, number, numbered};
use crate::app::inspect::surfaces;
use crate::app::view::stage::Stage;
use egui::{Frame, Id, RichText, Ui};
use fire_engine::assets::{AlphaMode, Material, MaterialFactors, MaterialId, SlotKind, TextureSlot};
use fire_engine::scene::SceneIdentity;

/// So many rows are seen at once.
const ROWS: usize = 8;

/// Which one is selected.
#[derive(Debug, Default)]
pub struct Materials {
    selected: Option<(SceneIdentity, usize)>,
}

impl Materials {
    /// Draws the section.
    pub fn show(&mut self, ui: &mut Ui, stage: &Stage) {
        let materials = stage.content.assets.materials();
        let scene = stage.content.scene.identity();
        if materials.is_empty() {
            ui.weak("the model has no materials");
        }
        let selected = self.selected.filter(|(of, _)| *of == scene).map(|(_, index)| index);
        rows(ui, Id::new("materials"), materials.len(), ROWS, None, |ui, index| {
            let (material, chosen) = (&materials[index], selected == Some(index));
            let rgba = factors(stage, index, material).base_color_factor;
            let swatch = Some(srgb([rgba.r, rgba.g, rgba.b], rgba.a));
            let (text, end) = (label(stage, index, material), alpha_name(material.alpha_mode));
            let look = Look { text: &text, end, chosen, swatch, ..Look::default() };
            if row(ui, Id::new(("material", index)), look).clicked() {
                self.selected = (!chosen).then_some((scene, index));
            }
        });
        if let Some((index, material)) = selected.and_then(|index| Some((index, materials.get(index)?))) {
            Frame::new().fill(super::style::WELL).corner_radius(3).inner_margin(6).show(ui, |ui| {
                let name = label(stage, index, material);
                ui.add(egui::Label::new(RichText::new(name).strong()).truncate());
                details(ui, stage, material, &factors(stage, index, material));
            });
        }
    }
}

/// What to call a material. The one of primitives that have none comes after those of the file.
fn label(stage: &Stage, index: usize, material: &Material) -> String {
    if material.name.is_empty() && index >= stage.content.document.counts.materials {
        "default".to_owned()
    } else {
        numbered(index, &material.name)
    }
}

/// As they are now: clips may drive them.
fn factors(stage: &Stage, index: usize, material: &Material) -> MaterialFactors {
    let now = stage.content.scene.material_factors(MaterialId::new(index as u32));
    now.copied().unwrap_or_else(|| material.factors())
}

fn alpha_name(mode: AlphaMode) -> &'static str {
    match mode {
        AlphaMode::Opaque => "",
        AlphaMode::Mask { .. } => "mask",
        AlphaMode::Blend => "blend",
    }
}

fn details(ui: &mut Ui, stage: &Stage, material: &Material, factors: &MaterialFactors) {
    let base = factors.base_color_factor.to_array();
    color(ui, "base color", &text::numbers(&base), base);
    fact(ui, "metallic", &number(factors.metallic_factor));
    fact(ui, "roughness", &number(factors.roughness_factor));
    let [red, green, blue] = factors.emissive_factor.to_array();
    color(ui, "emissive", &text::numbers(&[red, green, blue]), [red, green, blue, 1.0]);
    if factors.emissive_strength != 1.0 {
        fact(ui, "emissive strength", &number(factors.emissive_strength));
    }
    if material.normal_texture.is_some() {
        fact(ui, "normal scale", &number(factors.normal_scale));
    }
    if material.occlusion_texture.is_some() {
        fact(ui, "occlusion strength", &number(factors.occlusion_strength));
    }
    match material.alpha_mode {
        AlphaMode::Opaque => said(ui, "alpha", "opaque"),
        AlphaMode::Mask { .. } => {
            said(ui, "alpha", &format!("mask, cutoff {}", number(factors.alpha_cutoff)))
        }
        AlphaMode::Blend => said(ui, "alpha", "blend"),
    }
    said(ui, "double sided", if material.double_sided { "yes" } else { "no" });
    if material.unlit {
        said(ui, "unlit", "yes");
    }
    for (kind, slot) in material.texture_slots() {
        texture(ui, stage, kind, slot);
    }
}

fn texture(ui: &mut Ui, stage: &Stage, kind: SlotKind, slot: TextureSlot) {
    let assets = &stage.content.assets;
    let texture = assets.texture(slot.texture);
    let Some((texture, image)) = texture.and_then(|texture| Some((texture, assets.image(texture.image)?)))
    else {
        return;
    };
    title(ui, kind.name());
    let name = if image.name.is_empty() { &texture.name } else { &image.name };
    said(ui, "image", &numbered(texture.image.index(), name));
    fact(ui, "size", &format!("{} x {}", image.width, image.height));
    let file = stage.content.document.images.get(texture.image.index()).copied().flatten();
    let stored = surfaces::pixels(image.format);
    fact(ui, "format", &file.map_or(stored.to_owned(), |file| format!("{} as {stored}", file.format)));
    if let Some(file) = file {
        fact(ui, "file", &crate::app::inspect::lines::bytes(file.bytes));
    }
    fact(ui, "in memory", &crate::app::inspect::lines::bytes(surfaces::stored(image)));
}
