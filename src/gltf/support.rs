//! Whether a document asks for something that this loader does not have.

use super::LoadError;
use super::document::Root;
use super::report::{LoadReport, Severity};
use super::text::shown;
use crate::scene::{DocumentExtension, ExtensionState};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// Extensions that are understood, required or not.
const SUPPORTED: &[&str] = &[
    "KHR_materials_emissive_strength",
    "KHR_materials_unlit",
    TEXTURE_TRANSFORM,
    POINTER,
    QUANTIZATION,
    LIGHTS,
    VARIANTS,
    INSTANCING,
];

/// Extensions that are understood, and add nothing to the picture so far.
const NOT_DRAWN: &[&str] = &[LIGHTS];

/// Extensions that a crate feature adds, the feature, and whether it is on.
const OPTIONAL: &[(&str, &str, bool)] = &[
    (WEBP, "webp", cfg!(feature = "webp")),
    (BASISU, "basisu", cfg!(feature = "basisu")),
    (EXT_MESHOPT, "meshopt", cfg!(feature = "meshopt")),
    (KHR_MESHOPT, "meshopt", cfg!(feature = "meshopt")),
];

/// Lets channels drive what a JSON pointer names.
pub(super) const POINTER: &str = "KHR_animation_pointer";

/// Moves, turns and scales the coordinates of a texture.
pub(super) const TEXTURE_TRANSFORM: &str = "KHR_texture_transform";

/// Draws a mesh many times at one node.
pub(super) const INSTANCING: &str = "EXT_mesh_gpu_instancing";

/// Puts lights onto nodes.
pub(super) const LIGHTS: &str = "KHR_lights_punctual";

/// Gives primitives other materials by name.
pub(super) const VARIANTS: &str = "KHR_materials_variants";

/// Gives a texture a WebP image.
pub(super) const WEBP: &str = "EXT_texture_webp";

/// Gives a texture a KTX2 image.
pub(super) const BASISU: &str = "KHR_texture_basisu";

/// Compress buffer views; the second knows newer streams and one filter more.
pub(super) const EXT_MESHOPT: &str = "EXT_meshopt_compression";
pub(super) const KHR_MESHOPT: &str = "KHR_meshopt_compression";

/// Admits integer positions, normals, tangents and texture coordinates.
pub(super) const QUANTIZATION: &str = "KHR_mesh_quantization";

/// What this build makes of an extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Support {
    Yes,
    /// Only with a crate feature that is off.
    Feature(&'static str),
    No,
}

pub(super) fn support(extension: &str) -> Support {
    match OPTIONAL.iter().find(|(name, ..)| *name == extension) {
        Some((.., true)) => Support::Yes,
        Some((_, feature, false)) => Support::Feature(feature),
        None if SUPPORTED.contains(&extension) => Support::Yes,
        None => Support::No,
    }
}

