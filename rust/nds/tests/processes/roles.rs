// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the child processes do, and how the parent gets at their slab.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::fd::AsRawFd;
use std::process::{Child, Command, ExitCode, Stdio};
use std::ptr::NonNull;
use std::time::Duration;

use nds::layout::place::PROCESS_INFO;
use nds::layout::{RawSlab, Slab, SLAB_SIZE};
use nds::{EmulatedDevice, Producer, Reader, SlabMapping};

use crate::records;

/// First argument of a child.
pub(crate) const ARGUMENT: &str = "--role";

/// Publishes all kinds of records as fast as it can.
pub(crate) const REPUBLISH: &str = "republish";
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

    /// Kills it, wherever it is.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("a running child");
        self.wait();
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

/// The child's side.
pub(crate) fn play(role: &str) -> ExitCode {
    let device = EmulatedDevice::new().expect("memory");
    let producer = device.open().producer().expect("a free slab");
    producer
        .publish_process_info(&records::process_info(1))
        .expect("this process");
    producer
        .publish_process_info_ext(&records::process_info_ext(1))
        .expect("this process");
    let memory = device.memory_file().expect("a descriptor");
    println!("/proc/{}/fd/{}", std::process::id(), memory.as_raw_fd());
    std::io::stdout().flush().expect("an open pipe");
    std::io::stdin()
        .read_line(&mut String::new())
        .expect("the parent's go");
    match role {
        REPUBLISH => republish(&producer),
        DIE_AFTER_WITHDRAWAL => die(&slab_of(&producer), false),
        DIE_AFTER_HASH => die(&slab_of(&producer), true),
        _ => panic!("no role {role}"),
    }
}

fn republish(producer: &Producer) -> ! {
    let publish = |number| {
        producer
            .publish_model(&records::model(number))
            .expect("a free slot")
    };
    let mut handles: Vec<_> = (0..8).map(publish).collect();
    for number in (0..u32::MAX).cycle() {
        producer
            .publish_process_info(&records::process_info(number))
            .expect("this process");
        producer
            .publish_process_info_ext(&records::process_info_ext(number))
            .expect("likewise");
        let place = number as usize % handles.len();
        handles[place]
            .update(&records::model(number))
            .expect("this process");
        if number % 16 == 0 {
            handles.remove(place);
            handles.push(publish(number));
        }
    }
    unreachable!("the numbers never end")
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
    let image = records::process_info(2).encode();
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
