//! Every index and enum of the document, used or not, before anything is imported.
//!
//! Buffer views and accessors have a pass of their own, [`super::layout`], which also checks what they span.

use super::LoadError;
use super::document::{Attributes, Primitive, Root, Whole};
use super::images::origin;
use super::source::Source;
use super::text::{Lazy, shown};
use super::texture::sampler;
use super::texture_source::sources;
use super::usage::slots;
use super::{instances, light, variants};
use std::fmt::{Arguments, Display};

/// Checks all lists. What cannot be imported, but is valid, is left to the importing steps.
pub(super) fn check(source: &Source<'_>) -> Result<(), LoadError> {
    check_nodes(source)?;
    check_meshes(source)?;
    check_materials(source)?;
    check_animations(source)
}

impl Source<'_> {
    fn names<T>(
        &self,
        list: &[T],
        what: &str,
        index: Option<Whole>,
        path: impl Display,
    ) -> Result<(), LoadError> {
        index.map_or(Ok(()), |index| self.get(list, what, index, path).map(|_| ()))
    }
}

fn check_nodes(source: &Source<'_>) -> Result<(), LoadError> {
    let json = source.json;
    source.names(&json.scenes, "scene", json.scene, "scene")?;
    for (index, scene) in json.scenes.iter().enumerate() {
        for (position, &node) in scene.nodes.iter().enumerate() {
            source.names(
                &json.nodes,
                "node",
                Some(node),
                format_args!("scenes[{index}].nodes[{position}]"),
            )?;
        }
    }
    for (index, node) in json.nodes.iter().enumerate() {
        for (position, &child) in node.children.iter().enumerate() {
            let path = Lazy(|| format!("nodes[{index}].children[{position}]"));
            source.names(&json.nodes, "node", Some(child), path)?;
        }
        source.names(&json.meshes, "mesh", node.mesh, format_args!("nodes[{index}].mesh"))?;
        source.names(&json.cameras, "camera", node.camera, format_args!("nodes[{index}].camera"))?;
        source.names(&json.skins, "skin", node.skin, format_args!("nodes[{index}].skin"))?;
        let Some(extensions) = &node.extensions else { continue };
        let light = extensions.light.as_ref().map(|carried| carried.light);
        let path = Lazy(|| light::node_path(index));
        source.names(light::list(source), "light", light, path)?;
        let Some(instancing) = &extensions.instancing else { continue };
        for (name, &accessor) in &instancing.attributes {
            let path = Lazy(|| format!("{}.{}", instances::path(index), shown(name)));
            source.names(&json.accessors, "accessor", Some(accessor), path)?;
        }
    }
    for (index, skin) in json.skins.iter().enumerate() {
        let path = Lazy(|| format!("skins[{index}].inverseBindMatrices"));
        source.names(&json.accessors, "accessor", skin.inverse_bind_matrices, path)?;
        source.names(&json.nodes, "node", skin.skeleton, format_args!("skins[{index}].skeleton"))?;
        for (position, &joint) in skin.joints.iter().enumerate() {
            source.names(
                &json.nodes,
                "node",
                Some(joint),
                format_args!("skins[{index}].joints[{position}]"),
            )?;
        }
    }
    Ok(())
}

fn check_meshes(source: &Source<'_>) -> Result<(), LoadError> {
    for (index, mesh) in source.json.meshes.iter().enumerate() {
        for (position, primitive) in mesh.primitives.iter().enumerate() {
            check_primitive(source, primitive, format_args!("meshes[{index}].primitives[{position}]"))?;
        }
    }
    Ok(())
}

fn check_primitive(source: &Source<'_>, primitive: &Primitive, path: Arguments<'_>) -> Result<(), LoadError> {
    let Root { accessors, materials, .. } = source.json;
    let attributes = |attributes: &Attributes, list: Arguments<'_>| {
        attributes.iter().try_for_each(|(name, &accessor)| {
            let path = Lazy(|| format!("{path}.{list}.{}", shown(name)));
            source.names(accessors, "accessor", Some(accessor), path)
        })
    };
    attributes(&primitive.attributes, format_args!("attributes"))?;
    source.names(accessors, "accessor", primitive.indices, format_args!("{path}.indices"))?;
    source.names(materials, "material", primitive.material, format_args!("{path}.material"))?;
    for (index, target) in primitive.targets.iter().enumerate() {
        attributes(target, format_args!("targets[{index}]"))?;
    }
    variants::check(source, primitive, path)
}

fn check_materials(source: &Source<'_>) -> Result<(), LoadError> {
    let json = source.json;
    for (index, material) in json.materials.iter().enumerate() {
        for (slot, info) in slots(material) {
            let texture = info.map(|info| info.index);
            source.names(
                &json.textures,
                "texture",
                texture,
                format_args!("materials[{index}].{slot}.index"),
            )?;
        }
    }
    for (index, texture) in json.textures.iter().enumerate() {
        for (place, image) in sources(texture) {
            source.names(&json.images, "image", image, format_args!("textures[{index}].{place}"))?;
        }
        source.names(
            &json.samplers,
            "sampler",
            texture.sampler,
            format_args!("textures[{index}].sampler"),
        )?;
    }
    for (index, entry) in json.samplers.iter().enumerate() {
        sampler(source, entry, index)?;
    }
    for (index, image) in json.images.iter().enumerate() {
        let path = Lazy(|| format!("images[{index}]"));
        source.names(
            &json.buffer_views,
            "buffer view",
            image.buffer_view,
            format_args!("{path}.bufferView"),
        )?;
        origin(source, image, path)?;
    }
    Ok(())
}

fn check_animations(source: &Source<'_>) -> Result<(), LoadError> {
    let json = source.json;
    for (index, animation) in json.animations.iter().enumerate() {
        for (position, channel) in animation.channels.iter().enumerate() {
            let path = Lazy(|| format!("animations[{index}].channels[{position}]"));
            let (samplers, sampler) = (&animation.samplers, Some(channel.sampler));
            source.names(samplers, "the animation's sampler", sampler, format_args!("{path}.sampler"))?;
            source.names(&json.nodes, "node", channel.target.node, format_args!("{path}.target.node"))?;
        }
        for (position, sampler) in animation.samplers.iter().enumerate() {
            let path = Lazy(|| format!("animations[{index}].samplers[{position}]"));
            source.names(&json.accessors, "accessor", Some(sampler.input), format_args!("{path}.input"))?;
            source.names(&json.accessors, "accessor", Some(sampler.output), format_args!("{path}.output"))?;
            if let Some(other) = &sampler.interpolation
                && !matches!(other.as_str(), "LINEAR" | "STEP" | "CUBICSPLINE")
            {
                let reason = format!("\"{}\" is not LINEAR, STEP or CUBICSPLINE; correct it", shown(other));
                return Err(source.invalid(format_args!("{path}.interpolation"), reason));
            }
        }
    }
    Ok(())
}
