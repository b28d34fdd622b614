//! Reading accessors in bulk, with every range checked against view and buffer first.

use super::LoadError;
use super::document::{Accessor, Sparse, Whole};
use super::source::Source;
use bytemuck::Pod;

/// Component types, by their glTF numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    pub fn from_number(number: Whole) -> Option<Self> {
        Some(match number.0 {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    pub const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::I8 => "BYTE",
            Self::U8 => "UNSIGNED_BYTE",
            Self::I16 => "SHORT",
            Self::U16 => "UNSIGNED_SHORT",
            Self::U32 => "UNSIGNED_INT",
            Self::F32 => "FLOAT",
        }
    }
}

/// What an accessor holds, without its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Format {
    pub component: Component,
    /// Components of an element, 1 to 4.
    pub components: usize,
    pub normalized: bool,
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shape = ["SCALAR", "VEC2", "VEC3", "VEC4"][self.components - 1];
        let normalized = if self.normalized { "normalized " } else { "" };
        write!(f, "{normalized}{} {shape}", self.component.name())
    }
}

/// Bytes that hold `count` elements `stride` apart; the last may lack the padding behind it.
#[derive(Clone, Copy)]
struct Strided<'a> {
    bytes: &'a [u8],
    stride: usize,
}

/// An accessor whose every range has been checked.
pub(super) struct Elements<'a> {
    pub index: usize,
    pub format: Format,
    pub count: usize,
    /// `None`: all zeros, before the overlay.
    base: Option<Strided<'a>>,
    overlay: Option<Overlay<'a>>,
}

/// The sparse part: which elements to replace, and by what.
struct Overlay<'a> {
    positions: Vec<u32>,
    values: Strided<'a>,
}

