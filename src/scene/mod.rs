//! Nodes, their pose, what plays on them, and the list of what is to be drawn.
//!
//! A [`Scene`] is an arena: nodes are named by generational [`SceneNodeId`]s that exist from the moment of
//! [`Scene::add_root`] or [`Scene::add_child`], and are viewed through [`NodeRef`] and [`NodeMut`]. What changes every
//! frame lies in arrays in pre-order (a parent before its children, draw order = array order), so that
//! [`Scene::update_world_transforms`] is one forward loop. Edits only mark the structure; one linear pass restores the
//! order at the next update.
//!
//! Every node has a rest, which is where it was put, and a pose, which is where it is: clips change the pose alone. So have
//! cameras, lights, and the materials that a scene has factors of its own for ([`Scene::set_material_factors`]).
//! A node may carry a render object, a [`Skin`], a camera and a light at once, and be animated. Variants of a scene say what some
//! nodes draw instead ([`Scene::set_variant`]).
//!
//! A frame on the CPU is [`advance_animations`], [`Scene::update_world_transforms`], then drawing (which reads
//! [`Scene::build_draw_list`]). None of the three changes what must be compiled for the GPU. [`Scene::bounds`] says
//! where it all is, for culling and framing.

mod advance;
mod animated;
mod append;
mod arena;
mod bounds;
mod camera;
mod components;
mod content;
mod control;
mod deformer;
mod document;
mod draw_list;
mod driven;
mod error;
mod events;
mod extras;
mod factors;
mod id;
mod light;
mod local;
mod material_factors;
mod material_overrides;
mod mixing;
mod node;
mod node_pose;
mod palette;
mod play;
mod playing;
mod pose;
mod pose_parts;
mod projection;
mod resolve;
mod rows;
mod skin;
mod span;
mod variant_objects;
mod variants;
mod weights;

pub use advance::advance_animations;
pub use append::NodeMap;
pub use arena::Scene;
pub use bounds::{posed_bounds, posed_bounds_of};
pub use camera::Camera;
pub use content::{Content, ContentError};
pub use document::{DocumentCounts, DocumentExtension, DocumentMap, ExtensionState, ImageFile};
pub use draw_list::{DrawItem, DrawList};
pub use error::SceneError;
pub use extras::Extras;
pub use id::{SceneIdentity, SceneNodeId, VariantId};
pub use light::{Light, LightError, LightKind};
pub use local::LocalTransform;
pub use node::{NodeMut, NodeRef};
pub use play::ClipBinding;
pub use projection::Projection;
pub use skin::{Skin, SkinError};
pub use span::Span;
pub use variant_objects::VariantObjects;
