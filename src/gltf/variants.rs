//! KHR_materials_variants: other materials for a primitive, by the name of a variant.

use super::LoadError;
use super::document::{Primitive, Variant};
use super::report::{LoadReport, Severity};
use super::source::Source;
use super::support::VARIANTS;
use super::text::Lazy;
use crate::assets::{MaterialId, RenderAssets, RenderObject, RenderObjectId};
use crate::scene::{VariantId, VariantObjects};
use std::collections::{BTreeMap, HashMap};
use std::fmt::{Arguments, Display};

/// The document's variants. Their positions are the ids of the scene's.
pub(super) fn list<'a>(source: &Source<'a>) -> &'a [Variant] {
    let extension = source.json.extensions.as_ref().and_then(|e| e.variants.as_ref());
    extension.map_or(&[], |variants| &variants.variants)
}

/// Checks what a primitive's mappings refer to.
pub(super) fn check(
    source: &Source<'_>,
    primitive: &Primitive,
    path: Arguments<'_>,
) -> Result<(), LoadError> {
    let Some(extension) = primitive.extensions.as_ref().and_then(|e| e.variants.as_ref()) else {
        return Ok(());
    };
    for (index, mapping) in extension.mappings.iter().enumerate() {
        let path = Lazy(|| format!("{path}.extensions.{VARIANTS}.mappings[{index}]"));
        let materials = &source.json.materials;
        source.get(materials, "material", mapping.material, format_args!("{path}.material"))?;
        for (position, &variant) in mapping.variants.iter().enumerate() {
            source.get(list(source), "variant", variant, format_args!("{path}.variants[{position}]"))?;
        }
    }
    Ok(())
}

/// The materials that a primitive's variants ask for, each with the variants that show it.
pub(super) fn materials(
    primitive: &Primitive,
    path: &dyn Display,
    report: &mut LoadReport,
) -> Vec<(VariantId, MaterialId)> {
    let Some(extension) = primitive.extensions.as_ref().and_then(|e| e.variants.as_ref()) else {
        return Vec::new();
    };
    let path = Lazy(|| format!("{path}.extensions.{VARIANTS}.mappings"));
    let id = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    if extension.mappings.is_empty() {
        report.ignored(Severity::Info, path, "it is empty, so no variant changes the primitive");
    }
    let mut materials: BTreeMap<VariantId, MaterialId> = BTreeMap::new();
    for (index, mapping) in extension.mappings.iter().enumerate() {
        if mapping.variants.is_empty() {
            let message = "it lists no variants, so it is never shown";
            report.ignored(Severity::Info, format_args!("{path}[{index}]"), message);
        }
        let mut repeated = 0;
        for variant in &mapping.variants {
            let material = MaterialId::new(id(mapping.material.index()));
            let variant = VariantId::new(id(variant.index()));
            repeated += usize::from(*materials.entry(variant).or_insert(material) != material);
        }
        if repeated > 0 {
            let message =
                format!("{repeated} of its variants are mapped already; their first mapping counts");
            report.repaired(format_args!("{path}[{index}]"), message);
        }
    }
    materials.into_iter().collect()
}

/// One render object for each further material, and what each variant shows.
pub(super) fn objects(
    assets: &mut RenderAssets,
    default: RenderObjectId,
    drawn: RenderObject,
    materials: Vec<(VariantId, MaterialId)>,
) -> Option<VariantObjects> {
    if materials.is_empty() {
        return None;
    }
    let mut objects = HashMap::from([(drawn.material, default)]);
    let objects = materials.into_iter().map(|(variant, material)| {
        let new = || assets.add_render_object(RenderObject { material, ..drawn });
        (variant, *objects.entry(material).or_insert_with(new))
    });
    Some(VariantObjects::new(objects))
}
