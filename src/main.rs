//! `fire-engine [MODEL]`: shows a glTF file in a window, or writes pictures of it; `fire-engine render`, `inspect` and
//! `devices` stand beside it.

mod app;

fn main() -> std::process::ExitCode {
    app::command::main()
}
