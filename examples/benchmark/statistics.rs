//! Mean, median and 95th percentile of measured values.

/// What is said about a set of measurements, in their unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// The arithmetic mean.
    pub mean: f64,
    /// The middle value; of an even number of values the mean of the middle two.
    pub median: f64,
    /// The 95th percentile by nearest rank: the smallest value that is at least as large as 95 % of all.
    pub p95: f64,
}

impl Summary {
    /// The summary of `values` in any order, or `None` of none.
    pub fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let count = sorted.len();
        let (upper, lower) = (sorted.get(count / 2)?, sorted.get((count - 1) / 2)?);
        // ceil(0.95 n) in whole numbers: 0.95 has no exact binary form.
        let rank = (count * 95).div_ceil(100);
        Some(Self {
            mean: sorted.iter().sum::<f64>() / count as f64,
            median: (upper + lower) / 2.0,
            p95: *sorted.get(rank - 1)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_has_no_summary() {
        assert_eq!(Summary::of(&[]), None);
    }

    #[test]
    fn one_value_is_everything() {
        assert_eq!(Summary::of(&[3.0]), Some(Summary { mean: 3.0, median: 3.0, p95: 3.0 }));
    }

    #[test]
    fn the_median_of_an_even_count_is_the_mean_of_the_middle_two() {
        assert_eq!(Summary::of(&[9.0, 1.0, 2.0, 4.0]).unwrap().median, 3.0);
        assert_eq!(Summary::of(&[9.0, 1.0, 2.0]).unwrap().median, 2.0);
    }

    #[test]
    fn the_95th_percentile_is_the_nearest_rank() {
        let p95 = |count: u32| {
            let values: Vec<f64> = (0..count).rev().map(f64::from).collect();
            Summary::of(&values).unwrap().p95
        };
        // Index ceil(0.95 n) - 1.
        assert_eq!(p95(64), 60.0);
        assert_eq!(p95(20), 18.0);
        assert_eq!(p95(21), 19.0);
        assert_eq!(p95(100), 94.0);
        assert_eq!(p95(1), 0.0);
        assert_eq!(p95(2), 1.0);
    }

    #[test]
    fn the_mean_counts_every_value() {
        assert_eq!(Summary::of(&[1.0, 2.0, 6.0]).unwrap().mean, 3.0);
    }
}
