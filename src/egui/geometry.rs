//! egui's meshes as triangles of the overlay.

use super::color::{Backdrop, Converted, Ink};
use crate::vulkan::{Overlay, OverlayDraw, OverlayRect, OverlayTextureId, OverlayVertex, RendererError};
use ::egui::epaint::{Mesh, WHITE_UV};
use ::egui::{Color32, Pos2, Rect};

/// What a mesh shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shown {
    pub(super) texture: OverlayTextureId,
    /// Whether the texture is a font's, with a band for each ink.
    pub(super) is_font: bool,
}

/// The pixels inside a rectangle of points. Edges are rounded to whole pixels; what is infinite ends at the limits of the
/// numbers, and a rectangle that is inside out has no pixels.
pub(super) fn scissor(clip: Rect, pixels_per_point: f32) -> OverlayRect {
    // Casts saturate, and turn NaN to 0.
    let pixel = |points: f32| (points * pixels_per_point).round() as i32;
    let (x, y) = (pixel(clip.min.x), pixel(clip.min.y));
    let length = |from: i32, to: i32| (i64::from(to) - i64::from(from)).max(0) as u32;
    OverlayRect { x, y, width: length(x, pixel(clip.max.x)), height: length(y, pixel(clip.max.y)) }
}

/// Checks that an overlay can number so many vertices and indices, which are given for each of its meshes.
///
/// # Errors
/// [`RendererError::InvalidOverlay`] if there are more than can be counted.
pub(super) fn check_counts(meshes: impl Iterator<Item = [usize; 2]>) -> Result<(), RendererError> {
    let [vertices, indices] = meshes.fold([0_usize; 2], |[vertices, indices], [more, others]| {
        [vertices.saturating_add(more), indices.saturating_add(others)]
    });
    match u32::try_from(vertices.max(indices)) {
        Ok(_) => Ok(()),
        Err(_) => Err(RendererError::InvalidOverlay {
            reason: "egui painted more vertices or indices than can be counted".to_owned(),
        }),
    }
}

/// Adds a mesh to an overlay whose meshes were [counted](check_counts). Returns whether it was well formed; if not, or if
/// nothing of it shows, nothing is added.
pub(super) fn append(
    overlay: &mut Overlay,
    mesh: &Mesh,
    shown: Shown,
    scissor: OverlayRect,
    (pixels_per_point, backdrop): (f32, Backdrop),
) -> bool {
    if !mesh.is_valid() || !mesh.indices.len().is_multiple_of(3) {
        return false;
    }
    if mesh.indices.is_empty() || scissor.width == 0 || scissor.height == 0 {
        return true;
    }
    let (first, start) = (overlay.vertices.len() as u32, overlay.indices.len() as u32);
    let end = start + mesh.indices.len() as u32;
    // Neighbors mostly have one color.
    let mut last = (Color32::TRANSPARENT, backdrop.convert(Color32::TRANSPARENT));
    overlay.vertices.extend(mesh.vertices.iter().map(|vertex| {
        if vertex.color != last.0 {
            last = (vertex.color, backdrop.convert(vertex.color));
        }
        let Converted { color, ink } = last.1;
        let Pos2 { x, y } = vertex.pos;
        OverlayVertex {
            position: [x * pixels_per_point, y * pixels_per_point],
            uv: if shown.is_font { in_band(vertex.uv, ink) } else { vertex.uv.into() },
            color,
        }
    }));
    overlay.indices.extend(mesh.indices.iter().map(|index| first + index));
    color_transparent_corners(&mut overlay.vertices[first as usize..], mesh);
    let texture = Some(shown.texture);
    overlay.draws.push(OverlayDraw { indices: start..end, texture, scissor: Some(scissor) });
    true
}

/// Where a font's texel lies among the bands. The white texel is that of the upper band, whatever the ink, so that
/// triangles of two inks do not cross from band to band. The last row of a band is empty until egui has no room left, so
/// the filter mixes nothing of one into the other.
fn in_band(Pos2 { x, y }: Pos2, ink: Ink) -> [f32; 2] {
    match ink {
        Ink::Dark if (x, y) != (WHITE_UV.x, WHITE_UV.y) => [x, 0.5 + 0.5 * y],
        _ => [x, 0.5 * y],
    }
}

