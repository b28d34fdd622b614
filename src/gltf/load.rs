//! The steps of a load, in order.

use super::accessor::Accessors;
use super::container::Fault;
use super::document::{BYTE_ORDER_MARK, ParseFault, Root, parse};
use super::extensions::Carried;
use super::mesh::Meshes;
use super::nodes::Built;
use super::report::{LoadReport, Severity};
use super::resource::{Piece, Resource};
use super::source::Source;
use super::steps::Steps;
use super::{
    FolderResolver, LoadError, LoadOptions, LoadPhase, ResolveError, Resolver, animation, container,
    document, extensions, foreign, hierarchy, material, mesh, nodes, references, support, texture,
};
use crate::animation::AnimationId;
use crate::assets::{AssetError, MaterialId, RenderAssets};
use crate::scene::{ClipBinding, Content, ContentError, DocumentMap};
use crate::trace::Stopwatch;
use std::path::Path;

/// Loads a `.gltf` or `.glb` file; its other files are read from its own folder and nowhere else.
///
/// The scene is at rest, with world transforms resolved and nothing playing. Which container the file is, its first bytes
/// decide.
///
#[cfg_attr(feature = "png", doc = "```")]
#[cfg_attr(not(feature = "png"), doc = "```ignore")]
/// let (mut content, report) = fire_engine::gltf::load("assets/LetterCube/LetterCube.gltf")?;
/// println!("{report}"); // what was left out or approximated, with its place in the file
/// content.play_first()?;
/// assert_eq!(content.assets.meshes().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LoadError`], naming the file, the place in its JSON, the reason and the remedy. The whole document is checked, used
/// or not, and nothing is returned of a faulty one.
pub fn load(path: impl AsRef<Path>) -> Result<(Content, LoadReport), LoadError> {
    load_with(path, &LoadOptions::default())
}

/// As [`load`], with a choice of scene, of a wider folder, and of limits.
///
#[cfg_attr(feature = "png", doc = "```")]
#[cfg_attr(not(feature = "png"), doc = "```ignore")]
/// use fire_engine::gltf::{LoadLimits, LoadOptions, load_with};
///
/// let options = LoadOptions {
///     // Textures may lie in a folder beside that of the document.
///     root: Some("assets".into()),
///     // A stranger's file gets less room.
///     limits: LoadLimits { decoded_bytes: 64 << 20, ..LoadLimits::default() },
///     ..LoadOptions::default()
/// };
/// let (content, _report) = load_with("assets/LetterCube/LetterCube.gltf", &options)?;
/// assert_eq!(content.document.resources[0], "LetterCube.bin");
/// # Ok::<(), fire_engine::gltf::LoadError>(())
/// ```
///
/// # Errors
/// As [`load`].
pub fn load_with(path: impl AsRef<Path>, options: &LoadOptions) -> Result<(Content, LoadReport), LoadError> {
    let path = path.as_ref();
    let file = path.display().to_string();
    let document = Resource::open(path, options.limits.file_bytes)
        .map_err(|cause| LoadError::Read { file: file.clone(), cause })?;
    let mut resolver = FolderResolver::new(path.parent().unwrap_or(Path::new("")));
    if let Some(root) = &options.root {
        resolver = resolver.with_root(root);
    }
    load_document(&file, document.piece(), &resolver, options)
}

/// Loads a document that is in memory already; its other files come from `resolver`.
///
/// # Errors
/// As [`load`]; messages call the document `glTF in memory`.
pub fn load_from_slice(bytes: &[u8], resolver: &dyn Resolver) -> Result<(Content, LoadReport), LoadError> {
    load_from_slice_with("glTF in memory", bytes, resolver, &LoadOptions::default())
}

/// As [`load_from_slice`], with a name for messages and with options; [`LoadOptions::root`] is the resolver's business
/// and not used.
///
/// # Errors
/// As [`load`].
pub fn load_from_slice_with(
    name: &str,
    bytes: &[u8],
    resolver: &dyn Resolver,
    options: &LoadOptions,
) -> Result<(Content, LoadReport), LoadError> {
    load_document(name, Piece::Memory(bytes), resolver, options)
}

