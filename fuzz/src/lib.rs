//! What the targets and the program that writes their seeds share.

use fire_engine::gltf::{LoadLimits, LoadOptions, NoFiles, load_from_slice_with};

/// Loads with limits that keep memory small; what loads must hold together, and what does not must say so in one line.
pub fn load(bytes: &[u8]) {
    let limits = LoadLimits {
        decoded_bytes: 64 << 20,
        unbacked_bytes: 4 << 20,
        image_dimension: 2048,
        node_depth: 10_000,
        nodes: 50_000,
        ..LoadLimits::default()
    };
    let options = LoadOptions { limits, ..LoadOptions::default() };
    match load_from_slice_with("fuzzed", bytes, &NoFiles, &options) {
        Ok((content, report)) => {
            content.validate().expect("what loads is valid");
            for note in &report {
                assert!(!note.to_string().contains('\n'), "{note:?}");
            }
        }
        Err(error) => {
            let message = error.to_string();
            assert!(message.contains("fuzzed") && !message.contains('\n'), "{message:?}");
        }
    }
}

/// A GLB of two chunks.
pub fn glb(json: &[u8], binary: &[u8]) -> Vec<u8> {
    let mut out = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, data, padding) in [(b"JSON", json, b' '), (b"BIN\0", binary, 0)] {
        let length = data.len().next_multiple_of(4);
        out.extend((length as u32).to_le_bytes());
        out.extend(kind);
        out.extend(data);
        out.resize(out.len() + length - data.len(), padding);
    }
    let total = out.len() as u32;
    out[8..12].copy_from_slice(&total.to_le_bytes());
    out
}
