//! What kind of window is opened.

/// The window to open. [`Default`] is a window of 800 x 600 pixels with the title `fire-engine`.
///
/// ```
/// use fire_engine::winit::WindowOptions;
///
/// let window = WindowOptions { title: "viewer".into(), full_screen: true, ..WindowOptions::default() };
/// assert!(window.close_on_escape);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WindowOptions {
    /// The text of its title bar.
    pub title: String,
    /// Its inner width and height in physical pixels; 0 counts as 1. A wish: the window system may give it another size.
    /// With `full_screen`, the size that it has after leaving it.
    pub size: (u32, u32),
    /// Whether it covers the whole of a display, without borders. The display's mode stays as it is.
    pub full_screen: bool,
    /// Whether the Escape key closes it, as the close button always does.
    pub close_on_escape: bool,
}

impl Default for WindowOptions {
    fn default() -> Self {
        Self { title: "fire-engine".to_owned(), size: (800, 600), full_screen: false, close_on_escape: true }
    }
}
