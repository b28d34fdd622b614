//! Where the files of a document come from.

use super::open_file::OpenFile;
use super::{ResolveError, Resource, ResourceName};
use std::io;
use std::path::{Component, Path, PathBuf};

/// Hands out the files that a document refers to, for example from a folder or an archive.
///
/// Data URIs and buffers inside a GLB never reach it.
///
/// ```
/// use fire_engine::gltf::{ResolveError, Resolver, ResourceName, load_from_slice};
/// use std::collections::HashMap;
///
/// /// An archive that was unpacked into memory.
/// struct Archive(HashMap<&'static str, Vec<u8>>);
///
/// impl Resolver for Archive {
///     fn read(&self, name: &ResourceName, limit: u64) -> Result<Vec<u8>, ResolveError> {
///         let found = self.0.get(name.decoded()).ok_or(ResolveError::NotFound)?;
///         if found.len() as u64 > limit {
///             return Err(ResolveError::TooLarge { limit });
///         }
///         Ok(found.clone())
///     }
/// }
///
/// let document = br#"{
///     "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
///     "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
///     "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
///         "min": [0, 0, 0], "max": [0, 0, 0]}],
///     "bufferViews": [{"buffer": 0, "byteLength": 36}],
///     "buffers": [{"uri": "a%20mesh.bin", "byteLength": 36}]
/// }"#;
/// let archive = Archive(HashMap::from([("a mesh.bin", vec![0; 36])]));
/// let (content, _report) = load_from_slice(document, &archive)?;
/// assert_eq!(content.assets.meshes()[0].positions.len(), 3);
/// # Ok::<(), fire_engine::gltf::LoadError>(())
/// ```
pub trait Resolver {
    /// The bytes of a file, at most `limit` of them.
    ///
    /// # Errors
    /// [`ResolveError`]; the loader adds the document's name, the JSON path and the URI.
    fn read(&self, name: &ResourceName, limit: u64) -> Result<Vec<u8>, ResolveError>;

    /// As [`read`](Self::read), for a file that is a buffer's: one that need not be read as a whole at once. What this does
    /// by default.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn open(&self, name: &ResourceName, limit: u64) -> Result<Resource, ResolveError> {
        self.read(name, limit).map(Resource::from)
    }
}

/// Hands out nothing: for documents that hold all of their data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct NoFiles;

impl Resolver for NoFiles {
    fn read(&self, _: &ResourceName, _: u64) -> Result<Vec<u8>, ResolveError> {
        Err(ResolveError::Refused {
            reason: "external files are not available here; embed the data or give a resolver that has them"
                .into(),
        })
    }
}

/// Hands out regular files below one folder, and nothing outside it.
///
/// Names are taken relative to the folder, percent-decoded first and then as written. A name that leads out (`..`, an
/// absolute path, a symbolic link) is refused, unless a wider [root](Self::with_root) admits it. Pipes, devices and
/// folders are refused without being opened.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FolderResolver {
    folder: PathBuf,
    root: Option<PathBuf>,
}

impl FolderResolver {
    /// Files of `folder` and the folders in it. An empty path is the current folder.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        Self { folder, root: None }
    }

    /// Admits every file below `root`, which should contain the folder.
    #[must_use]
    pub fn with_root(self, root: impl Into<PathBuf>) -> Self {
        Self { root: Some(root.into()), ..self }
    }

    /// The path of the first spelling that is there.
    fn find(&self, name: &ResourceName) -> Result<PathBuf, ResolveError> {
        for candidate in name.candidates() {
            match self.locate(candidate) {
                Err(ResolveError::Io(error)) if is_absence(error.kind()) => {}
                found => return found,
            }
        }
        Err(ResolveError::NotFound)
    }

    /// The file's path with every link resolved, once it is known to lie inside.
    fn locate(&self, name: &str) -> Result<PathBuf, ResolveError> {
        let relative = Path::new(name);
        let mut depth = 0_i64;
        for component in relative.components() {
            depth += match component {
                Component::Normal(_) => 1,
                Component::CurDir => 0,
                Component::ParentDir => -1,
                Component::RootDir | Component::Prefix(_) => {
                    return Err(ResolveError::Refused {
                        reason: "absolute paths are not read; give a name relative to the document".into(),
                    });
                }
            };
            if depth < 0 && self.root.is_none() {
                return Err(outside());
            }
        }
        let root = self.root.as_deref().unwrap_or(&self.folder);
        let path = match self.folder.join(relative).canonicalize() {
            Ok(path) => path,
            // Whether something is there is not for the document to learn either, where it would lie outside.
            Err(_) if self.would_lead_out(relative, root) => return Err(outside()),
            Err(error) => return Err(error.into()),
        };
        let root = root.canonicalize().map_err(|error| ResolveError::Refused {
            reason: format!("the root {} cannot be used ({error}); name an existing folder", root.display()),
        })?;
        if path.starts_with(root) { Ok(path) } else { Err(outside()) }
    }

    /// Whether a name of something that cannot be reached leads out, by the links on its way that can be.
    fn would_lead_out(&self, relative: &Path, root: &Path) -> bool {
        // Longer ones are of no use to any system, and to follow them could take long.
        const LONGEST: usize = 32 << 10;
        let (Ok(mut path), Ok(root)) = (self.folder.canonicalize(), root.canonicalize()) else {
            return false;
        };
        let mut real = relative.as_os_str().len() <= LONGEST;
        for component in relative.components() {
            match component {
                Component::ParentDir => {
                    path.pop();
                }
                Component::Normal(part) => {
                    path.push(part);
                    real = real && path.canonicalize().map(|found| path = found).is_ok();
                }
                _ => {}
            }
        }
        !path.starts_with(root)
    }
}

impl Resolver for FolderResolver {
    fn read(&self, name: &ResourceName, limit: u64) -> Result<Vec<u8>, ResolveError> {
        OpenFile::open(&self.find(name)?, limit)?.read_all(limit)
    }

    fn open(&self, name: &ResourceName, limit: u64) -> Result<Resource, ResolveError> {
        Resource::open(&self.find(name)?, limit)
    }
}

/// An escaped slash may also make a folder of what is a file.
fn is_absence(kind: io::ErrorKind) -> bool {
    matches!(kind, io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn outside() -> ResolveError {
    ResolveError::Refused {
        reason: "it leads out of the document's folder; move the file inside, or name a wider root in LoadOptions::root"
            .into(),
    }
}
