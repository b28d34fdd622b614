//! Where the elements of each accessor lie: every buffer view and accessor of the document, used or not, is checked
//! against what it points into, once.

use super::LoadError;
use super::document::{Accessor, BufferView, Root, Sparse, Whole};
use super::report::{LoadReport, Severity};
use super::source::Source;
use super::text::shown;
use super::uri::bare_percent;
use std::fmt::Arguments;

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

/// The glTF type of elements with so many components, 1 to 4 or 16.
pub(super) const fn shape(components: usize) -> &'static str {
    match components {
        1 => "SCALAR",
        2 => "VEC2",
        3 => "VEC3",
        4 => "VEC4",
        _ => "MAT4",
    }
}

/// What an accessor holds, without its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Format {
    pub component: Component,
    /// Components of an element, 1 to 4, or 16 of a 4x4 matrix.
    pub components: usize,
    pub normalized: bool,
}

impl Format {
    /// What rotations are stored as, for messages.
    pub const ROTATIONS: &str = "FLOAT or normalized integer VEC4";

    /// Whether the components can hold fractions: FLOAT or normalized integers.
    pub fn holds_fractions(self) -> bool {
        match self.component {
            Component::F32 => true,
            Component::U32 => false,
            _ => self.normalized,
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let normalized = if self.normalized { "normalized " } else { "" };
        write!(f, "{normalized}{} {}", self.component.name(), shape(self.components))
    }
}

/// Elements in a buffer view, known to fit it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub view: Whole,
    /// Bytes in the view from the first element to behind the last, which may lack the padding of a stride.
    pub start: usize,
    pub end: usize,
    /// Bytes from one element to the next.
    pub stride: usize,
}

impl Span {
    /// Whether every element begins on a multiple of so many bytes of the buffer.
    fn lies_on(&self, view: &BufferView, bytes: usize) -> bool {
        let from = view.byte_offset.map_or(0, |offset| offset.0).wrapping_add(self.start as u64);
        from.is_multiple_of(bytes as u64) && self.stride.is_multiple_of(bytes)
    }
}

const MISALIGNED: &str = "its data does not lie on multiples of its component's size; read byte by byte";

/// The sparse part of an accessor: which elements to replace, and by what.
#[derive(Debug)]
pub(super) struct SparseLayout {
    /// How many are replaced: 1 to the accessor's count.
    pub count: usize,
    /// Unsigned.
    pub component: Component,
    pub indices: Span,
    pub values: Span,
}

/// Where an accessor's elements lie.
#[derive(Debug)]
pub(super) struct Layout {
    /// `None` for a smaller matrix, which no part of the document that is used here may be.
    pub format: Option<Format>,
    /// At least 1.
    pub count: usize,
    /// `None`: zeros.
    pub base: Option<Span>,
    pub sparse: Option<SparseLayout>,
}

/// Checks references and ranges, and notes what is odd and harmless. Reads no data. The layouts are in the accessors'
/// order.
pub(super) fn layouts(source: &Source<'_>, report: &mut LoadReport) -> Result<Vec<Layout>, LoadError> {
    let json = source.json;
    if source.unused_binary > 0 {
        let message = format!("{} bytes of the GLB's binary chunk belong to no buffer", source.unused_binary);
        report.ignored(Severity::Info, "", message);
    }
    for (index, _) in json.buffers.iter().enumerate().filter(|(index, _)| source.lacks_data(*index)) {
        let message = "it has neither a uri nor a GLB's binary chunk, so nothing can be read from it";
        report.ignored(Severity::Info, format_args!("buffers[{index}]"), message);
    }
    for (index, buffer) in json.buffers.iter().enumerate() {
        if let Some(note) = buffer.uri.as_deref().and_then(bare_percent) {
            report.repaired(format_args!("buffers[{index}].uri"), note);
        }
    }
    for (index, view) in json.buffer_views.iter().enumerate() {
        let path = format_args!("bufferViews[{index}]");
        source.view_range(view, path)?;
        if let Some(Whole(stride)) = view.byte_stride
            && !(stride.is_multiple_of(4) && (4..=252).contains(&stride))
        {
            // Section 3.6.2.4.
            let message =
                format!("its byteStride, {stride}, is not a multiple of 4 from 4 to 252; read all the same");
            report.repaired(path, message);
        }
        #[cfg(feature = "meshopt")]
        source.check_compressed(index, view)?;
    }
    let accessors = json.accessors.iter().zip(vertex_data(json)).enumerate();
    accessors
        .map(|(index, (accessor, is_vertex_data))| {
            let path = format_args!("accessors[{index}]");
            let layout = layout(source, accessor, path, report)?;
            // Section 3.6.2.4. The padding of elements is counted from the view's beginning.
            let odd = |span: Span| !span.start.is_multiple_of(4) || !span.stride.is_multiple_of(4);
            if is_vertex_data && layout.base.is_some_and(odd) {
                report.repaired(
                    path,
                    "it is vertex data and does not lie on multiples of 4 bytes; read all the same",
                );
            }
            Ok(layout)
        })
        .collect()
}

/// For each accessor whether some primitive has it as an attribute.
fn vertex_data(json: &Root) -> Vec<bool> {
    let mut found = vec![false; json.accessors.len()];
    for primitive in json.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        for accessor in primitive.targets.iter().chain([&primitive.attributes]).flat_map(|list| list.values())
        {
            if let Some(found) = found.get_mut(accessor.index()) {
                *found = true;
            }
        }
    }
    found
}

