//! `docs/animation-conformance.md`: what the sampler and the playbacks do, beside what glTF 2.0 says.
//!
//! The test writes the sheet anew, fails where ours differs from what is expected, and where the committed file is not
//! what it wrote. `FIRE_ENGINE_UPDATE_ANIMATION_CONFORMANCE=1` refreshes the file.

#[path = "../support/clips.rs"]
mod clips;

mod deforming;
mod factors;
mod files;
mod formulas;
mod mixing;
mod playing;
mod sampling;
mod sheet;

use sheet::Sheet;
use std::path::Path;

const HEAD: &str = "# Animation conformance

Written by the test `animation_conformance`; do not edit. Each rule shows the input, the expected value and ours. Expected
values are worked in double precision from the formulas of glTF 2.0 (appendix C, and section 3.7 for vertices) in
`tests/animation_conformance`, which shares no code with the library; numbers are rounded to six digits here,
and must agree to 1e-6 (of the number, above 1). Translations, scales and rotations are `x y z` and `x y z w`. Reports
are complaints about other renderers, by number, or `D` for a defect found by reading one.
";

/// Every report about animation and skins.
const REPORTS: [&str; 32] = [
    "T-ANIM-SHORT 1",
    "T-ANIM-SHORT 3",
    "T-ANIM-SHORT 4",
    "T-ANIM-SHORT 5",
    "T-ANIM-SHORT 6",
    "T-ANIM-SHORT 7",
    "T-ANIM-CUBIC 8",
    "T-ANIM-CUBIC 9",
    "T-ANIM-CUBIC 10",
    "T-ANIM-CLAMP 13",
    "T-ANIM-CLAMP 14",
    "T-ANIM-CLAMP 15",
    "T-ANIM-CLAMP 16",
    "T-ANIM-CLAMP 17",
    "T-ANIM-CLAMP 19",
    "T-ANIM-MATRIX 20",
    "T-ANIM-NAMES 21",
    "T-ANIM-SCALE0 22",
    "T-ANIM-WEIGHTS 23",
    "T-ANIM-WEIGHTS 24",
    "T-SKIN-ROOT 52",
    "T-SKIN 48",
    "T-SKIN 53",
    "T-SKIN 55",
    "T-CULL-ANIM 56",
    "D1",
    "D2",
    "D3",
    "D4",
    "D5",
    "D6",
    "D7",
];

#[test]
fn the_sheet_agrees_with_the_formulas_and_is_fresh() {
    let mut sheet = Sheet::default();
    sampling::rules(&mut sheet);
    files::rules(&mut sheet);
    playing::rules(&mut sheet);
    mixing::rules(&mut sheet);
    factors::rules(&mut sheet);
    deforming::rules(&mut sheet);
    let text = sheet.finish(HEAD, &REPORTS);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/animation-conformance.md");
    if std::env::var_os("FIRE_ENGINE_UPDATE_ANIMATION_CONFORMANCE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    let differs = text.lines().zip(committed.lines()).find(|(ours, theirs)| ours != theirs);
    assert!(
        text == committed,
        "docs/animation-conformance.md is stale, first at {differs:?}; \
         set FIRE_ENGINE_UPDATE_ANIMATION_CONFORMANCE=1 and run this test again"
    );
}
