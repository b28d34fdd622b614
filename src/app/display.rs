//! Whether there can be a window.

/// Why no window can be opened, or `None` where one may be tried.
pub fn missing() -> Option<String> {
    if !cfg!(feature = "winit") {
        return Some("this program was built without the feature `winit`".to_owned());
    }
    // Elsewhere the window system is part of the operating system.
    let is_optional = cfg!(all(unix, not(any(target_vendor = "apple", target_os = "android"))));
    let variables = ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DISPLAY"];
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    (is_optional && !variables.into_iter().any(is_set)).then(|| {
        "there is no display (none of WAYLAND_DISPLAY, WAYLAND_SOCKET and DISPLAY is set)".to_owned()
    })
}
