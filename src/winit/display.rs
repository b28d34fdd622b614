//! Whether there can be a window, and of which window system.

/// Why no window can be opened, or `None` where one may be tried.
pub(super) fn missing() -> Option<String> {
    // Elsewhere the window system is part of the operating system.
    let is_optional = cfg!(all(unix, not(any(target_vendor = "apple", target_os = "android"))));
    let variables = ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DISPLAY"];
    (is_optional && !variables.into_iter().any(is_set)).then(|| {
        "there is no display (none of WAYLAND_DISPLAY, WAYLAND_SOCKET and DISPLAY is set)".to_owned()
    })
}

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

#[cfg(target_os = "linux")]
pub(super) use linux::{has_both, is_wayland_stale};

#[cfg(target_os = "linux")]
mod linux {
    use super::is_set;
    use std::os::unix::net::UnixStream;
    use std::path::{Path, PathBuf};

    /// Whether both of Linux's window systems are announced. Then the window library takes Wayland.
    pub(in crate::winit) fn has_both() -> bool {
        (is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET")) && is_set("DISPLAY")
    }

    /// Whether nobody answers where Wayland is announced, as when a variable outlives its session. Asked beforehand,
    /// because the window library has a single try in a process.
    pub(in crate::winit) fn is_wayland_stale() -> bool {
        // An inherited connection cannot be tried without using it up.
        if is_set("WAYLAND_SOCKET") || !is_set("WAYLAND_DISPLAY") {
            return false;
        }
        let path = |name| std::env::var_os(name).map(PathBuf::from).unwrap_or_default();
        socket(&path("XDG_RUNTIME_DIR"), &path("WAYLAND_DISPLAY"))
            .is_none_or(|socket| UnixStream::connect(socket).is_err())
    }

    /// Where a Wayland display listens: its name may be a path, and else lies in the folder for run-time files.
    fn socket(folder: &Path, display: &Path) -> Option<PathBuf> {
        // Joined to a path from the root, a folder is dropped.
        Some(folder.join(display)).filter(|socket| socket.is_absolute())
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_wayland_display_is_a_name_or_a_path() {
            let socket = |folder: &str, display: &str| socket(folder.as_ref(), display.as_ref());
            assert_eq!(socket("/run/user/1", "wayland-0"), Some("/run/user/1/wayland-0".into()));
            assert_eq!(socket("/run/user/1", "/elsewhere/w"), Some("/elsewhere/w".into()));
            assert_eq!(socket("", "/elsewhere/w"), Some("/elsewhere/w".into()));
            assert_eq!(socket("", "wayland-0"), None);
            assert_eq!(socket("relative", "wayland-0"), None);
        }
    }
}