impl<'a> Source<'a> {
    /// Looks an accessor up and checks all of its ranges; nothing is converted yet.
    pub fn elements(&self, accessor: Whole, referrer: &str) -> Result<Elements<'_>, LoadError> {
        let (index, accessor) = self.get(&self.json.accessors, "accessor", accessor, referrer)?;
        let path = || format!("accessors[{index}]");
        let format = self.format(accessor, &path)?;
        let count = accessor.count.index();
        if count == 0 {
            return Err(self.invalid(path(), "count is 0; an accessor needs at least one element"));
        }
        let size = format.components * format.component.size();
        let base = match accessor.buffer_view {
            None => None,
            Some(view) => {
                let offset = accessor.byte_offset.map_or(0, |offset| offset.0);
                // The lookup inside `view` reports a bad index first.
                let bytes = self.view(view, &path())?;
                let declared = self.json.buffer_views.get(view.index()).and_then(|view| view.byte_stride);
                let stride = declared.map_or(size, Whole::index);
                if stride < size {
                    let reason =
                        format!("byteStride {stride} is below the {size} bytes of {path}", path = path());
                    return Err(self.invalid(format!("bufferViews[{}]", view.0), reason));
                }
                Some(self.range(bytes, offset, count, stride, size, view, &path)?)
            }
        };
        let overlay = match &accessor.sparse {
            Some(sparse) => Some(self.overlay(sparse, count, size, &path)?),
            None => None,
        };
        Ok(Elements { index, format, count, base, overlay })
    }

    fn format(&self, accessor: &Accessor, path: &dyn Fn() -> String) -> Result<Format, LoadError> {
        let Some(component) = Component::from_number(accessor.component_type) else {
            let reason = format!("componentType {} is not one of glTF's", accessor.component_type.0);
            return Err(self.invalid(path(), reason));
        };
        let components = match accessor.shape.as_str() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            shape => {
                let reason =
                    format!("type \"{shape}\" cannot be used here; it must be SCALAR, VEC2, VEC3 or VEC4");
                return Err(self.unsupported(path(), reason));
            }
        };
        Ok(Format { component, components, normalized: accessor.normalized })
    }

    /// The part of a view that `count` elements occupy.
    #[expect(clippy::too_many_arguments, reason = "all of it ends up in the message")]
    fn range<'b>(
        &self,
        bytes: &'b [u8],
        offset: u64,
        count: usize,
        stride: usize,
        size: usize,
        view: Whole,
        path: &dyn Fn() -> String,
    ) -> Result<Strided<'b>, LoadError> {
        let end = (count as u64 - 1)
            .checked_mul(stride as u64)
            .and_then(|last| last.checked_add(size as u64)?.checked_add(offset));
        match end.filter(|&end| end <= bytes.len() as u64) {
            Some(end) => Ok(Strided { bytes: &bytes[offset as usize..end as usize], stride }),
            None => {
                let reason = format!(
                    "{count} elements of {size} bytes, {stride} apart, from {offset} do not fit bufferViews[{}], \
                     which has {} bytes; correct count, byteOffset or byteStride",
                    view.0,
                    bytes.len()
                );
                Err(self.invalid(path(), reason))
            }
        }
    }

    fn overlay(
        &self,
        sparse: &Sparse,
        count: usize,
        size: usize,
        path: &dyn Fn() -> String,
    ) -> Result<Overlay<'_>, LoadError> {
        let replaced = sparse.count.index();
        if replaced == 0 || replaced > count {
            let reason = format!("sparse.count is {replaced}; it must be 1 to the accessor's count, {count}");
            return Err(self.invalid(path(), reason));
        }
        let indices = &sparse.indices;
        let indices_path = || format!("{}.sparse.indices", path());
        let component = Component::from_number(indices.component_type);
        let Some(component @ (Component::U8 | Component::U16 | Component::U32)) = component else {
            let reason = format!("componentType {} is not an unsigned integer", indices.component_type.0);
            return Err(self.invalid(indices_path(), reason));
        };
        let bytes = self.view(indices.buffer_view, &indices_path())?;
        let offset = indices.byte_offset.map_or(0, |offset| offset.0);
        let (width, view) = (component.size(), indices.buffer_view);
        let range = self.range(bytes, offset, replaced, width, width, view, &indices_path)?;
        self.charge(replaced as u64 * 4, &indices_path())?;
        let mut positions = vec![0_u32; replaced];
        fill_u32(Format { component, components: 1, normalized: false }, range, &mut positions);
        if !positions.is_sorted_by(|a, b| a < b) || positions.last().is_some_and(|&p| p as usize >= count) {
            let reason =
                format!("its values must increase strictly and stay below the accessor's count, {count}");
            return Err(self.invalid(indices_path(), reason));
        }
        let values_path = || format!("{}.sparse.values", path());
        let bytes = self.view(sparse.values.buffer_view, &values_path())?;
        let offset = sparse.values.byte_offset.map_or(0, |offset| offset.0);
        let view = sparse.values.buffer_view;
        let values = self.range(bytes, offset, replaced, size, size, view, &values_path)?;
        Ok(Overlay { positions, values })
    }

    /// Converts to `f32`, normalized integers to 0..1 or -1..1, others as they are. `T` is that many `f32` in a row.
    pub fn floats<T: Pod>(&self, elements: &Elements<'_>) -> Result<Vec<T>, LoadError> {
        self.convert::<T, f32>(elements, fill_f32)
    }

    /// Converts unsigned integers to `u32`.
    pub fn integers(&self, elements: &Elements<'_>) -> Result<Vec<u32>, LoadError> {
        self.convert::<u32, u32>(elements, fill_u32)
    }

    fn convert<T: Pod, C: Pod>(
        &self,
        elements: &Elements<'_>,
        fill: fn(Format, Strided<'_>, &mut [C]),
    ) -> Result<Vec<T>, LoadError> {
        let path = || format!("accessors[{}]", elements.index);
        let (count, components) = (elements.count, elements.format.components);
        debug_assert_eq!(size_of::<T>(), components * size_of::<C>());
        self.charge((count as u64).saturating_mul(size_of::<T>() as u64), &path())?;
        let mut out = vec![T::zeroed(); count];
        let flat: &mut [C] = bytemuck::cast_slice_mut(&mut out);
        if let Some(base) = elements.base {
            fill(elements.format, base, flat);
        }
        if let Some(overlay) = &elements.overlay {
            let total = overlay.positions.len() * components;
            self.charge((total * size_of::<C>()) as u64, &path())?;
            let mut values = vec![C::zeroed(); total];
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
            _ => $fill::<4, $size, _>($data, $out, $convert),
        }
    };
}

fn fill_f32(format: Format, data: Strided<'_>, out: &mut [f32]) {
    let (n, normalized) = (format.components, format.normalized);
    match format.component {
        Component::F32 if data.stride == n * 4 && cfg!(target_endian = "little") => {
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
        Component::U32 if data.stride == n * 4 && cfg!(target_endian = "little") => {
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

/// Converts `N` components of `SIZE` bytes for each element.
fn each<const N: usize, const SIZE: usize, C>(
    data: Strided<'_>,
    out: &mut [C],
    convert: impl Fn([u8; SIZE]) -> C,
) {
    let (elements, _) = out.as_chunks_mut::<N>();
    for (element, bytes) in elements.iter_mut().zip(data.bytes.chunks(data.stride)) {
        let (parts, _) = bytes.as_chunks::<SIZE>();
        for (component, part) in element.iter_mut().zip(parts) {
            *component = convert(*part);
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
