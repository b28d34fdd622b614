//! KHR_animation_pointer: which property of which object a JSON pointer names (glTF 2.0 Asset Object Model).

use super::document::{Material, TextureInfo, Whole};
use super::hierarchy::Hierarchy;
use super::light;
use super::source::Source;
use super::support::{LIGHTS, TEXTURE_TRANSFORM};
use super::text::shown;
use crate::animation::{CameraProperty, LightProperty, MaterialProperty, TargetPath, UvSlot};
use std::borrow::Cow;

/// Whose property a channel drives, by the document's index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Object {
    Node(usize),
    /// Every node that has the camera.
    Camera(usize),
    /// Every node that has the light.
    Light(usize),
    /// Every node that has the mesh and no weights of its own.
    Mesh(usize),
    Material(usize),
}

/// What a pointer names; else why it cannot be followed.
type Found = Result<(Object, TargetPath), String>;

const UNDEFINED: &str = "the document does not define it, so there is nothing to animate";
const NOT_ANIMATED: &str = "it is not among the properties that are animated here";

/// Follows a pointer.
pub(super) fn follow(source: &Source<'_>, hierarchy: &Hierarchy, pointer: &str) -> Found {
    let tokens = tokens(pointer).ok_or(
        "it is no JSON pointer, which begins with a slash and writes ~0 for ~ and ~1 for / within a name",
    )?;
    let tokens: Vec<&str> = tokens.iter().map(|token| &**token).collect();
    let json = source.json;
    match tokens[..] {
        ["nodes", node, ref property @ ..] => {
            let (index, _) = entry(&json.nodes, "node", node)?;
            Ok((Object::Node(index), node_path(property)?))
        }
        ["meshes", mesh, ref property @ ..] if property.first() == Some(&"weights") => {
            let (index, _) = entry(&json.meshes, "mesh", mesh)?;
            Ok((Object::Mesh(index), node_path(property)?))
        }
        ["cameras", camera, kind, property] => {
            let (index, _) = entry(&hierarchy.cameras, "camera", camera)?;
            Ok((Object::Camera(index), camera_path(hierarchy, index, kind, property)?))
        }
        ["extensions", LIGHTS, "lights", light, ref property @ ..] => {
            let (index, _) = entry(light::list(source), "light", light)?;
            Ok((Object::Light(index), light_path(source, index, property)?))
        }
        ["materials", material, ref property @ ..] => {
            let (index, material) = entry(&json.materials, "material", material)?;
            Ok((Object::Material(index), TargetPath::Material(material_property(material, property)?)))
        }
        _ => Err(NOT_ANIMATED.to_owned()),
    }
}

/// The names that a pointer consists of (RFC 6901), as many as any pointer that is followed has and one more.
fn tokens(pointer: &str) -> Option<Vec<Cow<'_, str>>> {
    const LONGEST: usize = 7;
    let Some(rest) = pointer.strip_prefix('/') else { return pointer.is_empty().then(Vec::new) };
    // The escapes of what is not looked at count all the same.
    let escaped = |text: &str| text.split('~').skip(1).all(|after| after.starts_with(['0', '1']));
    if !escaped(rest) {
        return None;
    }
    let plain = |token| match memchr::memchr(b'~', str::as_bytes(token)) {
        None => Cow::Borrowed(token),
        // In this order, so that ~01 is ~1 and not a slash.
        Some(_) => Cow::Owned(token.replace("~1", "/").replace("~0", "~")),
    };
    Some(rest.split('/').take(LONGEST + 1).map(plain).collect())
}

/// An index as a pointer has it: decimal digits without a zero in front.
fn index(token: &str) -> Option<usize> {
    let is_decimal =
        token.bytes().all(|byte| byte.is_ascii_digit()) && (token == "0" || !token.starts_with('0'));
    // What does not fit is past every list's end.
    (is_decimal && !token.is_empty()).then(|| token.parse().unwrap_or(usize::MAX))
}

/// An entry of one of the document's lists.
fn entry<'t, T>(list: &'t [T], what: &str, token: &str) -> Result<(usize, &'t T), String> {
    let index = index(token).ok_or_else(|| format!("\"{}\" is no index of a {what}", shown(token)))?;
    let found = list.get(index).ok_or_else(|| {
        format!("there is no {what} {}; the document has {}, numbered from 0", shown(token), list.len())
    })?;
    Ok((index, found))
}

