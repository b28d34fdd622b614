//! What a compressed view is, and how its stream is decoded.

use crate::gltf::document::{BufferView, MeshoptView, Root};
use crate::gltf::support::{EXT_MESHOPT as EXT, KHR_MESHOPT as KHR};
use crate::gltf::text::shown;
use bytemuck::{Pod, Zeroable};
use std::collections::HashSet;

/// A compressed view, checked against the extension's rules but for where its stream lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::gltf) struct Compressed {
    count: usize,
    stride: usize,
    mode: Mode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Attributes(Filter),
    Triangles,
    Indices,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filter {
    None,
    Octahedral,
    Quaternion,
    Exponential,
    /// KHR_meshopt_compression only.
    Color,
}

/// A decoded view; in memory it is what an uncompressed file would hold.
#[derive(Debug)]
pub(in crate::gltf) enum Decoded {
    Words(Vec<u32>),
    Halves(Vec<u16>),
}

impl Decoded {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Words(words) => bytemuck::cast_slice(words),
            Self::Halves(halves) => bytemuck::cast_slice(halves),
        }
    }
}

/// The extension that compresses a view, by its name, if there is one.
pub(in crate::gltf) fn compression(
    view: &BufferView,
) -> Result<Option<(&'static str, &MeshoptView)>, String> {
    let Some(extensions) = &view.extensions else { return Ok(None) };
    match (&extensions.ext_meshopt, &extensions.khr_meshopt) {
        (None, None) => Ok(None),
        (Some(compressed), None) => Ok(Some((EXT, compressed))),
        (None, Some(compressed)) => Ok(Some((KHR, compressed))),
        (Some(_), Some(_)) => Err(format!("it has both {EXT} and {KHR}; keep one")),
    }
}

/// Buffers whose data nothing reads, since all views on them are compressed. Their data may be missing.
pub(in crate::gltf) fn unread(json: &Root) -> HashSet<usize> {
    let (mut unread, mut read) = (HashSet::new(), HashSet::new());
    for view in &json.buffer_views {
        match view.extensions.as_ref().and_then(|e| e.ext_meshopt.as_ref().or(e.khr_meshopt.as_ref())) {
            Some(compressed) => {
                unread.insert(view.buffer.index());
                read.insert(compressed.buffer.index());
            }
            None => {
                read.insert(view.buffer.index());
            }
        }
    }
    unread.retain(|buffer| !read.contains(buffer));
    unread
}

impl Compressed {
    /// Checks every rule of the extension that needs no data.
    pub fn new(name: &str, json: &MeshoptView, view: &BufferView) -> Result<Self, String> {
        if cfg!(target_endian = "big") {
            return Err("it is decoded on little-endian machines only".to_owned());
        }
        let (stride, count) = (json.byte_stride.index(), json.count.index());
        let filter = match json.filter.as_deref() {
            None | Some("NONE") => Filter::None,
            Some("OCTAHEDRAL") => Filter::Octahedral,
            Some("QUATERNION") => Filter::Quaternion,
            Some("EXPONENTIAL") => Filter::Exponential,
            Some("COLOR") if name == KHR => Filter::Color,
            Some("COLOR") => return Err(format!("filter COLOR exists in {KHR} only; use that extension")),
            Some(other) => return Err(format!("filter \"{}\" is not one of the extension's", shown(other))),
        };
        let mode = match json.mode.as_str() {
            "ATTRIBUTES" => Mode::Attributes(filter),
            "TRIANGLES" | "INDICES" if filter != Filter::None => {
                return Err("only ATTRIBUTES may have a filter; leave it out".to_owned());
            }
            "TRIANGLES" => Mode::Triangles,
            "INDICES" => Mode::Indices,
            other => {
                return Err(format!("mode \"{}\" is not ATTRIBUTES, TRIANGLES or INDICES", shown(other)));
            }
        };
        if count == 0 {
            return Err("count is 0; it must be at least 1".to_owned());
        }
        let strides = match mode {
            Mode::Triangles | Mode::Indices if matches!(stride, 2 | 4) => None,
            Mode::Triangles | Mode::Indices => Some("2 or 4"),
            Mode::Attributes(Filter::None | Filter::Exponential)
                if (4..=256).contains(&stride) && stride.is_multiple_of(4) =>
            {
                None
            }
            Mode::Attributes(Filter::None | Filter::Exponential) => Some("a multiple of 4 up to 256"),
            Mode::Attributes(Filter::Octahedral | Filter::Color) if matches!(stride, 4 | 8) => None,
            Mode::Attributes(Filter::Octahedral | Filter::Color) => Some("4 or 8"),
            Mode::Attributes(Filter::Quaternion) if stride == 8 => None,
            Mode::Attributes(Filter::Quaternion) => Some("8"),
        };
        if let Some(strides) = strides {
            return Err(format!("byteStride is {stride}; with this mode and filter it must be {strides}"));
        }
        if mode == Mode::Triangles && !count.is_multiple_of(3) {
            return Err(format!("count is {count}; of TRIANGLES it must be a multiple of 3"));
        }
        let length = view.byte_length;
        if json.count.0.checked_mul(json.byte_stride.0) != Some(length.0) {
            return Err(format!(
                "{count} elements of {stride} bytes are not the view's byteLength, {}",
                length.0
            ));
        }
        match view.byte_stride {
            Some(other) if name == EXT && other != json.byte_stride => {
                Err(format!("byteStride is {stride}, and the view's own is {}; they must be equal", other.0))
            }
            _ => Ok(Self { count, stride, mode }),
        }
    }

