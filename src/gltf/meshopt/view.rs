//! Compressed views among the others.

use super::stream::{Compressed, Decoded, compression};
use crate::gltf::LoadError;
use crate::gltf::document::{BufferView, MeshoptView};
use crate::gltf::source::Source;
use crate::gltf::text::Lazy;

impl Source<'_> {
    /// Checks what a view says of its compressed data, if it has any, and where that lies. Reads none of it.
    pub fn check_compressed(&self, index: usize, view: &BufferView) -> Result<(), LoadError> {
        self.compressed(index, view).map(|_| ())
    }

    /// A compressed view's bytes, decoded when first asked for.
    pub fn decompressed(&self, index: usize, view: &BufferView) -> Result<Option<&[u8]>, LoadError> {
        let Some((name, json, compressed)) = self.compressed(index, view)? else { return Ok(None) };
        let Some(cell) = self.decoded_views.get(index) else { return Ok(None) };
        if let Some(decoded) = cell.get() {
            return Ok(Some(decoded.bytes()));
        }
        let path = Lazy(|| path(index, name));
        let stream = self.part(json.buffer, json.byte_offset, json.byte_length, path)?;
        let stream = &*self.bytes(stream, path)?;
        compressed.admit(name, stream).map_err(|reason| self.invalid(path, reason))?;
        self.room(compressed.size(), path)?;
        let decoded: Decoded = compressed.decode(stream).map_err(|reason| self.invalid(path, reason))?;
        Ok(Some(cell.get_or_init(|| decoded).bytes()))
    }

    fn compressed<'v>(
        &self,
        index: usize,
        view: &'v BufferView,
    ) -> Result<Option<(&'static str, &'v MeshoptView, Compressed)>, LoadError> {
        let found = compression(view)
            .map_err(|reason| self.invalid(format_args!("bufferViews[{index}].extensions"), reason))?;
        let Some((name, json)) = found else { return Ok(None) };
        let path = Lazy(|| path(index, name));
        let compressed = Compressed::new(name, json, view).map_err(|reason| self.invalid(path, reason))?;
        self.range(json.buffer, json.byte_offset, json.byte_length, path)?;
        Ok(Some((name, json, compressed)))
    }
}

fn path(index: usize, name: &str) -> String {
    format!("bufferViews[{index}].extensions.{name}")
}
