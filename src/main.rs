//! `fire-engine [MODEL]`: shows a glTF file in a window, or writes pictures of it.

mod app;

fn main() -> std::process::ExitCode {
    app::run::main()
}
