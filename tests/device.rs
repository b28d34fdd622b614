//! Tests that need a Vulkan driver, under core and synchronization validation; one after the other.

#[allow(dead_code, reason = "each test binary uses a part of it")]
#[path = "gltf_loader/fixtures.rs"]
mod fixtures;
#[path = "device/formats.rs"]
mod formats;
#[path = "device/imported_meshes.rs"]
mod imported_meshes;
#[path = "device/imported_textures.rs"]
mod imported_textures;
#[path = "device/loaded.rs"]
mod loaded;
#[path = "device/morphs.rs"]
mod morphs;
#[path = "device/normals.rs"]
mod normals;
#[path = "device/overlay.rs"]
mod overlay;
#[path = "device/pixels.rs"]
mod pixels;
#[path = "device/pointers.rs"]
mod pointers;
#[path = "device/scenarios.rs"]
mod scenarios;
#[path = "device/settings.rs"]
mod settings;
#[path = "device/skins.rs"]
mod skins;
#[path = "device/square.rs"]
mod square;
mod support;
#[path = "device/timings.rs"]
mod timings;
#[path = "device/views.rs"]
mod views;

use std::process::ExitCode;

fn main() -> ExitCode {
    let needs = support::validated_driver();
    let tests = [
        pixels::TESTS,
        formats::TESTS,
        views::TESTS,
        normals::TESTS,
        imported_textures::TESTS,
        imported_meshes::TESTS,
        loaded::TESTS,
        skins::TESTS,
        morphs::TESTS,
        overlay::TESTS,
        settings::TESTS,
        timings::TESTS,
        scenarios::TESTS,
        pointers::TESTS,
    ];
    let tests = tests.into_iter().flatten();
    support::run(tests.map(|&(name, test)| support::trial(name, &needs, test)).collect()).exit_code()
}
