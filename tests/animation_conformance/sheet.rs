//! The sheet under construction: per rule the input, the expected value and ours.

use std::collections::BTreeMap;
use std::fmt::Write as _;

#[derive(Default)]
pub struct Sheet {
    text: String,
    /// Which rules answer a report.
    answers: BTreeMap<String, Vec<String>>,
    failures: Vec<String>,
    rule: String,
    rows: usize,
}

impl Sheet {
    pub fn section(&mut self, title: &str) {
        write!(self.text, "\n## {title}\n").unwrap();
    }

    /// Starts a rule; `reports` are the numbers of the complaints that it answers.
    pub fn rule(&mut self, rule: &str, reports: &[&str]) {
        write!(self.text, "\n### {rule}\n\n").unwrap();
        if !reports.is_empty() {
            write!(self.text, "Answers {}.\n\n", reports.join(", ")).unwrap();
        }
        self.text.push_str("| input | expected | ours |\n| --- | --- | --- |\n");
        self.rule = rule.to_owned();
        for report in reports {
            self.answers.entry((*report).to_owned()).or_default().push(rule.to_owned());
        }
    }

    /// Numbers, which may differ by `tolerance` each; above 1 by that part of the number.
    pub fn numbers(&mut self, input: &str, expected: &[f64], ours: &[f32], tolerance: f64) {
        let ours: Vec<f64> = ours.iter().map(|&x| f64::from(x)).collect();
        self.doubles(input, expected, &ours, tolerance);
    }

    pub fn doubles(&mut self, input: &str, expected: &[f64], ours: &[f64], tolerance: f64) {
        let close = |(a, b): (&f64, &f64)| (a - b).abs() <= tolerance * a.abs().max(1.0);
        let agrees = expected.len() == ours.len() && expected.iter().zip(ours).all(close);
        self.row(input, &shown(expected), &shown(ours), agrees);
    }

    /// Rotations, for which a quaternion and its opposite are the same.
    pub fn rotation(&mut self, input: &str, expected: [f64; 4], ours: [f32; 4]) {
        let ours = ours.map(f64::from);
        let dot: f64 = (0..4).map(|i| expected[i] * ours[i]).sum();
        let expected = if dot < 0.0 { expected.map(|c| -c) } else { expected };
        self.doubles(input, &expected, &ours, 1e-6);
    }

    /// Words, which must be the same.
    pub fn words(&mut self, input: &str, expected: &str, ours: &str) {
        self.row(input, expected, ours, expected == ours);
    }

    fn row(&mut self, input: &str, expected: &str, ours: &str, agrees: bool) {
        writeln!(self.text, "| {input} | {expected} | {ours} |").unwrap();
        self.rows += 1;
        if !agrees {
            self.failures.push(format!("{}: {input}: expected {expected}, ours {ours}", self.rule));
        }
    }

    /// The whole text; panics if a row disagrees or a report of `reports` has no rule.
    pub fn finish(mut self, head: &str, reports: &[&str]) -> String {
        assert!(self.failures.is_empty(), "{}", self.failures.join("\n"));
        self.section("Reports and where they are answered");
        self.text.push_str("\n| report | rules |\n| --- | --- |\n");
        for report in reports {
            let rules = self.answers.get(*report).unwrap_or_else(|| panic!("{report} has no rule"));
            writeln!(self.text, "| {report} | {} |", rules.join("; ")).unwrap();
        }
        format!("{head}\n{} values are compared.\n{}", self.rows, self.text)
    }
}

/// Six digits after the point, which is what single precision has of numbers near 1.
fn shown(numbers: &[f64]) -> String {
    let number = |&x: &f64| {
        let text = format!("{x:.6}");
        if text.trim_matches(['-', '0', '.']).is_empty() { "0.000000".to_owned() } else { text }
    };
    numbers.iter().map(number).collect::<Vec<_>>().join(" ")
}
