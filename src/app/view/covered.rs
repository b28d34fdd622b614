//! What the panel leaves free of the picture, and how a model is brought into it.

use fire_engine::controls::OrbitCamera;
use fire_engine::math::{Bounds, Vec2};

/// No more than this part of a picture counts as covered: what is left would be too small to see anything in.
const MOST: f32 = 0.8;

/// How many pixels at two edges of the picture lie under the panel and the time line.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Covered {
    /// From the left.
    pub left: f32,
    /// From the bottom.
    pub bottom: f32,
}

impl Covered {
    /// How far the middle of what is free lies to the right of the picture's middle and above it, of 1 at its edges, for a
    /// picture of that size in pixels. The rest of 1 is the free share of its width and height.
    pub fn off_center(self, size: (u32, u32)) -> Vec2 {
        let share = |pixels: f32, of: u32| (pixels / of.max(1) as f32).min(MOST);
        Vec2::new(share(self.left, size.0), share(self.bottom, size.1))
    }
}

/// The same view with a lens of its own instead of one that was taken over from a camera of a file.
pub fn without_lens(mut orbit: OrbitCamera) -> OrbitCamera {
    orbit.set_orthographic(false);
    orbit.fov_y = OrbitCamera::FOV_Y;
    orbit
}

/// Frames a box in the part of a picture that [`Covered::off_center`] leaves; `aspect` is that of the whole picture.
pub fn frame(orbit: &mut OrbitCamera, bounds: Option<Bounds>, aspect: f32, off_center: Vec2) {
    let free = Vec2::ONE - off_center;
    // Seen from afar enough that it fits into a narrower view, it fills that part of the whole one.
    let fov_y = orbit.fov_y;
    orbit.fov_y = 2.0 * ((fov_y * 0.5).tan() * free.y).atan();
    orbit.frame(bounds, aspect * free.x / free.y);
    orbit.fov_y = fov_y;
    orbit.set_aspect(aspect);
}

#[cfg(test)]
mod tests {
    use super::*;
    use fire_engine::math::Vec3;
    use fire_engine::scene::{Camera, Projection};

    #[test]
    fn no_lens_of_a_file_is_left_and_the_side_stays() {
        let plain = OrbitCamera::new(None, 1.0);
        for projection in [
            Projection::Orthographic { xmag: 9.0, ymag: 9.0, near: 0.0, far: 1.0 },
            Projection::Perspective { fov_y: 0.1, aspect: None, near: 0.1, far: None },
        ] {
            let mut orbit = plain;
            orbit.adopt(&Camera { projection, ..plain.camera().unwrap() });
            assert!(orbit.is_orthographic() || orbit.fov_y != plain.fov_y);
            let after = without_lens(orbit);
            assert!(!after.is_orthographic() && after.fov_y == plain.fov_y);
            assert_eq!((after.yaw, after.pitch), (orbit.yaw, orbit.pitch));
        }
    }

    #[test]
    fn all_of_a_model_is_in_the_free_part_and_touches_its_edges_nearly() {
        let bounds = Bounds { min: Vec3::new(-1.0, -3.0, -2.0), max: Vec3::new(4.0, 3.0, 1.0) };
        let size = (1280, 400);
        let aspect = 3.2;
        for covered in [
            Covered::default(),
            Covered { left: 320.0, bottom: 0.0 },
            Covered { left: 320.0, bottom: 40.0 },
            Covered { left: 900.0, bottom: 150.0 },
            Covered { left: 0.0, bottom: 1e9 },
        ] {
            for orthographic in [false, true] {
                let off_center = covered.off_center(size);
                let mut orbit = OrbitCamera::new(None, aspect);
                orbit.set_orthographic(orthographic);
                frame(&mut orbit, Some(bounds), aspect, off_center);
                assert_eq!(orbit.fov_y, OrbitCamera::FOV_Y);
                let camera = Camera { shift: off_center, ..orbit.camera().unwrap() };
                let clip = camera.view_projection(aspect).unwrap();
                let corners = (0..8).map(|corner| {
                    let pick =
                        |bit: u32, low: f32, high: f32| if corner >> bit & 1 == 0 { low } else { high };
                    let (low, high) = (bounds.min, bounds.max);
                    let corner =
                        Vec3::new(pick(0, low.x, high.x), pick(1, low.y, high.y), pick(2, low.z, high.z));
                    let point = clip.project_point3(corner).truncate();
                    // From -1 to 1 within the free part.
                    (point - off_center) / (Vec2::ONE - off_center)
                });
                let reach = corners.fold(0.0_f32, |reach, point| reach.max(point.abs().max_element()));
                assert!((0.85..=1.0).contains(&reach), "{covered:?} {orthographic}: {reach}");
            }
        }
    }
}
