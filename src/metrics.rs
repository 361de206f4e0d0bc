// SPDX-License-Identifier: GPL-2.0
//! Reports and posts of a device: taking snapshots, and the periodic tick.
//!
//! Owns how long the device's lock is held for them: never for more than one part of a report or one slab of a tick,
//! and never while anything is formatted or copied to userspace. What is added up is decided in `rules`.

use kernel::{
    alloc::flags::GFP_KERNEL_ACCOUNT,
    bindings,
    prelude::*,
    sync::Arc,
    time::{msecs_to_jiffies, Jiffies},
    transmute::AsBytes,
    workqueue::{self, impl_has_delayed_work, new_delayed_work, DelayedWork, Work, WorkItem},
};

use crate::{
    datastore::{now, Device, Locked},
    ffi,
    owner::{Current, OwnerRef},
    rules::{slot::Slot, Caller, Message, Owner, Part, Process, Snapshot, Telemetry},
};

// SAFETY: Documented to start as all zero bytes.
unsafe impl Zeroable for Telemetry {}
// SAFETY: Documented to be an empty snapshot as all zero bytes.
unsafe impl Zeroable for Snapshot {}
// SAFETY: Made of integers without holes, as its definition asserts, and no pointer is among them.
unsafe impl AsBytes for Snapshot {}

/// Sets what every post says: the instance, and the version of the module.
pub(crate) fn set_constants(telemetry: &mut Telemetry) {
    // SAFETY: Both give a string that stays for the life of the module; the first may give null.
    let (tag, version) = unsafe { (ffi::nds_board_asset_tag(), ffi::nds_version()) };
    let tag = (!tag.is_null()).then(|| text(tag));
    telemetry.set_constants(tag, text(version));
}

fn text(string: *const c_char) -> &'static [u8] {
    // SAFETY: Called with strings of the firmware tables and of this module only, which are terminated and stay.
    unsafe { CStr::from_char_ptr(string) }.to_bytes()
}

impl Device {
    /// Takes a report, as the caller may see it.
    ///
    /// # Errors
    ///
    /// `ENOMEM`.
    pub(crate) fn report(&self) -> Result<KVBox<Snapshot>> {
        let mut snapshot = KVBox::<Snapshot>::zeroed(GFP_KERNEL_ACCOUNT)?;
        snapshot.set_device(self.index);
        self.reap();
        let caller = self.caller();
        for part in Part::all() {
            self.locked(|Locked { store, pages, .. }| {
                let describe = |_, owner: &OwnerRef| visible(&caller, owner);
                store.collect(
                    pages.telemetry,
                    &pages,
                    part,
                    now(),
                    describe,
                    &mut snapshot,
                );
            });
        }
        Ok(snapshot)
    }

    /// Looks at every occupancy, and posts what changed. There is no firmware to send to: the message counts as
    /// delivered when it is kept for debugfs.
    pub(crate) fn tick(&self) {
        self.reap();
        for slot in Slot::all() {
            self.locked(|Locked { store, pages, .. }| {
                if store.table().get(slot).is_some() {
                    pages.telemetry.observe(slot, pages.slabs.words(slot));
                }
            });
        }
        self.locked(
            |Locked {
                 pages, last_post, ..
             }| {
                *last_post = pages.telemetry.posts().tick();
                pages.telemetry.posts().delivered();
            },
        );
    }

    /// The message of the last tick.
    pub(crate) fn last_post(&self) -> Message {
        self.locked(|locked| *locked.last_post)
    }
}

/// An occupancy's process, if the caller may know of it: it may attach to it, and has a number for it.
fn visible(caller: &Current, owner: &OwnerRef) -> Option<Process> {
    if owner.id() != caller.id() && !caller.may_attach(owner) {
        return None;
    }
    match owner.pid().visible_number() {
        0 => None,
        pid => Some(Process {
            pid,
            uid: owner.uid(),
        }),
    }
}

/// The periodic tick of a device.
///
/// # Invariants
///
/// While `work` is queued, the queue owns one reference to this object.
#[pin_data]
pub(crate) struct Ticker {
    device: Arc<Device>,
    period: Jiffies,
    #[pin]
    work: DelayedWork<Ticker>,
}

impl_has_delayed_work! {
    impl HasDelayedWork<Self> for Ticker { self.work }
}

impl WorkItem for Ticker {
    type Pointer = Arc<Self>;

    fn run(this: Arc<Self>) {
        this.device.tick();
        this.schedule();
    }
}

impl Ticker {
    /// Ticks every `period_ms` milliseconds from now on, until it is stopped.
    pub(crate) fn start(device: Arc<Device>, period_ms: u32) -> Result<RunningTicker> {
        let ticker = Arc::pin_init(
            pin_init!(Self {
                device,
                period: msecs_to_jiffies(period_ms),
                work <- new_delayed_work!("Ticker::work"),
            }),
            GFP_KERNEL,
        )?;
        ticker.clone().schedule();
        Ok(RunningTicker(ticker))
    }

    /// Queues the next tick; not once the ticker is stopped.
    fn schedule(self: Arc<Self>) {
        let period = self.period;
        let _ = workqueue::system_unbound().enqueue_delayed(self, period);
    }

    /// Stops the ticks and waits for one that runs. None comes after it.
    fn stop(this: &Arc<Self>) {
        let queued: *const Self = &**this;
        // SAFETY: The work is within a valid ticker, as the first field of its `delayed_work`.
        let was_queued = unsafe {
            let work = Work::raw_get(DelayedWork::raw_as_work(&raw const (*queued).work));
            bindings::disable_delayed_work_sync(kernel::container_of!(
                work,
                bindings::delayed_work,
                work
            ))
        };
        if was_queued {
            // SAFETY: By the type invariant the queue owned a reference, which it will not use any more.
            drop(unsafe { Arc::from_raw(queued) });
        }
    }
}

/// A ticker that is stopped when this goes.
pub(crate) struct RunningTicker(Arc<Ticker>);

impl Drop for RunningTicker {
    fn drop(&mut self) {
        Ticker::stop(&self.0);
    }
}
