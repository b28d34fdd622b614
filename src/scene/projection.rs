//! How a view becomes a picture.

use crate::animation::CameraProperty;
use crate::math::{Mat4, ProjectionError, orthographic, perspective, perspective_infinite};

/// How a camera maps its view to the picture (glTF 2.0, section 3.10).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection {
    /// Lines meet at the eye.
    Perspective {
        /// Vertical field of view in radians, between 0 and pi.
        fov_y: f32,
        /// Width over height; `None` takes the target's when drawing.
        aspect: Option<f32>,
        /// Distance of the near plane, above 0.
        near: f32,
        /// Distance of the far plane; `None` is infinite.
        far: Option<f32>,
    },
    /// Lines stay parallel.
    Orthographic {
        /// Half the width of the view, not 0.
        xmag: f32,
        /// Half the height of the view, not 0.
        ymag: f32,
        /// Distance of the near plane, at least 0.
        near: f32,
        /// Distance of the far plane, beyond near.
        far: f32,
    },
}

impl Projection {
    /// The projection matrix; `target_aspect` (width over height) is used where the projection leaves it open.
    ///
    /// # Errors
    /// [`ProjectionError`] names the argument out of range.
    pub fn matrix(&self, target_aspect: f32) -> Result<Mat4, ProjectionError> {
        match *self {
            Self::Perspective { fov_y, aspect, near, far } => {
                let aspect = aspect.unwrap_or(target_aspect);
                match far {
                    Some(far) => perspective(fov_y, aspect, near, far),
                    None => perspective_infinite(fov_y, aspect, near),
                }
            }
            Self::Orthographic { xmag, ymag, near, far } => orthographic(xmag, ymag, near, far),
        }
    }

    /// This view in a picture of another shape (width over height), without stretching: it grows to the sides, or up and
    /// down, so that everything that is seen through this projection stays in the picture. glTF leaves to the viewer what
    /// becomes of a camera whose shape is not the picture's. With the aspect left open nothing changes.
    ///
    /// What has a [`matrix`](Self::matrix) still has one, in a picture of any shape: a view that would have to grow to half
    /// a turn, or beyond all numbers, stops short of it. What has none stays as it is, and so it does for a
    /// `target_aspect` that is not finite and above 0.
    #[must_use]
    pub fn fitted(&self, target_aspect: f32) -> Self {
        let is_shape = target_aspect.is_finite() && target_aspect > 0.0;
        if !is_shape || self.matrix(1.0).is_err() {
            return *self;
        }
        // No product or quotient of f32 leaves the range of f64, nor becomes 0 there.
        let target = f64::from(target_aspect);
        let mut fitted = *self;
        match &mut fitted {
            Self::Perspective { fov_y, aspect: Some(aspect), .. } => {
                if *aspect > target_aspect {
                    *fov_y = widened(*fov_y, f64::from(*aspect) / target, target_aspect);
                }
                *aspect = target_aspect;
            }
            Self::Perspective { aspect: None, .. } => {}
            Self::Orthographic { xmag, ymag, .. } => {
                let (x, y) = (f64::from(xmag.abs()), f64::from(ymag.abs()));
                if x < y * target {
                    *xmag = ((y * target) as f32).min(f32::MAX).copysign(*xmag);
                } else {
                    *ymag = ((x / target) as f32).min(f32::MAX).copysign(*ymag);
                }
            }
        }
        fitted
    }

    /// A number that a clip can drive, if the projection has it.
    pub(crate) fn number(&self, property: CameraProperty) -> Option<f32> {
        let mut copy = *self;
        copy.number_mut(property).copied()
    }

    /// Sets such a number; nothing happens where the projection lacks it.
    pub(super) fn set_number(&mut self, property: CameraProperty, number: f32) {
        if let Some(place) = self.number_mut(property) {
            *place = number;
        }
    }

    fn number_mut(&mut self, property: CameraProperty) -> Option<&mut f32> {
        match (self, property) {
            (Self::Perspective { fov_y, .. }, CameraProperty::FovY) => Some(fov_y),
            (Self::Perspective { aspect, .. }, CameraProperty::Aspect) => aspect.as_mut(),
            (Self::Perspective { far, .. }, CameraProperty::Far) => far.as_mut(),
            (Self::Orthographic { far, .. }, CameraProperty::Far) => Some(far),
            (Self::Perspective { near, .. } | Self::Orthographic { near, .. }, CameraProperty::Near) => {
                Some(near)
            }
            (Self::Orthographic { xmag, .. }, CameraProperty::XMag) => Some(xmag),
            (Self::Orthographic { ymag, .. }, CameraProperty::YMag) => Some(ymag),
            _ => None,
        }
    }

