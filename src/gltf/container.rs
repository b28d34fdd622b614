//! Telling GLB from JSON, and taking a GLB apart (glTF 2.0, section 4.4).

use super::foreign::{LOOKED_AT, cannot_be_json, seen};
use super::resource::Piece;
use super::text::shown;
use std::borrow::Cow;
use std::io;

const MAGIC: &[u8; 4] = b"glTF";
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;
const CHUNK_JSON: u32 = u32::from_le_bytes(*b"JSON");
const CHUNK_BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// The parts of a document's bytes.
#[derive(Debug)]
pub(super) struct Container<'a> {
    pub json: Cow<'a, [u8]>,
    /// The binary chunk of a GLB.
    pub binary: Option<Piece<'a>>,
    /// Faults that do no harm, for the report.
    pub repairs: Vec<String>,
    /// Which chunks are of other kinds, for the report.
    pub skipped: Option<String>,
}

/// Why a document cannot be split.
#[derive(Debug)]
pub(super) enum Fault {
    Unreadable(io::Error),
    /// A GLB of this version, which nothing more is known about.
    Version(u32),
    /// What keeps a GLB from being read.
    Malformed(String),
    /// It begins like neither: with these bytes, as what is named here.
    Foreign {
        head: Vec<u8>,
        found: String,
    },
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

fn malformed<T>(reason: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Malformed(reason.into()))
}

/// Numbers here and there in a document. Of one in a file, a block of bytes is read at a time: a file may consist of
/// chunk headers.
struct Words<'a> {
    whole: Piece<'a>,
    /// Where the block begins.
    at: usize,
    block: Cow<'a, [u8]>,
}

impl<'a> Words<'a> {
    const BLOCK: usize = 4096;

    fn new(whole: Piece<'a>) -> Self {
        Self { whole, at: 0, block: Cow::Borrowed(&[]) }
    }

    /// The four bytes there, if there are as many.
    fn bytes(&mut self, at: usize) -> io::Result<Option<[u8; 4]>> {
        let Some(word) = self.whole.get(at..at.saturating_add(4)) else { return Ok(None) };
        if let Piece::Memory(word) = word {
            return Ok(word.first_chunk().copied());
        }
        let in_block = |words: &Self| words.block.get(at.checked_sub(words.at)?..)?.first_chunk().copied();
        if let Some(word) = in_block(self) {
            return Ok(Some(word));
        }
        let end = self.whole.len().min(at.saturating_add(Self::BLOCK));
        if let Some(block) = self.whole.get(at..end) {
            (self.at, self.block) = (at, block.bytes()?);
        }
        Ok(in_block(self))
    }

    fn word(&mut self, at: usize) -> io::Result<Option<u32>> {
        Ok(self.bytes(at)?.map(u32::from_le_bytes))
    }
}

