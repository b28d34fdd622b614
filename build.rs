//! Embeds the shaders: the committed SPIR-V, or with the feature `compile-shaders` what shaderc makes of the GLSL.
//!
//! With that feature and `FIRE_ENGINE_UPDATE_SHADERS=1` the committed files are written anew.

// Each of build script and test uses a part of it.
#[allow(dead_code)]
#[path = "build/shaders.rs"]
mod shaders;

use shaders::{HASHES, SHADERS, Shader, words};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    println!("cargo::rerun-if-changed=shaders");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed=FIRE_ENGINE_UPDATE_SHADERS");
    let folder = PathBuf::from(variable("CARGO_MANIFEST_DIR")?).join("shaders");
    let binaries = SHADERS.iter().map(|shader| binary(shader, &folder)).collect::<Result<Vec<_>, _>>()?;
    let mut embedded = String::new();
    for (shader, bytes) in SHADERS.iter().zip(&binaries) {
        let words = words(bytes).map_err(|reason| format!("shaders/{}: {reason}", shader.binary()))?;
        let _infallible = writeln!(embedded, "pub(crate) static {}: &[u32] = &{words:?};", shader.name);
    }
    let file = Path::new(&variable("OUT_DIR")?).join("shaders.rs");
    fs::write(&file, embedded).map_err(|error| format!("{}: {error}", file.display()))?;
    if cfg!(feature = "compile-shaders") && env::var_os("FIRE_ENGINE_UPDATE_SHADERS").is_some() {
        update(&folder, &binaries)?;
    }
    Ok(())
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|error| format!("{name}: {error}"))
}

fn update(folder: &Path, binaries: &[Vec<u8>]) -> Result<(), String> {
    let write = |name: &str, bytes: &[u8]| {
        fs::write(folder.join(name), bytes).map_err(|error| format!("shaders/{name}: {error}"))
    };
    let mut hashes = String::new();
    for (shader, bytes) in SHADERS.iter().zip(binaries) {
        write(&shader.binary(), bytes)?;
        let hash = shader.source_hash(folder).map_err(|error| error.to_string())?;
        let _infallible = writeln!(hashes, "{} {hash}", shader.binary());
    }
    write(HASHES, hashes.as_bytes())
}

#[cfg(not(feature = "compile-shaders"))]
fn binary(shader: &Shader, folder: &Path) -> Result<Vec<u8>, String> {
    let name = shader.binary();
    let hashes = fs::read_to_string(folder.join(HASHES)).unwrap_or_default();
    let hash = shader.source_hash(folder).map_err(|error| error.to_string())?;
    if shaders::noted_hash(&hashes, &name) != Some(&hash) {
        println!(
            "cargo::warning=shaders/{name} is older than shaders/{}: build once with \
             FIRE_ENGINE_UPDATE_SHADERS=1 and --features compile-shaders",
            shader.source
        );
    }
    shaders::read_binary(folder, &name)
}

#[cfg(feature = "compile-shaders")]
fn binary(shader: &Shader, folder: &Path) -> Result<Vec<u8>, String> {
    use shaderc::{
        CompileOptions, Compiler, EnvVersion, OptimizationLevel, ResolvedInclude, ShaderKind, TargetEnv,
    };

    let compiler = Compiler::new().map_err(|error| format!("shaderc: {error}"))?;
    let mut options = CompileOptions::new().map_err(|error| format!("shaderc: {error}"))?;
    options.set_target_env(TargetEnv::Vulkan, EnvVersion::Vulkan1_3 as u32);
    options.set_optimization_level(OptimizationLevel::Performance);
    options.set_warnings_as_errors();
    for name in shader.macros {
        options.add_macro_definition(name, None);
    }
    let include_folder = folder.to_owned();
    options.set_include_callback(move |name, _, _, _| {
        let path = include_folder.join(name);
        let content = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(ResolvedInclude { resolved_name: name.to_owned(), content })
    });
    let kind = match shader.source.rsplit_once('.') {
        Some((_, "vert")) => ShaderKind::Vertex,
        Some((_, "frag")) => ShaderKind::Fragment,
        _ => return Err(format!("shaders/{}: the ending names no shader stage", shader.source)),
    };
    let path = folder.join(shader.source);
    let source = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let name = format!("shaders/{}", shader.source);
    let compiled = compiler
        .compile_into_spirv(&source, kind, &name, "main", Some(&options))
        .map_err(|error| error.to_string())?;
    Ok(compiled.as_binary_u8().to_vec())
}
