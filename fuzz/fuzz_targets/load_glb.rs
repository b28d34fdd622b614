//! Bytes as they come, into the loader.
//!
//! In the project's folder, with `cargo install cargo-fuzz` and `rustup toolchain install nightly` done once:
//!
//! ```sh
//! cargo test --test gltf_loader -- --ignored first_inputs    # writes them to fuzz/corpus, from the tests' documents
//! cargo +nightly fuzz run load_glb -- -max_total_time=1800 -timeout=5 -rss_limit_mb=1024
//! cargo +nightly fuzz run load_json -- -max_total_time=1800 -timeout=5 -rss_limit_mb=1024
//! ```
//!
//! `cargo fuzz` turns on debug assertions, and with them overflow checks, and the address sanitizer. The first build takes
//! ten minutes on two cores, half of them for the tables of `basisu`.
//!
//! A finding lies in `fuzz/artifacts` and runs alone by `cargo +nightly fuzz run load_glb PATH`. Corpus, findings and build
//! are ignored by git.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| shared::load(bytes));
