//! Damaged files that are large enough to stay open: what is read from them block by block comes out as from memory.

use super::damaged;
use super::random::Random;
use crate::documents;
use crate::fixtures::{Doc, Folder};
use fire_engine::gltf::{LoadError, LoadLimits, LoadOptions, LoadReport, NoFiles};
use fire_engine::gltf::{load_from_slice_with, load_with};
use fire_engine::scene::Content;
use std::num::NonZeroUsize;
use std::ops::Range;

/// More than what is read at once, and than a few KiB for each accessor.
const BINARY: usize = 512 << 10;

/// Numbers that arithmetic does not survive, and indices that lie outside.
const WORDS: [u32; 8] = [
    f32::NAN.to_bits(),
    f32::INFINITY.to_bits(),
    f32::NEG_INFINITY.to_bits(),
    f32::MAX.to_bits(),
    f32::MIN.to_bits(),
    1,
    u32::MAX,
    0x0100_0100,
];

/// Puts such words among the first data of a GLB.
fn spoil(bytes: &mut [u8], random: &mut Random) {
    let Some(chunk) = bytes.windows(4).position(|kind| kind == b"BIN\0") else { return };
    for _ in 0..random.below(4) {
        let at = chunk + 4 + 4 * random.below(400);
        if let Some(word) = bytes.get_mut(at..at + 4) {
            word.copy_from_slice(&random.pick(&WORDS).to_le_bytes());
        }
    }
}

fn outcome(result: Result<(Content, LoadReport), LoadError>) -> Result<(Content, String), String> {
    result.map(|(content, report)| (content, report.to_string())).map_err(|error| error.to_string())
}

/// What clips hold, without what tells one clip from another.
fn clips(content: &Content) -> String {
    let clips = content.animations.iter().map(|clip| (clip.name(), clip.channels(), clip.samplers()));
    format!("{:?}", clips.collect::<Vec<_>>())
}

fn compare(seeds: Range<u64>) {
    let mut originals: Vec<(&'static str, Doc)> = documents::all();
    for (_, doc) in &mut originals {
        doc.binary.resize(BINARY, 0);
    }
    let folder = Folder::new();
    let path = folder.0.join("damaged");
    let (mut loaded, mut refused) = (0, 0);
    for seed in seeds {
        let (story, mut bytes) = damaged(&originals, seed);
        spoil(&mut bytes, &mut Random::new(!seed));
        std::fs::write(&path, &bytes).unwrap();
        let limits = LoadLimits { decoded_bytes: 64 << 20, ..LoadLimits::default() };
        let options = |threads| LoadOptions {
            limits: limits.clone(),
            threads: NonZeroUsize::new(threads),
            ..LoadOptions::default()
        };
        let name = path.display().to_string();
        let from_file = outcome(load_with(&path, &options([1, 2, 8][seed as usize % 3])));
        let from_memory = outcome(load_from_slice_with(&name, &bytes, &NoFiles, &options(1)));
        match (from_file, from_memory) {
            (Ok((one, one_report)), Ok((other, other_report))) => {
                assert_eq!(one_report, other_report, "seed {seed}, {story}");
                let alike = one.assets.meshes() == other.assets.meshes()
                    && one.assets.images() == other.assets.images()
                    && clips(&one) == clips(&other);
                assert!(alike, "seed {seed}, {story}");
                loaded += 1;
            }
            (Err(one), Err(other)) => {
                assert_eq!(one, other, "seed {seed}, {story}");
                refused += 1;
            }
            (one, other) => {
                let error = |result: Result<(Content, String), String>| result.err();
                panic!(
                    "seed {seed}, {story}: {:?} from the file, {:?} from memory",
                    error(one),
                    error(other)
                );
            }
        }
    }
    assert!(loaded > 0 && refused > 0, "{loaded} loaded, {refused} refused");
}

#[test]
fn two_hundred_large_damaged_files_give_the_same_from_their_file_as_from_memory() {
    compare(0..200);
}

#[test]
#[ignore = "takes minutes; the first twentieth runs always"]
fn four_thousand_large_damaged_files_give_the_same_from_their_file_as_from_memory() {
    compare(0..4_000);
}
