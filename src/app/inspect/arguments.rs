//! What `inspect` may be told.

use crate::app::values::{Choice, choice, seconds};
use clap::Args;
use std::path::PathBuf;

/// A file, and what to say about it.
#[derive(Args, Debug, Clone, Default, PartialEq)]
pub struct InspectArguments {
    /// A .gltf or .glb file
    pub model: PathBuf,

    /// Print one JSON object; docs/inspect.md of the project describes its fields
    #[arg(long)]
    pub json: bool,

    /// Do not cut long lists
    #[arg(long, conflicts_with = "json")]
    pub full: bool,

    /// The scene to look at, by number or name [default: the file's own choice]
    #[arg(long, value_name = "INDEX|NAME", value_parser = choice, allow_negative_numbers = true)]
    pub scene: Option<Choice>,

    /// Pose the scene by this clip, by number or name
    #[arg(long, value_name = "INDEX|NAME", value_parser = choice, allow_negative_numbers = true)]
    pub clip: Option<Choice>,

    /// When of the clip; its end holds [default: 0]
    #[arg(long, value_name = "SECONDS", requires = "clip", value_parser = seconds, allow_negative_numbers = true)]
    pub time: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser, Debug)]
    struct Line {
        #[command(flatten)]
        inspect: InspectArguments,
    }

    fn parsed(arguments: &[&str]) -> Result<InspectArguments, clap::Error> {
        Line::try_parse_from([&["inspect"], arguments].concat()).map(|line| line.inspect)
    }

    #[test]
    fn everything_can_be_said() {
        let expected = InspectArguments {
            model: "a.glb".into(),
            json: true,
            full: false,
            scene: choice("Night").ok(),
            clip: choice("1").ok(),
            time: Some(2.5),
        };
        let arguments = ["a.glb", "--json", "--scene", "Night", "--clip", "1", "--time", "2.5"];
        assert_eq!(parsed(&arguments).unwrap(), expected);
        assert!(parsed(&["a.glb", "--full"]).unwrap().full);
    }

    #[test]
    fn a_time_is_one_of_a_clip_and_not_negative() {
        assert_eq!(parsed(&["a", "--clip", "Walk"]).unwrap().time, None);
        assert!(parsed(&["a", "--time", "1"]).is_err());
        for bad in ["-1", "nan", "inf", "", "1s", "-0.5"] {
            assert!(parsed(&["a", "--clip", "0", "--time", bad]).is_err(), "{bad:?}");
        }
        assert_eq!(parsed(&["a", "--clip", "0", "--time", "-0"]).unwrap().time.map(f64::to_bits), Some(0));
    }

    #[test]
    fn one_file_is_needed() {
        assert!(parsed(&[]).is_err());
        assert!(parsed(&["a", "b"]).is_err());
        assert!(parsed(&["a", "--json", "--full"]).is_err());
    }
}
