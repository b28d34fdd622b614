//! Names of clips, channels, slots and playbacks.

use std::sync::atomic::{AtomicU64, Ordering};

macro_rules! dense_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $name(u32);

        impl $name {
            /// The id of position `index`.
            #[must_use]
            pub const fn new(index: u32) -> Self {
                Self(index)
            }

            /// Position in its list.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

dense_id! {
    /// Position of a clip in the list that is handed to [`crate::scene::advance_animations`].
    AnimationId
}
dense_id! {
    /// Position of a channel in its clip.
    ChannelId
}
dense_id! {
    /// Position of a target in its clip: what a binding maps to a node.
    SlotId
}

macro_rules! unique_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u64);

        impl $name {
            pub(crate) fn next() -> Self {
                static NEXT: AtomicU64 = AtomicU64::new(1);
                Self(NEXT.fetch_add(1, Ordering::Relaxed))
            }
        }
    };
}

unique_id! {
    /// Names one built clip for the life of the process; clones share it, since their samples are the same.
    AnimationIdentity
}
unique_id! {
    /// Names one playback for the life of the process; never reused, so one from another scene finds nothing.
    PlaybackId
}
