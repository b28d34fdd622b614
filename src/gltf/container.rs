//! Telling GLB from JSON, and taking a GLB apart (glTF 2.0, section 4.4).

use super::text::shown;

const MAGIC: &[u8; 4] = b"glTF";
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;
const CHUNK_JSON: u32 = u32::from_le_bytes(*b"JSON");
const CHUNK_BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// The parts of a document's bytes.
#[derive(Debug)]
pub(super) struct Container<'a> {
    pub json: &'a [u8],
    /// The binary chunk of a GLB.
    pub binary: Option<&'a [u8]>,
    /// Faults that do no harm, for the report.
    pub repairs: Vec<String>,
    /// Which chunks are of other kinds, for the report.
    pub skipped: Option<String>,
}

/// The version of a GLB that has another one than 2, which nothing more is known about.
pub(super) fn other_version(bytes: &[u8]) -> Option<u32> {
    word(bytes.strip_prefix(MAGIC)?, 0).filter(|&version| version != 2)
}

/// Splits a document, which is no GLB of another version than 2.
///
/// # Errors
/// What keeps a GLB from being read.
pub(super) fn split(bytes: &[u8]) -> Result<Container<'_>, String> {
    if bytes.is_empty() {
        return Err("the file is empty".to_owned());
    }
    if !bytes.starts_with(MAGIC) {
        return Ok(Container { json: bytes, binary: None, repairs: Vec::new(), skipped: None });
    }
    let mut repairs = Vec::new();
    let (mut odd, mut first_odd) = (0_usize, None);
    let Some(length) = word(bytes, 8) else {
        return Err(format!("the GLB header needs {HEADER} bytes, the file has {}", bytes.len()));
    };
    let length = length as usize;
    let Some(body) = bytes.get(HEADER..length) else {
        return Err(format!("the GLB header promises {length} bytes, the file has {}", bytes.len()));
    };
    if bytes.len() > length {
        repairs.push(format!("{} bytes after the end of the GLB are skipped", bytes.len() - length));
    }
    let mut rest = body;
    let mut index = 0_usize;
    let mut json = None;
    let mut binary = None;
    let (mut others, mut first_other) = (0_usize, None);
    while !rest.is_empty() {
        let (Some(size), Some(kind)) = (word(rest, 0), word(rest, 4)) else {
            return Err(format!("chunk {index} ends inside its own header"));
        };
        let Some(data) = rest[CHUNK_HEADER..].get(..size as usize) else {
            let left = rest.len() - CHUNK_HEADER;
            return Err(format!("chunk {index} promises {size} bytes, {left} are left"));
        };
        if !size.is_multiple_of(4) {
            odd += 1;
            first_odd.get_or_insert((index, size));
        }
        match (index, kind) {
            (0, CHUNK_JSON) => json = Some(data),
            (0, _) => return Err("the first GLB chunk does not hold JSON".to_owned()),
            (1, CHUNK_BIN) => binary = Some(data),
            (_, CHUNK_JSON | CHUNK_BIN) => {
                return Err(format!("chunk {index} holds a second JSON or a misplaced binary part"));
            }
            // Chunks of other kinds belong to extensions and are to be skipped.
            _ => {
                others += 1;
                first_other.get_or_insert((index, kind));
            }
        }
        index += 1;
        rest = &rest[CHUNK_HEADER + size as usize..];
    }
    if let Some((index, size)) = first_odd {
        repairs.push(format!(
            "chunks whose length is not a multiple of 4: {odd}, the first is chunk {index}, of {size} bytes"
        ));
    }
    let json = json.ok_or_else(|| "the GLB has no JSON chunk".to_owned())?;
    // The standard pads with spaces; some writers pad with zeros, which JSON does not allow.
    let used = json.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
    if used < json.len() {
        repairs.push("the JSON chunk is padded with zeros instead of spaces".to_owned());
    }
    let skipped = first_other.map(|(index, kind)| {
        let kind = String::from_utf8_lossy(&kind.to_le_bytes()).into_owned();
        format!(
            "chunks of kinds that are not known are skipped: {others}, the first is chunk {index}, \"{}\"",
            shown(&kind)
        )
    });
    Ok(Container { json: &json[..used], binary, repairs, skipped })
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glb(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut body = Vec::new();
        for (kind, data) in chunks {
            body.extend((data.len() as u32).to_le_bytes());
            body.extend(*kind);
            body.extend(*data);
        }
        let mut out = b"glTF\x02\0\0\0".to_vec();
        out.extend((body.len() as u32 + 12).to_le_bytes());
        out.extend(body);
        out
    }

    #[test]
    fn json_is_whatever_lacks_the_magic() {
        let container = split(b"{}").unwrap();
        assert_eq!((container.json, container.binary), (&b"{}"[..], None));
        assert_eq!(split(b"").unwrap_err(), "the file is empty");
    }

    #[test]
    fn unknown_chunks_are_skipped_and_padding_is_trimmed() {
        let bytes = glb(&[(b"JSON", b"{}\0\0"), (b"BIN\0", &[1, 2, 3, 4]), (b"XTRA", &[9; 4])]);
        let container = split(&bytes).unwrap();
        assert_eq!((container.json, container.binary), (&b"{}"[..], Some(&[1, 2, 3, 4][..])));
        assert_eq!(container.repairs.len(), 1);
        assert!(container.skipped.unwrap().ends_with("1, the first is chunk 2, \"XTRA\""));
        let bytes = glb(&[(b"JSON", b"{}  "), (b"XTRA", &[9; 4])]);
        let container = split(&bytes).unwrap();
        assert_eq!((container.json, container.binary), (&b"{}  "[..], None));
        assert!(container.repairs.is_empty());
        assert!(container.skipped.unwrap().contains("chunk 1, "));
    }

    #[test]
    fn truncation_at_every_byte_is_an_error() {
        let bytes = glb(&[(b"JSON", b"{}  "), (b"BIN\0", &[1, 2, 3, 4])]);
        for length in 4..bytes.len() {
            assert!(split(&bytes[..length]).is_err(), "{length}");
        }
        // With a corrected header length, only cuts between chunks can pass.
        for length in 12..bytes.len() {
            let mut cut = bytes[..length].to_vec();
            cut[8..12].copy_from_slice(&(length as u32).to_le_bytes());
            assert_eq!(split(&cut).is_ok(), length == 24, "{length}");
        }
    }

    #[test]
    fn wrong_versions_and_orders_are_refused() {
        let mut bytes = glb(&[(b"JSON", b"{}")]);
        assert_eq!(split(&bytes).unwrap().repairs.len(), 1);
        assert_eq!(other_version(&bytes), None);
        bytes[4] = 1;
        assert_eq!(other_version(&bytes), Some(1));
        assert_eq!([other_version(&bytes[..7]), other_version(b"{}"), other_version(b"")], [None; 3]);
        assert!(split(&glb(&[(b"BIN\0", b"")])).is_err());
        assert!(split(&glb(&[])).is_err());
        assert!(split(&glb(&[(b"JSON", b"{}"), (b"JSON", b"{}")])).is_err());
        assert!(split(&glb(&[(b"JSON", b"{}"), (b"BIN\0", b""), (b"BIN\0", b"")])).is_err());
    }
}