    /// What an animated projection is seen as: itself if it gives a picture, else with each number held where it does, and
    /// `rest` where that is not enough.
    ///
    /// Files may drive a field of view through 0 or a far plane through the near one, and a frame must not fail for it.
    pub(super) fn mended(&self, rest: Self) -> Self {
        let gives_picture = |projection: &Self| projection.matrix(1.0).is_ok();
        if gives_picture(self) {
            return *self;
        }
        let away_from_zero = |mag: f32| {
            if mag.abs() >= LEAST {
                mag
            } else if mag.is_sign_negative() {
                -LEAST
            } else {
                LEAST
            }
        };
        let beyond = |near: f32, far: f32| far.max(near * (1.0 + LEAST) + LEAST);
        let held = match *self {
            Self::Perspective { fov_y, aspect, near, far } => {
                let near = near.max(LEAST);
                Self::Perspective {
                    fov_y: fov_y.clamp(LEAST, std::f32::consts::PI - LEAST),
                    aspect: aspect.map(|aspect| aspect.max(LEAST)),
                    near,
                    far: far.map(|far| beyond(near, far)),
                }
            }
            Self::Orthographic { xmag, ymag, near, far } => {
                let near = near.max(0.0);
                Self::Orthographic {
                    xmag: away_from_zero(xmag),
                    ymag: away_from_zero(ymag),
                    near,
                    far: beyond(near, far),
                }
            }
        };
        if gives_picture(&held) { held } else { rest }
    }
}

/// A field of view of which the tangent of the half is `times` as large, below pi.
fn widened(fov_y: f32, times: f64, aspect: f32) -> f32 {
    let most = std::f32::consts::PI.next_down();
    let exact = 2.0 * ((f64::from(fov_y) * 0.5).tan() * times).atan();
    let mut wide = (exact as f32).min(most);
    // Rounding down may leave a focal length that, over a tiny aspect, just overflows.
    while wide < most && perspective_infinite(wide, aspect, 1.0).is_err() {
        wide = wide.next_up();
    }
    wide
}

/// How near to 0, or to pi, a number is held that must not reach it, and how far beyond the near plane the far one.
const LEAST: f32 = 1e-4;

#[cfg(test)]
mod tests {
    use super::*;

    const REST: Projection =
        Projection::Perspective { fov_y: 1.0, aspect: Some(1.5), near: 0.1, far: Some(100.0) };
    const FLAT: Projection = Projection::Orthographic { xmag: 1.0, ymag: 2.0, near: 0.0, far: 10.0 };
    const ALL: [CameraProperty; 6] = [
        CameraProperty::FovY,
        CameraProperty::Aspect,
        CameraProperty::Near,
        CameraProperty::Far,
        CameraProperty::XMag,
        CameraProperty::YMag,
    ];

    #[test]
    fn what_was_seen_stays_in_a_picture_of_another_shape() {
        // Corners of what the camera sees, in its own shape; in the picture they are inside, two edges touching.
        for aspect in [0.25, 1.0, 1.5, 4.0] {
            for (camera, own) in [(REST, 1.5), (FLAT, 0.5)] {
                let (before, after) =
                    (camera.matrix(1.0).unwrap(), camera.fitted(aspect).matrix(aspect).unwrap());
                let corner = before.inverse().project_point3(crate::math::Vec3::new(1.0, 1.0, 0.5));
                let seen = after.project_point3(corner);
                let (x, y) = if aspect > own { (own / aspect, 1.0) } else { (1.0, aspect / own) };
                assert!((seen.x - x).abs() < 1e-4 && (seen.y - y).abs() < 1e-4, "{camera:?} {aspect} {seen}");
            }
        }
        let open = Projection::Perspective { fov_y: 1.0, aspect: None, near: 0.1, far: None };
        assert_eq!(open.fitted(3.0), open);
        assert_eq!(REST.fitted(1.5), REST);
    }

    #[test]
    fn fitted_views_stop_short_of_half_a_turn_and_of_the_end_of_numbers() {
        let wide = Projection::Perspective { fov_y: 1.0, aspect: Some(1e9), near: 0.1, far: None };
        let most = std::f32::consts::PI.next_down();
        assert_eq!(wide.fitted(1.0).number(CameraProperty::FovY), Some(most));
        let large = |x, y| Projection::Orthographic { xmag: x, ymag: y, near: 0.0, far: 10.0 };
        assert_eq!(large(-3e38, 3e38).fitted(4.0), large(f32::MIN, 3e38));
        assert_eq!(large(3e38, -3e38).fitted(0.25), large(3e38, f32::MIN));
        // The product, or the quotient, of f32 alone would be 0.
        assert_eq!(large(1e-38, 1e-38).fitted(1e-10), large(1e-38, 1e-38 / 1e-10));
    }