fn load_document(
    name: &str,
    document: Piece<'_>,
    resolver: &dyn Resolver,
    options: &LoadOptions,
) -> Result<(Content, LoadReport), LoadError> {
    let _span = span!(INFO, "load", file = name);
    let steps = Steps::new(name, options);
    let loaded = read_document(name, document, resolver, options, &steps);
    if let Err(error) = &loaded {
        event!(DEBUG, error = %error, "load refused");
    }
    loaded
}

fn read_document(
    name: &str,
    document: Piece<'_>,
    resolver: &dyn Resolver,
    options: &LoadOptions,
    steps: &Steps<'_>,
) -> Result<(Content, LoadReport), LoadError> {
    let watch = Stopwatch::start();
    let mut report = LoadReport::with_room(options.limits.report_rows);
    steps.tell(LoadPhase::Document, 0, 1)?;
    let container = container::split(document).map_err(|fault| {
        let file = name.to_owned();
        match fault {
            Fault::Unreadable(error) => LoadError::Read { file, cause: ResolveError::Io(error) },
            Fault::Version(version) => {
                let reason = format!("it is a GLB of version {version}, where 2 is supported");
                LoadError::Version { file, json_path: String::new(), reason }
            }
            Fault::Malformed(reason) => LoadError::Container { file, reason },
            // What the parser says of the beginning, it would say of all.
            Fault::Foreign { head, found } => {
                let reason = parse(&head).err().map_or_else(String::new, |fault| fault.reason);
                LoadError::NotGltf { file, found, reason }
            }
        }
    })?;
    let text = &*container.json;
    for repair in container.repairs {
        report.repaired("", repair);
    }
    if let Some(skipped) = container.skipped {
        report.ignored(Severity::Info, "", skipped);
    }
    if text.starts_with(BYTE_ORDER_MARK) {
        report.repaired("", "the JSON begins with a byte order mark; skipped");
    }
    check_room(name, text, options)?;
    let (json, walked) = read(text, options);
    let json = json.map_err(|fault| unparsed(name, document, text, fault))?;
    let walked = match walked {
        Some(walked) => walked,
        None => Walked::mended(name, text, options)?,
    };
    walked.report(&mut report);
    let carried = walked.carried;
    support::check(name, &json, &carried.extensions, &mut report)?;
    let extensions = support::extensions(&json, &carried.extensions);
    steps.tell(LoadPhase::Document, 1, 1)?;
    let source = Source::new(name, &json, container.binary, resolver, options, steps)?;
    source.charge(carried.extras_bytes, "extras")?;
    references::check(&source)?;
    let accessors = Accessors::new(&source, &mut report)?;
    let mut content = import(&source, &accessors, options, &mut report)?;
    content.document.extras = carried.extras;
    content.document.extensions = extensions;
    let report = report.close();
    for note in &report {
        event!(
            DEBUG,
            severity = %note.severity,
            json_path = note.json_path.as_str(),
            kind = %note.kind,
            note = note.message.as_str(),
            "row of the load's report"
        );
    }
    // Those of the document, not what was made of them: primitives have nodes of their own in the scene.
    let counts = &content.document.counts;
    event!(
        INFO,
        nodes = counts.nodes,
        meshes = counts.meshes,
        materials = counts.materials,
        images = counts.images,
        clips = content.animations.len(),
        bytes = source.decoded_bytes(),
        rows = report.len(),
        ms = watch.ms(),
        "loaded"
    );
    Ok((content, report))
}

/// Why the JSON did not become a document, in the terms that help most.
fn unparsed(file: &str, document: Piece<'_>, json: &[u8], fault: ParseFault) -> LoadError {
    let file = file.to_owned();
    let ParseFault { json_path, reason } = fault;
    // Not the JSON of a GLB.
    if document.len() == json.len()
        && let Some(found) = foreign::seen(json)
    {
        return LoadError::NotGltf { file, found, reason };
    }
    // Documents of glTF 1.0 have objects where 2.0 has lists, which would not be the most helpful thing to say.
    let refused = document::version(json).and_then(|version| support::check_version(&file, &version).err());
    refused.unwrap_or(LoadError::Json { file, json_path, reason })
}

