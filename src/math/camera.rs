//! View and projection matrices, with errors that name the argument at fault.

use super::{Mat4, NormalizeError, TryNormalize, Vec3, Vec4};

/// Why [`look_at`] has no basis to build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum LookAtError {
    /// The eye has a component that is not finite, or so large that the view's offset is not.
    #[error("camera eye: {0}; give finite coordinates, at most 1e38 in size")]
    Eye(NormalizeError),
    /// The target equals the eye (zero length) or is not finite.
    #[error("camera target, seen from the eye: {0}; give a finite target apart from the eye")]
    Target(NormalizeError),
    /// The up direction is zero or parallel to the line of sight (zero length), or not finite.
    #[error(
        "camera up direction, across the line of sight: {0}; give an up that is not parallel to the view"
    )]
    Up(NormalizeError),
}

impl LookAtError {
    /// The reason without the argument's name.
    #[must_use]
    pub fn reason(self) -> NormalizeError {
        match self {
            Self::Eye(reason) | Self::Target(reason) | Self::Up(reason) => reason,
        }
    }
}

/// Right-handed view matrix that looks from `eye` to `target`, down its own -Z, with `up` upwards.
///
/// Rows are right, camera up and -forward. `up` need not be a unit vector, nor perpendicular to the view.
///
/// # Errors
/// [`LookAtError`] names the argument. There is no tolerance: a nearly parallel `up` gives a noisy basis, not an error.
/// A matrix that is returned is finite.
pub fn look_at(eye: Vec3, target: Vec3, up: Vec3) -> Result<Mat4, LookAtError> {
    let mut direction = target - eye;
    if !direction.is_finite() {
        // Halves cannot overflow for finite input; elsewhere they would lose the last bit of a subnormal difference.
        direction = target * 0.5 - eye * 0.5;
    }
    look_to(eye, direction, up)
}

/// [`look_at`] along a direction of any length instead of towards a point, which far from the origin keeps the precision
/// that `target - eye` would lose.
///
/// # Errors
/// As [`look_at`]; a direction without a length is [`LookAtError::Target`].
pub fn look_to(eye: Vec3, direction: Vec3, up: Vec3) -> Result<Mat4, LookAtError> {
    if !eye.is_finite() {
        return Err(LookAtError::Eye(NormalizeError::NonFinite));
    }
    let forward = direction.try_normalized().map_err(LookAtError::Target)?;
    // The unit up keeps the cross product from overflowing.
    let right = forward
        .cross(up.try_normalized().map_err(LookAtError::Up)?)
        .try_normalized()
        .map_err(LookAtError::Up)?;
    let camera_up = right.cross(forward);
    let view = Mat4::from_cols(
        right.extend(-right.dot(eye)),
        camera_up.extend(-camera_up.dot(eye)),
        (-forward).extend(forward.dot(eye)),
        Vec4::W,
    )
    .transpose();
    if view.is_finite() { Ok(view) } else { Err(LookAtError::Eye(NormalizeError::NonFinite)) }
}

/// Which argument of a projection is out of its range.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProjectionError {
    /// Not finite, outside 0 to pi (both excluded), or so small that its focal length overflows.
    #[error("vertical field of view is {0} rad; it must lie between 0 and pi, both excluded")]
    FieldOfView(f32),
    /// Not finite, not above zero, or so small that the matrix overflows.
    #[error("aspect ratio is {0}; it must be finite and above 0")]
    Aspect(f32),
    /// Not finite, or (for a perspective) not above zero, or negative (for an orthographic projection).
    #[error("near plane distance is {0}; it must be finite, and above 0 for a perspective")]
    Near(f32),
    /// Not finite, not beyond the near plane, or so close behind it that the matrix overflows.
    #[error("far plane distance is {far}; it must be finite and beyond the near plane at {near}")]
    Far {
        /// The near distance that it was compared with.
        near: f32,
        /// The distance at fault.
        far: f32,
    },
    /// Horizontal magnification is zero, not finite, or so small that its inverse overflows.
    #[error("xmag is {0}; it must be finite and not 0")]
    XMag(f32),
    /// Vertical magnification is zero, not finite, or so small that its inverse overflows.
    #[error("ymag is {0}; it must be finite and not 0")]
    YMag(f32),
}

