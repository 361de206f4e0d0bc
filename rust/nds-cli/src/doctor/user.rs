// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who is asking: groups and capabilities of this process, members of groups.

use std::fs;
use std::path::Path;

/// Either admits to the slab of any process (`perfmon_capable`).
const CAP_PERFMON: u32 = 38;
const CAP_SYS_ADMIN: u32 = 21;

/// This process, and what `/etc/group` says.
#[derive(Clone, Debug, Default)]
pub(crate) struct User {
    /// Numbers of the groups that the process is in.
    pub(crate) groups: Vec<u32>,
    /// Effective capabilities, a bit each.
    capabilities: u64,
    /// Lines of `/etc/group`.
    group_file: String,
}

impl User {
    /// Reads `proc/self/status` and `etc/group`.
    pub(crate) fn look(root: &Path) -> Self {
        let status = fs::read_to_string(root.join("proc/self/status")).unwrap_or_default();
        let field = |name: &str| {
            let mut lines = status.lines();
            lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
        };
        let numbers = |text: &str| text.split_whitespace().flat_map(str::parse).collect();
        let mut groups: Vec<u32> = field("Groups").map(numbers).unwrap_or_default();
        groups.extend(field("Gid").map(numbers).unwrap_or_default());
        Self {
            groups,
            capabilities: field("CapEff")
                .and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok())
                .unwrap_or(0),
            group_file: fs::read_to_string(root.join("etc/group")).unwrap_or_default(),
        }
    }

    /// Whether every attach policy admits this user to every process.
    pub(crate) fn may_attach_to_all(&self) -> bool {
        self.capabilities & (1 << CAP_PERFMON | 1 << CAP_SYS_ADMIN) != 0
    }

    /// Name of a group.
    pub(crate) fn group_name(&self, gid: u32) -> Option<&str> {
        self.group_file.lines().find_map(|line| {
            let mut fields = line.split(':');
            let name = fields.next()?;
            (fields.nth(1)?.parse() == Ok(gid)).then_some(name)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_found_by_its_number() {
        let user = User {
            group_file: "root:x:0:\nneuron:x:990:ada,bob\n".to_owned(),
            ..User::default()
        };
        assert_eq!(user.group_name(990), Some("neuron"));
        assert_eq!(user.group_name(99), None);
    }

    #[test]
    fn perfmon_and_sys_admin_admit_to_all_and_no_other_capability_does() {
        let with = |capabilities| User {
            capabilities,
            ..User::default()
        };
        assert!(with(1 << 38).may_attach_to_all() && with(1 << 21).may_attach_to_all());
        assert!(!with(!(1 << 38 | 1 << 21)).may_attach_to_all());
    }
}
