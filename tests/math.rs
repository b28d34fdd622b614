//! The math room: conventions and the numbers that fireEngine 0.8 pinned, through the public API.

use fire_engine::math::{
    Affine3x4, LookAtError, Mat4, NormalizeError, ProjectionError, Quat, Transform, TryNormalize, Vec2, Vec3,
    Vec4, look_at, look_to, nlerp, perspective, slerp,
};
use std::f32::consts::{FRAC_1_SQRT_2, FRAC_PI_2, FRAC_PI_4};

const MARGIN: f32 = 1e-5;

fn close(a: f32, b: f32) -> bool {
    (a - b).abs() <= MARGIN
}

#[test]
fn default_matrix_and_default_transform_are_the_identity() {
    assert_eq!(Mat4::default(), Mat4::IDENTITY);
    assert_eq!(Affine3x4::default().to_mat4(), Mat4::IDENTITY);
    assert_eq!(Transform::default().matrix(), Mat4::IDENTITY);
    assert_eq!(Quat::default().to_array(), [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn vector_fields_keep_their_values_and_vec4_dot() {
    let v = Vec4::new(0.1, 0.2, 0.3, 0.4);
    assert_eq!((v.x, v.y, v.z, v.w), (0.1, 0.2, 0.3, 0.4));
    assert!(close(v.dot(Vec4::new(1.0, 2.0, 3.0, 4.0)), 3.0));
    assert_eq!(Vec3::new(1.0, 2.0, 3.0).to_array(), [1.0, 2.0, 3.0]);
    assert_eq!(Vec2::new(1.0, 2.0).to_array(), [1.0, 2.0]);
    assert_eq!(Vec3::X.cross(Vec3::Y), Vec3::Z, "right-handed");
}

#[test]
fn quaternion_normalizes_interpolates_on_the_short_arc_and_names_two_errors() {
    let q = Quat::from_xyzw;
    assert_eq!(q(0.0, 0.0, 0.0, 4.0).try_normalized(), Ok(Quat::IDENTITY));
    for mix in [nlerp, slerp] {
        let half = mix(Quat::IDENTITY, q(0.0, 0.0, 1.0, 0.0), 0.5).unwrap();
        assert!(close(half.length_squared(), 1.0));
        assert!(close(half.z, FRAC_1_SQRT_2) && close(half.w, FRAC_1_SQRT_2), "{half}");
        assert_eq!(mix(Quat::IDENTITY, q(0.0, 0.0, 0.0, -1.0), 0.5), Ok(Quat::IDENTITY));
    }
    assert_eq!(q(0.0, 0.0, 0.0, 0.0).try_normalized(), Err(NormalizeError::ZeroLength));
    assert_eq!(q(0.0, 0.0, 0.0, f32::NAN).try_normalized(), Err(NormalizeError::NonFinite));
}

#[test]
fn nlerp_and_slerp_are_not_clamped_and_meet_at_the_ends_and_the_middle() {
    let (from, to) = (Quat::from_rotation_y(0.2), Quat::from_rotation_y(1.7));
    for t in [0.0, 0.5, 1.0] {
        let (a, b) = (nlerp(from, to, t).unwrap(), slerp(from, to, t).unwrap());
        assert!(a.abs_diff_eq(b, 1e-6), "{t}: {a} {b}");
    }
    let beyond = slerp(from, to, 2.0).unwrap();
    assert!(beyond.abs_diff_eq(Quat::from_rotation_y(3.2), 1e-5), "{beyond}");
}

#[test]
fn tiny_and_huge_magnitudes_normalize() {
    assert_eq!(Vec3::new(1e-30, 0.0, 0.0).try_normalized(), Ok(Vec3::X));
    let huge = Vec3::splat(1e20).try_normalized().unwrap();
    assert!(close(huge.length_squared(), 1.0));
    assert_eq!(
        Quat::from_xyzw(1e-30, 0.0, 0.0, 0.0).try_normalized(),
        Ok(Quat::from_xyzw(1.0, 0.0, 0.0, 0.0))
    );
}

#[test]
fn storage_is_column_major() {
    let matrix = Mat4::from_translation(Vec3::new(2.0, 3.0, 4.0));
    assert_eq!(matrix.to_cols_array()[12..15], [2.0, 3.0, 4.0]);
    assert_eq!(matrix.row(3), Vec4::new(0.0, 0.0, 0.0, 1.0));
    assert_eq!(matrix.col(3), Vec4::new(2.0, 3.0, 4.0, 1.0));
    assert_eq!((size_of::<Mat4>(), size_of::<Affine3x4>()), (64, 48));
}

#[test]
fn translate_times_scale_applies_the_scale_first() {
    let v = Vec3::new(2.0, 3.0, 4.0);
    let expected = Vec4::new(4.0, 6.0, 8.0, 1.0);
    assert_eq!(Mat4::from_translation(v) * Mat4::from_scale(v) * Vec4::ONE, expected);
    let worlds = Transform::from_translation(v).affine() * Transform::from_scale(v).affine();
    assert_eq!(worlds.transform_point(Vec3::ONE).extend(1.0), expected);
}

#[test]
fn transform_composes_translation_rotation_scale() {
    let transform = Transform {
        translation: Vec3::new(2.0, 3.0, 0.0),
        rotation: Quat::from_xyzw(0.0, 0.0, FRAC_PI_4.sin(), FRAC_PI_4.cos()),
        scale: Vec3::new(2.0, 2.0, 1.0),
    };
    let moved = transform.matrix() * Vec4::new(1.0, 0.0, 0.0, 1.0);
    assert!(moved.abs_diff_eq(Vec4::new(2.0, 5.0, 0.0, 1.0), MARGIN), "{moved}");
}

#[test]
fn camera_conventions_perspective_depth_up_and_validation() {
    let matrix = perspective(FRAC_PI_2, 2.0, 1.0, 11.0).unwrap();
    let project = |p: Vec3| {
        let clip = matrix * p.extend(1.0);
        clip.truncate() / clip.w
    };
    assert!(close(project(Vec3::new(0.0, 0.0, -1.0)).z, 0.0));
    assert!(close(project(Vec3::new(0.0, 0.0, -11.0)).z, 1.0));
    assert!(close(matrix.x_axis.x, matrix.y_axis.y / 2.0));
    // Up is +1: the framebuffer's flip is the viewport's.
    assert!(close(project(Vec3::new(0.0, 1.0, -1.0)).y, 1.0));
    assert_eq!(perspective(0.0, 2.0, 1.0, 11.0), Err(ProjectionError::FieldOfView(0.0)));
    let infinite = f32::INFINITY;
    assert_eq!(perspective(1.0, infinite, 1.0, 11.0), Err(ProjectionError::Aspect(infinite)));
}

#[test]
fn camera_conventions_look_at_and_its_failure() {
    let view = look_at(Vec3::new(0.0, 0.0, 5.0), Vec3::ZERO, Vec3::Y).unwrap();
    assert_eq!(view * Vec4::W, Vec4::new(0.0, 0.0, -5.0, 1.0));
    let failure = look_at(Vec3::ZERO, Vec3::ZERO, Vec3::Y).unwrap_err();
    assert_eq!(failure.reason(), NormalizeError::ZeroLength);
    assert!(matches!(failure, LookAtError::Target(_)));
}

#[test]
fn look_to_keeps_its_direction_far_from_the_origin() {
    let direction = Vec3::new(0.6, 0.0, -0.8);
    let far = look_to(Vec3::splat(1e9), direction, Vec3::Y).unwrap();
    let near = look_to(Vec3::ZERO, direction, Vec3::Y).unwrap();
    for row in 0..3 {
        assert_eq!(far.row(row).truncate(), near.row(row).truncate());
    }
    assert!(near.transform_vector3(direction).abs_diff_eq(Vec3::NEG_Z, MARGIN));
    assert!(look_to(Vec3::ZERO, Vec3::ZERO, Vec3::Y).is_err());
}
