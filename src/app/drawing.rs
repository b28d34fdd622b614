//! How models are drawn and their clips repeated, as the command line says it.

pub use super::arguments::samples;
use clap::ValueEnum;
use fire_engine::animation::LoopMode;
use fire_engine::vulkan::ViewMode;

/// What happens at a clip's end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Repeats {
    /// The last pose stays
    Once,
    /// From the start again
    #[default]
    Repeat,
}

impl From<Repeats> for LoopMode {
    fn from(repeats: Repeats) -> Self {
        match repeats {
            Repeats::Once => Self::Once,
            Repeats::Repeat => Self::Forever,
        }
    }
}

/// What of the surfaces is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// Vertex color x base color factor x texture, lit by nothing
    #[default]
    BaseColor,
    /// Normals in world space
    Normals,
    /// A checker where the base color's texture would lie
    Uv,
    /// The edges of triangles
    Wireframe,
    /// Green is roughness, blue metalness
    MetallicRoughness,
    /// Ambient occlusion, gray
    Occlusion,
    /// The normal map's texels
    NormalTexture,
    /// What the surface gives off
    Emissive,
}

impl From<Mode> for ViewMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::BaseColor => Self::BaseColor,
            Mode::Normals => Self::Normals,
            Mode::Uv => Self::UvChecker,
            Mode::Wireframe => Self::Wireframe,
            Mode::MetallicRoughness => Self::MetallicRoughness,
            Mode::Occlusion => Self::Occlusion,
            Mode::NormalTexture => Self::NormalTexture,
            Mode::Emissive => Self::Emissive,
        }
    }
}
