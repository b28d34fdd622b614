//! Several samples of one property, weighted.
//!
//! As in sampling, only additions, subtractions, multiplications, divisions and square roots of `f64` in one fixed order:
//! that of the playbacks.

use super::curve::{finite, normalized};

/// What playbacks, one after another, contribute to a translation, rotation or scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Mix {
    sum: [f64; 4],
    weight: f64,
    first: [f32; 4],
    count: u32,
}

impl Mix {
    pub const EMPTY: Self = Self { sum: [0.0; 4], weight: 0.0, first: [0.0; 4], count: 0 };

    /// Adds a translation or scale (the last component is ignored).
    #[inline]
    pub fn add_vector(&mut self, sample: [f32; 4], weight: f64) {
        if self.count == 0 {
            self.first = sample;
        }
        self.count += 1;
        self.weight += weight;
        for (sum, component) in self.sum.iter_mut().zip(sample) {
            *sum += f64::from(component) * weight;
        }
    }

    /// Adds a unit rotation, with the sign that brings it on the first one's hemisphere.
    #[inline]
    pub fn add_rotation(&mut self, sample: [f32; 4], weight: f64) {
        let first = if self.count == 0 { sample } else { self.first };
        self.add_vector(aligned(sample, first), weight);
    }

    /// The mixed translation or scale. Weights above a sum of 1 are scaled to 1; below 1, `rest` fills up.
    pub fn vector(&self, rest: [f32; 4]) -> [f32; 4] {
        match self.alone() {
            Some(sample) => sample,
            None => self.filled(rest).map(|c| finite(c / self.whole())),
        }
    }

    /// The mixed rotation, of length 1.
    pub fn rotation(&self, rest: [f32; 4]) -> [f32; 4] {
        match self.alone() {
            Some(sample) => sample,
            None if self.count == 0 => rest,
            None => normalized(self.filled(aligned(rest, self.first))).unwrap_or(self.first),
        }
    }

    /// The only sample, where it counts in full: not a bit of it changes.
    fn alone(&self) -> Option<[f32; 4]> {
        (self.count == 1 && self.weight >= 1.0).then_some(self.first)
    }

    fn filled(&self, rest: [f32; 4]) -> [f64; 4] {
        let missing = (1.0 - self.weight).max(0.0);
        std::array::from_fn(|i| self.sum[i] + f64::from(rest[i]) * missing)
    }

    fn whole(&self) -> f64 {
        if self.weight > 1.0 { self.weight } else { 1.0 }
    }
}

/// One number of several samples, by the rules of [`Mix::vector`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MixedNumber {
    sum: f64,
    weight: f64,
}

impl MixedNumber {
    pub const EMPTY: Self = Self { sum: 0.0, weight: 0.0 };

    #[inline]
    pub fn add(&mut self, sample: f32, weight: f64) {
        self.sum += f64::from(sample) * weight;
        self.weight += weight;
    }

    /// A sample alone with weight 1 comes out as it is: both operations on it are exact.
    #[inline]
    pub fn value(&self, rest: f32) -> f32 {
        if self.weight > 1.0 {
            finite(self.sum / self.weight)
        } else {
            finite(self.sum + f64::from(rest) * (1.0 - self.weight))
        }
    }
}

/// `base` plus a part of the way from `reference` to `sample`.
#[inline]
pub(crate) fn added(base: f32, reference: f32, sample: f32, weight: f64) -> f32 {
    finite(f64::from(base) + (f64::from(sample) - f64::from(reference)) * weight)
}

/// `base`, then (in its own axes) a part of the turn from `reference` to `sample`: all of it at `weight` 1, by nlerp.
pub(crate) fn turned(base: [f32; 4], reference: [f32; 4], sample: [f32; 4], weight: f64) -> [f32; 4] {
    let [x, y, z, w] = reference.map(f64::from);
    let [dx, dy, dz, dw] = product([-x, -y, -z, w], sample.map(f64::from));
    let sign = if dw < 0.0 { -weight } else { weight };
    let part = [dx * sign, dy * sign, dz * sign, 1.0 - weight + dw * sign];
    normalized(product(base.map(f64::from), part)).unwrap_or(base)
}