/// The arguments that both perspectives share, checked; returns `1 / tan(fov_y / 2)`.
fn focal_length(fov_y: f32, aspect: f32, near: f32) -> Result<f32, ProjectionError> {
    if !(fov_y > 0.0 && fov_y < std::f32::consts::PI) {
        return Err(ProjectionError::FieldOfView(fov_y));
    }
    let focal = 1.0 / (fov_y * 0.5).tan();
    if !focal.is_finite() {
        return Err(ProjectionError::FieldOfView(fov_y));
    }
    if !(aspect.is_finite() && aspect > 0.0 && (focal / aspect).is_finite()) {
        return Err(ProjectionError::Aspect(aspect));
    }
    if !(near.is_finite() && near > 0.0) {
        return Err(ProjectionError::Near(near));
    }
    Ok(focal)
}

fn perspective_matrix(focal: f32, aspect: f32, m22: f32, m23: f32) -> Mat4 {
    Mat4::from_cols(
        Vec4::new(focal / aspect, 0.0, 0.0, 0.0),
        Vec4::new(0.0, focal, 0.0, 0.0),
        Vec4::new(0.0, 0.0, m22, -1.0),
        Vec4::new(0.0, 0.0, m23, 0.0),
    )
}

/// Right-handed perspective: the near plane maps to depth 0, the far plane to 1, +Y stays up.
///
/// `fov_y` is the vertical field of view in radians, `aspect` width over height, `near` and `far` positive distances.
///
/// # Errors
/// [`ProjectionError`] names the first argument out of range, in the order of the parameters.
pub fn perspective(fov_y: f32, aspect: f32, near: f32, far: f32) -> Result<Mat4, ProjectionError> {
    let focal = focal_length(fov_y, aspect, near)?;
    if !(far.is_finite() && far > near) {
        return Err(ProjectionError::Far { near, far });
    }
    // In f64 no finite far plane overflows the product, nor does the difference round to zero.
    let (n, f) = (f64::from(near), f64::from(far));
    let m22 = (f / (n - f)) as f32;
    let m23 = (f * n / (n - f)) as f32;
    if !(m22.is_finite() && m23.is_finite()) {
        return Err(ProjectionError::Far { near, far });
    }
    Ok(perspective_matrix(focal, aspect, m22, m23))
}

/// [`perspective`] with the far plane at infinity, which then maps to depth 1 (glTF 2.0, section 3.10.3.1).
///
/// # Errors
/// As [`perspective`], without a far plane.
pub fn perspective_infinite(fov_y: f32, aspect: f32, near: f32) -> Result<Mat4, ProjectionError> {
    let focal = focal_length(fov_y, aspect, near)?;
    Ok(perspective_matrix(focal, aspect, -1.0, -near))
}

