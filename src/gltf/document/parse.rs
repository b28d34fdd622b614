//! From bytes to the document.

use super::root::Root;
use serde::Deserialize;

/// JSON must not begin with it, and readers may skip it (RFC 8259, section 8.1).
pub(in crate::gltf) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Where parsing failed, and why.
pub(in crate::gltf) struct ParseFault {
    /// Empty at the document's top.
    pub json_path: String,
    pub reason: String,
}

/// Parses the JSON of a document.
///
/// The path of a fault is found by parsing again with a tracker, so that files without a fault do not pay for it.
pub(in crate::gltf) fn parse(json: &[u8]) -> Result<Root, ParseFault> {
    let json = json.strip_prefix(BYTE_ORDER_MARK).unwrap_or(json);
    // A text that is UTF-8 is looked at as a whole once and not string by string. What is skipped may be in any encoding.
    let parsed = match std::str::from_utf8(json) {
        Ok(text) => serde_json::from_str(text),
        Err(_) => serde_json::from_slice(json),
    };
    let error = match parsed {
        Ok(root) => return Ok(root),
        Err(error) => error,
    };
    let mut tracked = serde_json::Deserializer::from_slice(json);
    let json_path = match serde_path_to_error::deserialize::<_, Root>(&mut tracked) {
        // A dot stands for the top, a question mark for where no value has begun.
        Err(located) => match located.path().to_string().trim_end_matches(['.', '?']) {
            "" => String::new(),
            path => path.to_owned(),
        },
        // Trailing characters are the one fault that a tracked parse does not meet.
        Ok(_) => String::new(),
    };
    Err(ParseFault { json_path, reason: error.to_string() })
}

/// The version that a document declares which is JSON at least.
pub(in crate::gltf) fn version(json: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Document {
        asset: Asset,
    }
    #[derive(Deserialize)]
    struct Asset {
        version: String,
    }
    let json = json.strip_prefix(BYTE_ORDER_MARK).unwrap_or(json);
    serde_json::from_slice(json).ok().map(|Document { asset: Asset { version } }| version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_names_its_json_path_and_line() {
        let text = br#"{"asset": {"version": "2.0"},
            "meshes": [{"primitives": []}, {"primitives": [{"attributes": {"POSITION": "x"}}]}]}"#;
        let fault = parse(text).err().unwrap();
        assert_eq!(fault.json_path, "meshes[1].primitives[0].attributes.POSITION");
        assert!(fault.reason.contains("line 2"), "{}", fault.reason);
        for (text, path) in [
            ("{} x", ""),
            ("{\"scene\": 0,}", ""),
            ("{\"nodes\": [{\"mesh\": 0,}]}", "nodes[0]"),
            ("{\"nodes\": [{}", "nodes"),
        ] {
            assert_eq!(parse(text.as_bytes()).err().unwrap().json_path, path, "{text}");
        }
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        assert!(parse(b"\xEF\xBB\xBF{\"asset\": {\"version\": \"2.0\"}}").is_ok());
    }
}
