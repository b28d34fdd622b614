//! From egui's output to a renderer's overlay.

use super::color::{Backdrop, Ink};
use super::geometry::{Shown, append, check_counts, scissor};
use super::texels::{font, glyphs, picture, sampler};
use crate::assets::Sampler;
use crate::vulkan::{OverlayTextureId, Renderer, RendererError};
use ::egui::epaint::{ImageDelta, Primitive};
use ::egui::{Context, FullOutput, ImageData, TextureId, TextureOptions};
use std::collections::HashMap;

/// The texture in which egui keeps all glyphs.
const FONT: TextureId = TextureId::Managed(0);

/// Draws the output of an egui context over a renderer's frames.
///
/// One painter belongs to one context and one renderer. The size of the picture is not its business: give the context a
/// screen rectangle of the picture's size in pixels ([`Renderer::size`]) divided by the pixels per point, and at most
/// [`max_texture_side`](Self::max_texture_side) for its textures; [`EguiWindow`](super::EguiWindow) does both.
///
/// ```no_run
/// use fire_engine::egui::{EguiPainter, egui};
/// # fn frame(renderer: &mut fire_engine::vulkan::Renderer) -> Result<(), fire_engine::vulkan::RendererError> {
/// let (context, mut painter) = (egui::Context::default(), EguiPainter::new());
/// let (width, height) = renderer.size();
/// let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width as f32, height as f32));
/// let input = egui::RawInput {
///     screen_rect: Some(screen),
///     max_texture_side: Some(EguiPainter::max_texture_side(renderer)),
///     ..Default::default()
/// };
/// let output = context.run(input, |context| {
///     egui::Window::new("Panel").show(context, |ui| ui.label("Hello"));
/// });
/// painter.paint(renderer, &context, output)?;
/// // `draw_frame` and `render_to_image` show it, until something else is painted.
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct EguiPainter {
    managed: HashMap<TextureId, Managed>,
    registered: HashMap<u64, OverlayTextureId>,
    /// Freed by egui after the last paint; the overlay may show them until the next one.
    freed: Vec<TextureId>,
    /// Textures that nothing names once the overlay is filled anew.
    outdated: Vec<OverlayTextureId>,
    left_out: usize,
}

/// A texture of egui's.
#[derive(Debug, Clone, Copy)]
struct Managed {
    texture: OverlayTextureId,
    size: [usize; 2],
    sampler: Sampler,
}

impl EguiPainter {
    /// A painter that has drawn nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What to give a context as [`RawInput::max_texture_side`](::egui::RawInput::max_texture_side): half of what
    /// the device can hold, since a font's texture is twice as high here as egui has it.
    #[must_use]
    pub fn max_texture_side(renderer: &Renderer) -> usize {
        renderer.info().max_image_dimension as usize / 2
    }

    /// Uploads what changed in egui's textures, and fills the renderer's overlay with the output's shapes; what was in the
    /// overlay is gone. Lists are refilled in place. Textures that the output frees are removed at the next paint, after the frames
    /// that show them.
    ///
    /// Platform output and viewport commands are not looked at.
    ///
    /// # Errors
    /// A texture that is too large or cannot be uploaded, or more vertices than can be counted. The overlay is then as it
    /// was, and changes of textures that egui will not send again may be lost: [`clear`](Self::clear), or a new painter with
    /// a new context. [`RendererError::DeviceLost`], and [`RendererError::Unusable`] after it.
    pub fn paint(
        &mut self,
        renderer: &mut Renderer,
        context: &Context,
        output: FullOutput,
    ) -> Result<(), RendererError> {
        let FullOutput { textures_delta, shapes, pixels_per_point, .. } = output;
        self.left_out = 0;
        for id in self.freed.drain(..) {
            self.outdated.extend(self.managed.remove(&id).map(|managed| managed.texture));
        }
        self.freed.extend(textures_delta.free);
        for (id, delta) in textures_delta.set {
            self.set(renderer, id, &delta)?;
        }
        if !self.managed.contains_key(&FONT) {
            // Another painter, or this one before it was cleared, had the whole of it.
            let image = context.fonts(|fonts| fonts.image());
            self.set(renderer, FONT, &ImageDelta::full(image, TextureOptions::LINEAR))?;
        }
        let backdrop = Backdrop::new(context.style().visuals.panel_fill);
        let tessellated = context.tessellate(shapes, pixels_per_point);
        check_counts(tessellated.iter().filter_map(|clipped| match &clipped.primitive {
            Primitive::Mesh(mesh) => Some([mesh.vertices.len(), mesh.indices.len()]),
            Primitive::Callback(_) => None,
        }))?;
        renderer.overlay_mut().clear();
        for clipped in tessellated {
            let scissor = scissor(clipped.clip_rect, pixels_per_point);
            let added = match clipped.primitive {
                Primitive::Mesh(mesh) => match self.shown(mesh.texture_id) {
                    Some(shown) => {
                        let look = (pixels_per_point, backdrop);
                        append(renderer.overlay_mut(), &mesh, shown, scissor, look)
                    }
                    None => false,
                },
                Primitive::Callback(_) => false,
            };
            self.left_out += usize::from(!added);
        }
        self.remove_outdated(renderer)
    }