fn node_path(property: &[&str]) -> Result<TargetPath, String> {
    Ok(match *property {
        ["translation"] => TargetPath::Translation,
        ["rotation"] => TargetPath::Rotation,
        ["scale"] => TargetPath::Scale,
        ["weights"] => TargetPath::Weights,
        ["weights", weight] => {
            let number =
                index(weight).ok_or_else(|| format!("\"{}\" is no index of a weight", shown(weight)))?;
            TargetPath::Weight(u16::try_from(number).unwrap_or(u16::MAX))
        }
        _ => return Err(NOT_ANIMATED.to_owned()),
    })
}

fn camera_path(
    hierarchy: &Hierarchy,
    camera: usize,
    kind: &str,
    property: &str,
) -> Result<TargetPath, String> {
    let property = match (kind, property) {
        ("perspective", "yfov") => CameraProperty::FovY,
        ("perspective", "aspectRatio") => CameraProperty::Aspect,
        ("orthographic", "xmag") => CameraProperty::XMag,
        ("orthographic", "ymag") => CameraProperty::YMag,
        ("perspective" | "orthographic", "znear") => CameraProperty::Near,
        ("perspective" | "orthographic", "zfar") => CameraProperty::Far,
        _ => return Err(NOT_ANIMATED.to_owned()),
    };
    let Some(projection) = &hierarchy.cameras[camera] else {
        return Err(format!("camera {camera} is left out"));
    };
    let is_perspective = matches!(projection, crate::scene::Projection::Perspective { .. });
    if is_perspective != (kind == "perspective") || projection.number(property).is_none() {
        return Err(UNDEFINED.to_owned());
    }
    Ok(TargetPath::Camera(property))
}

fn light_path(source: &Source<'_>, light: usize, property: &[&str]) -> Result<TargetPath, String> {
    let property = match *property {
        ["color"] => LightProperty::Color,
        ["intensity"] => LightProperty::Intensity,
        ["range"] => LightProperty::Range,
        ["spot", "innerConeAngle"] => LightProperty::InnerConeAngle,
        ["spot", "outerConeAngle"] => LightProperty::OuterConeAngle,
        _ => return Err(NOT_ANIMATED.to_owned()),
    };
    let imported = light::imported(&light::list(source)[light]);
    let imported = imported.map_err(|_| format!("light {light} is left out"))?;
    imported.numbers(property).map(|_| TargetPath::Light(property)).ok_or_else(|| UNDEFINED.to_owned())
}

fn material_property(material: &Material, property: &[&str]) -> Result<MaterialProperty, String> {
    let metal = material.pbr_metallic_roughness.as_ref();
    let extensions = material.extensions.as_ref();
    let (property, is_defined) = match *property {
        ["alphaCutoff"] => (MaterialProperty::AlphaCutoff, true),
        ["emissiveFactor"] => (MaterialProperty::EmissiveFactor, true),
        ["pbrMetallicRoughness", "baseColorFactor"] => (MaterialProperty::BaseColorFactor, metal.is_some()),
        ["pbrMetallicRoughness", "metallicFactor"] => (MaterialProperty::MetallicFactor, metal.is_some()),
        ["pbrMetallicRoughness", "roughnessFactor"] => (MaterialProperty::RoughnessFactor, metal.is_some()),
        ["normalTexture", "scale"] => (MaterialProperty::NormalScale, material.normal_texture.is_some()),
        ["occlusionTexture", "strength"] => {
            (MaterialProperty::OcclusionStrength, material.occlusion_texture.is_some())
        }
        ["extensions", "KHR_materials_emissive_strength", "emissiveStrength"] => {
            let is_defined = extensions.is_some_and(|extensions| extensions.emissive_strength.is_some());
            (MaterialProperty::EmissiveStrength, is_defined)
        }
        ["pbrMetallicRoughness", "baseColorTexture", ref rest @ ..] => {
            let info = metal.and_then(|metal| metal.base_color_texture.as_ref());
            uv_property(UvSlot::BaseColor, info, rest)?
        }
        ["pbrMetallicRoughness", "metallicRoughnessTexture", ref rest @ ..] => {
            let info = metal.and_then(|metal| metal.metallic_roughness_texture.as_ref());
            uv_property(UvSlot::MetallicRoughness, info, rest)?
        }
        ["normalTexture", ref rest @ ..] => {
            uv_property(UvSlot::Normal, material.normal_texture.as_ref(), rest)?
        }
        ["occlusionTexture", ref rest @ ..] => {
            uv_property(UvSlot::Occlusion, material.occlusion_texture.as_ref(), rest)?
        }
        ["emissiveTexture", ref rest @ ..] => {
            uv_property(UvSlot::Emissive, material.emissive_texture.as_ref(), rest)?
        }
        _ => return Err(NOT_ANIMATED.to_owned()),
    };
    if is_defined { Ok(property) } else { Err(UNDEFINED.to_owned()) }
}

