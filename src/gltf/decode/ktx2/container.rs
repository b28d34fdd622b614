//! The container: what KTX 2.0 and KHR_texture_basisu admit of it.

use crate::assets::ImageData;
use crate::gltf::decode::Fault;
use crate::gltf::text::shown;

/// A checked container. Its ranges lie inside the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Container<'a> {
    pub width: u32,
    pub height: u32,
    pub payload: Payload<'a>,
    pub alpha: bool,
    /// Colors are sRGB rather than linear.
    pub srgb: bool,
    /// The largest first; the whole chain, or a part of it.
    pub levels: Vec<Level<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Payload<'a> {
    /// ETC1S blocks, coded by BasisLZ with what all levels share.
    Etc1s { global: &'a [u8] },
    /// UASTC blocks, 16 bytes each.
    Uastc { zstd: bool },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Level<'a> {
    pub bytes: &'a [u8],
    /// Columns and rows of 4 x 4 pixels.
    pub blocks: [u32; 2],
}

impl Level<'_> {
    /// Bytes of the level's blocks in UASTC.
    pub fn uastc_bytes(&self) -> u64 {
        u64::from(self.blocks[0]) * u64::from(self.blocks[1]) * 16
    }
}

const IDENTIFIER: [u8; 12] = *b"\xABKTX 20\xBB\r\n\x1A\n";
/// Bytes before the index of levels, and of each entry of that.
const HEADER: usize = 80;
const ENTRY: usize = 24;
/// Numbers of the Khronos Data Format.
const MODEL_ETC1S: u32 = 163;
const MODEL_UASTC: u32 = 166;
const PRIMARIES_BT709: u32 = 1;
const TRANSFER_LINEAR: u32 = 1;
const TRANSFER_SRGB: u32 = 2;
const PREMULTIPLIED: u32 = 1;
const CHANNEL_RGB: u32 = 0;
const CHANNEL_UASTC_RGBA: u32 = 3;
const CHANNEL_ETC1S_AAA: u32 = 15;

fn damaged(reason: impl Into<String>) -> Fault {
    Fault::Damaged(reason.into())
}

fn unsupported(what: &str) -> Fault {
    Fault::Unsupported(format!("{what}, which is not supported in glTF; convert the image"))
}

/// Little-endian numbers and ranges of the file.
#[derive(Clone, Copy)]
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn u32(self, at: usize) -> Result<u32, Fault> {
        let word = self.0.get(at..).and_then(|rest| rest.first_chunk());
        word.map(|&word| u32::from_le_bytes(word)).ok_or_else(|| damaged("it is cut off"))
    }

    fn u64(self, at: usize) -> Result<u64, Fault> {
        Ok(u64::from(self.u32(at)?) | u64::from(self.u32(at + 4)?) << 32)
    }

    fn range(self, what: &str, offset: u64, length: u64) -> Result<&'a [u8], Fault> {
        let start = usize::try_from(offset).ok();
        let end = offset.checked_add(length).and_then(|end| usize::try_from(end).ok());
        let range = start.zip(end).and_then(|(start, end)| self.0.get(start..end));
        range.ok_or_else(|| damaged(format!("{length} bytes of {what} from {offset} lie outside the file")))
    }
}