/// Splits a document.
pub(super) fn split(document: Piece<'_>) -> Result<Container<'_>, Fault> {
    let bytes = document.len();
    if bytes == 0 {
        return malformed("the file is empty");
    }
    let mut words = Words::new(document);
    if words.bytes(0)?.as_ref() != Some(MAGIC) {
        if let Some(head) = document.get(0..bytes.min(LOOKED_AT)) {
            let head = head.bytes()?;
            if cannot_be_json(&head)
                && let Some(found) = seen(&head)
            {
                return Err(Fault::Foreign { head: head.into_owned(), found });
            }
        }
        let json = document.bytes()?;
        return Ok(Container { json, binary: None, repairs: Vec::new(), skipped: None });
    }
    let mut repairs = Vec::new();
    // A GLB of another version need not have more in common with this one.
    if let Some(version) = words.word(4)?.filter(|&version| version != 2) {
        return Err(Fault::Version(version));
    }
    let (mut odd, mut first_odd) = (0_usize, None);
    let Some(length) = words.word(8)? else {
        return malformed(format!("the GLB header needs {HEADER} bytes, the file has {bytes}"));
    };
    let length = length as usize;
    let Some(glb) = document.get(0..length).filter(|_| length >= HEADER) else {
        return malformed(format!("the GLB header promises {length} bytes, the file has {bytes}"));
    };
    if bytes > length {
        repairs.push(format!("{} bytes after the end of the GLB are skipped", bytes - length));
    }
    words.whole = glb;
    let mut at = HEADER;
    let mut index = 0_usize;
    let mut json = None;
    let mut binary = None;
    let (mut others, mut first_other) = (0_usize, None);
    while at < length {
        let (Some(size), Some(kind)) = (words.word(at)?, words.word(at.saturating_add(4))?) else {
            return malformed(format!("chunk {index} ends inside its own header"));
        };
        at += CHUNK_HEADER;
        let Some(data) = glb.get(at..at.saturating_add(size as usize)) else {
            return malformed(format!("chunk {index} promises {size} bytes, {} are left", length - at));
        };
        if !size.is_multiple_of(4) {
            odd += 1;
            first_odd.get_or_insert((index, size));
        }
        match (index, kind) {
            (0, CHUNK_JSON) => json = Some(data),
            (0, _) => return malformed("the first GLB chunk does not hold JSON"),
            (1, CHUNK_BIN) => binary = Some(data),
            (_, CHUNK_JSON | CHUNK_BIN) => {
                return malformed(format!("chunk {index} holds a second JSON or a misplaced binary part"));
            }
            // Chunks of other kinds belong to extensions and are to be skipped.
            _ => {
                others += 1;
                first_other.get_or_insert((index, kind));
            }
        }
        index += 1;
        at += data.len();
    }
    if let Some((index, size)) = first_odd {
        repairs.push(format!(
            "chunks whose length is not a multiple of 4: {odd}, the first is chunk {index}, of {size} bytes"
        ));
    }
    let Some(json) = json else { return malformed("the GLB has no JSON chunk") };
    let mut json = json.bytes()?;
    // The standard pads with spaces; some writers pad with zeros, which JSON does not allow.
    let used = json.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
    if used < json.len() {
        match &mut json {
            Cow::Borrowed(json) => *json = &json[..used],
            Cow::Owned(json) => json.truncate(used),
        }
        repairs.push("the JSON chunk is padded with zeros instead of spaces".to_owned());
    }
    let skipped = first_other.map(|(index, kind)| {
        let kind = String::from_utf8_lossy(&kind.to_le_bytes()).into_owned();
        format!(
            "chunks of kinds that are not known are skipped: {others}, the first is chunk {index}, \"{}\"",
            shown(&kind)
        )
    });
    Ok(Container { json, binary, repairs, skipped })
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

    fn split(bytes: &[u8]) -> Result<Container<'_>, String> {
        super::split(Piece::Memory(bytes)).map_err(|fault| match fault {
            Fault::Malformed(reason) => reason,
            Fault::Version(version) => format!("version {version}"),
            Fault::Unreadable(error) => panic!("{error}"),
            Fault::Foreign { found, .. } => found,
        })
    }

    fn parts<'c>(container: &'c Container<'_>) -> (&'c [u8], Option<Cow<'c, [u8]>>) {
        (&container.json, container.binary.map(|piece| piece.bytes().unwrap()))
    }

    #[test]
    fn json_is_whatever_lacks_the_magic() {
        assert_eq!(parts(&split(b"{}").unwrap()), (&b"{}"[..], None));
        assert_eq!(parts(&split(b"[").unwrap()), (&b"["[..], None));
        assert_eq!(split(b"PK\x03\x04").unwrap_err(), "a ZIP archive (.zip, .usdz, .3mf)");
        assert_eq!(split(b"").unwrap_err(), "the file is empty");
    }

    #[test]
    fn unknown_chunks_are_skipped_and_padding_is_trimmed() {
        let bytes = glb(&[(b"JSON", b"{}\0\0"), (b"BIN\0", &[1, 2, 3, 4]), (b"XTRA", &[9; 4])]);
        let container = split(&bytes).unwrap();
        assert_eq!(parts(&container), (&b"{}"[..], Some(Cow::Borrowed(&[1, 2, 3, 4][..]))));
        assert_eq!(container.repairs.len(), 1);
        assert!(container.skipped.unwrap().ends_with("1, the first is chunk 2, \"XTRA\""));
        let bytes = glb(&[(b"JSON", b"{}  "), (b"XTRA", &[9; 4])]);
        let container = split(&bytes).unwrap();
        assert_eq!(parts(&container), (&b"{}  "[..], None));
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
        bytes[4] = 1;
        assert_eq!(split(&bytes).unwrap_err(), "version 1");
        assert!(split(&bytes[..7]).unwrap_err().contains("header needs 12"));
        assert!(split(&glb(&[(b"BIN\0", b"")])).is_err());
        assert!(split(&glb(&[])).is_err());
        assert!(split(&glb(&[(b"JSON", b"{}"), (b"JSON", b"{}")])).is_err());
        assert!(split(&glb(&[(b"JSON", b"{}"), (b"BIN\0", b""), (b"BIN\0", b"")])).is_err());
    }
}