fn layout(
    source: &Source<'_>,
    accessor: &Accessor,
    path: Arguments<'_>,
    report: &mut LoadReport,
) -> Result<Layout, LoadError> {
    let Some(component) = Component::from_number(accessor.component_type) else {
        let reason = format!("componentType {} is not one of glTF's; correct it", accessor.component_type.0);
        return Err(source.invalid(path, reason));
    };
    let Some((size, components)) = element(&accessor.shape, component.size()) else {
        let reason = format!("type \"{}\" is not one of glTF's; correct it", shown(&accessor.shape));
        return Err(source.invalid(path, reason));
    };
    let count = accessor.count.index();
    if count == 0 {
        return Err(source.invalid(path, "count is 0; an accessor needs at least one element"));
    }
    // The columns of a matrix begin on multiples of 4, whatever its components.
    let unit = if components.is_none_or(|components| components > 4) { 4 } else { component.size() };
    let base = match accessor.buffer_view {
        None => None,
        Some(view) => {
            let (index, json) = source.get(&source.json.buffer_views, "buffer view", view, path)?;
            let stride = json.byte_stride.map_or(size, Whole::index);
            if stride < size {
                let reason = format!(
                    "byteStride {stride} is below the {size} bytes of an element of {path}; correct it"
                );
                return Err(source.invalid(format_args!("bufferViews[{index}]"), reason));
            }
            let span = span(source, view, accessor.byte_offset, count, size, stride, path)?;
            if !span.lies_on(json, unit) {
                report.repaired(path, MISALIGNED);
            }
            Some(span)
        }
    };
    let sparse = match &accessor.sparse {
        Some(sparse) => Some(sparse_layout(source, sparse, count, (size, unit), path, report)?),
        None => None,
    };
    let format =
        components.map(|components| Format { component, components, normalized: accessor.normalized });
    Ok(Layout { format, count, base, sparse })
}

fn sparse_layout(
    source: &Source<'_>,
    sparse: &Sparse,
    elements: usize,
    (size, unit_of_values): (usize, usize),
    path: Arguments<'_>,
    report: &mut LoadReport,
) -> Result<SparseLayout, LoadError> {
    let count = sparse.count.index();
    if count == 0 || count > elements {
        let reason = format!("sparse.count is {count}; it must be 1 to the accessor's count, {elements}");
        return Err(source.invalid(path, reason));
    }
    let component = Component::from_number(sparse.indices.component_type);
    let Some(component @ (Component::U8 | Component::U16 | Component::U32)) = component else {
        let reason = format!("componentType {} is not an unsigned integer", sparse.indices.component_type.0);
        return Err(source.invalid(format_args!("{path}.sparse.indices"), reason));
    };
    let mut tight = |view: Whole, offset: Option<Whole>, size: usize, unit: usize, path: Arguments<'_>| {
        let (_, json) = source.get(&source.json.buffer_views, "buffer view", view, path)?;
        if json.byte_stride.is_some() {
            report.repaired(
                path,
                "its buffer view has a byteStride, which sparse data may not have; read tightly",
            );
        }
        let span = span(source, view, offset, count, size, size, path)?;
        if !span.lies_on(json, unit) {
            report.repaired(path, MISALIGNED);
        }
        Ok(span)
    };
    let (indices, values) = (&sparse.indices, &sparse.values);
    let (view, offset) = (indices.buffer_view, indices.byte_offset);
    let unit = component.size();
    let indices = tight(view, offset, unit, unit, format_args!("{path}.sparse.indices"))?;
    let (view, offset) = (values.buffer_view, values.byte_offset);
    let values = tight(view, offset, size, unit_of_values, format_args!("{path}.sparse.values"))?;
    Ok(SparseLayout { count, component, indices, values })
}

/// The part of a view that `count` elements occupy, if it lies inside.
fn span(
    source: &Source<'_>,
    view: Whole,
    offset: Option<Whole>,
    count: usize,
    size: usize,
    stride: usize,
    path: Arguments<'_>,
) -> Result<Span, LoadError> {
    let (index, json) = source.get(&source.json.buffer_views, "buffer view", view, path)?;
    let (start, length) = (offset.map_or(0, Whole::index), json.byte_length.index());
    let last = (count - 1).checked_mul(stride);
    let end = last.and_then(|last| last.checked_add(size)?.checked_add(start));
    match end.filter(|&end| end <= length) {
        Some(end) => Ok(Span { view, start, end, stride }),
        None => {
            let reason = format!(
                "{count} elements of {size} bytes, {stride} apart, from {start} do not fit bufferViews[{index}], which \
                 has {length} bytes; correct count, byteOffset or byteStride"
            );
            Err(source.invalid(path, reason))
        }
    }
}

/// Bytes of an element and its number of components, `None` for a matrix whose columns may be padded: they are to 4 bytes
/// (glTF 2.0, section 3.6.2.4).
fn element(shape: &str, component: usize) -> Option<(usize, Option<usize>)> {
    let vector = |components: usize| (components * component, Some(components));
    let matrix = |side: usize| (side * (side * component).next_multiple_of(4), None);
    Some(match shape {
        "SCALAR" => vector(1),
        "VEC2" => vector(2),
        "VEC3" => vector(3),
        "VEC4" => vector(4),
        "MAT2" => matrix(2),
        "MAT3" => matrix(3),
        // Four components of any type fill a column.
        "MAT4" => vector(16),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrix_columns_are_padded_to_four_bytes() {
        let size = |shape, component| element(shape, component).map(|(size, _)| size);
        assert_eq!([size("MAT2", 1), size("MAT3", 1), size("MAT3", 2)], [Some(8), Some(12), Some(24)]);
        assert_eq!([size("MAT4", 4), size("VEC3", 2), size("MAT5", 4)], [Some(64), Some(6), None]);
    }
}
