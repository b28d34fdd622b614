//! Typed indices into the catalogue.

macro_rules! asset_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        ///
        /// A dense index in order of addition, from 0. It has a meaning only in the catalogue that issued it; one made by
        /// [`new`](Self::new) may point nowhere, which validation reports.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $name(u32);

        impl $name {
            /// The id of the entry at `index`.
            #[must_use]
            pub const fn new(index: u32) -> Self {
                Self(index)
            }

            /// Position in the catalogue's slice of this kind.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The index as stored.
            #[must_use]
            pub const fn get(self) -> u32 {
                self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

asset_id! {
    /// Names a [`Mesh`](super::Mesh).
    MeshId
}
asset_id! {
    /// Names an [`ImageData`](super::ImageData).
    ImageId
}
asset_id! {
    /// Names a [`Texture`](super::Texture).
    TextureId
}
asset_id! {
    /// Names a [`Material`](super::Material).
    MaterialId
}
asset_id! {
    /// Names a [`RenderObject`](super::RenderObject).
    RenderObjectId
}
