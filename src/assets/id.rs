//! Typed indices into the catalogue.
//!
//! Dense, in order of addition. An id has a meaning only in the catalogue that issued it; one made by `new` may point
//! nowhere, which validation reports.

dense_id! {
    /// Names a [`Mesh`](super::Mesh).
    MeshId
}
dense_id! {
    /// Names an [`ImageData`](super::ImageData).
    ImageId
}
dense_id! {
    /// Names a [`Texture`](super::Texture).
    TextureId
}
dense_id! {
    /// Names a [`Material`](super::Material).
    MaterialId
}
dense_id! {
    /// Names a [`RenderObject`](super::RenderObject).
    RenderObjectId
}