/// Gives transparent corners the color of another corner of their triangle: straight colors are mixed along edges, so
/// that shapes which fade out would turn to black before they are gone.
fn color_transparent_corners(vertices: &mut [OverlayVertex], mesh: &Mesh) {
    let (triangles, _none) = mesh.indices.as_chunks::<3>();
    for triangle in triangles {
        let colors = triangle.map(|corner| mesh.vertices[corner as usize].color);
        let visible = colors.iter().position(|&color| color != Color32::TRANSPARENT);
        let Some(visible) = visible.filter(|_| colors.contains(&Color32::TRANSPARENT)) else { continue };
        let [red, green, blue, _] = vertices[triangle[visible] as usize].color;
        for (&corner, color) in triangle.iter().zip(colors) {
            if color == Color32::TRANSPARENT {
                vertices[corner as usize].color = [red, green, blue, 0];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::egui::epaint::Vertex;
    use ::egui::{pos2, vec2};

    const DARK: Color32 = Color32::from_gray(27);

    fn shown(is_font: bool) -> Shown {
        Shown { texture: OverlayTextureId(3), is_font }
    }

    fn triangle(colors: [Color32; 3], uv: Pos2) -> Mesh {
        let vertices = colors.map(|color| Vertex { pos: pos2(1.5, 2.0), uv, color }).to_vec();
        Mesh { indices: vec![0, 1, 2], vertices, ..Mesh::default() }
    }

    fn appended(mesh: &Mesh, is_font: bool, clip: Rect) -> (Overlay, bool) {
        let mut overlay = Overlay::default();
        let backdrop = Backdrop::new(DARK);
        let scissor = scissor(clip, 2.0);
        let added = append(&mut overlay, mesh, shown(is_font), scissor, (2.0, backdrop));
        (overlay, added)
    }

    #[test]
    fn points_become_pixels_and_draws_follow_each_other() {
        let mesh = triangle([Color32::RED; 3], pos2(0.25, 0.75));
        let mut overlay = Overlay::default();
        let clip = scissor(Rect::from_min_size(pos2(1.0, 2.0), vec2(3.0, 4.0)), 2.0);
        for _ in 0..2 {
            append(&mut overlay, &mesh, shown(false), clip, (2.0, Backdrop::new(DARK)));
        }
        let vertex = OverlayVertex { position: [3.0, 4.0], uv: [0.25, 0.75], color: [255, 0, 0, 255] };
        assert_eq!(overlay.vertices, [vertex; 6]);
        assert_eq!(overlay.indices, [0, 1, 2, 3, 4, 5]);
        assert_eq!((overlay.draws[0].indices.clone(), overlay.draws[1].indices.clone()), (0..3, 3..6));
        assert_eq!(overlay.draws[1].scissor, Some(OverlayRect { x: 2, y: 4, width: 6, height: 8 }));
        assert_eq!(overlay.draws[1].texture, Some(OverlayTextureId(3)));
    }

    #[test]
    fn vertices_and_indices_of_all_meshes_together_can_be_counted_or_not() {
        let most = u32::MAX as usize;
        let checked = |counts: &[[usize; 2]]| check_counts(counts.iter().copied());
        assert_eq!(checked(&[]), Ok(()));
        assert_eq!(checked(&[[most - 1, 0], [1, most]]), Ok(()));
        for over in [[[most, 0], [1, 0]], [[0, 1], [0, most]], [[1, 1], [usize::MAX, 0]]] {
            assert!(matches!(checked(&over), Err(RendererError::InvalidOverlay { .. })), "{over:?}");
        }
    }

    #[test]
    fn clip_rectangles_of_any_size_keep_to_the_numbers() {
        let whole = scissor(Rect::EVERYTHING, 1.5);
        assert_eq!((whole.x, whole.y, whole.width, whole.height), (i32::MIN, i32::MIN, u32::MAX, u32::MAX));
        let huge = scissor(Rect::from_min_max(pos2(-1e30, 10.0), pos2(1e30, 20.4)), 1.0);
        assert_eq!((huge.x, huge.y, huge.width, huge.height), (i32::MIN, 10, u32::MAX, 10));
        for empty in [Rect::NOTHING, Rect::from_min_max(pos2(5.0, 5.0), pos2(4.0, 4.0)), Rect::NAN] {
            assert_eq!((scissor(empty, 1.0).width, scissor(empty, 1.0).height), (0, 0), "{empty:?}");
        }
        // Neighbors share the edge that they round to.
        let left = scissor(Rect::from_min_max(pos2(0.0, 0.0), pos2(3.5, 1.0)), 1.25);
        let right = scissor(Rect::from_min_max(pos2(3.5, 0.0), pos2(9.0, 1.0)), 1.25);
        assert_eq!(left.x + left.width as i32, right.x);
    }

    #[test]
    fn empty_clipped_and_malformed_meshes_add_nothing() {
        let whole = triangle([Color32::RED; 3], WHITE_UV);
        assert_eq!(appended(&Mesh::default(), false, Rect::EVERYTHING), (Overlay::default(), true));
        assert_eq!(appended(&whole, false, Rect::NOTHING), (Overlay::default(), true));
        let stray = Mesh { indices: vec![0, 1, 3], ..whole.clone() };
        assert_eq!(appended(&stray, false, Rect::EVERYTHING), (Overlay::default(), false));
        let short = Mesh { indices: vec![0, 1], ..whole };
        assert_eq!(appended(&short, false, Rect::EVERYTHING), (Overlay::default(), false));
    }

    #[test]
    fn what_fades_out_keeps_its_color() {
        let mesh = triangle([Color32::TRANSPARENT, Color32::YELLOW, Color32::TRANSPARENT], WHITE_UV);
        let (overlay, _) = appended(&mesh, false, Rect::EVERYTHING);
        assert_eq!(
            overlay.vertices.iter().map(|vertex| vertex.color).collect::<Vec<_>>(),
            [[255, 255, 0, 0], [255, 255, 0, 255], [255, 255, 0, 0]]
        );
    }

    #[test]
    fn each_ink_reads_its_band_and_white_is_the_same_for_both() {
        let uv = |color, uv| appended(&triangle([color; 3], uv), true, Rect::EVERYTHING).0.vertices[0].uv;
        assert_eq!(uv(Color32::WHITE, pos2(0.5, 0.25)), [0.5, 0.125]);
        assert_eq!(uv(Color32::BLACK, pos2(0.5, 0.25)), [0.5, 0.625]);
        assert_eq!(uv(Color32::WHITE, WHITE_UV), [0.0, 0.0]);
        assert_eq!(uv(Color32::BLACK, WHITE_UV), [0.0, 0.0]);
        // The first row of the lower band begins where it begins.
        assert_eq!(uv(Color32::BLACK, pos2(0.5, 0.0)), [0.5, 0.5]);
    }
}
