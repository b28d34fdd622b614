//! What a caller can choose.

use super::{ProgressCallback, SceneChoice};
use crate::assets::BlockFormats;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Bounds on what a file may ask for. The defaults are ones that no normal asset meets.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LoadLimits {
    /// Bytes of the document, unless it is in memory already, and of each file that it refers to. Default: 2 GiB.
    pub file_bytes: u64,
    /// Bytes of all files and data URIs that the document refers to, together; one URI that is named several times
    /// counts once for all buffers, and once for all images. Images and compressed data in buffer views of files may take
    /// this and `file_bytes` besides, which they can exceed only where views overlap. Default: 4 GiB.
    pub fetched_bytes: u64,
    /// Bytes that the JSON and what it becomes may take besides decoded data, estimated before it is parsed: 1 KiB for each
    /// object and 64 bytes for each further entry of a list or member. Also those of the JSON with U+FFFD in place of what
    /// is not UTF-8, where there is such. Default: 4 GiB, or about 4 million objects.
    pub json_bytes: u64,
    /// Width and height of an image in pixels, checked before it is decoded. Default:
    /// [`MAX_IMAGE_DIMENSION`](crate::assets::MAX_IMAGE_DIMENSION), which content validation caps anyway.
    pub image_dimension: u32,
    /// Bytes of all decoded images, vertex streams, indices, keyframes with what is worked out for rotations,
    /// instances and extras together, and of what computing tangents takes meanwhile. Default: 4 GiB.
    pub decoded_bytes: u64,
    /// Bytes of decoded accessors that have no bufferView, which a few characters of JSON can make of any size, and of the
    /// lists of morph targets; counted again at each use, and in `decoded_bytes` too. The sparse displacements of morph
    /// targets are of this kind, those that displace nothing take no memory. Default: 256 MiB.
    pub unbacked_bytes: u64,
    /// Nodes on the way from a root to the deepest one. Default: 250,000.
    pub node_depth: usize,
    /// Nodes of the imported scene, with one more for each primitive drawn. Default: 2,000,000.
    pub nodes: usize,
    /// Rows of the [`LoadReport`](super::LoadReport), which a few characters of JSON each can make long. No load fails by
    /// it: a last row says how many more there were. Default: 100,000.
    pub report_rows: usize,
}

impl Default for LoadLimits {
    fn default() -> Self {
        Self {
            file_bytes: 2 << 30,
            fetched_bytes: 4 << 30,
            json_bytes: 4 << 30,
            image_dimension: crate::assets::MAX_IMAGE_DIMENSION,
            decoded_bytes: 4 << 30,
            unbacked_bytes: 256 << 20,
            node_depth: 250_000,
            nodes: 2_000_000,
            report_rows: 100_000,
        }
    }
}

/// How a document is to be loaded.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// The folder outside which nothing is read. `None`: the folder of the document. A wider one admits names such as
    /// `../textures/wood.png`. It has a meaning only for [`load_with`](super::load_with).
    pub root: Option<PathBuf>,
    /// Which scene to import. `None`: the one that the document names, else the first. What scenes there are,
    /// [`DocumentMap::scenes`](crate::scene::DocumentMap::scenes) says after a load of any.
    pub scene: Option<SceneChoice>,
    /// Bounds on what the file may ask for.
    pub limits: LoadLimits,
    /// Threads that decode images and convert large accessors, the calling one included; more than one start only where
    /// there is enough to do. `None`: as many as the machine runs at once. The result is the same with any number. The
    /// [`Resolver`](super::Resolver) is called on the calling thread alone.
    pub threads: Option<NonZeroUsize>,
    /// Told how far the load has come; it can stop the load.
    pub progress: Option<ProgressCallback>,
    /// Whether images that are the base color of `MASK` materials get mip levels whose alpha keeps the share of texels
    /// that pass the cutoff, so that foliage does not dissolve in the distance. It costs time and a third more memory.
    /// Default: no; the renderer then makes plain mip levels.
    pub mask_coverage_mips: bool,
    /// Block-compressed formats that the device samples. KTX2 images (crate feature `basisu`) whose mip levels are complete
    /// become the first of BC7, ASTC and ETC2 that is here; others, and all of them by default, become RGBA8, which takes
    /// four times the memory. Other images never become blocks.
    pub block_formats: BlockFormats,
}

impl LoadOptions {
    /// Threads that may work at once, the calling one included.
    pub(super) fn thread_count(&self) -> usize {
        // To find out takes as long as to load a small file.
        static MACHINE: OnceLock<usize> = OnceLock::new();
        let machine = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.threads.map_or_else(|| *MACHINE.get_or_init(machine), NonZeroUsize::get)
    }
}
