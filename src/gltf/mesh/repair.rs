//! Normals and tangents that are not what glTF asks for.

use crate::assets::{Mesh, Topology};
use crate::gltf::LoadError;
use crate::gltf::report::LoadReport;
use crate::gltf::source::Source;
use crate::math::{TryNormalize, Vec3, Vec4};
use std::fmt::Display;

/// How far a length may be from 1; the validator's thresholds are of this size. Vectors within it stay as they are.
const TOLERANCE: f32 = 0.007;

/// How far the length of a vector of normalized bytes may be from 1 by rounding alone. Such ones are normalized and not
/// reported.
const QUANTIZED_TOLERANCE: f32 = 0.02;

fn is_unit(vector: Vec3, tolerance: f32) -> bool {
    // NaN is not within any distance.
    (vector.length_squared() - 1.0).abs() <= 2.0 * tolerance
}

/// How far from 1 a length may be that stays as it is.
fn tolerance(quantized: bool) -> f32 {
    if quantized { 0.0 } else { TOLERANCE }
}

/// Whether [`normals`] would change one of these.
pub(super) fn is_any_normal_off(normals: &[Vec3], quantized: bool) -> bool {
    let tolerance = tolerance(quantized);
    // Without a way out, so that several are compared at a time.
    normals.iter().fold(false, |off, &normal| off | !is_unit(normal, tolerance))
}

/// Whether [`tangents`] would change one of these.
pub(super) fn is_any_tangent_off(tangents: &[Vec4], quantized: bool) -> bool {
    let tolerance = tolerance(quantized);
    tangents
        .iter()
        .fold(false, |off, &tangent| off | !is_unit(tangent.truncate(), tolerance) | (tangent.w.abs() != 1.0))
}

/// Makes every normal a unit vector, so a finite one. One without a direction becomes that of the triangles around it, or +Z.
pub(super) fn normals(
    source: &Source<'_>,
    mesh: &mut Mesh,
    quantized: bool,
    path: &dyn Display,
    report: &mut LoadReport,
) -> Result<(), LoadError> {
    let (mut scaled, mut directionless) = (0_usize, 0_usize);
    for normal in &mut mesh.normals {
        if is_unit(*normal, tolerance(quantized)) {
            continue;
        }
        match normal.try_normalized() {
            Ok(unit) => {
                scaled += usize::from(!quantized || !is_unit(*normal, QUANTIZED_TOLERANCE));
                *normal = unit;
            }
            Err(_) => {
                directionless += 1;
                *normal = Vec3::ZERO;
            }
        }
    }
    let count = mesh.normals.len();
    if scaled > 0 {
        report.repaired(path, format!("{scaled} of {count} normals are not of length 1; normalized"));
    }
    if directionless > 0 {
        let message = format!(
            "{directionless} of {count} normals have no direction; those of the triangles around them are used"
        );
        report.repaired(path, message);
        let sums = sums_around(source, mesh, path)?;
        for (normal, sum) in mesh.normals.iter_mut().zip(sums) {
            if *normal == Vec3::ZERO {
                *normal = sum.try_normalized().unwrap_or(Vec3::Z);
            }
        }
    }
    Ok(())
}

/// For each vertex the sum of its triangles' normals, weighted by area; zeros for points and lines.
fn sums_around(source: &Source<'_>, mesh: &Mesh, path: &dyn Display) -> Result<Vec<Vec3>, LoadError> {
    let mut sums: Vec<Vec3> = source.zeros(mesh.positions.len(), path)?;
    if mesh.topology != Topology::Triangles {
        return Ok(sums);
    }
    let mut add = |corners: [usize; 3]| {
        let [a, b, c] = corners.map(|corner| mesh.positions[corner]);
        let normal = (b - a).cross(c - a);
        corners.into_iter().for_each(|corner| sums[corner] += normal);
    };
    match &mesh.indices {
        Some(indices) => {
            indices.as_chunks::<3>().0.iter().for_each(|corners| add(corners.map(|i| i as usize)));
        }
        None => (0..mesh.positions.len() / 3).for_each(|i| add([3 * i, 3 * i + 1, 3 * i + 2])),
    }
    Ok(sums)
}

/// Makes every tangent a unit vector with a sign of 1 or -1. One without a direction becomes perpendicular to the normal,
/// which there must be.
pub(super) fn tangents(mesh: &mut Mesh, quantized: bool, path: &dyn Display, report: &mut LoadReport) {
    let mut mended = 0_usize;
    let count = mesh.tangents.len();
    for (tangent, normal) in mesh.tangents.iter_mut().zip(&mesh.normals) {
        let direction = tangent.truncate();
        let sign = if tangent.w < 0.0 { -1.0 } else { 1.0 };
        let unit = is_unit(direction, tolerance(quantized));
        if unit && tangent.w == sign {
            continue;
        }
        let tolerance = if quantized { QUANTIZED_TOLERANCE } else { TOLERANCE };
        mended += usize::from(!is_unit(direction, tolerance) || tangent.w != sign);
        let direction = if unit { Ok(direction) } else { direction.try_normalized() };
        *tangent = direction.unwrap_or_else(|_| normal.any_orthonormal_vector()).extend(sign);
    }
    if mended > 0 {
        let message =
            format!("{mended} of {count} tangents are not of length 1 with a sign of 1 or -1; mended");
        report.repaired(path, message);
    }
}
