//! Mip levels that keep the share of texels that pass an alpha cutoff.
//!
//! Averaging alpha pulls it to the middle, so that ever fewer texels of a fine cutout pass the cutoff and foliage
//! dissolves in the distance. Scaling the alpha of each level restores the share (Ignacio Castaño, *Computing Alpha
//! Mipmaps*, 2010). He searches for the scale; here it follows from the order of the alphas, which is exact.

use crate::math::{linear_to_srgb, srgb_to_linear};
use std::collections::TryReserveError;

/// A texel in linear light, with straight alpha.
type Texel = [f32; 4];

/// The levels below `base`, largest first, down to 1 x 1.
///
/// `base` holds `width * height` texels of 8 bits, sRGB with straight alpha; those whose alpha is at least `pass` pass.
/// Each level is the one above it, averaged over the area of the new texel. Colors are weighted by alpha, since what is
/// cut away should not tint what stays; where nothing is covered, they are averaged plainly, so that filters meet no
/// black rim. Then alpha is scaled.
pub(super) fn levels(
    base: &[u8],
    width: u32,
    height: u32,
    pass: u8,
) -> Result<Vec<Vec<u8>>, TryReserveError> {
    let texels = base.as_chunks::<4>().0;
    let passing = texels.iter().filter(|texel| texel[3] >= pass).count();
    let share = passing as f64 / texels.len().max(1) as f64;
    let linear: Vec<f32> = (0..=u8::MAX).map(srgb_to_linear).collect();
    let decoded = |[red, green, blue, alpha]: [u8; 4]| {
        let color = [red, green, blue].map(|byte| linear[usize::from(byte)]);
        [color[0], color[1], color[2], f32::from(alpha) / 255.0]
    };
    let mut levels = Vec::new();
    let mut size = (width as usize, height as usize);
    let mut above: Vec<Texel> = Vec::new();
    while size.0 > 1 || size.1 > 1 {
        let halved = ((size.0 / 2).max(1), (size.1 / 2).max(1));
        let level = if levels.is_empty() {
            halve(size, halved, |index| decoded(texels[index]))?
        } else {
            halve(size, halved, |index| above[index])?
        };
        levels.push(encoded(&level, pass, share)?);
        (size, above) = (halved, level);
    }
    Ok(levels)
}

/// Which texels a new one covers along one side, and how much of each.
fn covered(index: usize, from: usize, to: usize) -> impl Iterator<Item = (usize, f32)> + Clone {
    // In units of 1 / `to` of an old texel, all of these are whole.
    let (start, end) = (index * from, (index + 1) * from);
    (start / to..end.div_ceil(to)).map(move |texel| {
        let overlap = end.min((texel + 1) * to) - start.max(texel * to);
        (texel, overlap as f32 / from as f32)
    })
}

fn halve(
    from: (usize, usize),
    to: (usize, usize),
    texel: impl Fn(usize) -> Texel,
) -> Result<Vec<Texel>, TryReserveError> {
    let mut out = Vec::new();
    out.try_reserve_exact(to.0 * to.1)?;
    for y in 0..to.1 {
        let rows = covered(y, from.1, to.1);
        for x in 0..to.0 {
            let (mut plain, mut weighted, mut alpha) = ([0.0; 3], [0.0; 3], 0.0);
            for (row, height) in rows.clone() {
                for (column, width) in covered(x, from.0, to.0) {
                    let [red, green, blue, opacity] = texel(row * from.0 + column);
                    let area = width * height;
                    for (channel, color) in [red, green, blue].into_iter().enumerate() {
                        plain[channel] += area * color;
                        weighted[channel] += area * opacity * color;
                    }
                    alpha += area * opacity;
                }
            }
            let [red, green, blue] =
                if alpha > 0.0 { weighted.map(|channel| channel / alpha) } else { plain };
            out.push([red, green, blue, alpha]);
        }
    }
    Ok(out)
}

