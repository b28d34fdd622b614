//! The log of the validation layer's messages.

use std::collections::VecDeque;
use std::ffi::{CStr, c_char, c_void};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ash::vk;

/// Messages kept by a log; later ones are only counted.
const KEPT_MESSAGES: usize = 128;

/// Messages that are not about this renderer. This is the only place that hides any.
///
/// A message is hidden when its id is the first text and its own text contains the second.
const NOT_OURS: &[(&str, &str)] = &[
    // The loader speaks about drivers and layers that it skipped while searching; what that means for us comes back
    // as the result of a call.
    ("Loader Message", ""),
    // Layer 1.4.364 on an NVIDIA driver (580): something below us asks for a function of the video extensions that does
    // not belong to devices. We ask for none.
    ("WARNING-vkGetDeviceProcAddr-device", "Video"),
];

/// How grave a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ValidationSeverity {
    /// Valid use that is likely a mistake.
    Warning,
    /// Invalid use of Vulkan.
    Error,
}

/// One message of the validation layer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ValidationMessage {
    /// How grave it is.
    pub severity: ValidationSeverity,
    /// The layer's name for the rule, such as a VUID or `SYNC-HAZARD-WRITE-AFTER-WRITE`.
    pub id: String,
    /// What happened, in the layer's words.
    pub text: String,
}

impl fmt::Display for ValidationMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            ValidationSeverity::Warning => "warning",
            ValidationSeverity::Error => "error",
        };
        write!(f, "validation {severity}: {}: {}", self.id, self.text)
    }
}

/// How many messages a log received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ValidationCounts {
    /// Messages about invalid use.
    pub errors: u64,
    /// Messages about valid but doubtful use.
    pub warnings: u64,
}

#[derive(Default)]
pub(crate) struct LogShared {
    errors: AtomicU64,
    warnings: AtomicU64,
    messages: Mutex<VecDeque<ValidationMessage>>,
}

/// Collects what the validation layer reports.
///
/// A clone is a second handle of the same log. The log lives as long as any handle, so one that was cloned before
/// the renderer is dropped also holds what was reported while dropping. Every message is counted; the first 128 are
/// kept as text. Without the layer the log stays empty.
#[derive(Clone, Default)]
pub struct ValidationLog {
    shared: Arc<LogShared>,
}

impl ValidationLog {
    /// The numbers of messages so far.
    #[must_use]
    pub fn counts(&self) -> ValidationCounts {
        ValidationCounts {
            errors: self.shared.errors.load(Ordering::Relaxed),
            warnings: self.shared.warnings.load(Ordering::Relaxed),
        }
    }

    /// Whether there was neither an error nor a warning.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.counts() == ValidationCounts::default()
    }

    /// The first messages, oldest first; at most 128.
    #[must_use]
    pub fn messages(&self) -> Vec<ValidationMessage> {
        let messages = self.shared.messages.lock();
        let messages = messages.unwrap_or_else(PoisonError::into_inner);
        messages.iter().cloned().collect()
    }

    /// Whether both are handles of one log.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// What the messenger's callback is given. Valid while a handle of this log lives.
    pub(crate) fn user_data(&self) -> *mut c_void {
        Arc::as_ptr(&self.shared).cast_mut().cast()
    }
}

impl LogShared {
    /// Counts and keeps one message, unless it is known not to be ours. Allocates only while messages are kept.
    fn record(&self, severity: ValidationSeverity, id: &str, text: &str) {
        if NOT_OURS.iter().any(|(hidden, part)| *hidden == id && text.contains(part)) {
            return;
        }
        match severity {
            ValidationSeverity::Error => {
                event!(ERROR, id = id, text = text, "validation");
                &self.errors
            }
            ValidationSeverity::Warning => {
                event!(WARN, id = id, text = text, "validation");
                &self.warnings
            }
        }
        .fetch_add(1, Ordering::Relaxed);
        let mut messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        if messages.len() < KEPT_MESSAGES {
            messages.push_back(ValidationMessage { severity, id: id.to_owned(), text: text.to_owned() });
        }
    }
}

impl fmt::Debug for ValidationLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ValidationCounts { errors, warnings } = self.counts();
        f.debug_struct("ValidationLog")
            .field("errors", &errors)
            .field("warnings", &warnings)
            .finish_non_exhaustive()
    }
}

impl fmt::Display for ValidationLog {
    /// The counts, then each kept message on its own line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ValidationCounts { errors, warnings } = self.counts();
        write!(
            f,
            "validation: {errors} error{}, {warnings} warning{}",
            if errors == 1 { "" } else { "s" },
            if warnings == 1 { "" } else { "s" }
        )?;
        for message in self.messages() {
            write!(f, "\n{message}")?;
        }
        Ok(())
    }
}

