// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that are not a Neuron device. What a real device answers is tested in the VM.

use std::path::Path;

use nds::{Device, Error};

#[test]
fn a_missing_file_is_named_with_the_reason() {
    let error = Device::open("/dev/does-not-exist").expect_err("missing");
    let text = error.to_string();
    assert!(
        matches!(error, Error::Open { .. }) && text.contains("/dev/does-not-exist"),
        "{text}"
    );
}

#[test]
fn a_plain_file_is_no_device() {
    let error = Device::open_for_reading("/etc/passwd").expect_err("a plain file");
    assert!(matches!(error, Error::NotADevice { path } if path == Path::new("/etc/passwd")));
}

#[test]
fn a_device_of_another_kind_does_not_know_the_requests() {
    let device = Device::open("/dev/null").expect("a character device");
    assert!(matches!(
        device.producer(),
        Err(Error::Unsupported {
            request: "acquire",
            ..
        })
    ));
    assert!(matches!(
        device.reader(1),
        Err(Error::Unsupported {
            request: "acquire",
            ..
        })
    ));
    assert!(matches!(
        device.report(),
        Err(Error::Unsupported {
            request: "report",
            ..
        })
    ));
}

#[test]
fn an_index_without_a_device_says_where_it_looked() {
    let error = Device::open_index(63).expect_err("no test machine has 64 devices");
    assert!(error.to_string().contains("/dev/neuron_nds63"), "{error}");
}
