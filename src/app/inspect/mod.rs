//! `fire-engine inspect`: what is in a file. No Vulkan is touched.
//!
//! | file | what it decides |
//! | --- | --- |
//! | `arguments` | what the command line may say |
//! | `pose` | when of which clip: what the bounds are taken of |
//! | `facts` | everything that is said, gathered once for both forms |
//! | `nodes`, `meshes`, `clips`, `surfaces`, `memory` | its parts |
//! | `json`, `text`, `lines` | the two forms |
//! | `run` | all of it, in order |

mod arguments;
mod clips;
mod facts;
mod json;
pub(super) mod lines;
mod memory;
mod meshes;
mod nodes;
mod pose;
mod run;
pub(super) mod surfaces;
mod text;

pub use arguments::InspectArguments;
pub use run::run;