/// Refuses JSON that two characters at a time would fill the memory: `{}` may stand for a material.
fn check_room(file: &str, json: &[u8], options: &LoadOptions) -> Result<(), LoadError> {
    // A material takes most, with what it becomes and its row of the report; an entry of a list is a text at most.
    const OBJECT: u64 = 1024;
    const ENTRY: u64 = 64;
    let count = |byte: u8| memchr::memchr_iter(byte, json).count() as u64;
    let limit = options.limits.json_bytes;
    // Most texts are too short for a count to matter.
    if (json.len() as u64).saturating_mul(OBJECT) <= limit {
        return Ok(());
    }
    let actual = (count(b'{') * OBJECT).saturating_add(count(b',') * ENTRY);
    if actual <= limit {
        return Ok(());
    }
    let what = "the estimated memory of the JSON's objects and lists";
    let (file, json_path) = (file.to_owned(), String::new());
    Err(LoadError::Limit { file, json_path, what, actual, limit, field: "json_bytes" })
}

/// From so many bytes on, JSON is parsed and walked on two threads at once.
const LONG_JSON: usize = 512 << 10;

/// Parses the JSON, and walks it for what its objects carry besides. `None` if it has to be mended for that, which is worth
/// doing only for what parses: the mended text may be three times as long.
fn read(json: &[u8], options: &LoadOptions) -> (Result<Root, ParseFault>, Option<Walked>) {
    if json.len() < LONG_JSON || options.thread_count() == 1 {
        return (parse(json), Walked::new(json, options));
    }
    std::thread::scope(|scope| {
        let walk = std::thread::Builder::new().spawn_scoped(scope, || Walked::new(json, options));
        let root = parse(json);
        let walked = match walk.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(walked)) => walked,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => Walked::new(json, options),
        };
        (root, walked)
    })
}

fn without_mark(json: &[u8]) -> &[u8] {
    json.strip_prefix(BYTE_ORDER_MARK).unwrap_or(json)
}

/// The extensions and extras of the document's objects.
struct Walked {
    carried: Carried,
    is_utf8: bool,
}

impl Walked {
    /// `None` for what is not UTF-8.
    fn new(json: &[u8], options: &LoadOptions) -> Option<Self> {
        let json = std::str::from_utf8(without_mark(json)).ok()?;
        Some(Self { carried: extensions::carried(json, options.limits.decoded_bytes), is_utf8: true })
    }

    /// Of a text that is not UTF-8, with U+FFFD for what is wrong.
    fn mended(file: &str, json: &[u8], options: &LoadOptions) -> Result<Self, LoadError> {
        let json = without_mark(json);
        let wrong = char::REPLACEMENT_CHARACTER.len_utf8();
        let of_chunk = |chunk: std::str::Utf8Chunk<'_>| {
            chunk.valid().len() + if chunk.invalid().is_empty() { 0 } else { wrong }
        };
        let actual = json.utf8_chunks().map(|chunk| of_chunk(chunk) as u64).sum();
        let limit = options.limits.json_bytes;
        if actual > limit {
            let what = "the JSON with U+FFFD in place of what is not UTF-8";
            let (file, json_path) = (file.to_owned(), String::new());
            return Err(LoadError::Limit { file, json_path, what, actual, limit, field: "json_bytes" });
        }
        let json = String::from_utf8_lossy(json);
        Ok(Self { carried: extensions::carried(&json, options.limits.decoded_bytes), is_utf8: false })
    }

    fn report(&self, report: &mut LoadReport) {
        if !self.is_utf8 {
            report.repaired(
                "",
                "parts of the JSON that are not read are not UTF-8; what is wrong becomes U+FFFD in extras",
            );
        }
        if let Some((path, fault)) = &self.carried.fault {
            let message = format!("extensions and extras from here on are neither listed nor kept: {fault}");
            report.ignored(Severity::Warning, path, message);
        }
        let count = self.carried.unreachable_extras;
        if count > 0 {
            let message =
                format!("the extras of {count} objects are not kept, because their paths are very long");
            report.ignored(Severity::Info, "", message);
        }
    }
}

