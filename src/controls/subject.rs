//! What a camera is to see, and from how far away it does.

use crate::math::{Bounds, Vec2, Vec3};

/// Below this a radius counts as none: planes that scale with it would be subnormal numbers.
const LEAST_RADIUS: f32 = 1e-30;

/// What is to be seen: a box along the axes, and the sphere around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Subject {
    /// The middle of both.
    pub center: Vec3,
    /// Half the sides of the box, none negative.
    pub half: Vec3,
    /// Of the sphere through the box's corners, above 0; infinite where it overflows.
    pub radius: f32,
}

impl Subject {
    /// How much of empty space is left around what is framed: distances are larger by this factor than they need to be.
    pub const MARGIN: f32 = 1.05;

    /// What lies in `bounds`. Where there is nothing, and around a single point, the box reaches 1 to each side. Of bounds
    /// that are not finite no number is either.
    #[must_use]
    pub fn new(bounds: Option<Bounds>) -> Self {
        let (center, half) = bounds.map_or((Vec3::ZERO, Vec3::ZERO), |bounds| {
            // Halves first: a difference could overflow.
            (bounds.center(), bounds.max * 0.5 - bounds.min * 0.5)
        });
        let radius = length(half);
        // NaN is left what it is.
        if radius < LEAST_RADIUS {
            return Self { center, half: Vec3::ONE, radius: length(Vec3::ONE) };
        }
        Self { center, half, radius }
    }

    /// From the middle to each corner of the box.
    pub fn corners(&self) -> impl Iterator<Item = Vec3> + '_ {
        (0..8).map(|corner| {
            let side = |axis: usize| if corner >> axis & 1 == 0 { -self.half[axis] } else { self.half[axis] };
            Vec3::new(side(0), side(1), side(2))
        })
    }

    /// How far from the middle, toward the unit vector `back`, an eye with +Y upwards has all of the box in view: as near as
    /// it gets with the [margin](Self::MARGIN), and not in the middle even of what is as thin as a line of sight.
    ///
    /// `fov_y` is the vertical field of view in radians, `aspect` the picture's width over its height.
    #[must_use]
    pub fn distance(&self, back: Vec3, fov_y: f32, aspect: f32) -> f32 {
        let tangent = (fov_y * 0.5).tan();
        let tangents = Vec2::new(tangent * aspect, tangent);
        let (right, up) = across(back);
        let reach = |corner: Vec3| {
            let across = Vec2::new(right.dot(corner).abs(), up.dot(corner).abs()) / tangents;
            across.max_element() + back.dot(corner)
        };
        let fitting = self.corners().map(reach).fold(0.0, f32::max);
        Self::MARGIN * fitting.max(self.radius * 0.1)
    }

    /// Half the height of what a parallel projection along the unit vector `back`, with +Y upwards, has to show of
    /// pictures of that aspect, with the same [margin](Self::MARGIN); not nothing, even of a line seen from its end.
    #[must_use]
    pub fn half_height(&self, back: Vec3, aspect: f32) -> f32 {
        let (right, up) = across(back);
        let reach = |corner: Vec3| (right.dot(corner).abs() / aspect).max(up.dot(corner).abs());
        let fitting = self.corners().map(reach).fold(0.0, f32::max);
        Self::MARGIN * fitting.max(self.radius * 0.01)
    }

    /// How far before an eye, which looks against the unit vector `back`, the nearest corner of the box lies; negative behind
    /// the eye.
    #[must_use]
    pub fn nearest(&self, eye: Vec3, back: Vec3) -> f32 {
        let depth = |corner: Vec3| back.dot(eye - self.center - corner);
        self.corners().map(depth).fold(f32::INFINITY, f32::min)
    }
}

/// From what is looked at toward the eye, of length 1: `yaw` in radians about +Y, from +Z toward +X, and `pitch` in radians
/// above the horizon.
#[must_use]
pub fn toward_eye(yaw: f32, pitch: f32) -> Vec3 {
    Vec3::new(yaw.sin() * pitch.cos(), pitch.sin(), yaw.cos() * pitch.cos())
}

/// What is to the right and upward in a picture with +Y upwards.
fn across(back: Vec3) -> (Vec3, Vec3) {
    let right = Vec3::Y.cross(back).normalize_or(Vec3::X);
    (right, back.cross(right))
}

