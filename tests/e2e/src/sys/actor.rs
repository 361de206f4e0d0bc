// SPDX-License-Identifier: MIT OR Apache-2.0

//! Other processes that do what a test tells them, one call at a time.
//!
//! An [`Actor`] is a forked image of the test. The test sends it a closure, the
//! actor runs it and sends the result back, so a test over several processes
//! reads like one program:
//!
//! ```text
//! let owner = Actor::spawn();
//! let slab = owner.call(|| Session::produce().unwrap());
//! owner.call(move || slab.map.store(1, 7));
//! ```
//!
//! Closures and results are plain bytes (`Copy`): descriptors, addresses and
//! numbers mean what they mean in the actor.

use std::cell::Cell;
use std::io::Write;
use std::mem::MaybeUninit;
use std::os::fd::AsRawFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::OnceLock;
use std::time::Duration;

use nix::libc;
use nix::sys::signal::Signal;
use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};
use nix::sys::wait::{waitpid, WaitStatus};
use nix::unistd::Pid;

use super::device::{Result, Session};
use super::{identity, process};

/// How long one call may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Answer bytes before the result.
const DONE: u8 = 1;
const PANICKED: u8 = 2;

thread_local! {
    /// The actor's own end of its link; a child it forks must not keep it open.
    static LINK: Cell<i32> = const { Cell::new(-1) };
}

/// Runs the closure at the first pointer, writes its result to the second.
type Entry = unsafe fn(*const u8, *mut u8);

/// What goes ahead of a closure's bytes.
#[repr(C)]
#[derive(Clone, Copy)]
struct Request {
    entry: Entry,
    closure: usize,
    result: usize,
}

/// A process that answers calls; killed when dropped.
pub(crate) struct Actor {
    pid: Pid,
    link: UnixStream,
}

impl Actor {
    /// A plain child of the test.
    pub(crate) fn spawn() -> Self {
        Self::spawn_after(|| ())
    }

    /// A child that runs `prepare` first. `prepare` may fork again and return
    /// in the grandchild only; the actor is whoever returns from it.
    pub(crate) fn spawn_after(prepare: impl FnOnce()) -> Self {
        let listener = listener();
        process::spawn(|| {
            prepare();
            serve();
        });
        Self::accept(listener)
    }

    /// A child that is the ordinary user `id`.
    pub(crate) fn spawn_user(id: u32) -> Self {
        Self::spawn_after(move || identity::become_user(id))
    }

    /// A child with exactly this process number.
    pub(crate) fn spawn_with_pid(pid: i32) -> Self {
        let listener = listener();
        process::spawn_with_pid(pid, serve)
            .unwrap_or_else(|errno| panic!("a process numbered {pid}: {errno}"));
        Self::accept(listener)
    }

    /// A child of this actor, with all that fork hands down.
    pub(crate) fn fork(&self) -> Self {
        let listener = listener();
        self.call(|| {
            process::spawn(|| {
                drop_link();
                serve();
            });
        });
        Self::accept(listener)
    }

    fn accept(listener: &UnixListener) -> Self {
        let mut ready = [libc::pollfd {
            fd: listener.as_raw_fd(),
            events: libc::POLLIN,
            revents: 0,
        }];
        // SAFETY: `ready` is one pollfd, valid for the call.
        let count = unsafe { libc::poll(ready.as_mut_ptr(), 1, PATIENCE.as_millis() as i32) };
        assert_eq!(count, 1, "the new actor did not report in time");
        let (link, _) = listener.accept().expect("an actor reports");
        link.set_read_timeout(Some(PATIENCE))
            .expect("set a time limit");
        let peer = getsockopt(&link, PeerCredentials).expect("the peer's number");
        Self {
            pid: Pid::from_raw(peer.pid()),
            link,
        }
    }

    /// Its process number in the test's pid namespace.
    pub(crate) fn pid(&self) -> i32 {
        self.pid.as_raw()
    }

    /// Runs `body` in the actor and returns what it returned.
    pub(crate) fn call<F, R>(&self, body: F) -> R
    where
        F: FnOnce() -> R + Copy + 'static,
        R: Copy + 'static,
    {
        self.start(body).wait()
    }

    /// Starts `body` in the actor and returns at once.
    pub(crate) fn start<F, R>(&self, body: F) -> Pending<'_, R>
    where
        F: FnOnce() -> R + Copy + 'static,
        R: Copy + 'static,
    {
        let request = Request {
            entry: run::<F, R>,
            closure: size_of::<F>(),
            result: size_of::<R>(),
        };
        send(&self.link, &request);
        send(&self.link, &body);
        Pending {
            actor: self,
            result: std::marker::PhantomData,
        }
    }

    /// Runs `body`, which must end the actor by `signal`.
    pub(crate) fn dies_of<F>(self, signal: Signal, body: F)
    where
        F: FnOnce() + Copy + 'static,
    {
        drop(self.start(body));
        match waitpid(self.pid, None).expect("the actor is a child of the test") {
            WaitStatus::Signaled(_, by, _) if by == signal => {}
            other => panic!("expected death by {signal}, the process ended as {other:?}"),
        }
    }

    /// Kills it and waits until it is gone.
    pub(crate) fn kill(self) {
        drop(self);
    }

    /// Lets it exit by itself, as a process does at the end of `main`.
    pub(crate) fn exit(self) {
        drop(self.start(|| process::exit(0)));
        process::wait_until_gone(self.pid);
    }
}

