//! Telling when a model's files change.
//!
//! | file | what it decides |
//! | --- | --- |
//! | `trail` | the names on a file system that decide what a path leads to |
//! | `posts` | which folders the system watches |
//! | `notes` | which of its events concern the files |
//! | `watcher` | when a change is told |

mod notes;
mod posts;
mod trail;
mod watcher;

pub use watcher::Watcher;