fn import(
    source: &Source<'_>,
    accessors: &Accessors<'_>,
    options: &LoadOptions,
    report: &mut LoadReport,
) -> Result<Content, LoadError> {
    let mut assets = RenderAssets::new();
    let images = texture::import(source, &mut assets, report)?;
    material::import(source, &mut assets, report)?;
    let meshes = mesh::import(source, accessors, &mut assets, report)?;
    let steps = source.json.animations.len() + 1;
    source.progress(LoadPhase::Scene, 0, steps)?;
    let hierarchy = hierarchy::check(source, options.scene.as_ref(), report)?;
    let clips = animation::import(source, accessors, &hierarchy, &meshes, report)?;
    let Built { scene, nodes, skins } = nodes::build(source, accessors, &hierarchy, &meshes, report)?;
    let document = DocumentMap {
        counts: source.json.counts(),
        scenes: source.json.scenes.iter().map(|scene| scene.name.clone().unwrap_or_default()).collect(),
        scene: hierarchy.scene,
        nodes,
        primitives: meshes.primitives(source),
        images,
        resources: source.resources(),
        skins,
        ..DocumentMap::default()
    };
    let mut content = Content { assets, scene, document, ..Content::default() };
    for (index, clip) in clips.into_iter().enumerate() {
        let animation = AnimationId::new(u32::try_from(index).unwrap_or(u32::MAX));
        // Channels of nodes outside the scene were left out, so every slot has its node.
        let nodes = clip.nodes.iter().filter_map(|&node| content.document.nodes[node]).collect();
        // Materials keep their indices.
        let material = |&index: &usize| MaterialId::new(u32::try_from(index).unwrap_or(u32::MAX));
        let materials: Vec<MaterialId> = clip.materials.iter().map(material).collect();
        for &material in &materials {
            if let Some(described) = content.assets.material(material) {
                // What is not finite is found below, with everything else about materials.
                let _refused = content.scene.set_material_factors(material, described.factors());
            }
        }
        content.bindings.push(ClipBinding { animation, nodes, materials });
        content.animations.push(clip.animation);
    }
    content.validate().map_err(|error| LoadError::Content {
        file: source.file.to_owned(),
        json_path: origin(&error, &meshes),
        cause: error,
    })?;
    source.progress(LoadPhase::Scene, steps, steps)?;
    Ok(content)
}

/// Where in the document the object of a content error came from.
fn origin(error: &ContentError, meshes: &Meshes) -> String {
    let ContentError::Assets(error) = error else { return String::new() };
    match error {
        AssetError::MeshWithoutVertices { mesh }
        | AssetError::MeshIndexCount { mesh, .. }
        | AssetError::MeshTooLarge { mesh, .. }
        | AssetError::MeshIndexRange { mesh, .. }
        | AssetError::MeshStreamLength { mesh, .. }
        | AssetError::MeshNotFinite { mesh, .. }
        | AssetError::MeshJointSets { mesh, .. }
        | AssetError::JointWeights { mesh, .. }
        | AssetError::MorphWeightCount { mesh, .. }
        | AssetError::MorphWeightNotFinite { mesh, .. } => {
            let origin = meshes.origins.get(mesh.index());
            origin
                .map_or(String::new(), |(mesh, primitive)| format!("meshes[{mesh}].primitives[{primitive}]"))
        }
        AssetError::ImageDimensions { image, .. }
        | AssetError::ImageBytes { image, .. }
        | AssetError::ImageLevels { image, .. } => format!("images[{image}]"),
        AssetError::TextureImage { texture, .. } => format!("textures[{texture}]"),
        AssetError::MaterialNotFinite { material, .. } | AssetError::MaterialTexture { material, .. } => {
            format!("materials[{material}]")
        }
        _ => String::new(),
    }
}