    /// Bytes of the decoded view.
    pub fn size(&self) -> u64 {
        (self.count as u64).saturating_mul(self.stride as u64)
    }

    /// Whether the stream is of a kind that the decoder knows, and long enough that it might hold all elements: so that
    /// no memory is taken for what a few bytes claim.
    pub fn admit(&self, name: &str, stream: &[u8]) -> Result<(), String> {
        let header = stream.first().copied().unwrap_or(0);
        let known = match self.mode {
            Mode::Attributes(_) if name == KHR => 0xA0..=0xA1,
            Mode::Attributes(_) => 0xA0..=0xA0,
            Mode::Triangles => 0xE0..=0xE1,
            Mode::Indices => 0xD0..=0xD1,
        };
        if !known.contains(&header) {
            return Err(format!(
                "its data begins with 0x{header:02x}, which is no stream of this mode; the bytes are damaged, or byteOffset \
                 or mode is wrong"
            ));
        }
        let least = self.least(header & 1);
        if (stream.len() as u64) < least {
            return Err(format!(
                "{} bytes cannot hold {} elements; the stream has at least {least}",
                stream.len(),
                self.count
            ));
        }
        Ok(())
    }

    /// Bytes below which no stream of that version holds the elements (appendix A of the extension).
    fn least(&self, version: u8) -> u64 {
        let (count, stride) = (self.count as u64, self.stride as u64);
        match self.mode {
            // A header, a code for each triangle and a table.
            Mode::Triangles => 1 + count / 3 + 16,
            // A header, a byte or more for each index and a tail.
            Mode::Indices => 1 + count + 4,
            Mode::Attributes(_) => {
                let block = ((8192 / stride) & !15).min(256);
                let (whole, rest) = (count / block, count % block);
                let (tail, blocks) = if version == 0 {
                    // Two bits for each 16 values of each byte of an element, in whole bytes.
                    let headers = |elements: u64| stride * elements.div_ceil(16).div_ceil(4);
                    (stride.max(32), whole.saturating_mul(headers(block)).saturating_add(headers(rest)))
                } else {
                    // Two bits for each byte of an element.
                    ((stride + stride / 4).max(24), count.div_ceil(block).saturating_mul(stride / 4))
                };
                blocks.saturating_add(1 + tail)
            }
        }
    }

    /// Decodes a stream that was [admitted](Self::admit).
    pub fn decode(&self, stream: &[u8]) -> Result<Decoded, String> {
        let damaged = |_| "its data is damaged; export the file again or copy it completely".to_owned();
        match (self.mode, self.stride) {
            (Mode::Triangles, 2) => meshopt::decode_index_buffer(stream, self.count).map(Decoded::Halves),
            (Mode::Triangles, _) => meshopt::decode_index_buffer(stream, self.count).map(Decoded::Words),
            (Mode::Indices, 2) => meshopt::decode_index_sequence(stream, self.count).map(Decoded::Halves),
            (Mode::Indices, _) => meshopt::decode_index_sequence(stream, self.count).map(Decoded::Words),
            (Mode::Attributes(filter), stride) => attributes(stream, self.count, stride)
                .map(|words| Decoded::Words(filtered(words, filter, stride))),
        }
        .map_err(damaged)
    }
}

/// `N` words of a vertex.
#[derive(Clone, Copy, Zeroable, Pod)]
#[repr(transparent)]
struct Element<const N: usize>([u32; N]);

impl<const N: usize> Default for Element<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

/// The crate takes an element's size from a type, so there is one for each.
macro_rules! by_stride {
    ($stream:ident, $count:ident, $words:expr; $($n:literal)*) => {
        match $words {
            $($n => meshopt::decode_vertex_buffer::<Element<$n>>($stream, $count).map(bytemuck::cast_vec),)*
            // Strides are checked to be those above.
            _ => Ok(Vec::new()),
        }
    };
}

fn attributes(stream: &[u8], count: usize, stride: usize) -> Result<Vec<u32>, meshopt::Error> {
    by_stride!(stream, count, stride / 4;
        1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
        33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64)
}