/// The Hamilton product: the right rotation first.
fn product([ax, ay, az, aw]: [f64; 4], [bx, by, bz, bw]: [f64; 4]) -> [f64; 4] {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// The same rotation on the hemisphere of `first`; see [`crate::math::nearer`] for an exact right angle.
#[inline]
fn aligned(sample: [f32; 4], first: [f32; 4]) -> [f32; 4] {
    crate::math::nearer(first, sample).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Quat;

    const REST: [f32; 4] = [10.0, 20.0, 30.0, 0.0];

    fn vectors(samples: &[([f32; 4], f64)]) -> [f32; 4] {
        let mut mix = Mix::EMPTY;
        samples.iter().for_each(|&(sample, weight)| mix.add_vector(sample, weight));
        mix.vector(REST)
    }

    #[test]
    fn nothing_is_the_rest_and_one_in_full_is_itself() {
        let odd = [0.1, -0.2, 1e30, 0.0];
        assert_eq!(vectors(&[]), REST);
        assert_eq!(vectors(&[(odd, 1.0)]), odd);
        let mut mix = Mix::EMPTY;
        // Not quite of length 1, which normalizing would change.
        let q = [0.6, 0.8, 1e-4, 0.0];
        mix.add_rotation(q, 1.0);
        assert_eq!((mix.rotation(REST), Mix::EMPTY.rotation(q)), (q, q));
        let mut number = MixedNumber::EMPTY;
        assert_eq!(number.value(0.7), 0.7);
        number.add(0.1, 1.0);
        assert_eq!(number.value(0.7), 0.1);
    }

    #[test]
    fn rest_fills_up_below_a_sum_of_1_and_above_it_weights_are_scaled() {
        let (a, b) = ([0.0; 4], [4.0, 8.0, -8.0, 0.0]);
        assert_eq!(vectors(&[(a, 0.25), (b, 0.5)]), [4.5, 9.0, 3.5, 0.0]);
        assert_eq!(vectors(&[(a, 1.0), (b, 1.0)]), [2.0, 4.0, -4.0, 0.0]);
        assert_eq!(vectors(&[(a, 0.25), (b, 0.75), (b, 1.0)]), [3.5, 7.0, -7.0, 0.0]);
        let mut number = MixedNumber::EMPTY;
        number.add(4.0, 0.5);
        assert_eq!(number.value(10.0), 7.0);
        number.add(0.0, 1.0);
        number.add(1.0, 0.5);
        assert_eq!(number.value(10.0), 1.25);
    }

    #[test]
    fn signs_follow_the_first_and_the_mix_has_length_1() {
        let (a, b) = (Quat::from_rotation_x(0.4), Quat::from_rotation_x(1.0));
        let rest = Quat::from_rotation_x(1.6);
        for signs in 0..8 {
            let signed = |q: Quat, bit: u32| if signs & bit == 0 { q } else { -q }.to_array();
            let mut mix = Mix::EMPTY;
            mix.add_rotation(signed(a, 1), 0.25);
            mix.add_rotation(signed(b, 2), 0.25);
            let mixed = Quat::from_array(mix.rotation(signed(rest, 4)));
            let chord = (a * 0.25 + b * 0.25 + rest * 0.5).normalize();
            assert!((mixed.dot(chord).abs() - 1.0).abs() < 1e-6 && (mixed.length() - 1.0).abs() < 1e-6);
            assert!(mixed.dot(Quat::from_array(signed(a, 1))) > 0.0, "on the first one's side");
        }
        // Half turns about three axes: the sum stays on the first one's side.
        let mut mix = Mix::EMPTY;
        for q in [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] {
            mix.add_rotation(q, 0.5);
        }
        let third = (1.0f32 / 3.0).sqrt();
        assert!(
            Quat::from_array(mix.rotation([0.0, 0.0, 0.0, 1.0]))
                .abs_diff_eq(Quat::from_xyzw(third, third, third, 0.0), 1e-6)
        );
    }

    #[test]
    fn additions_take_a_part_of_the_difference() {
        assert_eq!(added(1.0, 2.0, 5.0, 0.5), 2.5);
        assert_eq!(added(f32::MAX, -1e38, 1e38, 1.0), f32::MAX);
        let (base, reference) = (Quat::from_rotation_y(0.7), Quat::from_rotation_x(0.3));
        let delta = Quat::from_rotation_z(1.1);
        let sample = reference * delta;
        for sign in [1.0, -1.0] {
            let sample = (sample * sign).to_array();
            let whole = Quat::from_array(turned(base.to_array(), reference.to_array(), sample, 1.0));
            assert!((whole.dot(base * delta).abs() - 1.0).abs() < 1e-6);
            let none = Quat::from_array(turned(base.to_array(), reference.to_array(), sample, 0.0));
            assert!(none.abs_diff_eq(base, 1e-7));
            let half = Quat::from_array(turned(base.to_array(), reference.to_array(), sample, 0.5));
            assert!((half.dot(base * Quat::from_rotation_z(0.55)).abs() - 1.0).abs() < 1e-6);
        }
        // A half turn whose part would vanish leaves the base.
        let half_turn = [0.0, 0.0, 1.0, 0.0];
        let kept = turned(base.to_array(), [0.0, 0.0, 0.0, 1.0], half_turn, 0.0);
        assert!(Quat::from_array(kept).abs_diff_eq(base, 1e-7));
    }
}
