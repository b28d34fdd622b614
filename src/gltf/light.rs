//! KHR_lights_punctual: lights that nodes carry.

use super::document::Light as JsonLight;
use super::report::{LoadReport, Severity};
use super::source::Source;
use super::support::LIGHTS;
use super::text::shown;
use crate::math::Vec3;
use crate::scene::{Light, LightKind};

/// The document's lights; of the extension, not of the core.
pub(super) fn list<'a>(source: &Source<'a>) -> &'a [JsonLight] {
    source.json.extensions.as_ref().and_then(|e| e.lights.as_ref()).map_or(&[], |lights| &lights.lights)
}

/// Where a light stands in the document.
pub(super) fn path(index: usize) -> String {
    format!("extensions.{LIGHTS}.lights[{index}]")
}

/// Where a node says which light it carries.
pub(super) fn node_path(node: usize) -> String {
    format!("nodes[{node}].extensions.{LIGHTS}.light")
}

/// Imports every light under its own index; `None`, with a note, where its numbers or its type make no light.
pub(super) fn import(source: &Source<'_>, report: &mut LoadReport) -> Vec<Option<Light>> {
    let import = |(index, light): (usize, &JsonLight)| match imported(light) {
        Ok(light) => Some(light),
        Err((field, fault)) => {
            report.ignored(Severity::Warning, format_args!("{}{field}", path(index)), fault);
            None
        }
    };
    list(source).iter().enumerate().map(import).collect()
}

/// A light, or the field that is at fault, with a dot in front, and why.
pub(super) fn imported(light: &JsonLight) -> Result<Light, (&'static str, String)> {
    let kind = match (light.kind.as_str(), &light.spot) {
        ("directional", _) => LightKind::Directional,
        ("point", _) => LightKind::Point { range: light.range },
        ("spot", Some(spot)) => LightKind::Spot {
            range: light.range,
            inner_cone_angle: spot.inner_cone_angle.unwrap_or(0.0),
            outer_cone_angle: spot.outer_cone_angle.unwrap_or(std::f32::consts::FRAC_PI_4),
        },
        ("spot", None) => {
            return Err(("", "left out: a light of type spot needs an object spot beside it".to_owned()));
        }
        (other, _) => {
            return Err((
                ".type",
                format!("\"{}\" is not directional, point or spot; left out", shown(other)),
            ));
        }
    };
    let color = light.color.map_or(Vec3::ONE, Vec3::from_array);
    let light = Light { kind, color, intensity: light.intensity.unwrap_or(1.0) };
    light.validate().map_err(|fault| ("", format!("left out: {fault}")))?;
    Ok(light)
}