/// Producers and readers, which most tests begin with.
impl Actor {
    /// The actor becomes a producer on device 0.
    pub(crate) fn produce(&self) -> Session {
        self.call(Session::produce).expect("a slab for a producer")
    }

    /// The actor becomes a reader of `owner`.
    pub(crate) fn attach(&self, owner: &Actor) -> Session {
        self.try_attach(owner).expect("a reader's mapping")
    }

    /// The actor tries to become a reader of `owner`.
    pub(crate) fn try_attach(&self, owner: &Actor) -> Result<Session> {
        let pid = owner.pid();
        self.call(move || Session::attach(pid))
    }
}

impl Drop for Actor {
    fn drop(&mut self) {
        process::kill_and_wait(self.pid);
    }
}

/// A call whose answer was not read yet.
#[must_use]
pub(crate) struct Pending<'a, R> {
    actor: &'a Actor,
    result: std::marker::PhantomData<R>,
}

impl<R: Copy + 'static> Pending<'_, R> {
    /// Waits for the answer.
    pub(crate) fn wait(self) -> R {
        match receive::<u8>(&self.actor.link) {
            Some(DONE) => receive::<R>(&self.actor.link).expect("a whole answer"),
            Some(PANICKED) => panic!("the call in process {} failed", self.actor.pid),
            other => panic!("process {} did not answer ({other:?})", self.actor.pid),
        }
    }

    /// Whether the answer is there already.
    pub(crate) fn is_done(&self) -> bool {
        let mut byte = 0_u8;
        // SAFETY: one byte is written at most, to a live variable.
        let got = unsafe {
            let flags = libc::MSG_PEEK | libc::MSG_DONTWAIT;
            libc::recv(
                self.actor.link.as_raw_fd(),
                (&raw mut byte).cast(),
                1,
                flags,
            )
        };
        got > 0
    }
}

/// Closes the calling actor's link, in a child it forked by its own means.
pub(crate) fn drop_link() {
    let link = LINK.replace(-1);
    let _ = nix::unistd::close(link);
}

fn address() -> SocketAddr {
    static NAME: OnceLock<String> = OnceLock::new();
    let name = NAME.get_or_init(|| format!("nds-e2e-{}", std::process::id()));
    SocketAddr::from_abstract_name(name).expect("a valid socket name")
}

fn listener() -> &'static UnixListener {
    static LISTENER: OnceLock<UnixListener> = OnceLock::new();
    LISTENER.get_or_init(|| UnixListener::bind_addr(&address()).expect("a socket for actors"))
}

fn serve() {
    let link = UnixStream::connect_addr(&address()).expect("the test listens");
    LINK.set(link.as_raw_fd());
    // SAFETY: sets the disposition of one signal; children then leave no zombies.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_IGN) };
    while let Some(request) = receive::<Request>(&link) {
        answer(&link, request);
    }
}

fn answer(mut link: &UnixStream, request: Request) {
    let mut closure = aligned(request.closure);
    let mut result = aligned(request.result);
    read_bytes(link, closure.as_mut_ptr().cast(), request.closure).expect("a whole call");
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: `entry` is the instance of `run` for the closure whose bytes
        // these are: test and actor are images of one program, and both buffers
        // have the sizes that the instance was made for, aligned to 16.
        unsafe { (request.entry)(closure.as_ptr().cast(), result.as_mut_ptr().cast()) };
    }));
    match outcome {
        Ok(()) => {
            let _ = link.write_all(&[DONE]);
            write_bytes(link, result.as_ptr().cast(), request.result);
        }
        Err(_) => drop(link.write_all(&[PANICKED])),
    }
}

/// # Safety
///
/// `closure` points to the bytes of an `F`, `result` has room for an `R`, both
/// are aligned.
unsafe fn run<F, R>(closure: *const u8, result: *mut u8)
where
    F: FnOnce() -> R + Copy,
{
    // SAFETY: see the function's contract; `F` is `Copy`.
    let body = unsafe { closure.cast::<F>().read() };
    let value = body();
    // SAFETY: see the function's contract.
    unsafe { result.cast::<R>().write(value) };
}

fn aligned(bytes: usize) -> Vec<u128> {
    vec![0; bytes.div_ceil(16).max(1)]
}

fn send<T: Copy>(link: &UnixStream, value: &T) {
    write_bytes(link, std::ptr::from_ref(value).cast(), size_of::<T>());
}

fn receive<T: Copy>(link: &UnixStream) -> Option<T> {
    let mut value = MaybeUninit::<T>::uninit();
    read_bytes(link, value.as_mut_ptr().cast(), size_of::<T>())?;
    // SAFETY: all bytes came from a `T` of the same program.
    Some(unsafe { value.assume_init() })
}

/// Sends bytes that may hold padding, which a slice of `u8` must not.
fn write_bytes(link: &UnixStream, bytes: *const u8, length: usize) {
    if length > 0 {
        // SAFETY: the caller's object is `length` bytes long; the kernel reads them.
        let sent =
            unsafe { libc::send(link.as_raw_fd(), bytes.cast(), length, libc::MSG_NOSIGNAL) };
        assert_eq!(sent, length as isize, "the other process is gone");
    }
}

fn read_bytes(link: &UnixStream, into: *mut u8, length: usize) -> Option<()> {
    // Asking for nothing would wait for something.
    if length == 0 {
        return Some(());
    }
    // SAFETY: the caller's object is `length` bytes long; the kernel writes them.
    let got = unsafe { libc::recv(link.as_raw_fd(), into.cast(), length, libc::MSG_WAITALL) };
    (got == length as isize).then_some(())
}
