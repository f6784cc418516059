//! Loads the library from a host written in C, as CheckerBoard does.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The shared library of the profile these tests are built with: it lies beside or above the test program.
fn library() -> PathBuf {
    let here = std::env::current_exe().expect("a test knows its own path");
    let name = "libdamka_checkerboard.so";
    let found = here.ancestors().skip(1).take(2).map(|folder| folder.join(name)).find(|path| path.exists());
    found.unwrap_or_else(|| panic!("{name} is built with the tests, beside {}", here.display()))
}

#[test]
#[cfg(target_os = "linux")]
fn a_c_host_plays_through_the_interface() {
    let folder = tempfile::tempdir().expect("a folder for the host");
    let host = folder.path().join("host");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/host.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-o"]).arg(&host).arg(source);
    let compiled = compiler.args(["-ldl", "-lpthread"]).output();
    let output = match compiled {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("SKIPPED: there is no C compiler `cc` here, so the library was not tried from C");
            return;
        }
        other => other.expect("cc can be started"),
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(&host)
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .arg(library())
        .output()
        .expect("the host can be started");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}\n{}\n{}", String::from_utf8_lossy(&output.stderr), output.status);
    assert!(told.trim_end().ends_with("0 failed"), "{told}");
}
