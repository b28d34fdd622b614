//! Names and data URIs as documents write them.

use super::ResolveError;
use base64::Engine as _;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use std::borrow::Cow;

/// The name of a file that a document refers to: relative, and neither a URL nor a data URI.
///
/// It is a name as the document wrote it, and not yet a safe path: it may hold `..`, `.` and empty parts, and backslashes,
/// which are folders on Windows. A resolver that maps it to files must confine the result itself, as
/// [`FolderResolver`](super::FolderResolver) does.
///
/// Both spellings are offered because exporters disagree about escapes: a resolver tries [`decoded`](Self::decoded)
/// first and [`literal`](Self::literal) where that finds nothing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ResourceName {
    literal: String,
    decoded: String,
}

impl ResourceName {
    /// Reads a name out of a URI reference.
    ///
    /// # Errors
    /// [`ResolveError::Refused`] for a URL of any scheme (`http:`, `file:` and so on), an absolute path, a drive, a NUL
    /// character, each also where percent escapes hide it, and for escapes that do not form UTF-8. A percent sign that
    /// begins no escape stands for itself, as in `100%.png`.
    pub fn parse(uri: &str) -> Result<Self, ResolveError> {
        if let Some(scheme) = scheme(uri) {
            let shown: String = scheme.chars().take(32).collect();
            return Err(ResolveError::Refused {
                reason: format!(
                    "the scheme \"{shown}:\" is not read; give a relative file name (written ./{shown}:... if the \
                     colon belongs to it) or a data URI"
                ),
            });
        }
        let (decoded, _) = percent_decode(uri);
        let decoded = match String::from_utf8(decoded.into_owned()) {
            Ok(text) => text,
            Err(_) => {
                return Err(ResolveError::Refused {
                    reason: "its percent escapes do not form UTF-8; escape the UTF-8 bytes of the name"
                        .into(),
                });
            }
        };
        // A colon alone may be a part of a name, when it was escaped; before a slash it makes a URL or a drive.
        let rooted = scheme(&decoded).is_some_and(|scheme| {
            decoded.get(scheme.len() + 1..).is_some_and(|rest| rest.starts_with(['/', '\\']))
        });
        if rooted || [uri, &decoded].iter().any(|name| name.starts_with(['/', '\\'])) {
            return Err(ResolveError::Refused {
                reason: "absolute paths and URLs are not read; give a name relative to the document".into(),
            });
        }
        if [uri, &decoded].iter().any(|name| name.contains('\0')) {
            return Err(ResolveError::Refused { reason: "it holds a NUL character; rename the file".into() });
        }
        Ok(Self { literal: uri.to_owned(), decoded })
    }

    /// The name with percent escapes replaced.
    #[must_use]
    pub fn decoded(&self) -> &str {
        &self.decoded
    }

    /// The name as written.
    #[must_use]
    pub fn literal(&self) -> &str {
        &self.literal
    }

    /// The spellings to try, in order; one if both are equal.
    pub fn candidates(&self) -> impl Iterator<Item = &str> {
        let literal = (self.literal != self.decoded).then_some(self.literal.as_str());
        std::iter::once(self.decoded.as_str()).chain(literal)
    }
}

/// The scheme of an absolute URI (RFC 3986, section 3.1), without the colon.
fn scheme(uri: &str) -> Option<&str> {
    let (scheme, _) = uri.split_once(':')?;
    let mut bytes = scheme.bytes();
    let valid = bytes.next().is_some_and(|b| b.is_ascii_alphabetic())
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    valid.then_some(scheme)
}

/// What the report says of a file's name with a percent sign that begins no escape.
pub(super) fn bare_percent(uri: &str) -> Option<String> {
    if is_data(uri) {
        return None;
    }
    let (_, at) = percent_decode(uri);
    let note = |at| format!("the percent sign at byte {at} begins no escape (%25 would); taken as it stands");
    at.map(note)
}

/// Replaces `%XX`; borrows where there is none. A percent sign before anything else stays, and where the first such one
/// is comes with the bytes.
fn percent_decode(text: &str) -> (Cow<'_, [u8]>, Option<usize>) {
    let bytes = text.as_bytes();
    let Some(first) = memchr::memchr(b'%', bytes) else {
        return (Cow::Borrowed(bytes), None);
    };
    let mut bare = None;
    let digit = |b: Option<&u8>| b.and_then(|&b| char::from(b).to_digit(16));
    let mut out = Vec::with_capacity(bytes.len());
    out.extend_from_slice(&bytes[..first]);
    let mut at = first;
    while let Some(&byte) = bytes.get(at) {
        let digits =
            if byte == b'%' { (digit(bytes.get(at + 1)), digit(bytes.get(at + 2))) } else { (None, None) };
        if let (Some(high), Some(low)) = digits {
            out.push((high * 16 + low) as u8);
            at += 3;
            continue;
        }
        if byte == b'%' {
            bare.get_or_insert(at);
        }
        out.push(byte);
        at += 1;
    }
    (Cow::Owned(out), bare)
}