/// Right-handed parallel projection: x from `-xmag` to `xmag`, y from `-ymag` to `ymag`, depth 0 at `near`, 1 at `far`.
///
/// # Errors
/// [`ProjectionError`] names the first argument out of range, in the order of the parameters. `near` may be 0.
pub fn orthographic(xmag: f32, ymag: f32, near: f32, far: f32) -> Result<Mat4, ProjectionError> {
    // The inverse of 0 is infinite, and so is that of the smallest subnormals.
    if !(xmag.is_finite() && (1.0 / xmag).is_finite()) {
        return Err(ProjectionError::XMag(xmag));
    }
    if !(ymag.is_finite() && (1.0 / ymag).is_finite()) {
        return Err(ProjectionError::YMag(ymag));
    }
    if !(near.is_finite() && near >= 0.0) {
        return Err(ProjectionError::Near(near));
    }
    if !(far.is_finite() && far > near) {
        return Err(ProjectionError::Far { near, far });
    }
    let depth = f64::from(near) - f64::from(far);
    let (m22, m23) = ((1.0 / depth) as f32, (f64::from(near) / depth) as f32);
    if !(m22.is_finite() && m23.is_finite()) {
        return Err(ProjectionError::Far { near, far });
    }
    Ok(Mat4::from_cols(
        Vec4::new(1.0 / xmag, 0.0, 0.0, 0.0),
        Vec4::new(0.0, 1.0 / ymag, 0.0, 0.0),
        Vec4::new(0.0, 0.0, m22, 0.0),
        Vec4::new(0.0, 0.0, m23, 1.0),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::{FRAC_PI_2, PI};

    fn project(matrix: Mat4, point: Vec3) -> Vec3 {
        let clip = matrix * point.extend(1.0);
        clip.truncate() / clip.w
    }

    #[test]
    fn camera_conventions() {
        let matrix = perspective(FRAC_PI_2, 2.0, 1.0, 11.0).unwrap();
        assert!(project(matrix, Vec3::new(0.0, 0.0, -1.0)).z.abs() < 1e-5);
        assert!((project(matrix, Vec3::new(0.0, 0.0, -11.0)).z - 1.0).abs() < 1e-5);
        assert!((matrix.x_axis.x - matrix.y_axis.y / 2.0).abs() < 1e-6);
        // Our sign: +Y is up in clip space, the viewport flips.
        assert!((project(matrix, Vec3::new(0.0, 1.0, -1.0)).y - 1.0).abs() < 1e-5);
    }

    #[test]
    fn fixed_camera_of_the_original() {
        let matrix = perspective(60f32.to_radians(), 800.0 / 600.0, 0.1, 100.0).unwrap();
        for (ours, pinned) in [
            (matrix.x_axis.x, 1.299_038),
            (matrix.y_axis.y, 1.732_050_8),
            (matrix.z_axis.z, -1.001_001),
            (matrix.w_axis.z, -0.100_100_1),
        ] {
            assert!((ours - pinned).abs() < 1e-6, "{ours} {pinned}");
        }
    }

    #[test]
    fn look_at_puts_the_origin_exactly_in_front() {
        let view = look_at(Vec3::new(0.0, 0.0, 5.0), Vec3::ZERO, Vec3::Y).unwrap();
        assert_eq!(view * Vec4::W, Vec4::new(0.0, 0.0, -5.0, 1.0));
    }

    #[test]
    fn look_at_names_the_argument_at_fault() {
        let nan = Vec3::new(0.0, f32::NAN, 0.0);
        let zero = look_at(Vec3::ZERO, Vec3::ZERO, Vec3::Y).unwrap_err();
        assert_eq!(zero, LookAtError::Target(NormalizeError::ZeroLength));
        assert_eq!(zero.reason(), NormalizeError::ZeroLength);
        assert_eq!(look_at(Vec3::Z, Vec3::ZERO, Vec3::Z), Err(LookAtError::Up(NormalizeError::ZeroLength)));
        assert_eq!(look_at(nan, Vec3::ZERO, Vec3::Y), Err(LookAtError::Eye(NormalizeError::NonFinite)));
        assert_eq!(look_at(Vec3::Z, nan, Vec3::Y), Err(LookAtError::Target(NormalizeError::NonFinite)));
        assert_eq!(look_at(Vec3::Z, Vec3::ZERO, nan), Err(LookAtError::Up(NormalizeError::NonFinite)));
        assert!(zero.to_string().contains("target"));
    }

    #[test]
    fn look_at_never_returns_a_matrix_that_is_not_finite() {
        let far = Vec3::splat(1e38);
        assert!(look_at(far, -far * 3.0, Vec3::Y * f32::MAX).unwrap().is_finite());
        let eye = Vec3::splat(f32::MAX);
        assert_eq!(look_at(eye, -eye, Vec3::Y), Err(LookAtError::Eye(NormalizeError::NonFinite)));
    }

    #[test]
    fn look_at_sees_the_smallest_difference() {
        let step = Vec3::new(0.0, 0.0, -f32::from_bits(1));
        assert_eq!(look_at(Vec3::ZERO, step, Vec3::Y), Ok(Mat4::IDENTITY));
    }

    #[test]
    fn projections_never_overflow() {
        use ProjectionError::{Aspect, Far, FieldOfView, XMag, YMag};
        let tiny = f32::from_bits(1);
        assert_eq!(perspective(tiny, 1.0, 1.0, 2.0), Err(FieldOfView(tiny)));
        assert_eq!(perspective(1.0, tiny, 1.0, 2.0), Err(Aspect(tiny)));
        let (near, far) = (f32::MAX.next_down(), f32::MAX);
        assert_eq!(perspective(1.0, 1.0, near, far), Err(Far { near, far }));
        assert_eq!(orthographic(tiny, 1.0, 0.0, 1.0), Err(XMag(tiny)));
        assert_eq!(orthographic(1.0, tiny, 0.0, 1.0), Err(YMag(tiny)));
        assert_eq!(orthographic(1.0, 1.0, 0.0, tiny), Err(Far { near: 0.0, far: tiny }));
    }

    #[test]
    fn perspective_names_the_argument_at_fault() {
        use ProjectionError::{Aspect, Far, FieldOfView, Near};
        let check = |fov, aspect, near, far| perspective(fov, aspect, near, far).unwrap_err();
        assert_eq!(check(0.0, 1.0, 1.0, 2.0), FieldOfView(0.0));
        assert_eq!(check(PI, 1.0, 1.0, 2.0), FieldOfView(PI));
        assert!(matches!(check(f32::NAN, 1.0, 1.0, 2.0), FieldOfView(v) if v.is_nan()));
        assert_eq!(check(1.0, f32::INFINITY, 1.0, 2.0), Aspect(f32::INFINITY));
        assert_eq!(check(1.0, 0.0, 1.0, 2.0), Aspect(0.0));
        assert_eq!(check(1.0, 1.0, 0.0, 2.0), Near(0.0));
        assert_eq!(check(1.0, 1.0, 2.0, 2.0), Far { near: 2.0, far: 2.0 });
        assert!(matches!(check(1.0, 1.0, 2.0, f32::INFINITY), Far { .. }));
    }

    #[test]
    fn a_huge_far_plane_stays_finite() {
        let matrix = perspective(1.0, 1.0, 1e3, f32::MAX).unwrap();
        assert!(matrix.is_finite());
        assert_eq!(matrix, perspective_infinite(1.0, 1.0, 1e3).unwrap());
    }

    #[test]
    fn orthographic_maps_its_box_to_the_clip_volume() {
        let matrix = orthographic(2.0, 3.0, 0.0, 10.0).unwrap();
        assert_eq!(project(matrix, Vec3::new(2.0, -3.0, 0.0)), Vec3::new(1.0, -1.0, 0.0));
        assert_eq!(project(matrix, Vec3::new(0.0, 0.0, -10.0)), Vec3::new(0.0, 0.0, 1.0));
        assert_eq!(orthographic(0.0, 1.0, 0.0, 1.0), Err(ProjectionError::XMag(0.0)));
        assert_eq!(orthographic(1.0, 0.0, 0.0, 1.0), Err(ProjectionError::YMag(0.0)));
        assert_eq!(orthographic(1.0, 1.0, -1.0, 1.0), Err(ProjectionError::Near(-1.0)));
        assert!(matches!(orthographic(1.0, 1.0, 1.0, 1.0), Err(ProjectionError::Far { .. })));
    }
}
