//! The program: everything an application does around the library, with its public interface only.
//!
//! | file | what it decides |
//! | --- | --- |
//! | `arguments` | what the command line may say |
//! | `model` | which content is shown; the built-in cube |
//! | `framing` | where the camera stands |
//! | `pace` | how far the clips move from frame to frame: the only clock |
//! | `progress` | when enough frames were shown, and when to give up |
//! | `show` | what a host drives: start, frame, finish |
//! | `slideshow` | a show of one model |
//! | `headless`, `window` | the hosts |
//! | `destination`, `inputs` | whether files can be written, and may be |
//! | `numbers` | which pictures of a long sequence may meet a file that is there |
//! | `new_file`, `picture` | files that are whole or not there; pictures as files |
//! | `interrupt` | what is left behind when the program is told to end |
//! | `error`, `output` | failures and lines of text |
//! | `run` | all of it, in order |
//! | `bare` | the program without commands, as examples built without the feature `cli` have it |
//! | `command` | the program with its commands: `view`, `render`, `inspect`, `devices` |
//! | `render`, `inspect`, `devices` | pictures without a window; what is in a file; which devices there are |
//! | `view` | the interactive window |
//! | `timed_load`, `stopwatch` | how long the way to the first picture took |
//! | `values`, `drawing`, `selection` | how command lines say numbers, ways of drawing, and one of a model's clips or cameras |
//! | `log` | what the library tells of its work, where `--log` asks for it |
//!
//! `examples/benchmark` uses the hosts for a show of its own.

pub mod arguments;
#[cfg(not(feature = "cli"))]
pub mod bare;
#[cfg(feature = "cli")]
pub mod command;
pub mod destination;
#[cfg(feature = "cli")]
pub mod devices;
#[cfg(feature = "cli")]
pub mod drawing;
pub mod error;
pub mod framing;
pub mod headless;
pub mod inputs;
#[cfg(feature = "cli")]
pub mod inspect;
#[cfg(all(feature = "cli", unix))]
pub mod interrupt;
#[cfg(feature = "cli")]
pub mod log;
pub mod model;
pub mod new_file;
pub mod numbers;
pub mod output;
pub mod pace;
pub mod picture;
pub mod progress;
#[cfg(feature = "cli")]
pub mod render;
pub mod run;
#[cfg(feature = "cli")]
pub mod selection;
pub mod show;
pub mod slideshow;
#[cfg(feature = "cli")]
pub mod stopwatch;
#[cfg(test)]
pub mod test_folder;
#[cfg(feature = "cli")]
pub mod timed_load;
#[cfg(feature = "cli")]
pub mod values;
#[cfg(all(feature = "cli", feature = "winit"))]
pub mod view;
#[cfg(feature = "winit")]
pub mod window;