    /// Removes what was painted, and the textures that were made for it. Registered textures stay registered.
    ///
    /// A context goes on working with its text; images that it holds are left out until they are set again.
    ///
    /// # Errors
    /// [`RendererError::DeviceLost`], and [`RendererError::Unusable`] after it.
    pub fn clear(&mut self, renderer: &mut Renderer) -> Result<(), RendererError> {
        renderer.overlay_mut().clear();
        self.freed.clear();
        self.left_out = 0;
        self.outdated.extend(self.managed.drain().map(|(_, managed)| managed.texture));
        self.remove_outdated(renderer)
    }

    /// Lets egui show a texture of the renderer's overlay, by the name that is returned; the same for the same texture.
    /// Unregister it before removing it from the renderer.
    pub fn register(&mut self, texture: OverlayTextureId) -> TextureId {
        let number = u64::from(texture.0);
        self.registered.insert(number, texture);
        TextureId::User(number)
    }

    /// Takes a name back; returns whether it was one. What shows it from the next paint on is left out.
    pub fn unregister(&mut self, id: TextureId) -> bool {
        match id {
            TextureId::User(number) => self.registered.remove(&number).is_some(),
            TextureId::Managed(_) => false,
        }
    }

    /// How much of the last paint was left out: paint callbacks, meshes whose indices are no triangles of
    /// their vertices, meshes and changes of textures that were freed or never registered.
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    fn shown(&self, id: TextureId) -> Option<Shown> {
        match id {
            TextureId::User(number) => {
                self.registered.get(&number).map(|&texture| Shown { texture, is_font: false })
            }
            TextureId::Managed(_) => {
                let managed = self.managed.get(&id);
                managed.map(|managed| Shown { texture: managed.texture, is_font: id == FONT })
            }
        }
    }

    fn set(
        &mut self,
        renderer: &mut Renderer,
        id: TextureId,
        delta: &ImageDelta,
    ) -> Result<(), RendererError> {
        let ImageData::Color(image) = &delta.image;
        let known = self.managed.get(&id).copied();
        let (managed, origin) = match (known, delta.pos) {
            (Some(managed), Some(origin)) => (managed, origin),
            // The part of a texture that is gone.
            (None, Some(_)) => {
                self.left_out += 1;
                return Ok(());
            }
            (Some(managed), None)
                if managed.size == image.size && managed.sampler == sampler(delta.options) =>
            {
                (managed, [0, 0])
            }
            (_, None) => return self.replace(renderer, id, delta),
        };
        if image.pixels.is_empty() {
            return Ok(());
        }
        let [x, y] = origin.map(|start| u32::try_from(start).unwrap_or(u32::MAX));
        let updated = if id == FONT {
            let below = y.saturating_add(managed.size[1] as u32);
            let (light, dark) = (glyphs(image, Ink::Light), glyphs(image, Ink::Dark));
            renderer.update_overlay_parts(managed.texture, &[((x, y), &light), ((x, below), &dark)])
        } else {
            renderer.update_overlay_texture(managed.texture, (x, y), &picture(&name(id), image))
        };
        if updated.is_err() {
            // It lacks what egui will not send again.
            self.managed.remove(&id);
            self.outdated.push(managed.texture);
        }
        updated
    }

    /// Makes a texture anew, in another size or for the first time.
    fn replace(
        &mut self,
        renderer: &mut Renderer,
        id: TextureId,
        delta: &ImageDelta,
    ) -> Result<(), RendererError> {
        let ImageData::Color(image) = &delta.image;
        let sampler = sampler(delta.options);
        let data = if id == FONT { font(image) } else { picture(&name(id), image) };
        let texture = renderer.add_overlay_texture_sampled(&data, sampler)?;
        let old = self.managed.insert(id, Managed { texture, size: image.size, sampler });
        self.outdated.extend(old.map(|managed| managed.texture));
        Ok(())
    }

    /// Removes textures that the overlay does not name any more.
    fn remove_outdated(&mut self, renderer: &mut Renderer) -> Result<(), RendererError> {
        while let Some(&texture) = self.outdated.last() {
            renderer.remove_overlay_texture(texture)?;
            self.outdated.pop();
        }
        Ok(())
    }
}

fn name(id: TextureId) -> String {
    format!("egui {id:?}")
}
