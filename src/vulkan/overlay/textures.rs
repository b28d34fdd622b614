//! Making and changing the textures of a renderer's overlay.

use super::data::OverlayTextureId;
use crate::assets::{ImageData, Sampler};
use crate::vulkan::error::RendererError;
use crate::vulkan::renderer::Renderer;

impl Renderer {
    /// As [`add_overlay_texture`](Self::add_overlay_texture), with filters and wrapping of your choice. Where the sampler
    /// reads mips, they are made from the image.
    ///
    /// # Errors
    /// An image without pixels, with too few bytes, in another format than
    /// [`ImageFormat::Rgba8`](crate::assets::ImageFormat::Rgba8) or above the device's limit; a failed allocation or upload.
    pub fn add_overlay_texture_sampled(
        &mut self,
        image: &ImageData,
        sampler: Sampler,
    ) -> Result<OverlayTextureId, RendererError> {
        self.check_usable()?;
        let made = self.compiler.upload_texture(&format!("overlay texture {}", image.name), image, sampler);
        let made = self.note(made)?;
        Ok(self.overlay_textures.add(made))
    }

    /// Writes `image` into a texture of the overlay, its upper left pixel at `origin` (column, row): a part of the
    /// texture, or all of it. The texture keeps its size and its sampler.
    ///
    /// Frames that were drawn before show what the texture held, all later ones what it holds now. Nothing waits for a
    /// frame, except if the last upload is not done.
    ///
    /// # Errors
    /// [`RendererError::InvalidOverlay`] for a texture that was removed or is another renderer's, and for pixels that would
    /// lie outside of it; an image without pixels, with too few bytes or in another format than
    /// [`ImageFormat::Rgba8`](crate::assets::ImageFormat::Rgba8). Then the texture is as it was. If the upload itself
    /// fails, nobody knows what the texture holds, so it is removed.
    pub fn update_overlay_texture(
        &mut self,
        texture: OverlayTextureId,
        origin: (u32, u32),
        image: &ImageData,
    ) -> Result<(), RendererError> {
        self.update_overlay_parts(texture, &[(origin, image)])
    }

    /// Several of [`update_overlay_texture`](Self::update_overlay_texture) in one upload.
    pub(crate) fn update_overlay_parts(
        &mut self,
        texture: OverlayTextureId,
        parts: &[((u32, u32), &ImageData)],
    ) -> Result<(), RendererError> {
        self.check_usable()?;
        let Some(set) = self.overlay_textures.find(texture) else {
            let reason = "the texture to be updated was removed or is another renderer's".to_owned();
            return Err(RendererError::InvalidOverlay { reason });
        };
        let updated = match parts.iter().try_for_each(|&part| set.check_part(part)) {
            Err(faulty) => return Err(faulty),
            Ok(()) => self.compiler.update_texture(set, parts),
        };
        if updated.is_err() {
            self.retired.push(self.serial, self.overlay_textures.remove(texture));
        }
        self.note(updated)
    }
}
