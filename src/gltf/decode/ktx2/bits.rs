//! Bits and codes of BasisLZ streams.

/// A stream of bits, the lowest of each byte first.
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    /// Bits that were taken.
    at: usize,
}

/// What is wrong with a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    Ends,
    Table,
    Code,
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Ends => "ends too early",
            Self::Table => "has a code table that is not one",
            Self::Code => "has a code that its table lacks",
        })
    }
}

impl<'a> Bits<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    fn bit(&mut self) -> Result<u32, Broken> {
        let byte = self.bytes.get(self.at / 8).ok_or(Broken::Ends)?;
        let bit = byte >> (self.at % 8) & 1;
        self.at += 1;
        Ok(u32::from(bit))
    }

    /// Up to 32 bits, the first the lowest.
    pub fn take(&mut self, count: u32) -> Result<u32, Broken> {
        (0..count).try_fold(0, |value, place| Ok(value | self.bit()? << place))
    }

    /// A number in groups of `size` bits, the lowest first, each behind one bit that says whether another follows; the
    /// reader stops at 32 bits. (The lowest `size` bits of a group come first, then that bit.)
    pub fn groups(&mut self, size: u32) -> Result<u64, Broken> {
        let (mut value, mut place) = (0, 0);
        while place < 32 {
            let group = self.take(size + 1)?;
            value |= u64::from(group & ((1 << size) - 1)) << place;
            place += size;
            if group >> size == 0 {
                break;
            }
        }
        Ok(value)
    }

    /// A table of codes; `None` if it is marked as absent.
    pub fn table(&mut self) -> Result<Option<Codes>, Broken> {
        /// Lengths of the codes for lengths come in this order.
        const ORDER: [usize; 21] = [17, 18, 19, 20, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15, 16];
        let symbols = self.take(14)? as usize;
        if symbols == 0 {
            return Ok(None);
        }
        let mut lengths = [0; ORDER.len()];
        let given = self.take(5)? as usize;
        for &symbol in ORDER.get(..given).filter(|given| !given.is_empty()).ok_or(Broken::Table)? {
            lengths[symbol] = self.take(3)? as u8;
        }
        let coded = Codes::new(&lengths)?;
        let mut lengths = Vec::with_capacity(symbols);
        while lengths.len() < symbols {
            let (length, times) = match coded.next(self)? {
                length @ 0..=16 => (length as u8, 1),
                17 => (0, 3 + self.take(3)?),
                18 => (0, 11 + self.take(7)?),
                symbol => {
                    let last = lengths.last().copied().filter(|&last| last > 0).ok_or(Broken::Table)?;
                    (last, if symbol == 19 { 3 + self.take(2)? } else { 7 + self.take(7)? })
                }
            };
            lengths.resize(lengths.len() + times as usize, length);
        }
        if lengths.len() == symbols { Codes::new(&lengths).map(Some) } else { Err(Broken::Table) }
    }
}

/// Longest code of a table.
const LONGEST: usize = 16;

/// A canonical prefix code.
#[derive(Debug)]
pub(super) struct Codes {
    /// How many symbols have codes of each length.
    counts: [u32; LONGEST + 1],
    /// Symbols by the length of their codes, then by number.
    symbols: Vec<u16>,
}

impl Codes {
    /// From the length of each symbol's code, 0 for none and 16 at most. Codes must use up all bits, or be one, of up to 10
    /// bits: the transcoder's tables have no place for others.
    fn new(lengths: &[u8]) -> Result<Self, Broken> {
        let mut counts = [0; LONGEST + 1];
        for &length in lengths.iter().filter(|&&length| length > 0) {
            *counts.get_mut(usize::from(length)).ok_or(Broken::Table)? += 1;
        }
        let used: u64 =
            counts.iter().enumerate().map(|(length, &count)| u64::from(count) << (LONGEST - length)).sum();
        let single = counts.iter().sum::<u32>() == 1 && counts[..=10].contains(&1);
        if used != 1 << LONGEST && !single {
            return Err(Broken::Table);
        }
        let mut symbols: Vec<u16> =
            (0..lengths.len() as u16).filter(|&s| lengths[usize::from(s)] > 0).collect();
        symbols.sort_by_key(|&symbol| lengths[usize::from(symbol)]);
        Ok(Self { counts, symbols })
    }

    /// The next symbol of a stream. Codes come with their highest bit first.
    pub fn next(&self, bits: &mut Bits<'_>) -> Result<u32, Broken> {
        let (mut code, mut first, mut index) = (0_u32, 0_u32, 0_u32);
        for &count in &self.counts[1..] {
            code = code << 1 | bits.bit()?;
            if let Some(place) = code.checked_sub(first).filter(|&place| place < count) {
                let symbol = self.symbols.get((index + place) as usize).ok_or(Broken::Code)?;
                return Ok(u32::from(*symbol));
            }
            index += count;
            first = (first + count) << 1;
        }
        Err(Broken::Code)
    }
}