    #[test]
    fn fitted_changes_nothing_without_a_shape_or_a_picture() {
        for aspect in [0.0, -0.0, -1.0, f32::INFINITY, f32::NAN] {
            for camera in [REST, FLAT] {
                assert_eq!(camera.fitted(aspect), camera, "{aspect}");
            }
        }
        let endless =
            Projection::Perspective { fov_y: 1.0, aspect: Some(f32::INFINITY), near: 0.1, far: None };
        assert_eq!(endless.fitted(1.0), endless);
    }

    #[test]
    fn whatever_has_a_matrix_has_one_when_fitted() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let (mut perspectives, mut flat) = (0, 0);
        for _ in 0..400_000 {
            // Random bits: as many numbers of each size as of any other.
            let mut number = || f32::from_bits((random() >> 33) as u32);
            let [a, b, aspect, near] = [number(), number(), number(), number()];
            let small = random() % 2 == 0;
            let fov_y =
                if small { a } else { std::f32::consts::PI * (random() >> 40) as f32 / (1 << 24) as f32 };
            // Often where the focal length over the aspect just is finite.
            let focal = 1.0 / (fov_y * 0.5).tan();
            let own = if random() % 2 == 0 { b } else { (focal / f32::MAX).next_up() };
            let camera = if random() % 2 == 0 {
                Projection::Perspective { fov_y, aspect: Some(own), near, far: None }
            } else {
                let sign = if random() % 2 == 0 { 1.0 } else { -1.0 };
                Projection::Orthographic { xmag: a * sign, ymag: -b * sign, near: 0.0, far: 1.0 }
            };
            if camera.matrix(aspect).is_err() || !(aspect.is_finite() && aspect > 0.0) {
                continue;
            }
            let fitted = camera.fitted(aspect);
            assert!(fitted.matrix(aspect).is_ok(), "{camera:?} {aspect:e} {fitted:?}");
            match camera {
                Projection::Perspective { .. } => perspectives += 1,
                Projection::Orthographic { .. } => flat += 1,
            }
        }
        assert!(perspectives > 10_000 && flat > 10_000, "{perspectives} {flat}");
    }

    #[test]
    fn numbers_are_those_of_the_kind_and_of_what_is_not_left_open() {
        let open = Projection::Perspective { fov_y: 1.0, aspect: None, near: 0.1, far: None };
        let numbers = |projection: Projection| ALL.map(|property| projection.number(property));
        assert_eq!(numbers(REST), [Some(1.0), Some(1.5), Some(0.1), Some(100.0), None, None]);
        assert_eq!(numbers(open), [Some(1.0), None, Some(0.1), None, None, None]);
        assert_eq!(numbers(FLAT), [None, None, Some(0.0), Some(10.0), Some(1.0), Some(2.0)]);
        for before in [REST, open, FLAT] {
            for property in ALL {
                let mut after = before;
                after.set_number(property, 3.0);
                assert_eq!(after.number(property), before.number(property).map(|_| 3.0));
                assert_eq!(after == before, before.number(property).is_none());
            }
        }
    }

    #[test]
    fn whatever_the_numbers_a_picture_comes_of_them_and_sane_ones_are_left_alone() {
        let numbers = [f32::MIN, -1.0, -0.0, 0.0, 1e-45, 1e-30, 0.5, 3.1, 3.2, 1e30, f32::MAX];
        for rest in [REST, FLAT] {
            for first in ALL {
                for second in ALL {
                    for a in numbers {
                        for b in numbers {
                            let mut posed = rest;
                            posed.set_number(first, a);
                            posed.set_number(second, b);
                            let seen = posed.mended(rest);
                            assert!(seen.matrix(1.0).is_ok(), "{posed:?} {seen:?}");
                            assert!(posed.matrix(1.0).is_err() || seen == posed, "{posed:?} {seen:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_number_out_of_its_range_is_held_at_the_end_and_the_others_stay() {
        let seen = |rest: Projection, property, number| {
            let mut posed = rest;
            posed.set_number(property, number);
            (posed.mended(rest).number(property), posed.mended(rest))
        };
        let (fov_y, others) = seen(REST, CameraProperty::FovY, -2.0);
        assert_eq!((fov_y, others.number(CameraProperty::Far)), (Some(LEAST), Some(100.0)));
        assert_eq!(seen(REST, CameraProperty::FovY, 4.0).0, Some(std::f32::consts::PI - LEAST));
        assert_eq!(seen(REST, CameraProperty::Near, 0.0).0, Some(LEAST));
        let far = seen(REST, CameraProperty::Far, 0.05).0.unwrap();
        assert!(far > 0.1 && far < 0.101, "{far}");
        assert_eq!(seen(FLAT, CameraProperty::XMag, 0.0).0, Some(LEAST));
        assert_eq!(seen(FLAT, CameraProperty::XMag, -0.0).0, Some(-LEAST));
        assert_eq!(seen(FLAT, CameraProperty::Near, -1.0).0, Some(0.0));
    }
}
