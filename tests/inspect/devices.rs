//! `devices`, with Vulkan and without.

use crate::program::{command, said, without_loader};
use crate::support::{Requirement, check, driver, trial};
use fire_engine::vulkan::devices;
use libtest_mimic::{Failed, Trial};
use std::process::Command;

pub fn trials() -> Vec<Trial> {
    let (nothing, driver) = (Ok(()), driver());
    let linux = match cfg!(target_os = "linux") {
        true => Ok(()),
        false => Err("libraries are replaced as Linux allows".to_owned()),
    };
    vec![
        trial("devices_are_listed_with_what_they_are", &driver, listed),
        trial("one_usable_device_is_the_default", &driver, one_is_the_default),
        trial("devices_that_cannot_be_told_of_is_code_1", &both(&driver, &linux), a_full_disk),
        trial("devices_without_a_driver_is_one_line", &nothing, no_driver),
        trial("devices_without_a_loader_is_one_line", &linux, no_loader),
    ]
}

fn listed() -> Result<(), Failed> {
    let found = devices().map_err(|error| error.to_string())?;
    let said = said(Command::new(env!("CARGO_BIN_EXE_fire-engine")).arg("devices"))?;
    check(said.code == Some(0), || format!("{said:?}"))?;
    for device in &found {
        check(said.out.contains(&device.to_string()), || format!("{device} is missing in {said:?}"))?;
        check(!device.api_version.starts_with('0') && device.memory_bytes > 0, || format!("{device:?}"))?;
    }
    check(said.out.lines().count() == 5 * found.len(), || format!("{said:?}"))
}

fn a_full_disk() -> Result<(), Failed> {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full")?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_fire-engine"));
    let output = command
        .arg("devices")
        .stdout(full)
        .stderr(std::process::Stdio::piped())
        .spawn()?
        .wait_with_output()?;
    let error = String::from_utf8_lossy(&output.stderr);
    check(output.status.code() == Some(1) && error.contains("cannot write to standard output"), || {
        error.to_string()
    })
}

fn both(one: &Requirement, other: &Requirement) -> Requirement {
    one.clone().and_then(|()| other.clone())
}

fn one_is_the_default() -> Result<(), Failed> {
    let found = devices().map_err(|error| error.to_string())?;
    let defaults: Vec<_> = found.iter().filter(|device| device.is_default).collect();
    check(defaults.len() == 1 && defaults[0].unusable.is_none(), || format!("{found:?}"))?;
    // The one that a renderer takes.
    let options = fire_engine::vulkan::RendererOptions::default();
    let renderer =
        fire_engine::vulkan::Renderer::headless((16, 16), options).map_err(|error| error.to_string())?;
    let info = renderer.info();
    check((&info.device_name, &info.driver_info) == (&defaults[0].name, &defaults[0].driver_info), || {
        format!("{info} is not {}", defaults[0])
    })
}

fn no_driver() -> Result<(), Failed> {
    refused(&mut command(&["devices"]), "mesa-vulkan-drivers")
}

fn no_loader() -> Result<(), Failed> {
    refused(&mut without_loader("devices_no_loader", &["devices"]), "libvulkan1")
}

fn refused(command: &mut Command, package: &str) -> Result<(), Failed> {
    let said = said(command)?;
    let is_one_line = said.error.lines().count() == 1 && said.error.contains(package);
    check(said.code == Some(1) && said.out.is_empty() && is_one_line, || format!("{said:?}"))
}
