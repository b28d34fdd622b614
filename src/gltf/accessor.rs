//! Reading accessors in bulk.

use super::LoadError;
use super::document::Whole;
use super::layout::{Component, Format, Layout, Span, layouts};
use super::report::LoadReport;
use super::source::Source;
use super::text::Lazy;
use bytemuck::Pod;
use std::fmt::Display;

/// Bytes that hold elements `stride` apart; the last may lack the padding behind it.
#[derive(Clone, Copy)]
struct Strided<'a> {
    bytes: &'a [u8],
    stride: usize,
}

impl Strided<'_> {
    /// Whether these are items of the type `same`, one behind the other, as this machine stores them.
    fn is_packed(&self, format: Format, same: Component) -> bool {
        let size = format.components * same.size();
        cfg!(target_endian = "little") && format.component == same && self.stride == size
    }
}

/// An accessor with its bytes.
pub(super) struct Elements<'a> {
    pub index: usize,
    pub format: Format,
    pub count: usize,
    /// `None`: all zeros, before the overlay.
    base: Option<Strided<'a>>,
    overlay: Option<Overlay<'a>>,
}

impl Elements<'_> {
    /// Whether every element is zero because the document gives no data at all.
    pub fn are_zeros(&self) -> bool {
        self.base.is_none() && self.overlay.is_none()
    }
}

/// The sparse part: which elements to replace, and by what.
struct Overlay<'a> {
    positions: Vec<u32>,
    values: Strided<'a>,
}

/// The document's accessors, all of them checked.
pub(super) struct Accessors<'a> {
    source: &'a Source<'a>,
    layouts: Vec<Layout>,
}

impl<'a> Accessors<'a> {
    /// Checks every accessor and buffer view.
    pub fn new(source: &'a Source<'a>, report: &mut LoadReport) -> Result<Self, LoadError> {
        Ok(Self { source, layouts: layouts(source, report)? })
    }

    /// The number of an accessor's elements, whatever they are.
    pub fn count(&self, accessor: Whole, referrer: impl Display) -> Result<usize, LoadError> {
        self.source.get(&self.layouts, "accessor", accessor, referrer).map(|(_, layout)| layout.count)
    }

    /// Looks an accessor up; nothing is converted yet.
    pub fn elements(&self, accessor: Whole, referrer: impl Display) -> Result<Elements<'a>, LoadError> {
        let (index, layout) = self.source.get(&self.layouts, "accessor", accessor, referrer)?;
        let path = Lazy(|| format!("accessors[{index}]"));
        let Some(format) = layout.format else {
            let reason = "its type is MAT2 or MAT3, which nothing here can be; it must be SCALAR, VEC2, VEC3, VEC4 or MAT4";
            return Err(self.source.unsupported(path, reason));
        };
        let count = layout.count;
        let base = layout.base.map(|span| self.bytes(span, path)).transpose()?;
        let Some(sparse) = &layout.sparse else {
            return Ok(Elements { index, format, count, base, overlay: None });
        };
        let path = Lazy(|| format!("{path}.sparse.indices"));
        let mut positions: Vec<u32> = self.source.zeros(sparse.count, path)?;
        let indices = Format { component: sparse.component, components: 1, normalized: false };
        fill_u32(indices, self.bytes(sparse.indices, path)?, &mut positions);
        if !positions.is_sorted_by(|a, b| a < b) || positions.last().is_some_and(|&p| p as usize >= count) {
            let reason =
                format!("its values must increase strictly and stay below the accessor's count, {count}");
            return Err(self.source.invalid(path, reason));
        }
        let values = self.bytes(sparse.values, path)?;
        Ok(Elements { index, format, count, base, overlay: Some(Overlay { positions, values }) })
    }

    fn bytes(&self, span: Span, path: impl Display) -> Result<Strided<'a>, LoadError> {
        let bytes = self.source.view(span.view, &path)?.get(span.start..span.end);
        let bytes = bytes.ok_or_else(|| self.source.invalid(path, "its data is shorter than declared"))?;
        Ok(Strided { bytes, stride: span.stride })
    }

    /// Converts to `f32`, normalized integers to 0..1 or -1..1, others as they are. `T` is that many `f32` in a row.
    pub fn floats<T: Pod>(&self, elements: &Elements<'_>) -> Result<Vec<T>, LoadError> {
        self.convert::<T, f32>(elements, Component::F32, fill_f32)
    }

    /// Converts unsigned integers to `u32`.
    pub fn integers(&self, elements: &Elements<'_>) -> Result<Vec<u32>, LoadError> {
        self.convert::<u32, u32>(elements, Component::U32, fill_u32)
    }

    /// Four unsigned integers of at most 16 bits each.
    pub fn quadruples(&self, elements: &Elements<'_>) -> Result<Vec<[u16; 4]>, LoadError> {
        self.convert::<[u16; 4], u16>(elements, Component::U16, fill_u16)
    }

    /// Components of the type `same` are `C`s already.
    fn convert<T: Pod, C: Pod>(
        &self,
        elements: &Elements<'_>,
        same: Component,
        fill: fn(Format, Strided<'_>, &mut [C]),
    ) -> Result<Vec<T>, LoadError> {
        let path = Lazy(|| format!("accessors[{}]", elements.index));
        let (count, components) = (elements.count, elements.format.components);
        debug_assert_eq!(size_of::<T>(), components * size_of::<C>());
        if elements.base.is_none() {
            self.source.charge_unbacked((count as u64).saturating_mul(size_of::<T>() as u64), path)?;
        }
        let as_they_are = match elements.base {
            Some(base) if base.is_packed(elements.format, same) => self.source.copied(base.bytes, path)?,
            _ => None,
        };
        let mut out: Vec<T> = match as_they_are {
            Some(out) => out,
            None => {
                let mut out = self.source.zeros(count, path)?;
                if let Some(base) = elements.base {
                    fill(elements.format, base, bytemuck::cast_slice_mut(&mut out));
                }
                out
            }
        };
        let flat: &mut [C] = bytemuck::cast_slice_mut(&mut out);
        if let Some(overlay) = &elements.overlay {
            let mut values: Vec<C> = self.source.zeros(overlay.positions.len() * components, path)?;
            fill(elements.format, overlay.values, &mut values);
            for (&position, value) in overlay.positions.iter().zip(values.chunks_exact(components)) {
                flat[position as usize * components..][..components].copy_from_slice(value);
            }
        }
        Ok(out)
    }
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

fn fill_f32(format: Format, data: Strided<'_>, out: &mut [f32]) {
    let (n, normalized) = (format.components, format.normalized);
    match format.component {
        Component::F32 if data.is_packed(format, Component::F32) => {
            bytemuck::cast_slice_mut(out).copy_from_slice(data.bytes);
        }
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

fn fill_u32(format: Format, data: Strided<'_>, out: &mut [u32]) {
    let n = format.components;
    match format.component {
        Component::U32 if data.is_packed(format, Component::U32) => {
            bytemuck::cast_slice_mut(out).copy_from_slice(data.bytes);
        }
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
fn fill_u16(format: Format, data: Strided<'_>, out: &mut [u16]) {
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
