//! glTF 2.0, appendix C, in `f64` and as it is written there: what the sheet expects.

pub type Quaternion = [f64; 4];

/// C.3, for one number.
pub fn linear(from: f64, to: f64, t: f64) -> f64 {
    (1.0 - t) * from + t * to
}

/// C.5, for one number: out-tangent of the left key, in-tangent of the right one, seconds between them.
pub fn cubic(t: f64, seconds: f64, value: f64, out: f64, into: f64, next: f64) -> f64 {
    let (t2, t3) = (t.powi(2), t.powi(3));
    (2.0 * t3 - 3.0 * t2 + 1.0) * value
        + seconds * (t3 - 2.0 * t2 + t) * out
        + (-2.0 * t3 + 3.0 * t2) * next
        + seconds * (t3 - t2) * into
}

/// C.4: along the shorter way; any negative dot product, however small, changes the sign.
pub fn slerp(a: Quaternion, b: Quaternion, t: f64) -> Quaternion {
    let (a, b) = (unit(a), unit(b));
    let dot: f64 = (0..4).map(|i| a[i] * b[i]).sum();
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let angle = dot.abs().min(1.0).acos();
    let factor = |part: f64| if angle < 1e-6 { part } else { (part * angle).sin() / angle.sin() };
    std::array::from_fn(|i| factor(1.0 - t) * a[i] + factor(t) * sign * b[i])
}

/// The chord instead of the arc, on the same side.
pub fn nlerp(a: Quaternion, b: Quaternion, t: f64) -> Quaternion {
    weighted(&[(a, 1.0 - t), (b, t)])
}

/// A sum with weights and signs aligned to the first, of length 1.
pub fn weighted(parts: &[(Quaternion, f64)]) -> Quaternion {
    let first = parts[0].0;
    let mut sum = [0.0; 4];
    for (q, weight) in parts {
        let dot: f64 = (0..4).map(|i| first[i] * q[i]).sum();
        let weight = if dot < 0.0 { -weight } else { *weight };
        (0..4).for_each(|i| sum[i] += weight * q[i]);
    }
    unit(sum)
}

pub fn unit(q: Quaternion) -> Quaternion {
    let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    q.map(|c| c / length)
}

/// The Hamilton product.
pub fn product(a: Quaternion, b: Quaternion) -> Quaternion {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}

pub fn about_z(degrees: f64) -> Quaternion {
    let half = degrees.to_radians() / 2.0;
    [0.0, 0.0, half.sin(), half.cos()]
}

/// What a float file would hold.
pub fn short(q: Quaternion) -> [f32; 4] {
    q.map(|c| c as f32)
}

pub fn long<const N: usize>(values: [f32; N]) -> [f64; N] {
    values.map(f64::from)
}
