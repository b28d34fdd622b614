//! The panel beside the picture, drawn with egui: a function of what is [seen](super::seen::Seen), which gives
//! [orders](super::order::Order). Only its host knows a window.
//!
//! | file | what it decides |
//! | --- | --- |
//! | `host` | the panel in the viewer's window |
//! | `show` | where everything lies |
//! | `notices`, `mode_notice`, `key_window` | what is seen without the panel too |
//! | `state` | what the panel remembers from frame to frame |
//! | `choices`, `labels` | models, scenes, variants, cameras; models of one name |
//! | `clips`, `time_line` | the clips, one by one and all together |
//! | `nodes`, `tree`, `node_facts` | the tree, which of its rows are seen, what is known of a node |
//! | `materials` | surfaces and their textures |
//! | `display` | how it is drawn |
//! | `statistics`, `graph`, `drawn` | what that costs |
//! | `report` | what became of the file's parts |
//! | `fonts`, `typing` | letters that egui lacks; the end of typing |
//! | `rows`, `facts`, `scrub`, `icon`, `text`, `style` | what the sections are made of |

mod choices;
mod clips;
mod display;
mod drawn;
mod facts;
mod fonts;
mod graph;
mod host;
mod icon;
mod key_window;
mod labels;
mod materials;
mod mode_notice;
mod node_facts;
mod nodes;
mod notices;
mod report;
mod rows;
mod scrub;
mod show;
mod state;
mod statistics;
mod style;
#[cfg(test)]
mod testing;
mod text;
mod time_line;
mod tree;
mod typing;

pub use host::Panel;