/// The length, also where squares leave the numbers.
fn length(vector: Vec3) -> f32 {
    let length = vector.length();
    if length.is_normal() {
        return length;
    }
    let squares = vector.to_array().map(|side| f64::from(side) * f64::from(side));
    squares.iter().sum::<f64>().sqrt() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_a_middle_sides_and_a_sphere() {
        let subject =
            Subject::new(Some(Bounds { min: Vec3::new(1.0, -2.0, 0.0), max: Vec3::new(5.0, 2.0, 2.0) }));
        let expected =
            Subject { center: Vec3::new(3.0, 0.0, 1.0), half: Vec3::new(2.0, 2.0, 1.0), radius: 3.0 };
        assert_eq!(subject, expected);
        let corners: Vec<Vec3> = subject.corners().collect();
        let sides = |corner: &Vec3| corner.abs() == subject.half;
        assert!(corners.len() == 8 && corners.iter().all(sides), "{corners:?}");
        assert!((0..8).all(|at| !corners[..at].contains(&corners[at])), "{corners:?}");
    }

    #[test]
    fn nothing_and_a_point_are_boxes_of_two() {
        let around = |center| Subject { center, half: Vec3::ONE, radius: 3.0_f32.sqrt() };
        assert_eq!(Subject::new(None), around(Vec3::ZERO));
        let point = |point| Subject::new(Some(Bounds { min: point, max: point }));
        assert_eq!(point(Vec3::X * 7.0), around(Vec3::X * 7.0));
        let subnormal = Bounds { min: Vec3::ZERO, max: Vec3::splat(f32::from_bits(9)) };
        assert_eq!(Subject::new(Some(subnormal)).half, Vec3::ONE);
    }

    #[test]
    fn a_radius_is_right_where_its_square_is_beyond_the_numbers() {
        for size in [1e-25, 1e-6, 1e18, 1e20, 1e37] {
            let subject = Subject::new(Some(Bounds { min: Vec3::splat(-size), max: Vec3::splat(size) }));
            assert!((subject.radius / size - 3.0_f32.sqrt()).abs() < 1e-6, "{size} {subject:?}");
        }
        let vast = Subject::new(Some(Bounds { min: Vec3::splat(-3e38), max: Vec3::splat(3e38) }));
        assert_eq!((vast.center, vast.radius), (Vec3::ZERO, f32::INFINITY));
    }

    #[test]
    fn a_square_is_seen_from_where_its_edge_meets_the_view() {
        // 2 x 2 across, 1 deep: seen along Z at 90 degrees, the front face fills the picture 1 before it.
        let subject = Subject { center: Vec3::ONE, half: Vec3::new(1.0, 1.0, 0.5), radius: 1.5 };
        let right_angle = std::f32::consts::FRAC_PI_2;
        let close = |a: f32, b: f32| assert!((a - b).abs() < 1e-6, "{a} {b}");
        close(subject.distance(Vec3::Z, right_angle, 1.0), 1.5 * 1.05);
        close(subject.distance(Vec3::Z, right_angle, 2.0), 1.5 * 1.05);
        close(subject.distance(Vec3::Z, right_angle, 0.5), 2.5 * 1.05);
        // From above, where +Y gives no direction, something is chosen.
        close(subject.distance(Vec3::Y, right_angle, 1.0), 2.0 * 1.05);
        close(subject.half_height(Vec3::Z, 1.0), 1.05);
        close(subject.half_height(Vec3::Z, 0.5), 2.1);
        close(subject.half_height(Vec3::X, 2.0), 1.05);
        close(subject.nearest(Vec3::new(1.0, 1.0, 4.0), Vec3::Z), 2.5);
        close(subject.nearest(Vec3::ONE, Vec3::X), -1.0);
    }

    #[test]
    fn angles_point_where_they_say() {
        let right_angle = std::f32::consts::FRAC_PI_2;
        for (yaw, pitch, direction) in [
            (0.0, 0.0, Vec3::Z),
            (right_angle, 0.0, Vec3::X),
            (0.3, right_angle, Vec3::Y),
            (2.0 * right_angle, -0.5 * right_angle, Vec3::new(0.0, -1.0, -1.0).normalize()),
        ] {
            assert!(toward_eye(yaw, pitch).abs_diff_eq(direction, 1e-6), "{yaw} {pitch}");
        }
    }
}
