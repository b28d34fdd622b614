//! Converting the components of elements, in bulk.

use super::layout::{Component, Format};

/// Elements `stride` bytes apart; the last may lack the padding behind it.
#[derive(Clone, Copy)]
pub(super) struct Strided<'a> {
    pub bytes: &'a [u8],
    pub stride: usize,
}

/// Calls `fill` with the number of components as a constant, so that the inner loop unrolls.
macro_rules! per_arity {
    ($components:expr, $fill:ident, $size:literal, $data:expr, $out:expr, $convert:expr) => {
        match $components {
            1 => $fill::<1, $size, _>($data, $out, $convert),
            2 => $fill::<2, $size, _>($data, $out, $convert),
            3 => $fill::<3, $size, _>($data, $out, $convert),
            4 => $fill::<4, $size, _>($data, $out, $convert),
            _ => $fill::<16, $size, _>($data, $out, $convert),
        }
    };
}

pub(super) fn fill_f32(format: Format, data: Strided<'_>, out: &mut [f32]) {
    let (n, normalized) = (format.components, format.normalized);
    match format.component {
        Component::F32 => per_arity!(n, each, 4, data, out, f32::from_le_bytes),
        // glTF 2.0, section 3.11: c / 255, max(c / 127, -1) and so on.
        Component::U8 if normalized => {
            per_arity!(n, each, 1, data, out, |b| f32::from(u8::from_le_bytes(b)) / 255.0)
        }
        Component::I8 if normalized => {
            per_arity!(n, each, 1, data, out, |b| (f32::from(i8::from_le_bytes(b)) / 127.0).max(-1.0))
        }
        Component::U16 if normalized => {
            per_arity!(n, each, 2, data, out, |b| f32::from(u16::from_le_bytes(b)) / 65535.0)
        }
        Component::I16 if normalized => {
            per_arity!(n, each, 2, data, out, |b| (f32::from(i16::from_le_bytes(b)) / 32767.0).max(-1.0))
        }
        Component::U8 => per_arity!(n, each, 1, data, out, |b| f32::from(u8::from_le_bytes(b))),
        Component::I8 => per_arity!(n, each, 1, data, out, |b| f32::from(i8::from_le_bytes(b))),
        Component::U16 => per_arity!(n, each, 2, data, out, |b| f32::from(u16::from_le_bytes(b))),
        Component::I16 => per_arity!(n, each, 2, data, out, |b| f32::from(i16::from_le_bytes(b))),
        Component::U32 => per_arity!(n, each, 4, data, out, |b| u32::from_le_bytes(b) as f32),
    }
}

pub(super) fn fill_u32(format: Format, data: Strided<'_>, out: &mut [u32]) {
    let n = format.components;
    match format.component {
        Component::U8 | Component::I8 => {
            per_arity!(n, each, 1, data, out, |b| u32::from(u8::from_le_bytes(b)))
        }
        Component::U16 | Component::I16 => {
            per_arity!(n, each, 2, data, out, |b| u32::from(u16::from_le_bytes(b)))
        }
        Component::U32 | Component::F32 => per_arity!(n, each, 4, data, out, u32::from_le_bytes),
    }
}

/// Larger integers lose their upper bits; what reads these elements has refused them.
pub(super) fn fill_u16(format: Format, data: Strided<'_>, out: &mut [u16]) {
    let n = format.components;
    match format.component {
        Component::U8 | Component::I8 => {
            per_arity!(n, each, 1, data, out, |b| u16::from(u8::from_le_bytes(b)))
        }
        Component::U16 | Component::I16 => per_arity!(n, each, 2, data, out, u16::from_le_bytes),
        Component::U32 | Component::F32 => {
            per_arity!(n, each, 4, data, out, |b| u32::from_le_bytes(b) as u16)
        }
    }
}

/// Converts `N` components of `SIZE` bytes for each element.
fn each<const N: usize, const SIZE: usize, C>(
    data: Strided<'_>,
    out: &mut [C],
    convert: impl Fn([u8; SIZE]) -> C,
) {
    if data.stride == N * SIZE {
        let (parts, _) = data.bytes.as_chunks::<SIZE>();
        out.iter_mut().zip(parts).for_each(|(component, part)| *component = convert(*part));
        return;
    }
    let (elements, _) = out.as_chunks_mut::<N>();
    for (element, bytes) in elements.iter_mut().zip(data.bytes.chunks(data.stride)) {
        // A constant number of parts, and every stride holds them.
        let (parts, _) = bytes.as_chunks::<SIZE>();
        if let Some(parts) = parts.first_chunk::<N>() {
            *element = parts.map(&convert);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(component: Component, normalized: bool, bytes: &[u8]) -> Vec<f32> {
        let format = Format { component, components: 1, normalized };
        let mut out = vec![0.0; bytes.len() / component.size()];
        fill_f32(format, Strided { bytes, stride: component.size() }, &mut out);
        out
    }

    #[test]
    fn integers_are_normalized_as_the_specification_says() {
        assert_eq!(floats(Component::U8, true, &[0, 51, 255]), [0.0, 0.2, 1.0]);
        assert_eq!(floats(Component::I8, true, &[0x80, 0x81, 0, 127]), [-1.0, -1.0, 0.0, 1.0]);
        assert_eq!(floats(Component::U16, true, &[0, 0, 0xFF, 0xFF]), [0.0, 1.0]);
        assert_eq!(floats(Component::I16, true, &[0, 0x80, 1, 0x80, 0xFF, 0x7F]), [-1.0, -1.0, 1.0]);
        assert_eq!(floats(Component::I16, false, &[0xFE, 0xFF]), [-2.0]);
        assert_eq!(floats(Component::U8, false, &[7]), [7.0]);
    }

    #[test]
    fn strided_and_tight_reads_agree_and_the_last_element_needs_no_padding() {
        let values = [1.0_f32, -2.0, 3.0, 4.0];
        let tight: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let mut spread = tight.clone();
        spread.splice(8..8, [0xEE; 4]);
        let format = Format { component: Component::F32, components: 2, normalized: false };
        for (bytes, stride) in [(&tight, 8), (&spread, 12)] {
            let mut out = [0.0; 4];
            fill_f32(format, Strided { bytes, stride }, &mut out);
            assert_eq!(out, values);
        }
    }
}
