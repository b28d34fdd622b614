//! Boxes along the axes.

use super::columns::Columns;
use super::{Affine3x4, Vec3};

/// A box along the axes, its faces included. One point is a box too; that there is no box at all is `None` of an
/// `Option<Bounds>`, never a box inside out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Smallest coordinates.
    pub min: Vec3,
    /// Largest coordinates, none below those of `min`.
    pub max: Vec3,
}

impl Bounds {
    /// All of space: what is known of content whose coordinates overflow.
    pub const EVERYWHERE: Self = Self { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };

    /// The least box around some points; [`EVERYWHERE`](Self::EVERYWHERE) if a coordinate is infinite or NaN, and `None`
    /// without points.
    #[must_use]
    pub fn of_points(points: impl IntoIterator<Item = Vec3>) -> Option<Self> {
        let (mut low, mut high, mut sound) = (Vec3::INFINITY, Vec3::NEG_INFINITY, true);
        for point in points {
            // Without a branch, and NaN never gets in.
            sound &= point.is_finite();
            (low, high) = (point.min(low), point.max(high));
        }
        match (sound, low.x <= high.x) {
            (false, _) => Some(Self::EVERYWHERE),
            (true, true) => Some(Self { min: low, max: high }),
            (true, false) => None,
        }
    }

    /// The middle. Halves are added, because sums could overflow.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        self.min * 0.5 + self.max * 0.5
    }

    /// The sides' lengths; infinite where they overflow.
    #[must_use]
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    /// The least box around both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Whether `other` lies inside; it may touch the faces.
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && self.max.cmpge(other.max).all()
    }

    /// Whether `point` lies inside or on a face.
    #[must_use]
    pub fn contains_point(&self, point: Vec3) -> bool {
        self.contains(&Self { min: point, max: point })
    }

    /// Whether no face is infinitely far away.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.min.is_finite() && self.max.is_finite()
    }

    /// The least box around this one after `transform`, or [`EVERYWHERE`](Self::EVERYWHERE) if it is not finite or numbers overflow.
    ///
    /// It holds [`transform_point`](Affine3x4::transform_point) of every point inside, to the last bit: each coordinate is
    /// a sum of products in the same order, and rounding never turns a larger one into a smaller.
    #[must_use]
    pub fn transformed(&self, transform: &Affine3x4) -> Self {
        if !self.is_finite() {
            return Self::EVERYWHERE;
        }
        let [min, max] = Columns::from(transform).range(self.min, self.max);
        Self { min: min.into(), max: max.into() }.or_everywhere()
    }

    /// Itself if it is finite, else everything, which is also what becomes of NaN.
    pub(crate) fn or_everywhere(self) -> Self {
        if self.is_finite() { self } else { Self::EVERYWHERE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Quat, Transform};

    fn bounds(min: [f32; 3], max: [f32; 3]) -> Bounds {
        Bounds { min: Vec3::from_array(min), max: Vec3::from_array(max) }
    }

    #[test]
    fn of_points_middle_and_size() {
        let found = Bounds::of_points([Vec3::new(1.0, 5.0, -2.0), Vec3::new(3.0, 1.0, -2.0)]).unwrap();
        assert_eq!(found, bounds([1.0, 1.0, -2.0], [3.0, 5.0, -2.0]));
        assert_eq!((found.center(), found.size()), (Vec3::new(2.0, 3.0, -2.0), Vec3::new(2.0, 4.0, 0.0)));
        assert_eq!(Bounds::of_points([]), None);
        let one = Bounds::of_points([Vec3::Y]).unwrap();
        assert_eq!((one.center(), one.size()), (Vec3::Y, Vec3::ZERO));
    }

    #[test]
    fn a_point_that_is_not_finite_makes_it_everything_wherever_it_stands() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for place in 0..3 {
                let mut points = [Vec3::ZERO, Vec3::ONE, Vec3::NEG_ONE];
                points[place].y = bad;
                assert_eq!(Bounds::of_points(points), Some(Bounds::EVERYWHERE), "{points:?}");
            }
            assert_eq!(Bounds::of_points([Vec3::splat(bad)]), Some(Bounds::EVERYWHERE));
        }
        assert!(!Bounds::EVERYWHERE.is_finite());
        assert!(Bounds::EVERYWHERE.contains(&bounds([f32::MIN; 3], [f32::MAX; 3])));
    }

    #[test]
    fn the_largest_box_has_a_middle() {
        let largest = bounds([f32::MIN; 3], [f32::MAX; 3]);
        assert!(largest.is_finite());
        assert_eq!((largest.center(), largest.size()), (Vec3::ZERO, Vec3::INFINITY));
    }

    #[test]
    fn union_and_containment() {
        let (a, b) = (bounds([0.0; 3], [1.0; 3]), bounds([-1.0, 0.5, 0.5], [0.5, 2.0, 0.75]));
        let both = a.union(&b);
        assert_eq!(both, bounds([-1.0, 0.0, 0.0], [1.0, 2.0, 1.0]));
        assert!(
            both.contains(&a) && both.contains(&b) && a.contains(&a) && !a.contains(&b) && !b.contains(&a)
        );
        assert!(a.contains_point(Vec3::ONE) && !a.contains_point(Vec3::new(0.5, 1.5, 0.5)));
    }

    #[test]
    fn a_turned_box_is_the_box_of_its_corners_and_mirrors_and_flat_ones_keep_their_sides_in_order() {
        let cube = bounds([-1.0; 3], [1.0; 3]);
        let eighth = Transform::from_rotation(Quat::from_rotation_z(std::f32::consts::FRAC_PI_4)).affine();
        let turned = cube.transformed(&eighth);
        let half = Vec3::new(2.0_f32.sqrt(), 2.0_f32.sqrt(), 1.0);
        assert!(turned.max.abs_diff_eq(half, 1e-6) && turned.min.abs_diff_eq(-half, 1e-6), "{turned:?}");
        let box_of = |x, y, z| {
            let transform =
                Transform { translation: Vec3::X, scale: Vec3::new(x, y, z), ..Transform::IDENTITY };
            bounds([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]).transformed(&transform.affine())
        };
        assert_eq!(box_of(1.0, 1.0, 1.0), bounds([2.0, 2.0, 3.0], [3.0, 4.0, 6.0]));
        assert_eq!(box_of(-1.0, 1.0, 0.0), bounds([-1.0, 2.0, 0.0], [0.0, 4.0, 0.0]));
    }

    #[test]
    fn a_transformed_box_that_overflows_is_everything_and_never_nan() {
        let huge = bounds([-3e38; 3], [3e38; 3]);
        for scale in [Vec3::splat(2.0), Vec3::new(2.0, 0.0, -2.0)] {
            let transformed = huge.transformed(&Transform::from_scale(scale).affine());
            assert_eq!(transformed, Bounds::EVERYWHERE);
        }
        assert_eq!(Bounds::EVERYWHERE.transformed(&Affine3x4::IDENTITY), Bounds::EVERYWHERE);
    }
}
