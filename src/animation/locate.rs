//! Where a time lies among timestamps.

/// An answer of [`locate`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Span {
    /// Held before the first keyframe or after the last.
    At(usize),
    /// In the interval that this keyframe starts.
    From(usize),
}

/// Upper-bound search: the interval's right end is the first timestamp strictly greater than the time, so that a
/// keyframe belongs to the interval that it starts.
///
/// `timestamps` are not empty and strictly increase, `seconds` is a number. `cursor` is where the last search ended: it
/// makes the next one faster and never changes the result.
#[inline(always)]
pub(super) fn locate(timestamps: &[f32], seconds: f64, cursor: &mut u32) -> Span {
    let last = timestamps.len() - 1;
    if seconds <= f64::from(timestamps[0]) {
        return Span::At(0);
    }
    if seconds >= f64::from(timestamps[last]) {
        return Span::At(last);
    }
    let starts_before = |index: usize| f64::from(timestamps[index]) <= seconds;
    let holds = |left: usize| starts_before(left) && !starts_before(left + 1);
    // Time mostly moves on by less than an interval, one way or the other: try the last interval and its neighbors
    // before searching.
    let mut left = (*cursor as usize).min(last - 1);
    if !holds(left) {
        left = if starts_before(left) {
            if left + 1 < last && holds(left + 1) { left + 1 } else { search(timestamps, seconds) }
        } else if left > 0 && holds(left - 1) {
            left - 1
        } else {
            search(timestamps, seconds)
        };
        *cursor = left as u32;
    }
    Span::From(left)
}

/// The last keyframe at or before `seconds`, which lies after the first one.
#[inline(never)]
fn search(timestamps: &[f32], seconds: f64) -> usize {
    timestamps.partition_point(|&t| f64::from(t) <= seconds) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_never_changes_the_result() {
        let timestamps = [0.5, 1.0, 2.0, 4.0, 4.5];
        for step in 0..100 {
            let seconds = f64::from(step) * 0.05;
            let expected = match timestamps.iter().filter(|&&t| f64::from(t) <= seconds).count() {
                0 => Span::At(0),
                5 => Span::At(4),
                1 if seconds == 0.5 => Span::At(0),
                before => Span::From(before - 1),
            };
            for start in [0, 1, 2, 3, 4, 99, u32::MAX] {
                let mut cursor = start;
                assert_eq!(locate(&timestamps, seconds, &mut cursor), expected, "{seconds} s from {start}");
            }
        }
    }
}
