// SPDX-License-Identifier: GPL-2.0
//! Records as bytes, against the golden vectors: encoding, decoding, hashes, damaged images.

use crate::layout::{
    hash::{self, RecordFault},
    Model, ProcessInfo, ProcessInfoExt,
};
use crate::tables::{Image, Kind, Verdict};
use crate::vectors::IMAGES;

/// What a reader says of an image.
fn verdict(image: &[u8]) -> Verdict {
    match hash::verify(image) {
        Ok(()) => Verdict::Valid,
        Err(RecordFault::Torn) => Verdict::Torn,
        Err(RecordFault::Unpublished) => Verdict::Unpublished,
    }
}

/// Calls `look` with what is left of an image after decoding and encoding it: its fields.
fn with_reencoded<R>(kind: Kind, image: &Image, look: impl FnOnce(&[u8]) -> R) -> R {
    match kind {
        Kind::ProcessInfo => look(&ProcessInfo::decode(&image.sized()).encode()),
        Kind::ProcessInfoExt => look(&ProcessInfoExt::decode(&image.sized()).encode()),
        Kind::Model => look(&Model::decode(&image.sized()).encode()),
    }
}

/// Whether the image of that number, decoded and encoded, is the one of the other number.
fn reencodes_to(number: usize, expected: usize) -> bool {
    let (Some(image), Some(expected)) = (IMAGES.get(number), IMAGES.get(expected)) else {
        return false;
    };
    let same = |found: &[u8]| expected.with(|expected| found == expected);
    with_reencoded(image.kind, image, same)
}

/// An image of that kind whose every byte is 0xa5.
const fn uniform(kind: Kind) -> Image {
    Image {
        id: "uniform",
        kind,
        verdict: Verdict::Torn,
        base: None,
        parts: &[(0, &[0xa5; 672])],
    }
}

#[kernel::macros::kunit_tests(nds_layout_records)]
mod tests {
    use super::*;
    use crate::layout::record::{trimmed, TagPlacement};
    use crate::tables::{every, Record};
    use crate::vectors::*;

    fn image_of(record: &Record) -> Option<&'static Image> {
        IMAGES.get(record.image)
    }

    #[test]
    fn fields_become_the_images_of_the_vectors() {
        assert!(every(RECORDS, |record| {
            let same = |encoded: &[u8]| {
                image_of(record).is_some_and(|image| image.with(|bytes| bytes == encoded))
            };
            record.fields.with_encoded(same)
        }));
    }

    #[test]
    fn images_become_the_fields_of_the_vectors() {
        assert!(every(RECORDS, |record| {
            image_of(record).is_some_and(|image| record.fields.are_in(image))
        }));
    }

    #[test]
    fn the_hash_of_a_record_is_in_its_first_word() {
        assert!(every(RECORDS, |record| {
            let stored = |bytes: &[u8]| (hash::stored_hash(bytes), hash::record_hash(bytes));
            let found = image_of(record).map(|image| image.with(stored));
            found == Some((record.hash, record.hash))
        }));
    }

    #[test]
    fn whole_images_are_accepted_and_damaged_ones_are_not() {
        assert!(every(IMAGES, |image| image.with(verdict) == image.verdict));
        for wanted in [Verdict::Valid, Verdict::Torn, Verdict::Unpublished] {
            assert!(IMAGES.iter().any(|image| image.verdict == wanted));
        }
    }

    #[test]
    fn hole_bytes_do_not_reach_the_fields() {
        assert!(every(NOISY_HOLES, |&(noisy, clean)| reencodes_to(
            noisy, clean
        )));
        assert!(every(RECORDS, |record| reencodes_to(
            record.image,
            record.image
        )));
    }

    #[test]
    fn exactly_the_bytes_that_fields_cover_are_kept() {
        let covered = |spans: &[(usize, usize)], at: usize| {
            spans.iter().any(|&(start, end)| (start..end).contains(&at))
        };
        assert!(every(WIRE_FIELDS, |(kind, spans)| {
            let kept_right = |kept: &[u8]| {
                let payload = kept.iter().enumerate().skip(hash::HASH_LEN);
                payload
                    .into_iter()
                    .all(|(at, byte)| (*byte == 0xa5) == covered(spans, at))
            };
            with_reencoded(*kind, &uniform(*kind), kept_right)
        }));
    }

    #[test]
    fn a_tag_at_record_offset_8_is_recognised() {
        assert!(hash::verify(TAG_AT_8).is_ok());
        assert!(ProcessInfo::decode(TAG_AT_8).tag == *TAG_AT_8_READ_AT_5);
        let (info, placement) = ProcessInfo::decode_detecting_tag(TAG_AT_8);
        assert!(placement == TagPlacement::OtherReading);
        assert!(info.tag_text() == b"infer-7421");
    }

    #[test]
    fn a_tag_at_record_offset_5_is_not_mistaken() {
        let infos = IMAGES
            .iter()
            .filter(|image| image.kind == Kind::ProcessInfo);
        for image in infos.filter(|image| image.verdict == Verdict::Valid) {
            let (info, placement) = ProcessInfo::decode_detecting_tag(&image.sized());
            assert!(placement == TagPlacement::Normal);
            assert!(info == ProcessInfo::decode(&image.sized()));
        }
    }

    #[test]
    fn texts_stop_at_the_first_nul_or_at_their_end() {
        assert!(trimmed(b"infer\0\0junk") == b"infer");
        assert!(trimmed(b"full") == b"full");
        assert!(trimmed(b"").is_empty());
    }
}