/// The bytes of a level, with the alpha scaled so that `share` of it passes, as nearly as a whole number of texels can.
fn encoded(level: &[Texel], pass: u8, share: f64) -> Result<Vec<u8>, TryReserveError> {
    let mut alphas: Vec<f32> = Vec::new();
    alphas.try_reserve_exact(level.len())?;
    alphas.extend(level.iter().map(|texel| texel[3]));
    let cutoff = f32::from(pass) / 255.0;
    let threshold = threshold(&mut alphas, cutoff, (share * level.len() as f64).round() as usize);
    let mut out = Vec::new();
    out.try_reserve_exact(level.len() * 4)?;
    for &[red, green, blue, alpha] in level {
        let passes = alpha >= threshold;
        // Rounding must not carry a texel over the cutoff.
        let (low, high) = if passes { (f32::from(pass), 255.0) } else { (0.0, f32::from(pass) - 1.0) };
        let scaled = (alpha * (cutoff / threshold) * 255.0).round().clamp(low, high);
        out.extend([red, green, blue].map(linear_to_srgb));
        out.push(scaled as u8);
    }
    Ok(out)
}

/// The alpha from which on a texel is to pass, so that `count` of them do; where several are equal, the nearest count
/// that can be. `cutoff` itself, if that does it.
fn threshold(alphas: &mut [f32], cutoff: f32, count: usize) -> f32 {
    alphas.sort_unstable_by(|a, b| b.total_cmp(a));
    // Texels with the same alpha pass together or not at all.
    let at = alphas.get(count.saturating_sub(1)).copied().unwrap_or(0.0);
    let first = alphas.partition_point(|&alpha| alpha > at);
    let past = alphas.partition_point(|&alpha| alpha >= at);
    let count = if count > 0 && past.abs_diff(count) <= count.abs_diff(first) { past } else { first };
    let lowest_in = count.checked_sub(1).and_then(|last| alphas.get(last)).copied().unwrap_or(f32::INFINITY);
    let highest_out = alphas.get(count).copied().unwrap_or(0.0);
    if (lowest_in >= cutoff && highest_out < cutoff) || alphas.is_empty() {
        return cutoff;
    }
    match (lowest_in.is_finite(), count < alphas.len()) {
        // In the middle between both, where interpolation errs least.
        (true, true) => f32::midpoint(lowest_in, highest_out),
        (true, false) => lowest_in,
        // Just above what is not to pass.
        (false, _) => highest_out.next_up(),
    }
    .max(f32::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(base: &[[u8; 4]], width: u32, height: u32, pass: u8) -> Vec<Vec<[u8; 4]>> {
        assert_eq!(base.len(), (width * height) as usize);
        let levels = levels(base.as_flattened(), width, height, pass).unwrap();
        levels.iter().map(|level| level.as_chunks().0.to_vec()).collect()
    }

    fn share(level: &[[u8; 4]], pass: u8) -> f64 {
        level.iter().filter(|texel| texel[3] >= pass).count() as f64 / level.len() as f64
    }

    /// Alphas from a small generator (xorshift), spread by `shape`.
    fn noise(count: u32, shape: impl Fn(f64) -> f64) -> Vec<[u8; 4]> {
        let mut state = 0x9E37_79B9_u32;
        let texel = |_| {
            for shift in [13, 17, 5] {
                state ^= if shift == 17 { state >> shift } else { state << shift };
            }
            let alpha = shape(f64::from(state) / f64::from(u32::MAX)) * 255.0;
            [40, 200, 60, alpha as u8]
        };
        (0..count).map(texel).collect()
    }

    #[test]
    fn every_level_keeps_the_share_that_passes_to_the_nearest_texel() {
        // Even noise, and one that is faint for the most part.
        let shapes: [fn(f64) -> f64; 2] = [|x| x, |x| x * x * x];
        for shape in shapes {
            for (width, height) in [(64, 64), (37, 21), (1, 19), (128, 3), (2, 1)] {
                let base = noise(width * height, shape);
                for cutoff in [0.25_f64, 0.5, 0.9] {
                    let pass = (cutoff * 255.0).ceil() as u8;
                    let wanted = share(&base, pass);
                    let levels = chain(&base, width, height, pass);
                    assert_eq!(levels.len() as u32, width.max(height).ilog2());
                    for (index, level) in levels.iter().enumerate() {
                        let off = (share(level, pass) - wanted).abs() * level.len() as f64;
                        // Among many texels some are equal, and pass together.
                        let bound =
                            if level.len() > 32 { (0.005 * level.len() as f64).max(2.0) } else { 0.5 + 1e-6 };
                        assert!(off <= bound, "{width} x {height}, {cutoff}, level {index}: {off}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_fine_cutout_that_averaging_would_dissolve_stays() {
        // A third is covered, at random: the plain averages of 64 texels all lie far below the cutoff.
        let base = noise(64 * 64, |x| if x < 1.0 / 3.0 { 1.0 } else { 0.0 });
        let averages: Vec<u32> = (0..64)
            .map(|block| {
                let texels = (0..64).map(|i| (block / 8 * 8 + i / 8) * 64 + block % 8 * 8 + i % 8);
                texels.map(|texel: usize| u32::from(base[texel][3])).sum::<u32>() / 64
            })
            .collect();
        assert!(averages.iter().all(|&alpha| alpha < 128), "{averages:?}");
        let kept = share(&chain(&base, 64, 64, 128)[2], 128);
        assert!((kept - share(&base, 128)).abs() < 0.02, "{kept}");
    }

    #[test]
    fn checkers_keep_their_half_until_a_texel_holds_both() {
        let base: Vec<[u8; 4]> =
            (0..256).map(|i| [9, 9, 9, if (i / 16 / 4 + i % 16 / 4) % 2 == 0 { 255 } else { 0 }]).collect();
        for pass in [64, 128] {
            let levels = chain(&base, 16, 16, pass);
            let shares: Vec<f64> = levels.iter().map(|level| share(level, pass)).collect();
            // Then all texels are equal, and half of them is as near to all as to none.
            assert_eq!(shares, [0.5, 0.5, 1.0, 1.0]);
            assert!(levels[1].iter().all(|texel| matches!(texel[3], 0 | 255)));
        }
    }

    #[test]
    fn what_passes_nowhere_or_everywhere_stays_so() {
        for (alpha, passes) in [(255, 1.0), (200, 1.0), (128, 1.0), (127, 0.0), (0, 0.0)] {
            for level in chain(&[[1, 2, 3, alpha]; 35], 7, 5, 128) {
                assert_eq!(share(&level, 128), passes);
                assert!(level.iter().all(|&texel| texel == [1, 2, 3, alpha]), "{level:?}");
            }
        }
    }

    #[test]
    fn colors_are_averaged_in_linear_light_and_by_what_is_covered() {
        let (black, white) = ([0, 0, 0, 255], [255, 255, 255, 255]);
        // Half the light is byte 188.
        assert_eq!(chain(&[black, white], 2, 1, 128), [[[188, 188, 188, 255]]]);
        // What is cut away has no say, unless there is nothing else.
        assert_eq!(chain(&[[255, 0, 0, 255], [0, 255, 0, 0]], 2, 1, 128)[0][0][..3], [255, 0, 0]);
        assert_eq!(chain(&[[0, 0, 0, 0], [255, 255, 255, 0]], 2, 1, 128)[0][0], [188, 188, 188, 0]);
    }

    #[test]
    fn odd_sides_are_averaged_over_the_area_of_the_new_texel() {
        let row = |lit: &[usize], width: usize| -> Vec<[u8; 4]> {
            (0..width).map(|x| if lit.contains(&x) { [255; 4] } else { [0, 0, 0, 255] }).collect()
        };
        // A third of the light is byte 156, a fifth is 124: half of the middle one of five, in two and a half.
        assert_eq!(chain(&row(&[2], 3), 3, 1, 128), [[[156, 156, 156, 255]]]);
        assert_eq!(chain(&row(&[2], 5), 5, 1, 128)[0], [[124, 124, 124, 255]; 2]);
        assert_eq!(chain(&row(&[2], 5), 1, 5, 128)[0], [[124, 124, 124, 255]; 2]);
        assert!(chain(&row(&[0], 1), 1, 1, 128).is_empty());
    }
}
