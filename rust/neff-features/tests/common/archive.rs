// SPDX-License-Identifier: MIT OR Apache-2.0
//! Small tar archives for tests.

use tar::{Builder, Header};

/// A tar archive of these members in this order.
pub(crate) fn archive<'a>(members: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Vec<u8> {
    let mut builder = Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        builder
            .append_data(&mut header, name, content)
            .expect("in memory");
    }
    builder.into_inner().expect("in memory")
}
