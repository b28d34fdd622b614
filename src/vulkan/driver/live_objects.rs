//! Counts of the Vulkan objects that exist, so that a leak is a number in a test.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

macro_rules! object_kinds {
    ($($kind:ident),+ $(,)?) => {
        /// A kind of Vulkan object that the renderer creates.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the names are Vulkan's own")]
        pub enum ObjectKind { $($kind),+ }

        impl ObjectKind {
            /// Every kind, in the order of creation.
            pub const ALL: &'static [Self] = &[$(Self::$kind),+];
        }
    };
}

object_kinds!(
    Instance,
    DebugMessenger,
    Surface,
    Device,
    Allocation,
    Buffer,
    Image,
    ImageView,
    Sampler,
    ShaderModule,
    DescriptorSetLayout,
    DescriptorPool,
    PipelineLayout,
    PipelineCache,
    Pipeline,
    Fence,
    Semaphore,
    CommandPool,
    QueryPool,
    Swapchain,
);

const KINDS: usize = ObjectKind::ALL.len();

/// How many Vulkan objects of each kind existed at one moment.
///
/// Two snapshots are equal when every count is. The [`Display`](fmt::Display) form lists the kinds that are not zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LiveObjects {
    counts: [usize; KINDS],
}

impl LiveObjects {
    /// The number of objects of one kind. Swapchain images belong to their swapchain and are not counted.
    #[must_use]
    pub fn count(&self, kind: ObjectKind) -> usize {
        self.counts[kind as usize]
    }

    /// The number of objects of all kinds.
    #[must_use]
    pub fn total(&self) -> usize {
        self.counts.iter().sum()
    }

    /// Whether no object is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.total() == 0
    }
}

impl fmt::Display for LiveObjects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for &kind in ObjectKind::ALL.iter().filter(|&&kind| self.count(kind) > 0) {
            write!(f, "{separator}{kind:?} {}", self.count(kind))?;
            separator = ", ";
        }
        if separator.is_empty() {
            f.write_str("none")?;
        }
        Ok(())
    }
}

/// The counters behind [`LiveObjects`], shared by all owners of one instance.
#[derive(Debug, Default)]
pub(crate) struct ObjectCounters {
    counts: [AtomicUsize; KINDS],
}

impl ObjectCounters {
    pub(crate) fn created(&self, kind: ObjectKind) {
        self.counts[kind as usize].fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn destroyed(&self, kind: ObjectKind) {
        self.counts[kind as usize].fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn snapshot(&self) -> LiveObjects {
        LiveObjects { counts: std::array::from_fn(|index| self.counts[index].load(Ordering::Relaxed)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_follow_creation_and_destruction() {
        let counters = ObjectCounters::default();
        assert!(counters.snapshot().is_empty());
        assert_eq!(counters.snapshot().to_string(), "none");
        counters.created(ObjectKind::Buffer);
        counters.created(ObjectKind::Buffer);
        counters.created(ObjectKind::Fence);
        let before = counters.snapshot();
        assert_eq!(before.to_string(), "Buffer 2, Fence 1");
        assert_eq!((before.count(ObjectKind::Buffer), before.total()), (2, 3));
        counters.destroyed(ObjectKind::Buffer);
        assert_ne!(before, counters.snapshot());
    }
}
