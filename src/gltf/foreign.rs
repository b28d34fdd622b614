//! What a file seems to be that is no glTF.

use super::decode::Kind;
use super::document::BYTE_ORDER_MARK;

/// As much of a file as is looked at.
pub(super) const LOOKED_AT: usize = 4096;

/// How far into a file a GLB may have been moved, by a line break or a byte order mark.
const SHIFTED: usize = 64;

/// What files of one kind begin with.
const FIRST: &[(&[u8], &str)] = &[
    (b"\xFF\xFE", "text in UTF-16, where JSON has to be UTF-8"),
    (b"\xFE\xFF", "text in UTF-16, where JSON has to be UTF-8"),
    (b"{\0", "text in UTF-16, where JSON has to be UTF-8"),
    (b"\0{", "text in UTF-16, where JSON has to be UTF-8"),
    (b"PK\x03\x04", "a ZIP archive (.zip, .usdz, .3mf)"),
    (b"\x1F\x8B", "data compressed by gzip"),
    (b"\x28\xB5\x2F\xFD", "data compressed by Zstandard"),
    (b"Kaydara FBX Binary", "an FBX model"),
    (b"BLENDER", "a Blender file"),
    (b"PXR-USDC", "a USD model"),
    (b"DRACO", "Draco data"),
    (b"ply\n", "a PLY model"),
    (b"ply\r\n", "a PLY model"),
];

/// What lines of text begin with, without the white space before it and in lower case.
const TEXT: &[(&str, &str)] = &[
    ("version https://git-lfs", "a Git LFS pointer in place of the file (git lfs pull fetches it)"),
    ("<!doctype html", "a web page"),
    ("<html", "a web page"),
    ("<collada", "a COLLADA model"),
    ("<?xml", "XML"),
    ("; fbx", "an FBX model"),
    ("#usda", "a USD model"),
    ("solid ", "an STL model"),
    ("mtllib ", "an OBJ model"),
    ("v ", "an OBJ model"),
    ("newmtl ", "an MTL file, the materials of an OBJ model"),
];

/// Whether what begins like this is no JSON, whatever follows: its first character begins no value. So the rest need not be
/// read, which may be a film of some gigabytes.
pub(super) fn cannot_be_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    // The white space of JSON.
    let first = bytes.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    first.is_some_and(|first| !matches!(first, b'{' | b'[' | b'"' | b't' | b'f' | b'n' | b'-' | b'0'..=b'9'))
}

/// What a file seems to be that does not parse as JSON and is no GLB. `None` if it is JSON or nearly so, and its own
/// faults are what matters.
pub(super) fn seen(bytes: &[u8]) -> Option<String> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    if let Some((_, what)) = FIRST.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Some((*what).to_owned());
    }
    let Some(first) = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) else {
        return Some("nothing but white space".to_owned());
    };
    if matches!(first, b'{' | b'[' | b'"') {
        return None;
    }
    if memchr::memmem::find(&bytes[..bytes.len().min(SHIFTED)], b"glTF")
        .is_some_and(|at| bytes.get(at + 4..at + 8) == Some(&[2, 0, 0, 0]))
    {
        return Some("a GLB behind bytes that do not belong to it".to_owned());
    }
    let Some(text) = text(&bytes[..bytes.len().min(LOOKED_AT)]) else {
        return Some(match Kind::sniff(bytes) {
            Some(kind) => format!("a {} image", kind.name()),
            None if bytes.iter().take(LOOKED_AT).all(|&byte| byte == 0) => {
                "nothing but zeros where it begins".to_owned()
            }
            None => "binary data of a kind that is not known".to_owned(),
        });
    };
    if memchr::memmem::find(bytes, b"\"asset\"").is_some() {
        return None;
    }
    let text = text.to_ascii_lowercase();
    // An XML declaration or a comment may stand above what says more.
    let mut found =
        TEXT.iter().filter(|(start, _)| text.lines().any(|line| line.trim_start().starts_with(start)));
    Some(found.next().map_or("text that is not JSON", |(_, what)| what).to_owned())
}

