//! A JSON text and a binary chunk, put together as a GLB whose lengths are right, so that damage to one part doesn't hide
//! the other. The input is the text, a zero byte, and the chunk. `load_glb.rs` says how to run it.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (json, binary) = (&bytes[..end], bytes.get(end + 1..).unwrap_or(&[]));
    shared::load(&shared::glb(json, binary));
});
