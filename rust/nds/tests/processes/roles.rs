// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the child processes do, and how the parent gets at their slab.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::fd::AsRawFd;
use std::process::{Child, Command, ExitCode, Stdio};
use std::ptr::NonNull;
use std::time::Duration;

use nds::layout::place::PROCESS_INFO;
use nds::layout::record::padded;
use nds::layout::{RawSlab, Slab, SLAB_SIZE};
use nds::{EmulatedDevice, ProcessInfo, ProcessInfoExt, Producer, Reader, SlabMapping, Version};

/// First argument of a child.
pub(crate) const ARGUMENT: &str = "--role";

/// Publishes a process record, begins the next one, and kills itself.
pub(crate) const DIE_AFTER_WITHDRAWAL: &str = "die-after-withdrawal";
/// The same, writing the hash first, as producers of other libraries may.
pub(crate) const DIE_AFTER_HASH: &str = "die-after-hash";

/// A producer in a process of its own.
pub(crate) struct ProducerProcess {
    child: Child,
    memory: File,
}

impl ProducerProcess {
    /// Starts a child in this role, and waits until its slab is there.
    pub(crate) fn start(role: &str) -> Self {
        let program = std::env::current_exe().expect("this program");
        let mut command = Command::new(program);
        let child = command
            .args([ARGUMENT, role])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = child.spawn().expect("a child");
        let mut path = String::new();
        let output = child.stdout.take().expect("piped");
        BufReader::new(output)
            .read_line(&mut path)
            .expect("the path of the memory");
        let memory = File::open(path.trim()).expect("the child's memory");
        // The child goes on when it reads the end of its input.
        drop(child.stdin.take());
        Self { child, memory }
    }

    /// Attaches to its slab, and never waits between two attempts.
    pub(crate) fn reader(&self) -> Reader {
        let mapping = SlabMapping::of_file(&self.memory, 0).expect("the first slab");
        Reader::with_pause(mapping, no_wait).expect("stamped")
    }

    /// Waits for its end.
    pub(crate) fn wait(&mut self) {
        self.child.wait().expect("a child");
    }
}

impl Drop for ProducerProcess {
    fn drop(&mut self) {
        // Fails when the child has ended, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn no_wait(_: Duration) {}

/// A record that depends on the tag from its first to its last word.
fn process_info(tag: &[u8]) -> ProcessInfo {
    let runtime_version = Version {
        major: tag[0],
        minor: 0,
        build: u32::from(tag[0]),
    };
    ProcessInfo {
        tag: padded(tag),
        runtime_version,
        ..ProcessInfo::default()
    }
}

/// What is published before, and is not touched.
pub(crate) fn long_tag() -> ProcessInfoExt {
    ProcessInfoExt {
        tag: padded(b"long tag"),
    }
}

/// The child's side.
pub(crate) fn play(role: &str) -> ExitCode {
    let device = EmulatedDevice::new().expect("memory");
    let producer = device.open().producer().expect("a free slab");
    producer
        .publish_process_info(&process_info(b"first"))
        .expect("this process");
    producer
        .publish_process_info_ext(&long_tag())
        .expect("this process");
    let memory = device.memory_file().expect("a descriptor");
    println!("/proc/{}/fd/{}", std::process::id(), memory.as_raw_fd());
    std::io::stdout().flush().expect("an open pipe");
    std::io::stdin()
        .read_line(&mut String::new())
        .expect("the parent's go");
    match role {
        DIE_AFTER_WITHDRAWAL => die(&slab_of(&producer), false),
        DIE_AFTER_HASH => die(&slab_of(&producer), true),
        _ => panic!("no role {role}"),
    }
}

/// The words of the producer's own slab, to write half a record.
fn slab_of(producer: &Producer) -> RawSlab {
    let base: NonNull<u8> = producer.slab().base();
    // SAFETY: the producer's mapping is writable, lives until the process dies here, and is accessed
    // atomically only.
    unsafe { RawSlab::new(base, SLAB_SIZE) }.expect("a whole slab")
}

/// Publishes half of the second process record, in one order or the other, and dies.
fn die(slab: &RawSlab, hash_first: bool) -> ! {
    let image = process_info(b"second").encode();
    let words: Vec<u32> = image
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes(word.try_into().expect("4")))
        .collect();
    slab.store32(
        PROCESS_INFO.hash_word(),
        if hash_first { words[0] } else { 0 },
    );
    for (place, word) in PROCESS_INFO
        .payload_words()
        .zip(&words[1..])
        .take(words.len() / 2)
    {
        slab.store32(place, *word);
    }
    // SAFETY: raises a signal in this process, which has no handler for it.
    unsafe { libc::raise(libc::SIGKILL) };
    unreachable!("SIGKILL returns to nobody")
}
