//! How the rooms' ids are made: one macro for positions in a list, one for names that are unique in the process.
//!
//! Macros and no shared type, so that each id is a type of its own and no room has to know another one's.

/// A typed position in a list, from 0.
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

            /// The index as stored.
            #[must_use]
            pub const fn get(self) -> u32 {
                self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

/// A name that no other value of its type has in this process.
macro_rules! unique_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u64);

        impl $name {
            pub(crate) fn next() -> Self {
                use std::sync::atomic::{AtomicU64, Ordering};
                static NEXT: AtomicU64 = AtomicU64::new(1);
                Self(NEXT.fetch_add(1, Ordering::Relaxed))
            }
        }
    };
}