/// The messenger that feeds `log`, to be chained into instance creation and to be created on the instance.
///
/// The log has to outlive every use of the returned value and the messenger made from it.
pub(crate) fn messenger_info(log: &ValidationLog) -> vk::DebugUtilsMessengerCreateInfoEXT<'static> {
    use vk::{DebugUtilsMessageSeverityFlagsEXT as Severity, DebugUtilsMessageTypeFlagsEXT as Type};
    vk::DebugUtilsMessengerCreateInfoEXT::default()
        // Without INFO: the loader alone writes dozens of those at every start.
        .message_severity(Severity::WARNING | Severity::ERROR)
        .message_type(Type::GENERAL | Type::VALIDATION | Type::PERFORMANCE)
        .pfn_user_callback(Some(on_message))
        .user_data(log.user_data())
}

/// Called by the layer, from any thread and during any call.
///
/// A panic must not cross into C, so one is caught; nothing in here is known to panic.
unsafe extern "system" fn on_message(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _types: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user_data: *mut c_void,
) -> vk::Bool32 {
    let recorded = std::panic::catch_unwind(|| {
        // SAFETY: `user_data` came from `ValidationLog::user_data`, and the instance keeps the log alive until it is
        // destroyed; the callback data and its strings are valid during the call by the rules of the extension.
        unsafe {
            let (Some(log), Some(data)) = (user_data.cast::<LogShared>().as_ref(), data.as_ref()) else {
                return;
            };
            let severity = if severity.contains(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR) {
                ValidationSeverity::Error
            } else {
                ValidationSeverity::Warning
            };
            log.record(severity, &text_at(data.p_message_id_name), &text_at(data.p_message));
        }
    });
    drop(recorded);
    // TRUE would make the layer abort the call that it complains about.
    vk::FALSE
}

/// # Safety
///
/// `text` is null or points to a NUL-terminated string that lives as long as the returned value.
unsafe fn text_at<'a>(text: *const c_char) -> std::borrow::Cow<'a, str> {
    if text.is_null() {
        return "".into();
    }
    // SAFETY: not null, and NUL-terminated by this function's contract.
    unsafe { CStr::from_ptr(text) }.to_string_lossy()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_counted_by_severity_and_kept_in_order() {
        let log = ValidationLog::default();
        assert!(log.is_clean());
        log.shared.record(ValidationSeverity::Warning, "W-1", "odd");
        log.shared.record(ValidationSeverity::Error, "E-1", "wrong");
        let second_handle = log.clone();
        drop(log);
        assert_eq!(second_handle.counts(), ValidationCounts { errors: 1, warnings: 1 });
        assert!(!second_handle.is_clean());
        assert_eq!(
            second_handle.to_string(),
            "validation: 1 error, 1 warning\nvalidation warning: W-1: odd\nvalidation error: E-1: wrong"
        );
    }

    #[test]
    fn a_flood_is_counted_but_not_kept() {
        let log = ValidationLog::default();
        for _ in 0..1000 {
            log.shared.record(ValidationSeverity::Error, "E", "again");
        }
        assert_eq!(log.counts().errors, 1000);
        assert_eq!(log.messages().len(), KEPT_MESSAGES);
    }

    #[test]
    fn messages_about_others_are_hidden_by_id_and_text() {
        let log = ValidationLog::default();
        let record = |id, text| log.shared.record(ValidationSeverity::Warning, id, text);
        record("Loader Message", "skipping a driver");
        record(
            "WARNING-vkGetDeviceProcAddr-device",
            "pName is trying to grab vkGetPhysicalDeviceVideoCapabilitiesKHR",
        );
        assert!(log.is_clean());
        record("WARNING-vkGetDeviceProcAddr-device", "vkCreateSwapchainKHR");
        assert_eq!(log.counts().warnings, 1);
    }

    /// `cli` brings a subscriber.
    #[cfg(feature = "cli")]
    #[test]
    fn what_is_counted_is_an_event_of_its_severity() {
        #[derive(Clone, Default)]
        struct Lines(Arc<Mutex<Vec<u8>>>);

        impl std::io::Write for Lines {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.0.lock().unwrap().write(bytes)
            }

            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }

        let lines = Lines::default();
        let writer = lines.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_writer(move || writer.clone())
            .without_time()
            .with_target(false)
            .with_ansi(false)
            .finish();
        tracing::subscriber::with_default(subscriber, || {
            let log = ValidationLog::default();
            log.shared.record(ValidationSeverity::Warning, "W-1", "odd");
            log.shared.record(ValidationSeverity::Error, "E-1", "wrong");
            log.shared.record(ValidationSeverity::Error, "Loader Message", "not ours");
        });
        let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        let expected =
            " WARN validation id=\"W-1\" text=\"odd\"\nERROR validation id=\"E-1\" text=\"wrong\"\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn the_callback_survives_null_data() {
        let log = ValidationLog::default();
        let severity = vk::DebugUtilsMessageSeverityFlagsEXT::ERROR;
        let types = vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION;
        let empty = vk::DebugUtilsMessengerCallbackDataEXT::default();
        // SAFETY: null pointers are checked by the callback, and the log outlives the calls.
        unsafe {
            on_message(severity, types, std::ptr::null(), log.user_data());
            on_message(severity, types, &empty, std::ptr::null_mut());
            on_message(severity, types, &empty, log.user_data());
        }
        assert_eq!(log.counts().errors, 1);
        assert_eq!(log.messages()[0].id, "");
    }
}
