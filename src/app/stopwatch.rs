//! How long the way to the first picture took.

use super::timed_load::LoadTimes;
use std::fmt;
use std::time::Instant;

/// Steps from the start to the first picture; some happen at once.
#[derive(Debug)]
pub struct Stopwatch {
    start: Instant,
    steps: Vec<Step>,
    last: Instant,
}

#[derive(Debug)]
struct Step {
    name: String,
    began: Instant,
    ended: Instant,
}

impl Stopwatch {
    /// Starts at `start`.
    pub fn new(start: Instant) -> Self {
        Self { start, steps: Vec::new(), last: start }
    }

    /// Ends a step that began when the last one ended, or at the [skip](Self::skip) since.
    pub fn lap(&mut self, name: &str) {
        let now = Instant::now();
        self.steps.push(Step { name: name.to_owned(), began: self.last, ended: now });
        self.last = now;
    }

    /// The next step begins now.
    pub fn skip(&mut self) {
        self.last = Instant::now();
    }

    /// Adds the steps of a load that went on beside.
    pub fn loaded(&mut self, times: &LoadTimes) {
        self.steps.push(Step { name: "load".to_owned(), began: times.began, ended: times.ended });
        let ends = times.phases.iter().skip(1).map(|(_, next)| *next).chain([times.ended]);
        for ((phase, began), ended) in times.phases.iter().zip(ends) {
            let name = format!("  {}", format!("{phase:?}").to_lowercase());
            self.steps.push(Step { name, began: *began, ended });
        }
    }
}

impl fmt::Display for Stopwatch {
    /// A line a step: when it began and how long it took, in milliseconds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds =
            |from: Instant, to: Instant| to.saturating_duration_since(from).as_secs_f64() * 1e3;
        write!(f, "{:<24}{:>10}{:>10}", "to the first picture", "began ms", "took ms")?;
        for Step { name, began, ended } in &self.steps {
            let (began, took) = (milliseconds(self.start, *began), milliseconds(*began, *ended));
            write!(f, "\n{name:<24}{began:>10.1}{took:>10.1}")?;
        }
        write!(f, "\n{:<24}{:>10.1}{:>10.1}", "all", 0.0, milliseconds(self.start, self.last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fire_engine::gltf::LoadPhase;
    use std::time::Duration;

    #[test]
    fn a_line_a_step() {
        let start = Instant::now();
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        let mut watch = Stopwatch::new(start);
        watch.loaded(&LoadTimes {
            began: at(10),
            phases: vec![(LoadPhase::Document, at(20)), (LoadPhase::Scene, at(50))],
            ended: at(60),
        });
        watch.steps.push(Step { name: "draw".to_owned(), began: at(60), ended: at(75) });
        watch.last = at(75);
        let text = watch.to_string();
        let words: Vec<Vec<&str>> =
            text.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
        let expected = [
            ["load", "10.0", "50.0"],
            ["document", "20.0", "30.0"],
            ["scene", "50.0", "10.0"],
            ["draw", "60.0", "15.0"],
            ["all", "0.0", "75.0"],
        ];
        assert_eq!(words, expected, "{text}");
    }

    #[test]
    fn steps_follow_each_other() {
        let mut watch = Stopwatch::new(Instant::now());
        watch.lap("a");
        watch.skip();
        watch.lap("b");
        assert!(watch.steps[0].ended <= watch.steps[1].began && watch.steps[1].ended == watch.last);
    }
}
