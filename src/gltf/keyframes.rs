//! Samplers of animations, with the checks of their accessors.

use super::LoadError;
use super::accessor::{Accessors, Elements};
use super::document::AnimationSampler as JsonSampler;
use super::layout::{Component, shape};
use super::report::LoadReport;
use super::text::Lazy;
use crate::animation::{AnimationSampler, Interpolation, Keyframes, ROTATION_ARC_BYTES, TargetPath};
use crate::math::Quat;
use std::fmt::Display;

/// What a clip's own data can be wrong in, besides what makes the document faulty.
pub(super) type OrFault<T> = Result<Result<T, String>, LoadError>;

/// What a channel's path needs of its sampler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Kind {
    pub values: Values,
    /// Whether whole numbers will do, as they do for a pointer.
    pub integers: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Values {
    Rotation,
    Vector,
    Weights,
    /// One number, of a weight.
    Weight,
    /// So many numbers of a camera, light or material.
    Numbers(usize),
}

impl Values {
    pub fn of(path: TargetPath) -> Self {
        match (path, path.width()) {
            (TargetPath::Rotation, _) => Self::Rotation,
            (TargetPath::Translation | TargetPath::Scale, _) => Self::Vector,
            (TargetPath::Weight(_), _) => Self::Weight,
            (_, Some(width)) => Self::Numbers(width),
            (_, None) => Self::Weights,
        }
    }

    /// Components of an output element.
    fn components(self) -> usize {
        match self {
            Self::Rotation => 4,
            Self::Vector => 3,
            Self::Weights | Self::Weight => 1,
            Self::Numbers(width) => width,
        }
    }
}

/// No other names reach this: references were checked before.
fn interpolation(sampler: &JsonSampler) -> Interpolation {
    match sampler.interpolation.as_deref() {
        Some("STEP") => Interpolation::Step,
        Some("CUBICSPLINE") => Interpolation::CubicSpline,
        _ => Interpolation::Linear,
    }
}

pub(super) fn import_sampler(
    accessors: &Accessors<'_>,
    sampler: &JsonSampler,
    kind: Kind,
    path: impl Display,
    report: &mut LoadReport,
) -> OrFault<AnimationSampler> {
    let interpolation = interpolation(sampler);
    let (input, output) = (Lazy(|| format!("{path}.input")), Lazy(|| format!("{path}.output")));
    let times = accessors.elements(sampler.input, input)?;
    if (times.format.components, times.format.component) != (1, Component::F32) {
        let (index, format) = (times.index, times.format);
        return Ok(Err(format!("{input}: accessors[{index}] is {format}; it must be FLOAT SCALAR")));
    }
    let values = accessors.elements(sampler.output, output)?;
    let (index, format) = (values.index, values.format);
    if format.components != kind.values.components() || !(kind.integers || format.holds_fractions()) {
        let shape = shape(kind.values.components());
        let fault = match kind.integers {
            true => format!("{output}: accessors[{index}] is {format}; it must be {shape}"),
            false => {
                format!(
                    "{output}: accessors[{index}] is {format}; it must be FLOAT or normalized integer {shape}"
                )
            }
        };
        return Ok(Err(fault));
    }
    // What has one number or a few of them needs exactly so many; where there is any number, they tell how many.
    let needed = times.count.saturating_mul(interpolation.elements());
    if matches!(kind.values, Values::Weight | Values::Numbers(_)) && values.count != needed {
        let fault = format!(
            "{output}: accessors[{index}] has {} elements; the {} times need {needed}",
            values.count, times.count
        );
        return Ok(Err(fault));
    }
    let timestamps = accessors.floats(&times)?;
    let values = match kind.values {
        Values::Rotation => {
            // What the clip works out for each interval takes more than the keys, which may be small and shared.
            if interpolation == Interpolation::Linear {
                accessors.charge(times.count.saturating_sub(1), ROTATION_ARC_BYTES, output)?;
            }
            Keyframes::Rotation(rotations(accessors, &values, interpolation, output, report)?)
        }
        Values::Vector => Keyframes::Vec3(accessors.floats(&values)?),
        Values::Weights | Values::Weight => Keyframes::Weights(accessors.floats(&values)?),
        Values::Numbers(1) => Keyframes::Numbers(accessors.floats(&values)?),
        Values::Numbers(2) => Keyframes::Numbers(accessors.floats::<[f32; 2]>(&values)?.into_flattened()),
        Values::Numbers(3) => Keyframes::Numbers(accessors.floats::<[f32; 3]>(&values)?.into_flattened()),
        Values::Numbers(_) => Keyframes::Numbers(accessors.floats::<[f32; 4]>(&values)?.into_flattened()),
    };
    Ok(Ok(AnimationSampler { interpolation, timestamps, values }))
}

/// Rotations as the file has them, with a note on those that are not of length 1, tangents aside. Whoever uses them
/// normalizes them.
pub(super) fn rotations(
    accessors: &Accessors<'_>,
    elements: &Elements<'_>,
    interpolation: Interpolation,
    path: impl Display,
    report: &mut LoadReport,
) -> Result<Vec<Quat>, LoadError> {
    let rotations = accessors.floats::<Quat>(elements)?;
    // Integers cannot hold every unit quaternion: four components are each off by half a step at most.
    let tolerance = match elements.format.component {
        Component::I8 | Component::U8 => 2e-2,
        _ => 1e-3,
    };
    let each = interpolation.elements();
    let values = || rotations.iter().skip(each / 2).step_by(each);
    let off = values().filter(|rotation| (rotation.length_squared() - 1.0).abs() > tolerance).count();
    if off > 0 {
        let message = format!("{off} of {} rotations are not of length 1; normalized", values().count());
        report.repaired(path, message);
    }
    Ok(rotations)
}