/// A part of KHR_texture_transform on a slot, and whether the slot has that.
fn uv_property(
    slot: UvSlot,
    info: Option<&TextureInfo>,
    property: &[&str],
) -> Result<(MaterialProperty, bool), String> {
    let property = match *property {
        ["extensions", TEXTURE_TRANSFORM, "offset"] => MaterialProperty::UvOffset(slot),
        ["extensions", TEXTURE_TRANSFORM, "rotation"] => MaterialProperty::UvRotation(slot),
        ["extensions", TEXTURE_TRANSFORM, "scale"] => MaterialProperty::UvScale(slot),
        _ => return Err(NOT_ANIMATED.to_owned()),
    };
    let extensions = info.and_then(|info| info.extensions.as_ref());
    Ok((property, extensions.is_some_and(|extensions| extensions.transform.is_some())))
}

/// For each camera, light and mesh the nodes of the imported scene that show what it says.
pub(super) struct Carriers {
    cameras: Vec<Vec<usize>>,
    lights: Vec<Vec<usize>>,
    meshes: Vec<Vec<usize>>,
}

impl Carriers {
    pub fn new(source: &Source<'_>, hierarchy: &Hierarchy) -> Self {
        let json = source.json;
        let lists = |count| vec![Vec::new(); count];
        let mut carriers = Self {
            cameras: lists(json.cameras.len()),
            lights: lists(light::list(source).len()),
            meshes: lists(json.meshes.len()),
        };
        // Every index was checked with the references.
        let add = |lists: &mut Vec<Vec<usize>>, index: Option<Whole>, node: usize| {
            if let Some(list) = index.and_then(|index| lists.get_mut(index.index())) {
                list.push(node);
            }
        };
        for &(index, _) in &hierarchy.order {
            let node = &json.nodes[index];
            let light = node.extensions.as_ref().and_then(|extensions| extensions.light.as_ref());
            add(&mut carriers.cameras, node.camera, index);
            add(&mut carriers.lights, light.map(|carried| carried.light), index);
            add(&mut carriers.meshes, node.mesh.filter(|_| node.weights.is_none()), index);
        }
        carriers
    }

    /// The nodes that a property of this object is driven on; none for an object that is driven itself.
    pub fn of(&self, object: Object) -> &[usize] {
        match object {
            Object::Node(_) | Object::Material(_) => &[],
            Object::Camera(camera) => &self.cameras[camera],
            Object::Light(light) => &self.lights[light],
            Object::Mesh(mesh) => &self.meshes[mesh],
        }
    }
}

impl std::fmt::Display for Object {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Node(index) => write!(f, "node {index}"),
            Self::Camera(index) => write!(f, "camera {index}"),
            Self::Light(index) => write!(f, "light {index}"),
            Self::Mesh(index) => write!(f, "mesh {index}"),
            Self::Material(index) => write!(f, "material {index}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_at_slashes_and_their_escapes_undone_in_order() {
        let split = |pointer| tokens(pointer).map(|tokens| tokens.join("|"));
        assert_eq!(split("/a~1b/~0/~01//c").as_deref(), Some("a/b|~|~1||c"));
        assert_eq!((split("").as_deref(), split("/").as_deref()), (Some(""), Some("")));
        for bad in ["a", "a/b", " /a", "/a~", "/~2", "/a/~~0"] {
            assert_eq!(split(bad), None, "{bad}");
        }
        assert_eq!(tokens(&"/x".repeat(1_000_000)).map(|tokens| tokens.len()), Some(8));
        assert_eq!(tokens(&format!("{}~", "/x".repeat(100))), None);
    }

    #[test]
    fn indices_are_decimal_without_leading_zeros() {
        assert_eq!([index("0"), index("10"), index("7")], [Some(0), Some(10), Some(7)]);
        for bad in ["", "00", "01", "-1", "+1", "1.0", "-", "x", "٣"] {
            assert_eq!(index(bad), None, "{bad}");
        }
        assert_eq!(index(&"9".repeat(50)), Some(usize::MAX));
    }
}
