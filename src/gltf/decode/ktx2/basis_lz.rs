//! BasisLZ: walks through everything that is entropy-coded, without keeping any of it.

use super::bits::{Bits, Broken, Codes};
use super::container::Level;

/// What the global data says of itself (KTX 2.0, BasisLZ global data).
struct Global<'a> {
    selectors: u32,
    /// One for each level.
    slices: Vec<Slices>,
    endpoint_codebook: &'a [u8],
    selector_codebook: &'a [u8],
    tables: &'a [u8],
}

/// Where the parts of a level lie in it.
#[derive(Clone, Copy)]
struct Slices {
    color: (u32, u32),
    alpha: (u32, u32),
}

const HEADER: usize = 20;
const DESCRIPTION: usize = 20;

/// Checks all that the transcoder is going to read; the reason otherwise.
pub(super) fn check(global: &[u8], levels: &[Level<'_>], alpha: bool) -> Result<(), String> {
    let global = split(global, levels.len())?;
    codebooks(&global)?;
    let models = Models::new(&global).map_err(|broken| format!("its code tables: one {broken}"))?;
    for (number, (level, slices)) in levels.iter().zip(&global.slices).enumerate() {
        let parts = [("color", Some(slices.color)), ("alpha", alpha.then_some(slices.alpha))];
        for (name, (offset, length)) in parts.into_iter().filter_map(|(name, part)| Some((name, part?))) {
            let end = (offset as usize).checked_add(length as usize);
            let slice = end.and_then(|end| level.bytes.get(offset as usize..end)).filter(|s| !s.is_empty());
            let slice = slice.ok_or_else(|| {
                format!("{length} bytes of {name} from {offset} lie outside level {number}")
            })?;
            models
                .walk(slice, level.blocks)
                .map_err(|fault| format!("the {name} of level {number} {fault}"))?;
        }
    }
    Ok(())
}

fn split(global: &[u8], levels: usize) -> Result<Global<'_>, String> {
    let cut = || "its global data is cut off".to_owned();
    let word = |at: usize| {
        let word = global.get(at..).and_then(|rest| rest.first_chunk());
        word.map(|&word| u32::from_le_bytes(word)).ok_or_else(cut)
    };
    let (endpoints, selectors) = (word(0)? & 0xFFFF, word(0)? >> 16);
    if endpoints == 0 || selectors == 0 {
        return Err("a codebook of it is empty".to_owned());
    }
    let mut slices = Vec::new();
    for level in 0..levels {
        let at = HEADER + DESCRIPTION * level;
        if word(at)? != 0 {
            return Err("it holds a frame of a video".to_owned());
        }
        slices
            .push(Slices { color: (word(at + 4)?, word(at + 8)?), alpha: (word(at + 12)?, word(at + 16)?) });
    }
    let mut rest = global.get(HEADER + DESCRIPTION * levels..).ok_or_else(cut)?;
    let mut part = |length: u32| {
        let (part, behind) = rest.split_at_checked(length as usize).ok_or_else(cut)?;
        rest = behind;
        Ok::<_, String>(part)
    };
    let (endpoint_codebook, selector_codebook) = (part(word(4)?)?, part(word(8)?)?);
    let (tables, _extended) = (part(word(12)?)?, part(word(16)?)?);
    if rest.is_empty() {
        Ok(Global { selectors, slices, endpoint_codebook, selector_codebook, tables })
    } else {
        Err(format!("its global data has {} bytes too many", rest.len()))
    }
}

/// The codebooks' tables; any numbers behind them are entries.
fn codebooks(global: &Global<'_>) -> Result<(), String> {
    let mut bits = Bits::new(global.endpoint_codebook);
    for _ in 0..4 {
        present(&mut bits).map_err(|broken| format!("its endpoint codebook {broken}"))?;
    }
    let mut bits = Bits::new(global.selector_codebook);
    let broken = |broken: Broken| format!("its selector codebook {broken}");
    let (shared, hybrid, raw) =
        (bits.take(1).map_err(broken)?, bits.take(1).map_err(broken)?, bits.take(1).map_err(broken)?);
    if shared != 0 || hybrid != 0 {
        return Err("its selector codebook is of a kind that KTX 2.0 does not have".to_owned());
    }
    // Without a table there is one entry at most.
    if raw == 0 && bits.table().map_err(broken)?.is_none() && global.selectors > 1 {
        return Err(broken(Broken::Table));
    }
    Ok(())
}

fn present(bits: &mut Bits<'_>) -> Result<Codes, Broken> {
    bits.table()?.ok_or(Broken::Table)
}

/// The codes of slices.
struct Models {
    predictors: Codes,
    endpoint_deltas: Codes,
    selectors: Codes,
    runs: Codes,
    /// The symbol behind all selectors and all places of the history.
    run: u32,
}

/// Symbol of [`Models::predictors`] for a run of the last one.
const REPEAT: u32 = 256;
const SHORTEST_REPEAT: u64 = 3;
/// Symbol of [`Models::runs`] for a length that follows.
const LONG_RUN: u32 = 63;
const SHORTEST_RUN: u64 = 3;

impl Models {
    fn new(global: &Global<'_>) -> Result<Self, Broken> {
        let mut bits = Bits::new(global.tables);
        let (predictors, endpoint_deltas) = (present(&mut bits)?, present(&mut bits)?);
        let (selectors, runs) = (present(&mut bits)?, present(&mut bits)?);
        let history = bits.take(13)?;
        if history == 0 {
            return Err(Broken::Table);
        }
        Ok(Self { predictors, endpoint_deltas, selectors, runs, run: global.selectors + history })
    }

    /// Reads a slice as the transcoder does: block by block, with the predictors of two rows and columns in one symbol.
    fn walk(&self, slice: &[u8], [columns, rows]: [u32; 2]) -> Result<(), String> {
        let broken = |broken: Broken| broken.to_string();
        let total = u64::from(columns) * u64::from(rows);
        let run_of = |length: u64| {
            if length <= total { Ok(length) } else { Err(format!("has a run of {length} in {total} blocks")) }
        };
        let mut bits = Bits::new(slice);
        let mut below = vec![0_u8; columns.div_ceil(2) as usize];
        let (mut last, mut repeats, mut run) = (0, 0, 0);
        for row in 0..rows {
            let mut predictors = 0;
            for column in 0..columns {
                if column % 2 == 0 {
                    let below = &mut below[column as usize / 2];
                    if row % 2 == 1 {
                        predictors = u32::from(*below);
                    } else {
                        if repeats > 0 {
                            repeats -= 1;
                        } else {
                            match self.predictors.next(&mut bits).map_err(broken)? {
                                REPEAT => {
                                    let more = bits.groups(4).map_err(broken)?;
                                    repeats = run_of(more + SHORTEST_REPEAT)? - 1;
                                }
                                symbol => last = symbol,
                            }
                        }
                        predictors = last;
                        *below = (last >> 4) as u8;
                    }
                }
                // The endpoints of neighbors, or a difference.
                if predictors & 3 == 3 {
                    self.endpoint_deltas.next(&mut bits).map_err(broken)?;
                }
                predictors >>= 2;
                if run > 0 {
                    run -= 1;
                } else if self.selectors.next(&mut bits).map_err(broken)? == self.run {
                    let length = match self.runs.next(&mut bits).map_err(broken)? {
                        LONG_RUN => bits.groups(7).map_err(broken)?,
                        length => u64::from(length),
                    };
                    run = run_of(length + SHORTEST_RUN)? - 1;
                }
            }
        }
        Ok(())
    }
}
