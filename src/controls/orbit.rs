//! A camera that goes around what it looks at.

use super::subject::{Subject, toward_eye};
use crate::math::{Bounds, LookAtError, NormalizeError, Vec2, Vec3, look_to};
use crate::scene::{Camera, Projection};
use std::f32::consts::FRAC_PI_2;

/// How far up and down a camera looks: a tenth of a pixel short of the poles, where a yaw would lose its meaning to whoever builds
/// a view from [`OrbitCamera::eye`] and +Y.
const STEEPEST: f32 = FRAC_PI_2 - 1e-4;

/// What is farther away has no view matrix.
pub(super) const FARTHEST: f32 = 1e38;

/// The near plane of an eye within the subject, in radii. In depth of 24 bits, two surfaces at the far end of what is drawn
/// are told apart where they are a pixel apart, at 1000 pixels of height.
const NEAREST: f32 = 2e-4;

/// How much of the way from the eye to the subject lies before the near plane; the rest is for what an animation brings
/// toward the eye.
const BEFORE_NEAR: f32 = 0.1;

/// How many radii from the subject's middle the planes of a parallel projection lie, whose depth is even: the same holds of
/// surfaces a hundred-thousandth of a radius apart.
const PARALLEL_DEPTH: f32 = 100.0;

/// A camera that looks at a target from a distance, by two angles: what a pointer, a wheel and keys move.
///
/// The angles leave no roll: +Y is upward in the picture, or as near to it as the pitch allows. All lengths are in the
/// scene's units.
///
/// The public numbers may be set too. What comes of them is held in its range where it is used, or is an error of
/// [`camera`](Self::camera), never a panic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OrbitCamera {
    /// What is in the middle of the picture, and what the camera orbits.
    pub target: Vec3,
    /// Radians about +Y; 0 looks from +Z, positive from +X. From -pi to pi after every move.
    pub yaw: f32,
    /// Radians above the horizon, held 0.0001 short of the poles.
    pub pitch: f32,
    /// From eye to target, above 0.
    pub distance: f32,
    /// Vertical field of view in radians, between 0 and pi. An orthographic view keeps it for the way back: it shows at
    /// every depth what this shows at the target's.
    pub fov_y: f32,
    /// What rounding took from the yaw, so that a million small turns add up.
    pub(super) yaw_rest: f32,
    pub(super) subject: Subject,
    pub(super) aspect: f32,
    pub(super) orthographic: bool,
}

impl OrbitCamera {
    /// Radians to the right of the front that a new camera has: 30 degrees.
    pub const YAW: f32 = 30.0_f32.to_radians();
    /// Radians above the horizon that a new camera has: 20 degrees.
    pub const PITCH: f32 = 20.0_f32.to_radians();
    /// The vertical field of view that a new camera has, in radians: 45 degrees.
    pub const FOV_Y: f32 = 45.0_f32.to_radians();

    /// A camera at the angles above that [frames](Self::frame) a box in pictures of that aspect (width over height).
    #[must_use]
    pub fn new(bounds: Option<Bounds>, aspect: f32) -> Self {
        let mut camera = Self {
            target: Vec3::ZERO,
            yaw: Self::YAW,
            pitch: Self::PITCH,
            distance: 1.0,
            fov_y: Self::FOV_Y,
            yaw_rest: 0.0,
            subject: Subject::new(None),
            aspect: 1.0,
            orthographic: false,
        };
        camera.frame(bounds, aspect);
        camera
    }

    /// Looks at the middle of a box, from the same angles, as near as all of the box is in view, with a twentieth of the
    /// distance to spare.
    ///
    /// Speeds, the limits of zooming and the near plane follow the size of the box. Nothing, and a box that is not finite,
    /// are seen as a box from -1 to 1; a point as one of that size around it. Of a box beyond 1e37 or so
    /// [`camera`](Self::camera) may be an error. An `aspect` (width over height) that is no positive number is taken to be what it was
    /// before.
    pub fn frame(&mut self, bounds: Option<Bounds>, aspect: f32) {
        self.set_bounds(bounds);
        self.set_aspect(aspect);
        let back = self.axes().back;
        let distance = match self.orthographic {
            false => self.subject.distance(back, self.fov_y, self.aspect),
            true => self.subject.half_height(back, self.aspect) / self.tangent(),
        };
        self.target = self.subject.center;
        // NaN becomes the limit too, which is an error when it is drawn with.
        self.distance = distance.min(f32::MAX);
    }

