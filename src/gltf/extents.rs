//! Every buffer view and accessor of the document, used or not, against what it points into.

use super::LoadError;
use super::accessor::Component;
use super::document::{Accessor, Whole};
use super::report::{LoadReport, Severity};
use super::source::Source;

/// Checks references and ranges, and notes what is odd and harmless. Reads no data.
pub(super) fn check(source: &Source<'_>, report: &mut LoadReport) -> Result<(), LoadError> {
    let json = source.json;
    for (index, _) in json.buffers.iter().enumerate().filter(|(index, _)| !source.has_data(*index)) {
        let message = "it has neither a uri nor a GLB's binary chunk, so nothing can be read from it";
        report.ignored(Severity::Info, format!("buffers[{index}]"), message);
    }
    for (index, view) in json.buffer_views.iter().enumerate() {
        source.view_range(view, &format!("bufferViews[{index}]"))?;
    }
    for (index, accessor) in json.accessors.iter().enumerate() {
        check_accessor(source, accessor, &format!("accessors[{index}]"), report)?;
    }
    for (index, image) in json.images.iter().enumerate() {
        if let Some(view) = image.buffer_view {
            source.get(&json.buffer_views, "buffer view", view, &format!("images[{index}].bufferView"))?;
        }
    }
    Ok(())
}

fn check_accessor(
    source: &Source<'_>,
    accessor: &Accessor,
    path: &str,
    report: &mut LoadReport,
) -> Result<(), LoadError> {
    let Some(component) = Component::from_number(accessor.component_type) else {
        let reason = format!("componentType {} is not one of glTF's; correct it", accessor.component_type.0);
        return Err(source.invalid(path, reason));
    };
    let Some(size) = element_size(&accessor.shape, component.size() as u64) else {
        let reason =
            format!("type \"{}\" is not one of glTF's; correct it", super::uri::shown(&accessor.shape));
        return Err(source.invalid(path, reason));
    };
    let offset = |offset: Option<Whole>| offset.map_or(0, |offset| offset.0);
    if let Some(view) = accessor.buffer_view {
        let start = offset(accessor.byte_offset);
        let stride = fits(source, view, start, accessor.count.0, size, path)?;
        let aligned = component.size() as u64;
        let from = source.json.buffer_views.get(view.index()).map_or(0, |view| offset(view.byte_offset));
        let misaligned = !from.wrapping_add(start).is_multiple_of(aligned) || !stride.is_multiple_of(aligned);
        // The columns of a matrix begin on multiples of 4, whatever its components.
        let matrix = accessor.shape.starts_with("MAT") && !from.wrapping_add(start).is_multiple_of(4);
        if misaligned || matrix {
            let message = "its data does not lie on multiples of its component's size; read byte by byte";
            report.repaired(path, message);
        }
    }
    if let Some(sparse) = &accessor.sparse {
        let (indices, values) = (&sparse.indices, &sparse.values);
        let indices_path = format!("{path}.sparse.indices");
        let width = Component::from_number(indices.component_type).map_or(1, Component::size) as u64;
        let start = offset(indices.byte_offset);
        fits(source, indices.buffer_view, start, sparse.count.0, width, &indices_path)?;
        let start = offset(values.byte_offset);
        fits(source, values.buffer_view, start, sparse.count.0, size, &format!("{path}.sparse.values"))?;
    }
    Ok(())
}

/// Whether that many elements lie inside the view; returns their distance.
fn fits(
    source: &Source<'_>,
    view: Whole,
    start: u64,
    count: u64,
    size: u64,
    path: &str,
) -> Result<u64, LoadError> {
    let (index, json) = source.get(&source.json.buffer_views, "buffer view", view, path)?;
    let stride = json.byte_stride.map_or(size, |stride| stride.0);
    if stride < size {
        let reason =
            format!("byteStride {stride} is below the {size} bytes of an element of {path}; correct it");
        return Err(source.invalid(format!("bufferViews[{index}]"), reason));
    }
    let last = count.saturating_sub(1).checked_mul(stride);
    let end = last.and_then(|last| last.checked_add(if count == 0 { 0 } else { size })?.checked_add(start));
    let length = json.byte_length.0;
    if end.is_some_and(|end| end <= length) {
        return Ok(stride);
    }
    let reason = format!(
        "{count} elements of {size} bytes, {stride} apart, from {start} do not fit bufferViews[{index}], which has \
         {length} bytes; correct count, byteOffset or byteStride"
    );
    Err(source.invalid(path, reason))
}

/// Bytes of an element; the columns of a matrix are padded to 4 bytes (glTF 2.0, section 3.6.2.4).
fn element_size(shape: &str, component: u64) -> Option<u64> {
    let matrix = |side: u64| side * (side * component).next_multiple_of(4);
    Some(match shape {
        "SCALAR" => component,
        "VEC2" => 2 * component,
        "VEC3" => 3 * component,
        "VEC4" => 4 * component,
        "MAT2" => matrix(2),
        "MAT3" => matrix(3),
        "MAT4" => matrix(4),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrix_columns_are_padded_to_four_bytes() {
        let size = |shape, component| element_size(shape, component);
        assert_eq!([size("MAT2", 1), size("MAT3", 1), size("MAT3", 2)], [Some(8), Some(12), Some(24)]);
        assert_eq!([size("MAT4", 4), size("VEC3", 2), size("MAT5", 4)], [Some(64), Some(6), None]);
    }
}