impl<'a> Container<'a> {
    pub fn parse(file: &'a [u8]) -> Result<Self, Fault> {
        let bytes = Bytes(file);
        if !file.starts_with(&IDENTIFIER) {
            return Err(damaged("its identifier is not that of KTX 2.0"));
        }
        let mut fields = [0; 9];
        for (index, field) in fields.iter_mut().enumerate() {
            *field = bytes.u32(12 + 4 * index)?;
        }
        let [format, type_size, width, height, depth, layers, faces, level_count, scheme] = fields;
        if format != 0 {
            return Err(unsupported(&format!(
                "it holds blocks of VkFormat {format} and not of Basis Universal"
            )));
        }
        if type_size != 1 {
            return Err(damaged(format!("its typeSize is {type_size}; with Basis Universal it is 1")));
        }
        if width == 0 || height == 0 || depth != 0 || layers != 0 || faces != 1 {
            return Err(unsupported(&format!(
                "it is {width} x {height} x {depth} pixels in {layers} layers and {faces} faces and not one 2-D image"
            )));
        }
        let sizes = ImageData::rgba8(width, height, Vec::new());
        if level_count == 0 || level_count > sizes.full_level_count() {
            let complete = sizes.full_level_count();
            return Err(damaged(format!(
                "it has {level_count} levels; of its size there are 1 to {complete}"
            )));
        }
        let description = bytes.range("the data format", bytes.u32(48)?.into(), bytes.u32(52)?.into())?;
        let (model, alpha, srgb) = data_format(description)?;
        metadata(bytes.range("the metadata", bytes.u32(56)?.into(), bytes.u32(60)?.into())?)?;
        let global = bytes.range("the global data", bytes.u64(64)?, bytes.u64(72)?)?;
        let payload = match (model, scheme) {
            (MODEL_ETC1S, 1) => Payload::Etc1s { global },
            (MODEL_UASTC, 0 | 2) if global.is_empty() => Payload::Uastc { zstd: scheme == 2 },
            (MODEL_UASTC, 0 | 2) => return Err(damaged("it has global data, which UASTC does not use")),
            (MODEL_ETC1S | MODEL_UASTC, _) => {
                let model = if model == MODEL_ETC1S { "ETC1S" } else { "UASTC" };
                return Err(unsupported(&format!("it holds {model} in supercompression scheme {scheme}")));
            }
            _ => {
                return Err(unsupported(&format!(
                    "it holds color model {model} and neither ETC1S nor UASTC"
                )));
            }
        };
        let mut levels = Vec::new();
        for level in 0..level_count {
            let entry = HEADER + ENTRY * level as usize;
            let (offset, length, raw) = (bytes.u64(entry)?, bytes.u64(entry + 8)?, bytes.u64(entry + 16)?);
            let bytes = bytes.range(&format!("level {level}"), offset, length)?;
            let (width, height) = sizes.level_dimensions(level);
            let found = Level { bytes, blocks: [width.div_ceil(4), height.div_ceil(4)] };
            let expected = match payload {
                Payload::Etc1s { .. } => 0,
                Payload::Uastc { .. } => found.uastc_bytes(),
            };
            let stored = payload == Payload::Uastc { zstd: false };
            if raw != expected || (stored && length != raw) {
                return Err(damaged(format!(
                    "level {level} has {length} bytes and {raw} uncompressed; uncompressed it must have {expected}"
                )));
            }
            levels.push(found);
        }
        Ok(Self { width, height, payload, alpha, srgb, levels })
    }

    /// Whether the levels go down to one pixel.
    pub fn is_complete(&self) -> bool {
        self.levels.len() == ImageData::rgba8(self.width, self.height, Vec::new()).full_level_count() as usize
    }

    /// A container of the same image with these levels, in which UASTC is not compressed, and no metadata.
    pub fn rewritten(&self, levels: &[impl AsRef<[u8]>]) -> Vec<u8> {
        let (model, channels, scheme, global) = match (self.payload, self.alpha) {
            (Payload::Etc1s { global }, false) => (MODEL_ETC1S, &[CHANNEL_RGB][..], 1, global),
            (Payload::Etc1s { global }, true) => {
                (MODEL_ETC1S, &[CHANNEL_RGB, CHANNEL_ETC1S_AAA][..], 1, global)
            }
            (Payload::Uastc { .. }, false) => (MODEL_UASTC, &[CHANNEL_RGB][..], 0, &[][..]),
            (Payload::Uastc { .. }, true) => (MODEL_UASTC, &[CHANNEL_UASTC_RGBA][..], 0, &[][..]),
        };
        let transfer = if self.srgb { TRANSFER_SRGB } else { TRANSFER_LINEAR };
        let block = 24 + 16 * channels.len() as u32;
        let mut description =
            vec![block + 4, 0, block << 16 | 2, model | PRIMARIES_BT709 << 8 | transfer << 16, 0x0303, 0, 0];
        for channel in channels {
            description.extend([channel << 24, 0, 0, u32::MAX]);
        }
        let index_end = (HEADER + ENTRY * levels.len()) as u32;
        let global_start = u64::from(index_end + block + 4);
        let mut out = IDENTIFIER.to_vec();
        let head =
            [0, 1, self.width, self.height, 0, 0, 1, levels.len() as u32, scheme, index_end, block + 4, 0, 0];
        out.extend(head.iter().flat_map(|word| word.to_le_bytes()));
        out.extend(global_start.to_le_bytes());
        out.extend((global.len() as u64).to_le_bytes());
        let mut offset = global_start + global.len() as u64;
        for level in levels {
            let length = level.as_ref().len() as u64;
            let raw = if scheme == 0 { length } else { 0 };
            out.extend([offset, length, raw].iter().flat_map(|word| word.to_le_bytes()));
            offset += length;
        }
        out.extend(description.iter().flat_map(|word| word.to_le_bytes()));
        out.extend(global);
        for level in levels {
            out.extend(level.as_ref());
        }
        out
    }
}

