//! Loads glTF 2.0: a document becomes [`Content`](crate::scene::Content) and a [`LoadReport`] of what was not used.
//!
//! ```
//! use fire_engine::gltf::{NoFiles, load_from_slice};
//!
//! // One triangle: three positions of three floats, inline.
//! let document = br#"{
//!     "asset": {"version": "2.0"},
//!     "scenes": [{"nodes": [0]}],
//!     "nodes": [{"name": "Flag", "mesh": 0, "translation": [0, 1, 0]}],
//!     "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
//!     "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
//!     "bufferViews": [{"buffer": 0, "byteLength": 36}],
//!     "buffers": [{"byteLength": 36,
//!         "uri": "data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]
//! }"#;
//! let (content, report) = load_from_slice(document, &NoFiles)?;
//! assert_eq!(content.assets.meshes()[0].positions.len(), 3);
//! // The node, and below it the node that carries its one primitive.
//! assert_eq!(content.scene.len(), 2);
//! // Without a material, glTF asks for a lit white surface; one row of the report says that it is drawn unlit.
//! assert_eq!(report.rows[0].json_path, "meshes[0].primitives[0]");
//! assert_eq!(report.len(), 1, "{report}");
//! # Ok::<(), fire_engine::gltf::LoadError>(())
//! ```
//!
//! [`load`] does the same for a file on disk; [`load_with`] takes [`LoadOptions`]. Files beside the document come from a
//! [`Resolver`]: [`FolderResolver`] keeps to the document's folder, [`NoFiles`] has none, and an application may bring its
//! own, for example over an archive.
//!
//! # What a caller can choose, and find afterwards
//! ```
//! use fire_engine::gltf::{LoadOptions, NoFiles, ProgressCallback, Severity, load_from_slice_with};
//! use std::ops::ControlFlow;
//!
//! let document = br#"{
//!     "asset": {"version": "2.0"},
//!     "scenes": [{"name": "Day"}, {"name": "Night", "nodes": [0]}],
//!     "nodes": [{"name": "Lamp", "extras": {"watts": 60}}],
//!     "extensionsUsed": ["KHR_materials_variants"],
//!     "extensions": {"KHR_materials_variants": {"variants": [{"name": "Worn"}]}}
//! }"#;
//! let options = LoadOptions {
//!     // One of several scenes, by name or number.
//!     scene: Some("Night".into()),
//!     // Told of each step; `Break` stops the load.
//!     progress: Some(ProgressCallback::new(|step| {
//!         println!("{:?}: {} of {}", step.phase, step.done, step.total);
//!         ControlFlow::Continue(())
//!     })),
//!     ..LoadOptions::default()
//! };
//! let (mut content, report) = load_from_slice_with("lamp.gltf", document, &NoFiles, &options)?;
//! // The document's own numbers lead to nodes, and paths in it to extras.
//! let lamp = content.document.nodes[0].and_then(|id| content.scene.find(id));
//! assert_eq!(lamp.map(|node| node.name()), Some("Lamp"));
//! assert_eq!(content.document.extras.get("nodes[0]"), Some(r#"{"watts": 60}"#));
//! let worn = content.scene.find_variant("Worn");
//! content.scene.set_variant(worn)?;
//! assert_eq!(report.of_severity(Severity::Warning).count(), 0, "{report}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What becomes of a document
//! Images, textures and materials keep their indices. Of the images that a texture and its extensions name, the best that
//! this build can decode is taken. Only images that a material uses are decoded, on several threads; a white pixel keeps the
//! place of any other, and of one that cannot be had and is used only by slots that the base-color view does not show.
//! 16-bit images stay so where they are data alone. Each primitive becomes one mesh and one render object, in document
//! order (more with variants); those without a material share one default material, appended when the first is met. A
//! source node becomes a node of the same name; each primitive of its mesh becomes an identity child of it, before the
//! source's own children. A matrix stays a matrix. Each animation becomes a clip, with its slots numbered as its channels
//! first use their nodes, and a binding. Pointers of KHR_animation_pointer lead to transforms and weights of nodes, to the
//! cameras and lights on every node that carries them, and to factors and texture transforms of materials, which the scene
//! then has for itself ([`Scene::material_overrides`](crate::scene::Scene::material_overrides)). Nothing plays.
//!
//! Strips, fans and loops become lists. Normals, tangents, joints with their weights and morph targets are kept with the
//! mesh. Where lighting is asked for, what a file leaves out is computed: flat normals
//! ([`Mesh::compute_flat_normals`](crate::assets::Mesh::compute_flat_normals)), which give every triangle vertices of its
//! own, and tangents for a normal texture
//! ([`Mesh::compute_tangents`](crate::assets::Mesh::compute_tangents)), which may double vertices along seams. So a mesh may
//! have more vertices than its file.
//!
//! Cameras and lights come onto their nodes, under their own names. A primitive whose material variants change gets one
//! render object for each material, and [`Scene::set_variant`](crate::scene::Scene::set_variant) swaps them. A node with
//! instances gets a child for each of them, which has the primitives below it.
//! [`Content::document`](crate::scene::Content::document) leads from the document's indices to what became of them, and
//! holds its extras, how many of each kind it has, its extensions with what became of them, and the files of its images.
//!
//! What cannot be drawn correctly (required extensions that are not supported) is a [`LoadError`]; what is merely left out
//! is a row of the report: so are channels whose target is not animated or not there, pointers to what another channel of the
//! clip drives, and a clip whose keyframes are at fault, which keeps its place without channels. An extension that needs a crate feature is refused or reported with
//! the feature's name.
//!
//! # Why the JSON types are our own
//! The `gltf` crate (1.4.1) insists on members that glTF leaves optional (`scene.nodes`, `channel.target.node`), indexes
//! without checks in its wrappers, and resolves URIs with a panic on `%FF` and without confinement. Working around that
//! would take more code than the few plain structures that are read here, which also give errors their JSON path. Hence
//! serde structures of our own, and no dependency on that crate. Every index and range in them, used or not, is checked
//! before anything is imported, and every size before memory is taken for it; there is no `catch_unwind`.

mod accessor;
mod animation;
mod claims;
mod container;
mod convert;
mod coverage;
mod decode;
mod document;
mod error;
mod extensions;
mod foreign;
mod hierarchy;
mod images;
mod instances;
mod keyframes;
mod layout;
mod light;
mod load;
mod material;
mod mesh;
#[cfg(feature = "meshopt")]
mod meshopt;
mod nodes;
mod open_file;
mod options;
mod pointer;
mod progress;
mod references;
mod report;
mod resolve_error;
mod resolver;
mod resource;
mod scene_choice;
mod skin;
mod source;
mod steps;
mod support;
mod text;
mod texture;
mod texture_source;
mod transfer;
mod uri;
mod usage;
mod variants;
mod workers;

pub use error::LoadError;
pub use load::{load, load_from_slice, load_from_slice_with, load_with};
pub use options::{LoadLimits, LoadOptions};
pub use progress::{LoadPhase, LoadProgress, ProgressCallback};
pub use report::{LoadNote, LoadReport, NoteKind, Severity};
pub use resolve_error::ResolveError;
pub use resolver::{FolderResolver, NoFiles, Resolver};
pub use resource::Resource;
pub use scene_choice::SceneChoice;
pub use uri::ResourceName;
