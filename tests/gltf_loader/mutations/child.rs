//! Loads in a process of its own, watched from outside.

use super::damaged;
use crate::documents;
use fire_engine::gltf::{LoadLimits, LoadOptions, NoFiles, load_from_slice_with};
use fire_engine::scene::Content;
use std::error::Error;
use std::io::{BufRead as _, BufReader};
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

const SEEDS: &str = "FIRE_ENGINE_MUTATIONS";
const IN_CHILD: &str = "FIRE_ENGINE_MUTATIONS_CHILD";

/// For one load. A file of this size takes a few milliseconds.
const TIME: Duration = Duration::from_secs(10);

/// What a load may hold besides the process's own 100 MiB or so.
const DECODED: u64 = 64 << 20;

/// In KiB, for the whole process. Only where the shell can say so, which it can on Unix.
const ADDRESS_SPACE: &str = "1000000";

/// Loads the files of these seeds in a child that runs `test` again. With `FIRE_ENGINE_MUTATIONS=A..B` it loads those
/// here instead.
pub fn run(test: &str, seeds: Range<u64>) {
    if let Ok(chosen) = std::env::var(SEEDS) {
        let (from, to) = chosen.split_once("..").expect("FROM..TO");
        let number = |text: &str| match text.split_once('+') {
            Some((a, b)) => a.parse::<u64>().unwrap() + b.parse::<u64>().unwrap(),
            None => text.parse().unwrap(),
        };
        return load_all(number(from)..number(to), std::env::var_os(IN_CHILD).is_none());
    }
    let program = std::env::current_exe().unwrap();
    let mut command = if cfg!(unix) {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -v {ADDRESS_SPACE}; exec \"$0\" \"$@\"")]).arg(program);
        shell
    } else {
        Command::new(program)
    };
    command.args(["--exact", &format!("mutations::{test}"), "--nocapture", "--include-ignored"]);
    command.env(SEEDS, format!("{}..{}", seeds.start, seeds.end)).env(IN_CHILD, "1");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (send, lines) = mpsc::channel();
    let output = BufReader::new(child.stdout.take().unwrap());
    std::thread::spawn(move || {
        // The receiver is gone only after a failure.
        output.lines().map_while(Result::ok).take_while(|line| send.send(line.clone()).is_ok()).count()
    });
    let errors = BufReader::new(child.stderr.take().unwrap());
    let errors =
        std::thread::spawn(move || errors.lines().map_while(Result::ok).collect::<Vec<_>>().join("\n"));
    let (mut last, mut counts) = (String::new(), None);
    let hung = loop {
        match lines.recv_timeout(TIME) {
            Ok(line) => {
                if let Some(seed) = line.strip_prefix("seed ") {
                    last = seed.to_owned();
                } else if let Some(said) = line.strip_prefix("counts ") {
                    counts = said.split_once(' ').map(|(a, b)| (a.parse().unwrap(), b.parse().unwrap()));
                }
            }
            Err(mpsc::RecvTimeoutError::Timeout) => break true,
            Err(mpsc::RecvTimeoutError::Disconnected) => break false,
        }
    };
    if hung {
        child.kill().unwrap();
    }
    let status = child.wait().unwrap();
    let errors = errors.join().unwrap();
    let again = format!(
        "seed {last}\nto repeat: FIRE_ENGINE_MUTATIONS={last}..{last}+1 cargo test --test gltf_loader \
         mutations::two -- --nocapture\n{errors}"
    );
    assert!(!hung, "took more than {TIME:?}: {again}");
    assert!(status.success(), "{status}: {again}");
    let (loaded, refused): (usize, usize) = counts.expect("the child ran the test");
    // Both outcomes occur, so the damage is neither always harmless nor always fatal at the first byte.
    let all = (seeds.end - seeds.start) as usize;
    assert!(loaded > all / 10 && refused > all / 4, "{loaded} loaded, {refused} refused");
}

fn load_all(seeds: Range<u64>, keep: bool) {
    let originals = documents::all();
    let limits = LoadLimits { decoded_bytes: DECODED, ..LoadLimits::default() };
    let options = LoadOptions { limits, ..LoadOptions::default() };
    let (mut loaded, mut refused) = (0, 0);
    // The harness has left a line of its own unended.
    println!();
    for seed in seeds {
        println!("seed {seed}");
        let (story, bytes) = damaged(&originals, seed);
        if keep {
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mutation-{seed}"));
            std::fs::write(&file, &bytes).unwrap();
            println!("{story}: {}", file.display());
        }
        match load_from_slice_with("damaged", &bytes, &NoFiles, &options) {
            Ok((mut content, report)) => {
                // What loads must also hold together.
                content.validate().unwrap_or_else(|error| panic!("seed {seed}, {story}: {error}"));
                for note in &report {
                    assert!(!note.to_string().contains('\n'), "seed {seed}, {story}: {note}");
                }
                play(&mut content).unwrap_or_else(|error| panic!("seed {seed}, {story}: {error}"));
                loaded += 1;
            }
            Err(error) => {
                let message = error.to_string();
                let readable = message.contains("damaged") && !message.contains('\n');
                assert!(readable, "seed {seed}, {story}: {message}");
                refused += 1;
            }
        }
    }
    println!("counts {loaded} {refused}");
}

/// Plays all clips for two steps; whatever they drive stays within its ranges.
fn play(content: &mut Content) -> Result<(), Box<dyn Error>> {
    content.play_all()?;
    for seconds in [0.3, 1e3] {
        content.advance(seconds)?;
        content.scene.update_world_transforms();
        for (_, camera) in content.scene.cameras() {
            camera.matrix(1.0)?;
        }
        for (_, light) in content.scene.lights() {
            light.validate()?;
        }
        for (_, factors) in content.scene.material_overrides() {
            assert!((0.0..=1.0).contains(&factors.metallic_factor) && factors.alpha_cutoff >= 0.0);
        }
    }
    Ok(())
}