/// Color model, whether there is alpha, and whether colors are sRGB, from a data format descriptor.
fn data_format(description: &[u8]) -> Result<(u32, bool, bool), Fault> {
    let bytes = Bytes(description);
    let sizes = bytes.u32(8)?;
    let (block, samples) = (sizes >> 16, (sizes >> 16).saturating_sub(24) / 16);
    if bytes.u32(0)? as usize != description.len()
        || bytes.u32(4)? != 0
        || sizes & 0xFFFF != 2
        || block != 24 + 16 * samples
        || block as usize + 4 > description.len()
    {
        return Err(damaged("its data format descriptor does not begin with a basic block of version 2"));
    }
    let colors = bytes.u32(12)?;
    let (model, transfer, flags) = (colors & 0xFF, colors >> 16 & 0xFF, colors >> 24);
    let channel = |sample: u32| Ok(bytes.u32(28 + 16 * sample as usize)? >> 24 & 0xF);
    let alpha = match (model, samples) {
        (MODEL_ETC1S, 1) if channel(0)? == CHANNEL_RGB => false,
        (MODEL_ETC1S, 2) if channel(0)? == CHANNEL_RGB && channel(1)? == CHANNEL_ETC1S_AAA => true,
        (MODEL_UASTC, 1) if channel(0)? == CHANNEL_RGB => false,
        (MODEL_UASTC, 1) if channel(0)? == CHANNEL_UASTC_RGBA => true,
        (MODEL_ETC1S | MODEL_UASTC, _) => return Err(unsupported("its channels are neither RGB nor RGBA")),
        // Judged with the scheme.
        _ => false,
    };
    if flags & PREMULTIPLIED != 0 {
        return Err(unsupported("its colors are multiplied by its alpha"));
    }
    match transfer {
        TRANSFER_LINEAR | TRANSFER_SRGB => Ok((model, alpha, transfer == TRANSFER_SRGB)),
        _ => Err(unsupported(&format!(
            "its transfer function has number {transfer} and is neither linear nor sRGB"
        ))),
    }
}

/// Entries that change how the image is to be shown may have one value only.
fn metadata(mut rest: &[u8]) -> Result<(), Fault> {
    while !rest.is_empty() {
        let length = Bytes(rest).u32(0)?;
        let entry = Bytes(rest).range("a metadata entry", 4, length.into())?;
        let end = entry.iter().position(|&byte| byte == 0);
        let (key, value) = end.map_or((entry, &[][..]), |end| (&entry[..end], &entry[end + 1..]));
        let value = value.strip_suffix(&[0]).unwrap_or(value);
        let admitted: Option<&[u8]> = match key {
            b"KTXorientation" => Some(b"rd"),
            b"KTXswizzle" => Some(b"rgba"),
            b"KTXanimData" => return Err(unsupported("it is a video")),
            _ => None,
        };
        if let Some(admitted) = admitted
            && value != admitted
        {
            let (key, value) = (String::from_utf8_lossy(key), String::from_utf8_lossy(value));
            return Err(unsupported(&format!("its {key} is \"{}\"", shown(&value))));
        }
        // The next begins on a multiple of 4; the last may lack its padding.
        rest = rest.get(4 + entry.len().next_multiple_of(4)..).unwrap_or(&[]);
    }
    Ok(())
}