/// Refuses other versions than 2.x, those that need a newer reader, and unknown required extensions.
///
/// `carried` names the extensions that objects have, with the path of the first.
pub(super) fn check(
    file: &str,
    json: &Root,
    carried: &BTreeMap<String, Arc<str>>,
    report: &mut LoadReport,
) -> Result<(), LoadError> {
    check_version(file, &json.asset.version)?;
    if let Some(minimum) = &json.asset.min_version {
        match parse_version(minimum) {
            Some(minimum) if minimum <= (2, 0) => {}
            Some(_) => {
                let reason = format!("it needs a reader of version {}", shown(minimum));
                return Err(other_version(file, "minVersion", reason));
            }
            None => {
                let reason = format!("\"{}\" is not a version", shown(minimum));
                return Err(other_version(file, "minVersion", reason));
            }
        }
    }
    let unknown: Vec<(&String, Support)> = json
        .extensions_required
        .iter()
        .map(|name| (name, support(name)))
        .filter(|&(_, support)| support != Support::Yes)
        .collect();
    if !unknown.is_empty() {
        let mut features = Vec::new();
        for (_, support) in &unknown {
            if let &Support::Feature(feature) = support
                && !features.contains(&feature)
            {
                features.push(feature);
            }
        }
        let others = unknown.iter().any(|(_, support)| *support == Support::No);
        let names = unknown.into_iter().map(|(name, _)| shown(name)).collect();
        return Err(LoadError::RequiredExtensions { file: file.to_owned(), names, features, others });
    }
    for (index, name) in json.extensions_used.iter().enumerate() {
        if let Some(missing) = missing(name) {
            // What a crate feature adds are other forms of what the file has besides.
            let instead = match support(name) {
                Support::Feature(_) => "what the file has instead is used",
                _ => "what it adds is missing",
            };
            let message = format!("{} is optional and {missing}; {instead}", shown(name));
            report.ignored(Severity::Warning, format_args!("extensionsUsed[{index}]"), message);
        }
    }
    let declared = json.declared_extensions();
    for (name, path) in carried.iter().filter(|(name, _)| !declared.contains(name.as_str())) {
        let undeclared = format!("{} is used and not declared in extensionsUsed", shown(name));
        match missing(name) {
            Some(missing) => {
                let message = format!("{undeclared}; it is {missing}, and what it adds is missing");
                report.ignored(Severity::Warning, path, message);
            }
            None => report.repaired(path, format!("{undeclared}; read all the same")),
        }
    }
    Ok(())
}

/// The extensions that a document declares or carries, each once, with what becomes of them. Of a document that passed
/// [`check`].
pub(super) fn extensions(json: &Root, carried: &BTreeMap<String, Arc<str>>) -> Vec<DocumentExtension> {
    let required: HashSet<&str> = json.extensions_required.iter().map(String::as_str).collect();
    let names = json.extensions_used.iter().chain(&json.extensions_required).chain(carried.keys());
    let mut listed = HashSet::new();
    names
        .map(String::as_str)
        .filter(|&name| listed.insert(name))
        .map(|name| {
            let drawn = support(name) == Support::Yes && !NOT_DRAWN.contains(&name);
            let state = if drawn { ExtensionState::Drawn } else { ExtensionState::Reported };
            DocumentExtension { name: name.to_owned(), required: required.contains(name), state }
        })
        .collect()
}

/// Refuses a document by the version that it declares.
pub(super) fn check_version(file: &str, version: &str) -> Result<(), LoadError> {
    let reason = match parse_version(version) {
        Some((2, _)) => return Ok(()),
        Some(_) => format!("version {}, where 2.0 is supported", shown(version)),
        None => format!("\"{}\" is not a version such as 2.0", shown(version)),
    };
    Err(other_version(file, "version", reason))
}

fn other_version(file: &str, field: &str, reason: String) -> LoadError {
    LoadError::Version { file: file.to_owned(), json_path: format!("asset.{field}"), reason }
}

/// Why an extension is not read, if it is not.
fn missing(extension: &str) -> Option<String> {
    match support(extension) {
        Support::Yes => None,
        Support::Feature(feature) => {
            Some(format!("not supported without the crate feature \"{feature}\", which is off"))
        }
        Support::No => Some("not supported".to_owned()),
    }
}

/// Those of the extensions that are not read, each with the reason; `None` if all of them are.
pub(super) fn lacking<'n>(extensions: impl Iterator<Item = &'n str>) -> Option<String> {
    let reason = |name: &str| Some(format!("{}, which is {}", shown(name), missing(name)?));
    let reasons: Vec<String> = extensions.filter_map(reason).collect();
    (!reasons.is_empty()).then(|| reasons.join(", and in "))
}

/// `major.minor` in decimal digits, and nothing else.
fn parse_version(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.split_once('.')?;
    let number =
        |digits: &str| digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten();
    Some((number(major)?, number(minor)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_two_decimal_numbers() {
        assert_eq!(parse_version("2.0"), Some((2, 0)));
        assert_eq!(parse_version("2.10"), Some((2, 10)));
        for bad in ["", "2", ".0", "2.", "+2.0", "2.0.1", "two.0", "99999999999.0"] {
            assert_eq!(parse_version(bad), None, "{bad}");
        }
    }
}
