//! Index lists.

use crate::gltf::LoadError;
use crate::gltf::accessor::Accessors;
use crate::gltf::document::Whole;
use crate::gltf::layout::Component;
use crate::gltf::source::Source;
use std::fmt::Display;

/// The indices, all of them below `vertices`.
pub(super) fn read_indices(
    source: &Source<'_>,
    accessors: &Accessors<'_>,
    accessor: Whole,
    vertices: usize,
    path: &dyn Display,
) -> Result<Vec<u32>, LoadError> {
    let elements = accessors.elements(accessor, path)?;
    let format = elements.format;
    let restart = match (format.components, format.component) {
        (1, Component::U8) => u32::from(u8::MAX),
        (1, Component::U16) => u32::from(u16::MAX),
        (1, Component::U32) => u32::MAX,
        _ => {
            let reason = format!(
                "accessors[{}] is {format}; indices must be SCALAR of UNSIGNED_BYTE, UNSIGNED_SHORT or UNSIGNED_INT",
                elements.index
            );
            return Err(source.unsupported(path, reason));
        }
    };
    let (indices, largest) = accessors.integers(&elements)?;
    if largest == restart {
        let reason =
            format!("it holds {restart}, the primitive restart value, which glTF forbids; use wider indices");
        return Err(source.invalid(path, reason));
    }
    if largest as usize >= vertices {
        let reason =
            format!("index {largest} is out of range for {vertices} vertices; export the mesh again");
        return Err(source.invalid(path, reason));
    }
    Ok(indices)
}