/// Padding may be missing: writers disagree, and nothing is gained by refusing.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The bytes of a data URI (RFC 2397), or `None` if it is not one.
pub(super) fn data_uri(uri: &str) -> Option<Result<Vec<u8>, ResolveError>> {
    is_data(uri).then(|| decode_data(&uri[5..]))
}

pub(super) fn is_data(uri: &str) -> bool {
    uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

fn decode_data(rest: &str) -> Result<Vec<u8>, ResolveError> {
    let Some((kind, data)) = rest.split_once(',') else {
        return Err(ResolveError::Refused {
            reason: "the data URI has no comma between its type and its data".into(),
        });
    };
    let (data, bare) = percent_decode(data);
    if let Some(at) = bare {
        // Bytes that are not what was meant would be read as numbers, where a name is at most not found.
        return Err(ResolveError::Refused {
            reason: format!(
                "the percent escape at byte {at} of its data is broken; write %25 for a percent sign"
            ),
        });
    }
    let is_base64 = kind.rsplit(';').next().is_some_and(|last| last.trim().eq_ignore_ascii_case("base64"));
    if !is_base64 {
        return Ok(data.into_owned());
    }
    BASE64.decode(&data).map_err(|error| ResolveError::Refused {
        reason: format!("the data URI's base64 is broken ({error}); encode the data again"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded_and_the_literal_name_comes_second() {
        let name = ResourceName::parse("Box%20%E2%9D%A4.bin").unwrap();
        let candidates: Vec<_> = name.candidates().collect();
        assert_eq!(candidates, ["Box ❤.bin", "Box%20%E2%9D%A4.bin"]);
        assert_eq!(ResourceName::parse("a.bin").unwrap().candidates().count(), 1);
    }

    #[test]
    fn a_percent_sign_that_begins_no_escape_stands_for_itself() {
        for (uri, decoded, bare) in [
            ("100%.png", "100%.png", Some(3)),
            ("%", "%", Some(0)),
            ("a%2", "a%2", Some(1)),
            ("a%zz", "a%zz", Some(1)),
            ("%é1", "%é1", Some(0)),
            ("%+1%-1", "%+1%-1", Some(0)),
            ("a%20b%.png", "a b%.png", Some(5)),
            // What comes of decoding is not decoded again.
            ("%2%65%2e/x", "%2e./x", Some(0)),
            ("%%2e%2e/x", "%../x", Some(0)),
            ("%252e%252e/x", "%2e%2e/x", None),
        ] {
            let name = ResourceName::parse(uri).unwrap();
            assert_eq!((name.decoded(), name.literal()), (decoded, uri));
            let part = bare.map(|at| format!("at byte {at} begins"));
            assert_eq!(bare_percent(uri).is_some(), bare.is_some(), "{uri}");
            assert!(part.is_none_or(|part| bare_percent(uri).unwrap().contains(&part)), "{uri}");
        }
        assert_eq!(bare_percent("data:,100%"), None);
    }

    #[test]
    fn other_encodings_schemes_and_absolute_paths_are_refused() {
        for bad in [
            "%FF.bin",
            "%FF%.bin",
            "file:///etc/passwd",
            "http://h/x",
            "C:/x",
            "C:\\x",
            "/etc/passwd",
            "%2Fetc%2Fpasswd",
            "\\\\host\\x",
            "%5C%5Chost",
            "C%3A/x",
            "c%3A%5Cx",
            "C%3a\\x",
            "http%3A//x",
            "file%3A/etc/passwd",
            "%66ile%3A%2F%2F/etc/passwd",
            "a%00b",
            "%%00",
            "a\0b",
            "%2Fetc%",
            "%5c%",
            "C%3A/%",
        ] {
            assert!(matches!(ResourceName::parse(bad), Err(ResolveError::Refused { .. })), "{bad}");
        }
        assert_eq!(ResourceName::parse("./a:b.png").unwrap().decoded(), "./a:b.png");
        assert_eq!(ResourceName::parse("a%3Ab.png").unwrap().decoded(), "a:b.png");
    }

    #[test]
    fn data_uris_come_in_base64_and_in_percent_escapes() {
        let decode = |uri| data_uri(uri).map(|bytes| bytes.ok());
        assert_eq!(decode("data:application/octet-stream;base64,AQID"), Some(Some(vec![1, 2, 3])));
        assert_eq!(decode("DATA:;BASE64,AQ=="), Some(Some(vec![1])));
        assert_eq!(decode("data:;base64,AQ"), Some(Some(vec![1])));
        assert_eq!(decode("data:;base64,%2B%2F%3D%3D"), Some(Some(vec![0xFB])));
        assert_eq!(decode("data:text/plain,a%00b"), Some(Some(b"a\0b".to_vec())));
        assert_eq!(decode("data:,"), Some(Some(vec![])));
        for bad in ["data:", "data:;base64", "data:;base64,A", "data:;base64,????", "data:,%f"] {
            assert_eq!(decode(bad), Some(None), "{bad}");
        }
        assert_eq!(decode("dätä:,x"), None);
        assert_eq!(decode("date.bin"), None);
    }
}