    /// Says what is drawn, while the camera stays as it is: after a file was loaded again, or when an animation carries
    /// things far away. Speeds, the limits of zooming and the near plane follow.
    ///
    /// [`frame`](Self::frame) says what becomes of bounds that are no box.
    pub fn set_bounds(&mut self, bounds: Option<Bounds>) {
        self.subject = Subject::new(bounds.filter(Bounds::is_finite));
    }

    /// The shape of the picture, width over height: an orthographic view needs it after the window was resized, while the
    /// projection of a perspective leaves it open. What is no positive number changes nothing.
    pub fn set_aspect(&mut self, aspect: f32) {
        if aspect.is_finite() && aspect > 0.0 {
            self.aspect = aspect;
        }
    }

    /// Whether lines stay parallel, as they do after an orthographic camera was [adopted](Self::adopt).
    #[must_use]
    pub fn is_orthographic(&self) -> bool {
        self.orthographic
    }

    /// Lets lines stay parallel or meet at the eye. What lies at the target's depth keeps its size in the picture.
    pub fn set_orthographic(&mut self, orthographic: bool) {
        self.orthographic = orthographic;
    }

    /// Where the camera is. An orthographic view has no such point; this is where the perspective would be seen from.
    #[must_use]
    pub fn eye(&self) -> Vec3 {
        self.target + self.axes().back * self.distance
    }

    /// What a frame is drawn with.
    ///
    /// Nothing of the bounds is cut off, unless it is nearer than 1/5000 of their radius (half the diagonal) to an eye
    /// within them, or a fifth of the distance where that is less. In front of a perspective view, nine tenths of the way
    /// to the bounds are left to what moves, and its far plane is infinite. A parallel one draws what is up to 100 radii
    /// before and behind the middle of the bounds; its `view` stands back for that, along the line of sight.
    ///
    /// # Errors
    /// [`LookAtError`] where the target or the angles are not finite, the distance is no positive number, or the eye has a
    /// coordinate beyond 1e38.
    pub fn camera(&self) -> Result<Camera, LookAtError> {
        if !(self.distance.is_finite() && self.target.is_finite()) {
            return Err(LookAtError::Target(NormalizeError::NonFinite));
        }
        if self.distance <= 0.0 {
            return Err(LookAtError::Target(NormalizeError::ZeroLength));
        }
        let Axes { up, back, .. } = self.axes();
        let (depth, projection) = match self.orthographic {
            false => {
                let least = (self.subject.radius * NEAREST).min(self.distance * 0.2);
                let near = (self.subject.nearest(self.eye(), back) * BEFORE_NEAR).max(least);
                (self.distance, Projection::Perspective { fov_y: self.fov_y, aspect: None, near, far: None })
            }
            true => {
                let reach = self.subject.radius * PARALLEL_DEPTH;
                let ymag = self.half_height();
                let far = (reach * 2.0).min(f32::MAX);
                let depth = back.dot(self.subject.center - self.target) + reach;
                (depth, Projection::Orthographic { xmag: ymag * self.aspect, ymag, near: 0.0, far })
            }
        };
        // From the target back, not from an eye that is rounded: what is in the middle stays there to the last bit.
        let mut view = look_to(self.target, -back, up)?;
        view.w_axis.z -= depth;
        // Of a negative depth no less: it is as far beyond the target.
        if !(depth.abs() <= FARTHEST && self.eye().abs().max_element() <= FARTHEST && view.is_finite()) {
            return Err(LookAtError::Eye(NormalizeError::NonFinite));
        }
        Ok(Camera { view, projection, shift: Vec2::ZERO })
    }

    /// Half the height of what is seen at the target's depth.
    pub(super) fn half_height(&self) -> f32 {
        self.distance * self.tangent()
    }

    pub(super) fn tangent(&self) -> f32 {
        (self.fov_y * 0.5).tan()
    }

    pub(super) fn axes(&self) -> Axes {
        let pitch = steep(self.pitch);
        let (sin, cos) = self.yaw.sin_cos();
        Axes {
            right: Vec3::new(cos, 0.0, -sin),
            up: Vec3::new(-sin * pitch.sin(), pitch.cos(), -cos * pitch.sin()),
            back: toward_eye(self.yaw, pitch),
        }
    }
}

/// The directions of a picture in the scene, unit vectors.
pub(super) struct Axes {
    pub(super) right: Vec3,
    pub(super) up: Vec3,
    /// Toward the eye.
    pub(super) back: Vec3,
}

/// A pitch held short of the poles.
pub(super) fn steep(pitch: f32) -> f32 {
    pitch.clamp(-STEEPEST, STEEPEST)
}
