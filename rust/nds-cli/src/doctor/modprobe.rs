// SPDX-License-Identifier: MIT OR Apache-2.0
//! What modprobe's configuration files say of a parameter of a module.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders of configuration files, those that win first.
const FOLDERS: [&str; 4] = [
    "etc/modprobe.d",
    "run/modprobe.d",
    "usr/lib/modprobe.d",
    "lib/modprobe.d",
];

/// A value and the file that sets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    /// The file.
    pub(crate) path: PathBuf,
    /// The value.
    pub(crate) value: String,
}

/// The setting of `parameter` of `module`: the last in the first folder that has one.
pub(crate) fn setting(root: &Path, module: &str, parameter: &str) -> Option<Setting> {
    FOLDERS.iter().find_map(|folder| {
        let mut last_first = files(&root.join(folder)).into_iter().rev();
        last_first.find_map(|path| {
            let value = last_value(&fs::read_to_string(&path).ok()?, module, parameter)?;
            Some(Setting { path, value })
        })
    })
}

/// The configuration files of a folder, in the order modprobe reads them.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "conf"))
        .collect();
    files.sort();
    files
}

/// The last value that `options` lines give; `-` and `_` in a module's name are the same.
fn last_value(text: &str, module: &str, parameter: &str) -> Option<String> {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("options"))
        .filter_map(|rest| {
            let mut words = rest.split_whitespace();
            (words.next()?.replace('-', "_") == module).then_some(words)
        })
        .flatten()
        .filter_map(|word| word.strip_prefix(parameter)?.strip_prefix('='))
        .next_back()
        .map(|value| value.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(text: &str) -> Option<String> {
        last_value(text, "neuron_nds", "attach_policy")
    }

    #[test]
    fn the_last_option_of_the_module_counts() {
        let text = "options neuron-nds devices=2 attach_policy=any\n options neuron_nds attach_policy=\"uid\"\n";
        assert_eq!(policy(text).as_deref(), Some("uid"));
    }

    #[test]
    fn comments_other_modules_and_longer_names_do_not_count() {
        let text = "#options neuron_nds attach_policy=any\noptions neuron attach_policy=any\n\
                    options neuron_nds attach_policy_x=any\nblacklist neuron_nds\n";
        assert_eq!(policy(text), None);
    }
}
