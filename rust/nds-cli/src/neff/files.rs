// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files that a list of files and directories means.
//!
//! A directory stands for the `*.neff` files in it and below it, sorted. Links to directories are
//! not followed, so that the search ends.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The suffix that is looked for.
const EXTENSION: &str = "neff";

/// What was asked for, and what could not be searched.
#[derive(Debug, Default)]
pub(crate) struct Files {
    pub(crate) found: Vec<PathBuf>,
    pub(crate) errors: Vec<String>,
}

impl Files {
    /// Takes files as they are and searches directories.
    pub(crate) fn of(paths: &[PathBuf]) -> Self {
        let mut files = Self::default();
        for path in paths {
            if path.is_dir() {
                files.search(path);
            } else {
                files.found.push(path.clone());
            }
        }
        files
    }

    fn search(&mut self, root: &Path) {
        let before = self.found.len();
        let mut directories = vec![root.to_owned()];
        while let Some(directory) = directories.pop() {
            if let Err(error) = self.list(&directory, &mut directories) {
                let name = directory.display();
                self.errors.push(format!(
                    "{name}: cannot list: {error}; expected a readable directory"
                ));
            }
        }
        self.found[before..].sort();
        if self.found.len() == before {
            self.errors.push(format!(
                "{}: expected at least one *.{EXTENSION} file",
                root.display()
            ));
        }
    }

    fn list(&mut self, directory: &Path, directories: &mut Vec<PathBuf>) -> io::Result<()> {
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() {
                directories.push(path);
            } else if path.extension() == Some(OsStr::new(EXTENSION)) && path.is_file() {
                self.found.push(path);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_searched_to_its_end_in_order_and_without_following_links() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let root = folder.path();
        fs::create_dir_all(root.join("b/c")).expect("folders");
        for name in ["b/c/2.neff", "b/1.neff", "a.neff", "b/notes.txt"] {
            fs::write(root.join(name), b"").expect("file");
        }
        std::os::unix::fs::symlink(root, root.join("b/loop")).expect("link");
        let files = Files::of(&[root.to_owned(), root.join("b/notes.txt")]);
        let expected =
            ["a.neff", "b/1.neff", "b/c/2.neff", "b/notes.txt"].map(|name| root.join(name));
        assert_eq!(files.found, expected);
        assert!(files.errors.is_empty());
    }

    #[test]
    fn a_directory_without_a_file_is_an_error_with_its_name() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let files = Files::of(&[folder.path().to_owned()]);
        assert!(files.found.is_empty());
        assert!(
            files.errors[0].starts_with(&folder.path().display().to_string()),
            "{:?}",
            files.errors
        );
    }
}
