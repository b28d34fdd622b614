//! The list of shaders and how to tell whether a committed binary is stale. Shared by `build.rs` and a test.

use std::path::Path;
use std::{fs, io};

/// One SPIR-V file: which source, compiled with which macros.
pub struct Shader {
    /// Name of the constant that embeds it, and in lower case of the committed file.
    pub name: &'static str,
    pub source: &'static str,
    pub macros: &'static [&'static str],
}

pub const SHADERS: &[Shader] = &[
    Shader { name: "SCENE_VERT", source: "scene.vert", macros: &[] },
    Shader { name: "SCENE_VERT_VIEW", source: "scene.vert", macros: &["VIEW"] },
    Shader { name: "SCENE_VERT_DEFORM", source: "scene.vert", macros: &["DEFORM"] },
    Shader { name: "SCENE_VERT_VIEW_DEFORM", source: "scene.vert", macros: &["VIEW", "DEFORM"] },
    Shader { name: "SCENE_VERT_MIXED", source: "scene.vert", macros: &["DEFORM", "MIXED"] },
    Shader { name: "SCENE_VERT_VIEW_MIXED", source: "scene.vert", macros: &["VIEW", "DEFORM", "MIXED"] },
    Shader { name: "SCENE_FRAG", source: "scene.frag", macros: &[] },
    Shader { name: "SCENE_FRAG_VIEW", source: "scene.frag", macros: &["VIEW"] },
    Shader { name: "SCENE_FRAG_MIXED", source: "scene.frag", macros: &["MIXED"] },
    Shader { name: "SCENE_FRAG_VIEW_MIXED", source: "scene.frag", macros: &["VIEW", "MIXED"] },
    Shader { name: "OUTPUT_VERT", source: "output.vert", macros: &[] },
    Shader { name: "OUTPUT_FRAG", source: "output.frag", macros: &[] },
    Shader { name: "OVERLAY_VERT", source: "overlay.vert", macros: &[] },
    Shader { name: "OVERLAY_FRAG", source: "overlay.frag", macros: &[] },
];

/// Name of the file with one line `<binary> <hash>` per shader.
pub const HASHES: &str = "hashes.txt";

impl Shader {
    pub fn binary(&self) -> String {
        format!("{}.spv", self.name.to_lowercase())
    }

    /// FNV-1a (64 bits) over the macros, the source and every file that it includes.
    pub fn source_hash(&self, folder: &Path) -> io::Result<String> {
        let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
        for name in self.macros {
            hash.add(name.as_bytes());
        }
        add_file(folder, self.source, &mut hash)?;
        Ok(format!("{:016x}", hash.0))
    }
}

struct Fnv(u64);

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        // A checkout may have CRLF line ends; they compile to the same code.
        for &byte in bytes.iter().filter(|&&byte| byte != b'\r') {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        self.0 = (self.0 ^ 0xff).wrapping_mul(0x0000_0100_0000_01b3);
    }
}

fn add_file(folder: &Path, name: &str, hash: &mut Fnv) -> io::Result<()> {
    let path = folder.join(name);
    let text = fs::read_to_string(&path)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
    hash.add(text.as_bytes());
    for included in text.lines().filter_map(|line| line.trim().strip_prefix("#include")) {
        add_file(folder, included.trim().trim_matches('"'), hash)?;
    }
    Ok(())
}

/// The bytes of a committed binary; an error names the file.
pub fn read_binary(folder: &Path, binary: &str) -> Result<Vec<u8>, String> {
    fs::read(folder.join(binary)).map_err(|error| format!("shaders/{binary}: {error}"))
}

/// The words of a SPIR-V module, or why the bytes are none.
pub fn words(bytes: &[u8]) -> Result<Vec<u32>, &'static str> {
    const MAGIC: u32 = 0x0723_0203;
    if bytes.is_empty() {
        return Err("the file is empty");
    }
    let (words, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err("its size is no multiple of 4");
    }
    let words: Vec<u32> = words.iter().map(|&word| u32::from_le_bytes(word)).collect();
    if words[0] != MAGIC {
        return Err("it does not begin with SPIR-V's magic number");
    }
    Ok(words)
}

/// The hash noted for a binary in the text of [`HASHES`].
pub fn noted_hash<'a>(hashes: &'a str, binary: &str) -> Option<&'a str> {
    hashes.lines().find_map(|line| line.strip_prefix(binary)?.strip_prefix(' ')).map(str::trim)
}
