//! What of a renderer's options can be asked for and changed while it draws.

use super::error::RendererError;
use super::options::{PresentMode, check_anisotropy, check_clear_color};
use super::renderer::Renderer;
use super::target::Target;
use crate::preparation::ViewMode;

impl Renderer {
    /// What of the surfaces is shown.
    #[must_use]
    pub fn view_mode(&self) -> ViewMode {
        self.preparation.view()
    }

    /// Changes what of the surfaces is shown. Another mode draws other streams and textures, so the next
    /// [`prepare`](Self::prepare) compiles what is new for it and raises the generation by one; drawing before that is
    /// [`RendererError::NotPrepared`]. The prepared mode, set again, changes nothing.
    pub fn set_view_mode(&mut self, view: ViewMode) {
        if view != self.preparation.view() {
            self.preparation.set_view(view);
            // Drawing looks at the plan again.
            self.grouped_from = None;
        }
    }

    /// Whether the device can show this mode: [`ViewMode::Wireframe`] needs its feature `fillModeNonSolid`.
    #[must_use]
    pub fn supports_view_mode(&self, view: ViewMode) -> bool {
        view != ViewMode::Wireframe || self.device.capabilities().fill_mode_non_solid
    }

    /// The modes that the device can show, in the order of [`ViewMode::ALL`].
    #[must_use]
    pub fn view_modes(&self) -> Vec<ViewMode> {
        ViewMode::ALL.into_iter().filter(|&view| self.supports_view_mode(view)).collect()
    }

    /// The background, as [`RendererOptions::clear_color`](super::RendererOptions::clear_color) or the last change has it.
    #[must_use]
    pub fn clear_color(&self) -> [f32; 4] {
        self.options.clear_color
    }

    /// Changes the background of all further frames. Nothing is compiled for it, and the generation stays.
    ///
    /// # Errors
    /// [`RendererError::InvalidOption`] for a component outside of 0 to 1, the old color staying; [`RendererError::Unusable`].
    pub fn set_clear_color(&mut self, color: [f32; 4]) -> Result<(), RendererError> {
        self.check_usable()?;
        check_clear_color(color)?;
        self.options.clear_color = color;
        Ok(())
    }

    /// The anisotropy that was asked for, which the device may limit.
    #[must_use]
    pub fn anisotropy(&self) -> f32 {
        self.options.anisotropy
    }

    /// Changes how finely all further frames sample textures that are seen at an angle; see
    /// [`RendererOptions::anisotropy`](super::RendererOptions::anisotropy).
    ///
    /// What is prepared is bound with other samplers, at once and without a wait: nothing is uploaded, no preparation is
    /// needed, and the generation stays. A value that filters as the last one did changes nothing. Not for every frame: a
    /// change makes a descriptor set for each combination of textures that is drawn.
    ///
    /// # Errors
    /// [`RendererError::InvalidOption`] for what is not a finite number of 1 or more, or memory that ran out, the old
    /// value staying; [`RendererError::Unusable`].
    pub fn set_anisotropy(&mut self, anisotropy: f32) -> Result<(), RendererError> {
        self.check_usable()?;
        check_anisotropy(anisotropy)?;
        self.collect_retired();
        let replaced = self.compiler.set_anisotropy(anisotropy, self.compiled.as_mut());
        if let Some(replaced) = self.note(replaced)? {
            self.retired.push(self.serial, replaced);
        }
        self.options.anisotropy = anisotropy;
        Ok(())
    }

    /// Samples per pixel. They cannot be changed: targets and pipelines are made for them.
    #[must_use]
    pub fn samples(&self) -> u32 {
        self.options.samples
    }

    /// The present mode that was asked for. A surface that does not offer it uses [`PresentMode::Fifo`]:
    /// [`present_modes`](Self::present_modes) tells what is offered, and
    /// [`RendererInfo::presentation`](super::RendererInfo::presentation) what is used.
    #[must_use]
    pub fn present_mode(&self) -> PresentMode {
        self.options.present_mode
    }

    /// Changes how finished frames reach the screen. Another mode makes the window's swapchain anew before the next frame;
    /// the same one changes nothing. Headless, the mode is remembered and has no effect.
    ///
    /// # Errors
    /// [`RendererError::Unusable`]. A mode that the surface does not offer is none: it means [`PresentMode::Fifo`].
    pub fn set_present_mode(&mut self, mode: PresentMode) -> Result<(), RendererError> {
        self.check_usable()?;
        if mode != self.options.present_mode {
            self.options.present_mode = mode;
            match &mut self.target {
                Target::Headless(_) => {}
                #[cfg(feature = "window")]
                Target::Window(window) => {
                    window.presentation.set_present_mode(mode);
                    window.stale = true;
                }
            }
        }
        Ok(())
    }

    /// The present modes that the window's surface offers, in the order of [`PresentMode`], as it said when its swapchain was
    /// last made; none when headless, and maybe none before the window had an area.
    #[must_use]
    pub fn present_modes(&self) -> Vec<PresentMode> {
        match &self.target {
            Target::Headless(_) => Vec::new(),
            #[cfg(feature = "window")]
            Target::Window(window) => window.presentation.present_modes(),
        }
    }
}
