// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of `nds` as the negative errno that C callers get.

use std::ffi::c_int;
use std::io;

use nds::Error;

/// 0, or the negative errno of an error.
pub(crate) fn code(result: Result<(), Error>) -> c_int {
    result.map_or_else(|error| -errno(&error), |()| 0)
}

/// The errno that the kernel gave, or the one that names the error best.
fn errno(error: &Error) -> c_int {
    match error {
        Error::Open { source, .. } | Error::System { source, .. } => of_system(source),
        Error::NotADevice { .. } => libc::ENOTTY,
        Error::NoDevice { .. } => libc::ENODEV,
        Error::ReadOnlyDevice { .. } | Error::NotPermitted { .. } => libc::EACCES,
        Error::NoSuchProducer { .. } => libc::ENOENT,
        Error::DeviceFull { .. } => libc::ENOMEM,
        Error::Unsupported { .. } => libc::ENOTTY,
        _ => libc::EINVAL,
    }
}

fn of_system(error: &io::Error) -> c_int {
    error.raw_os_error().unwrap_or(libc::EIO)
}
