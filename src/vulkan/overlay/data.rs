//! What an application draws over the scene, without a Vulkan type.

use crate::vulkan::error::RendererError;
use bytemuck::{Pod, Zeroable};
use std::ops::Range;

/// Names a texture of a renderer's overlay; never reused for another one of the same renderer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OverlayTextureId(pub(crate) u32);

/// A corner of an overlay triangle.
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
#[repr(C)]
pub struct OverlayVertex {
    /// Pixels from the picture's upper left corner, to the right and down; (0, 0) is the corner of the first pixel.
    pub position: [f32; 2],
    /// Texture coordinates, (0, 0) at the texture's upper left corner.
    pub uv: [f32; 2],
    /// sRGB color and straight alpha; multiplies the texture.
    pub color: [u8; 4],
}

/// Some of an overlay's triangles with one texture and one scissor.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct OverlayDraw {
    /// Positions in [`Overlay::indices`]; three for each triangle.
    pub indices: Range<u32>,
    /// What the triangles show; `None` is white.
    pub texture: Option<OverlayTextureId>,
    /// Pixels outside of this are left alone; `None` is the whole picture.
    pub scissor: Option<OverlayRect>,
}

/// A rectangle in pixels from the picture's upper left corner; what reaches outside of the picture is cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct OverlayRect {
    /// Left edge.
    pub x: i32,
    /// Upper edge.
    pub y: i32,
    /// To the right of the left edge.
    pub width: u32,
    /// Down from the upper edge.
    pub height: u32,
}

/// Textured triangles in pixels that are drawn over the scene, in their order, blended by alpha in linear light.
///
/// A renderer owns one ([`Renderer::overlay_mut`](crate::vulkan::Renderer::overlay_mut)), which stays as it is from frame
/// to frame until the application changes it. Refilling the lists in place allocates nothing once they are large enough.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Overlay {
    /// Corners.
    pub vertices: Vec<OverlayVertex>,
    /// Which corners form triangles; either side of a triangle shows.
    pub indices: Vec<u32>,
    /// What is drawn, first to last.
    pub draws: Vec<OverlayDraw>,
}

impl Overlay {
    /// Empties all lists and keeps their memory.
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.indices.clear();
        self.draws.clear();
    }

    /// Whether nothing is drawn.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.draws.is_empty()
    }

    /// Fails unless every draw, index and texture refers to something that is there.
    pub(crate) fn check(&self, has_texture: impl Fn(OverlayTextureId) -> bool) -> Result<(), RendererError> {
        let faulty = |reason: String| Err(RendererError::InvalidOverlay { reason });
        for (number, draw) in self.draws.iter().enumerate() {
            let Range { start, end } = draw.indices;
            if start > end || end as usize > self.indices.len() || !(end - start).is_multiple_of(3) {
                return faulty(format!(
                    "draw {number} takes indices {start}..{end}; give whole triangles within the {} indices",
                    self.indices.len()
                ));
            }
            if let Some(texture) = draw.texture
                && !has_texture(texture)
            {
                return faulty(format!(
                    "draw {number} uses a texture that was removed or is another renderer's"
                ));
            }
        }
        let vertices = self.vertices.len();
        match self.indices.iter().position(|&index| index as usize >= vertices) {
            Some(at) => {
                faulty(format!("index {at} is {}, but there are {vertices} vertices", self.indices[at]))
            }
            None => Ok(()),
        }
    }
}

impl OverlayRect {
    /// (x, y, width, height) of what lies inside a picture of that size; a width or height of 0 if nothing does.
    pub(crate) fn within(self, (width, height): (u32, u32)) -> (u32, u32, u32, u32) {
        let clip = |start: i32, length: u32, limit: u32| {
            let from = i64::from(start).clamp(0, i64::from(limit));
            let to = (i64::from(start) + i64::from(length)).clamp(from, i64::from(limit));
            (from as u32, (to - from) as u32)
        };
        let (x, clipped_width) = clip(self.x, self.width, width);
        let (y, clipped_height) = clip(self.y, self.height, height);
        (x, y, clipped_width, clipped_height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle() -> Overlay {
        Overlay {
            vertices: vec![OverlayVertex::default(); 3],
            indices: vec![0, 1, 2],
            draws: vec![OverlayDraw { indices: 0..3, ..OverlayDraw::default() }],
        }
    }

    #[test]
    fn an_empty_overlay_and_a_whole_triangle_are_fine() {
        assert!(Overlay::default().is_empty());
        assert!(Overlay::default().check(|_| false).is_ok());
        assert!(triangle().check(|_| false).is_ok());
        assert_eq!(size_of::<OverlayVertex>(), 20);
    }

    #[test]
    fn every_stray_reference_is_named() {
        let reason = |change: &dyn Fn(&mut Overlay)| {
            let mut overlay = triangle();
            change(&mut overlay);
            overlay.check(|texture| texture.0 == 1).unwrap_err().to_string()
        };
        assert!(reason(&|overlay| overlay.indices[1] = 3).contains("index 1 is 3"));
        #[allow(clippy::reversed_empty_ranges, reason = "the point of the test")]
        for range in [0..6, 0..2, 3..0] {
            assert!(reason(&|overlay| overlay.draws[0].indices = range.clone()).contains("draw 0 takes"));
        }
        assert!(reason(&|overlay| overlay.draws[0].texture = Some(OverlayTextureId(2))).contains("texture"));
    }

    #[test]
    fn scissors_are_cut_at_the_picture_and_never_overflow() {
        let within = |x, y, width, height| OverlayRect { x, y, width, height }.within((64, 48));
        assert_eq!(within(10, 20, 30, 10), (10, 20, 30, 10));
        assert_eq!(within(-5, -5, 10, 10), (0, 0, 5, 5));
        assert_eq!(within(60, 40, 100, 100), (60, 40, 4, 8));
        assert_eq!(within(100, 0, 5, 5), (64, 0, 0, 5));
        assert_eq!(within(i32::MIN, i32::MAX, u32::MAX, u32::MAX), (0, 48, 64, 0));
    }
}
