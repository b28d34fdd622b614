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
