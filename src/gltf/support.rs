//! Whether a document asks for something that this loader does not have.

use super::LoadError;
use super::document::Root;
use super::instances::INSTANCING;
use super::light::LIGHTS;
use super::report::{LoadReport, Severity};
use super::text::shown;
use super::variants::VARIANTS;
use std::collections::BTreeMap;

/// Extensions that are understood, required or not.
const SUPPORTED: [&str; 6] =
    ["KHR_materials_unlit", "KHR_texture_transform", QUANTIZATION, LIGHTS, VARIANTS, INSTANCING];

/// Admits integer positions and texture coordinates.
pub(super) const QUANTIZATION: &str = "KHR_mesh_quantization";

/// Refuses other versions than 2.x, those that need a newer reader, and unknown required extensions.
///
/// `carried` names the extensions that objects have, with the path of the first.
pub(super) fn check(
    file: &str,
    json: &Root,
    carried: &BTreeMap<String, String>,
    report: &mut LoadReport,
) -> Result<(), LoadError> {
    let refuse = |field: &str, reason: String| {
        let json_path = format!("asset.{field}");
        Err(LoadError::Version { file: file.to_owned(), json_path, reason })
    };
    let version = &json.asset.version;
    match parse_version(version) {
        Some((2, _)) => {}
        Some(_) => return refuse("version", format!("version {}, where 2.0 is supported", shown(version))),
        None => return refuse("version", format!("\"{}\" is not a version such as 2.0", shown(version))),
    }
    if let Some(minimum) = &json.asset.min_version {
        match parse_version(minimum) {
            Some(minimum) if minimum <= (2, 0) => {}
            Some(_) => {
                return refuse("minVersion", format!("it needs a reader of version {}", shown(minimum)));
            }
            None => return refuse("minVersion", format!("\"{}\" is not a version", shown(minimum))),
        }
    }
    let unknown = |name: &&String| !SUPPORTED.contains(&name.as_str());
    let names: Vec<String> =
        json.extensions_required.iter().filter(unknown).map(|name| shown(name)).collect();
    if !names.is_empty() {
        return Err(LoadError::RequiredExtensions { file: file.to_owned(), names });
    }
    for (index, name) in json.extensions_used.iter().enumerate() {
        if unknown(&name) {
            report.ignored(
                Severity::Warning,
                format!("extensionsUsed[{index}]"),
                format!("{} is optional and not supported; what it adds is missing", shown(name)),
            );
        }
    }
    for (name, path) in carried {
        if json.extensions_used.contains(name) || json.extensions_required.contains(name) {
            continue;
        }
        let undeclared = format!("{} is used and not declared in extensionsUsed", shown(name));
        if unknown(&name) {
            let message = format!("{undeclared}; it is not supported, and what it adds is missing");
            report.ignored(Severity::Warning, path.as_str(), message);
        } else {
            report.repaired(path.as_str(), format!("{undeclared}; read all the same"));
        }
    }
    Ok(())
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
