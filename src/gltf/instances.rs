//! EXT_mesh_gpu_instancing: a node's mesh drawn at many places.

use super::LoadError;
use super::accessor::{Accessors, Elements};
use super::document::Instancing;
use super::keyframes::rotations;
use super::layout::{Component, Format};
use super::report::{LoadReport, Severity};
use super::source::Source;
use super::support::INSTANCING;
use super::text::shown;
use crate::animation::Interpolation;
use crate::math::{Quat, Transform, TryNormalize as _, Vec3};

/// What translations and scales are stored as, for messages.
const VECTORS: &str = "FLOAT VEC3";

fn is_vector(format: Format) -> bool {
    (format.component, format.components) == (Component::F32, 3)
}

fn is_rotation(format: Format) -> bool {
    format.components == 4 && format.holds_fractions()
}

/// Where the attributes of a node's instances stand.
pub(super) fn path(node: usize) -> String {
    format!("nodes[{node}].extensions.{INSTANCING}.attributes")
}

/// A node's instances, checked and not yet read.
pub(super) struct Instances<'a> {
    /// Of the extension's attributes.
    path: String,
    pub count: usize,
    translation: Option<Elements<'a>>,
    rotation: Option<Elements<'a>>,
    scale: Option<Elements<'a>>,
}

impl<'a> Instances<'a> {
    /// Looks the attributes up and checks their formats and that they agree in number. Other attributes than those of the
    /// transform are reported.
    pub fn new(
        source: &Source<'_>,
        accessors: &Accessors<'a>,
        instancing: &Instancing,
        node: usize,
        report: &mut LoadReport,
    ) -> Result<Self, LoadError> {
        let mut first: Option<(&str, usize)> = None;
        let mut unused = Vec::new();
        let mut instances =
            Self { path: path(node), count: 0, translation: None, rotation: None, scale: None };
        for (name, &accessor) in &instancing.attributes {
            let attribute = format!("{}.{}", instances.path, shown(name));
            let elements = accessors.count(accessor, &attribute)?;
            let (first, count) = *first.get_or_insert((name, elements));
            if elements != count {
                let reason = format!(
                    "{elements} elements, but {} has {count}; give every attribute as many",
                    shown(first)
                );
                return Err(source.invalid(attribute, reason));
            }
            instances.count = count;
            let (place, fits, wanted): (_, fn(Format) -> bool, _) = match name.as_str() {
                "TRANSLATION" => (&mut instances.translation, is_vector, VECTORS),
                "SCALE" => (&mut instances.scale, is_vector, VECTORS),
                "ROTATION" => (&mut instances.rotation, is_rotation, Format::ROTATIONS),
                // An application's own may be of any type, and its data is not asked for.
                _ => {
                    unused.push(shown(name));
                    continue;
                }
            };
            let elements = accessors.elements(accessor, &attribute)?;
            let format = elements.format;
            if !fits(format) {
                let reason = format!("accessors[{}] is {format}; it must be {wanted}", elements.index);
                return Err(source.unsupported(attribute, reason));
            }
            *place = Some(elements);
        }
        if instances.count == 0 {
            let reason = "it names no attribute, so nobody knows how many instances there are";
            return Err(source.invalid(instances.path, reason));
        }
        if !unused.is_empty() {
            let message = format!("{} not used", unused.join(", "));
            report.ignored(Severity::Info, &instances.path, message);
        }
        Ok(instances)
    }

    /// Each instance's transform below its node.
    pub fn transforms(
        &self,
        source: &Source<'_>,
        accessors: &Accessors<'_>,
        report: &mut LoadReport,
    ) -> Result<Vec<Transform>, LoadError> {
        let mut transforms = Vec::new();
        let bytes = (self.count as u64).saturating_mul(size_of::<Transform>() as u64);
        source.charge(bytes, &self.path)?;
        transforms.try_reserve_exact(self.count).map_err(|_| source.out_of_memory(bytes, &self.path))?;
        transforms.resize(self.count, Transform::IDENTITY);
        if let Some(elements) = &self.translation {
            for (transform, value) in transforms.iter_mut().zip(accessors.floats::<Vec3>(elements)?) {
                transform.translation = value;
            }
        }
        if let Some(elements) = &self.rotation {
            let path = format!("{}.ROTATION", self.path);
            let values: Vec<Quat> = rotations(accessors, elements, Interpolation::Linear, &path, report)?;
            for (index, (transform, value)) in transforms.iter_mut().zip(values).enumerate() {
                transform.rotation = value.try_normalized().map_err(|error| {
                    let reason = format!("instance {index}: {error}; give a quaternion of length 1");
                    source.invalid(&path, reason)
                })?;
            }
        }
        if let Some(elements) = &self.scale {
            for (transform, value) in transforms.iter_mut().zip(accessors.floats::<Vec3>(elements)?) {
                transform.scale = value;
            }
        }
        match transforms.iter().position(|transform| !transform.is_finite()) {
            Some(index) => {
                let reason = format!("instance {index} is not finite; give finite numbers");
                Err(source.invalid(&self.path, reason))
            }
            None => Ok(transforms),
        }
    }
}