/// The bytes as text, without a last character that is cut, if they are text.
fn text(bytes: &[u8]) -> Option<&str> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    let is_plain = |c: char| !c.is_control() || matches!(c, '\t' | '\n' | '\r' | '\u{c}');
    text.chars().all(is_plain).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_no_gltf_are_named_for_what_they_are() {
        for (bytes, what) in [
            (&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], "a PNG image"),
            (b"\xFF\xD8\xFF\xE0\0\x10JFIF", "a JPEG image"),
            (b"PK\x03\x04\x14\0", "a ZIP archive"),
            (b"\x1F\x8B\x08\0", "gzip"),
            (b"\xFF\xFE{\0\"\0", "UTF-16"),
            (b"{\0\"\0a\0s\0s\0e\0t\0\"\0", "UTF-16"),
            (b"\0{\0\"\0a", "UTF-16"),
            (b"Kaydara FBX Binary  \0\x1a\0", "an FBX model"),
            (b"; FBX 7.7.0 project file", "an FBX model"),
            (b"\n<!DOCTYPE html><html><body>404", "a web page"),
            (b"<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"x\">", "a COLLADA model"),
            (b"<?xml version=\"1.0\"?>\n<scene/>", "XML"),
            (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "git lfs pull"),
            (b"# Blender\nmtllib a.mtl\no Cube\nv 1 1 -1\n", "an OBJ model"),
            (b"# exported\r\nv 1 1 -1\r\n", "an OBJ model"),
            (b"newmtl a\nKd 1 1 1\n", "an MTL file"),
            (b"ply\nformat ascii 1.0\n", "a PLY model"),
            (b"solid cube\n facet", "an STL model"),
            (b"ply\nformat binary_little_endian 1.0\n\0\0", "a PLY model"),
            (b"plywood", "text that is not JSON"),
            (b"hello there", "text that is not JSON"),
            ("BM\u{e9}lange".as_bytes(), "text that is not JSON"),
            (b"BM\x36\0\0\0", "a BMP image"),
            (b" \r\n\t", "nothing but white space"),
            (b"\xEF\xBB\xBF", "nothing but white space"),
            (b"\r\nglTF\x02\0\0\0\x40\0\0\0", "a GLB behind bytes"),
            (b"\xEF\xBB\xBFglTF\x02\0\0\0\x40\0\0\0", "a GLB behind bytes"),
            (b"GLTF\x02\0\0\0\x40\0\0\0\x40\0\0\0JSON{\"asset\"", "binary data of a kind"),
            (&[0; 64], "nothing but zeros where it begins"),
            (&[0, 0, 128, 63], "binary data of a kind"),
        ] {
            let found = seen(bytes).unwrap();
            assert!(found.contains(what), "{:?}: {found}", String::from_utf8_lossy(bytes));
        }
        // The cut at the end of what is looked at goes through a letter.
        let letters = "\u{e9}".repeat(LOOKED_AT);
        assert_eq!(seen(format!("x{letters}").as_bytes()).unwrap(), "text that is not JSON");
    }

    #[test]
    fn only_what_begins_no_value_needs_no_further_look() {
        for bytes in [&b"PK"[..], b" \r\n\t<html>", b"\xEF\xBB\xBFx", b"\0\0", b"\xFF{", b"}", b"\x0C{"] {
            assert!(cannot_be_json(bytes), "{bytes:?}");
        }
        for bytes in
            [&b""[..], b"  ", b"\xEF\xBB\xBF {}", b"[", b"\"", b"-1", b"9", b"true", b"null", b"{\xFF"]
        {
            assert!(!cannot_be_json(bytes), "{bytes:?}");
        }
    }

    #[test]
    fn what_is_nearly_json_keeps_its_own_fault() {
        for bytes in [
            &b"{"[..],
            b"\xEF\xBB\xBF  {\"asset\": }",
            b"[]",
            b"\"text\"",
            b"// exported by hand\n{\"asset\": {\"version\": \"2.0\"}}",
            b"\"asset\": {\"version\": \"2.0\"}}",
            b"{\"name\": \"\xFF\"",
        ] {
            assert_eq!(seen(bytes), None, "{:?}", String::from_utf8_lossy(bytes));
        }
    }
}
