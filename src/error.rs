//! All rooms' errors as one, for `?` in applications.

/// Any error of this library.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be loaded.
    #[cfg(feature = "gltf")]
    #[error(transparent)]
    Load(#[from] crate::gltf::LoadError),
    /// A file beside the document cannot be had, or its name is not one.
    #[cfg(feature = "gltf")]
    #[error(transparent)]
    Resolve(#[from] crate::gltf::ResolveError),
    /// A mesh is faulty.
    #[error(transparent)]
    Geometry(#[from] crate::assets::GeometryError),
    /// A catalogue is faulty.
    #[error(transparent)]
    Assets(#[from] crate::assets::AssetError),
    /// A clip, a binding or a time is faulty.
    #[error(transparent)]
    Animation(#[from] crate::animation::AnimationError),
    /// An edit of a scene was refused.
    #[error(transparent)]
    Scene(#[from] crate::scene::SceneError),
    /// A light has a property out of range.
    #[error(transparent)]
    Light(#[from] crate::scene::LightError),
    /// A skin cannot be made.
    #[error(transparent)]
    Skin(#[from] crate::scene::SkinError),
    /// Content does not fit together.
    #[error(transparent)]
    Content(#[from] crate::scene::ContentError),
    /// Draws could not be planned.
    #[error(transparent)]
    Preparation(#[from] crate::preparation::PreparationError),
    /// A camera has no direction to look in.
    #[error(transparent)]
    LookAt(#[from] crate::math::LookAtError),
    /// A projection has an argument out of range.
    #[error(transparent)]
    Projection(#[from] crate::math::ProjectionError),
    /// A value has no direction.
    #[error(transparent)]
    Normalize(#[from] crate::math::NormalizeError),
    /// The renderer or the driver failed.
    #[error(transparent)]
    Renderer(#[from] crate::vulkan::RendererError),
    /// The window system failed after a window was open.
    #[cfg(feature = "winit")]
    #[error("the window system failed: {reason}")]
    WindowSystem {
        /// What it said.
        reason: String,
    },
}

#[cfg(feature = "winit")]
impl From<crate::winit::WindowError<Self>> for Error {
    fn from(error: crate::winit::WindowError<Self>) -> Self {
        match error {
            crate::winit::WindowError::App(error) => error,
            crate::winit::WindowError::WindowSystem { reason } => Self::WindowSystem { reason },
        }
    }
}