fn filtered(mut words: Vec<u32>, filter: Filter, stride: usize) -> Vec<u32> {
    match (filter, stride) {
        (Filter::None, _) => {}
        (Filter::Octahedral, 4) => {
            meshopt::decode_filter_oct::<i8>(bytemuck::cast_slice_mut(&mut words));
        }
        (Filter::Octahedral, _) => {
            meshopt::decode_filter_oct::<i16>(bytemuck::cast_slice_mut(&mut words));
        }
        (Filter::Quaternion, _) => meshopt::decode_filter_quat(bytemuck::cast_slice_mut(&mut words)),
        (Filter::Exponential, _) => {
            meshopt::decode_filter_exp::<1>(bytemuck::cast_slice_mut(&mut words));
        }
        (Filter::Color, 4) => meshopt::decode_filter_color::<u8>(bytemuck::cast_slice_mut(&mut words)),
        (Filter::Color, _) => meshopt::decode_filter_color::<u16>(bytemuck::cast_slice_mut(&mut words)),
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compressed(mode: Mode, stride: usize, count: usize) -> Compressed {
        Compressed { count, stride, mode }
    }

    /// Encodes elements of `N` words with the crate's encoder and decodes them by the loader's.
    fn round_trip<const N: usize>(version: i32) {
        // More than one block, and a last group that is not full.
        let count = 300;
        let words: Vec<[u32; N]> =
            (0..count).map(|i| std::array::from_fn(|n| (i * 3 + n as u32) ^ (i << 20))).collect();
        let stream = meshopt::encode_vertex_buffer_level(&words, 2, Some(version)).unwrap();
        let view = compressed(Mode::Attributes(Filter::None), 4 * N, count as usize);
        view.admit(KHR, &stream).unwrap();
        let decoded = view.decode(&stream).unwrap();
        assert_eq!(decoded.bytes(), bytemuck::cast_slice::<_, u8>(&words), "{N} words, version {version}");
        // Every length of the shortest streams, some of the others'.
        let step = if N == 1 { 1 } else { stream.len() / 16 };
        for length in (0..stream.len()).step_by(step) {
            let cut = &stream[..length];
            assert!(view.admit(KHR, cut).and_then(|()| view.decode(cut)).is_err(), "{length} bytes");
        }
        let shortest = vec![[0_u32; N]; count as usize];
        let shortest = meshopt::encode_vertex_buffer_level(&shortest, 3, Some(version)).unwrap();
        let least = view.least(version as u8);
        assert!(least <= shortest.len() as u64, "{N} words, version {version}: {least} > {}", shortest.len());
    }

    #[test]
    fn attributes_of_every_stride_and_version_decode_to_what_was_encoded_and_fail_cut_short() {
        macro_rules! each {
            ($($n:literal)*) => { $(round_trip::<$n>(0); round_trip::<$n>(1);)* };
        }
        each!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
            33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64);
    }

    #[test]
    fn least_lengths_follow_the_layout_of_the_streams() {
        let attributes = |stride, count| compressed(Mode::Attributes(Filter::None), stride, count);
        // Version 0: a header, one byte of group headers for each of 4 bytes, a tail of 32.
        assert_eq!(attributes(4, 1).least(0), 1 + 4 + 32);
        // Two blocks of 256 (16 groups, 4 header bytes) and one of 1, for 8 bytes each.
        assert_eq!(attributes(8, 513).least(0), 1 + 8 * (4 + 4 + 1) + 32);
        // 8192 / 256 = 32 elements a block; the tail is the element.
        assert_eq!(attributes(256, 64).least(0), 1 + 2 * 256 + 256);
        // Version 1: a control byte for each 4 bytes of the element and block, a tail of at least 24.
        assert_eq!(attributes(4, 257).least(1), 1 + 2 + 24);
        assert_eq!(attributes(256, 64).least(1), 1 + 2 * 64 + 320);
        assert_eq!(compressed(Mode::Triangles, 2, 30).least(1), 1 + 10 + 16);
        assert_eq!(compressed(Mode::Indices, 4, 30).least(1), 1 + 30 + 4);
        assert_eq!(attributes(256, usize::MAX).least(0), u64::MAX, "does not overflow");
    }

    #[test]
    fn triangles_and_indices_decode_to_the_same_triangles_and_the_same_sequence() {
        let indices: Vec<u32> = (0..40).flat_map(|i| [i, i + 1, i + 2]).collect();
        let halves: Vec<u16> = indices.iter().map(|&i| i as u16).collect();
        let stream = meshopt::encode_index_buffer(&indices, 42).unwrap();
        let words = compressed(Mode::Triangles, 4, 120);
        words.admit(EXT, &stream).unwrap();
        // The codec may rotate a triangle's corners, never turn it over.
        let decoded = words.decode(&stream).unwrap();
        let decoded: &[u32] = bytemuck::cast_slice(decoded.bytes());
        for (from, to) in indices.chunks(3).zip(decoded.chunks(3)) {
            assert!((0..3).any(|turn| (0..3).all(|i| from[(i + turn) % 3] == to[i])), "{from:?} {to:?}");
        }
        let narrow = compressed(Mode::Triangles, 2, 120).decode(&stream).unwrap();
        assert!(
            bytemuck::cast_slice::<u8, u16>(narrow.bytes())
                .iter()
                .zip(decoded)
                .all(|(&a, &b)| u32::from(a) == b)
        );
        let stream = meshopt::encode_index_sequence(&indices, 42).unwrap();
        for (stride, expected) in
            [(4, bytemuck::cast_slice::<_, u8>(&indices)), (2, bytemuck::cast_slice(&halves))]
        {
            let view = compressed(Mode::Indices, stride, 120);
            view.admit(EXT, &stream).unwrap();
            assert_eq!(view.decode(&stream).unwrap().bytes(), expected);
        }
    }

    /// Stores elements as they are, and says what decoding them with a filter must give.
    #[track_caller]
    fn filters<const N: usize, T: Pod, U: Pod + PartialEq + std::fmt::Debug>(
        filter: Filter,
        stored: &[[T; N]],
        expected: &[[U; N]],
    ) {
        let stride = size_of::<[T; N]>();
        let bytes: &[u8] = bytemuck::cast_slice(stored);
        let stream = match stride {
            4 => meshopt::encode_vertex_buffer_level(bytemuck::cast_slice::<u8, [u8; 4]>(bytes), 2, Some(0)),
            _ => meshopt::encode_vertex_buffer_level(bytemuck::cast_slice::<u8, [u8; 8]>(bytes), 2, Some(0)),
        };
        let view = compressed(Mode::Attributes(filter), stride, stored.len());
        let decoded = view.decode(&stream.unwrap()).unwrap();
        assert_eq!(bytemuck::pod_collect_to_vec::<u8, [U; N]>(decoded.bytes()), expected);
    }

    #[test]
    fn octahedral_vectors_unfold() {
        // x and y on the octahedron, with "one" as the third: z = one - |x| - |y|, folded over where that is negative.
        let stored: [[i8; 4]; 4] = [[0, 0, 127, 5], [127, 0, 127, -7], [0, -127, 127, 0], [127, 127, 127, 1]];
        let expected: [[i8; 4]; 4] = [[0, 0, 127, 5], [127, 0, 0, -7], [0, -127, 0, 0], [0, 0, -127, 1]];
        filters(Filter::Octahedral, &stored, &expected);
        // "One" in fewer bits: 3 of 2-bit magnitude are the same directions.
        let stored: [[i16; 4]; 2] = [[3, 0, 3, 9], [0, 0, 3, 9]];
        let expected: [[i16; 4]; 2] = [[32767, 0, 0, 9], [0, 0, 32767, 9]];
        filters(Filter::Octahedral, &stored, &expected);
    }

    #[test]
    fn quaternions_regain_their_largest_component() {
        // The last component is "one", with the place of the left-out component in its low two bits. The others are
        // stored in units of one / sqrt(2), from the place behind.
        let one = |place: i16| (32767 & !3) | place;
        let stored = [[0, 0, 0, one(3)], [0, 0, 0, one(0)], [32767, 0, 0, one(3)], [0, 0, 32767, one(1)]];
        let half = 23170; // 32767 / sqrt(2), rounded
        let expected: [[i16; 4]; 4] =
            [[0, 0, 0, 32767], [32767, 0, 0, 0], [half, 0, 0, half], [half, half, 0, 0]];
        filters(Filter::Quaternion, &stored, &expected);
    }

    #[test]
    fn exponential_values_are_powers_of_two_times_whole_numbers() {
        let word = |exponent: i8, mantissa: i32| ((exponent as u32) << 24) | (mantissa as u32 & 0xFF_FFFF);
        let stored = [[word(-1, 3), word(2, -5)], [word(0, 0), word(-24, 1 << 22)]];
        let expected = [[1.5_f32, -20.0], [0.0, 0.25]];
        filters(Filter::Exponential, &stored, &expected);
    }

    #[test]
    fn colors_come_back_from_luma_and_chroma() {
        // (200, 0, 0): Co = (r - b) / 2 = 100, t = b + Co, Cg = (g - t) / 2 = -50, Y = t + Cg = 50. Alpha has one bit
        // less, below a bit that says how many there are.
        let stored: [[i8; 4]; 2] = [[50, 100, -50, -1], [-1, 0, 0, -128]];
        let expected: [[u8; 4]; 2] = [[200, 0, 0, 255], [255, 255, 255, 0]];
        filters(Filter::Color, &stored, &expected);
    }
}
