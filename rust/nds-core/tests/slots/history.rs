// SPDX-License-Identifier: MIT OR Apache-2.0
//! Histories: steps that several processes take with several files, done to the rules and to the naive model at once,
//! with equal answers after each.
//!
//! Owns what the kernel guarantees around the rules: a file goes after its mappings and calls in flight, a process
//! after its mappings. Which histories there are is for `random` and `exhaustive`, comparing worlds for `compare`.

use nds_core::{Acquired, Caller, Cookie, Refusal, Target};

use super::model::{Answer, Model, ModelFile, Who};
use super::process::{File, Process};
use super::world::{whole, World};

/// The places of a process and of the file through which it asks. Both are filled anew when what was there is gone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Via {
    pub(crate) who: usize,
    pub(crate) file: usize,
}

/// The access that a mapping is asked for with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) private: bool,
    pub(crate) may_write: bool,
}

/// One step. `usize` alone is the place of a process or file, or counts back from the newest of its kind. A step that
/// names something that is not there does nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Open {
        file: usize,
        writable: bool,
    },
    Close(usize),
    Acquire(Via),
    Attach(Via, usize),
    /// An acquire whose answer is still on its way to the caller.
    Begin(Via),
    /// The same of an attach.
    BeginAttach(Via, usize),
    /// It cannot be delivered.
    Undo,
    Release(usize),
    ReleaseOf(usize, usize),
    /// Who acquired or attached that far back maps what it got.
    Map(usize, Access),
    /// Anybody tries the cookie of the occupancy that far back.
    Guess(Via, usize, Access),
    Unmap(usize),
    Touch {
        back: usize,
        page: usize,
        write: bool,
    },
    Exit(usize),
    BecomeUser {
        who: usize,
        user: u32,
    },
    Reap,
}

/// A mapping's place in the world and in the model, and who keeps it.
pub(crate) struct Kept {
    world: usize,
    pub(crate) model: usize,
    pub(crate) via: Via,
}

/// An open file of the world and its number in the model.
pub(crate) struct Open {
    pub(crate) file: File,
    pub(crate) model: usize,
    pub(crate) closing: bool,
}

/// An acquire whose answer is on its way.
pub(crate) struct InFlight {
    acquired: Acquired,
    pub(crate) answer: Answer,
    pub(crate) via: Via,
}

/// A device, its naive model, and who uses them.
pub(crate) struct History {
    pub(crate) world: World,
    pub(crate) model: Model,
    pub(crate) people: Vec<Process>,
    pub(crate) files: Vec<Option<Open>>,
    pub(crate) mappings: Vec<Kept>,
    pub(crate) in_flight: Option<InFlight>,
    /// Who got which occupancy, newest last, for as long as process and file are there.
    pub(crate) grants: Vec<(Via, usize)>,
    /// The cookie of every occupancy ever, in the model's order.
    pub(crate) names: Vec<Cookie>,
    next_identity: u64,
    next_value: u64,
}

impl History {
    /// A fresh device, `people` processes, and room for `files` open files.
    pub(crate) fn new(people: usize, files: usize) -> Self {
        Self {
            world: World::new(),
            model: Model::new(),
            people: (1..).map(Process::new).take(people).collect(),
            files: (0..files).map(|_| None).collect(),
            mappings: Vec::new(),
            in_flight: None,
            grants: Vec::new(),
            names: Vec::new(),
            next_identity: people as u64 + 1,
            next_value: 1,
        }
    }

    /// Takes a step on both sides, and compares the answers and what was done to the device.
    pub(crate) fn step(&mut self, step: Step) {
        match step {
            Step::Open { file, writable } => self.open(file, writable),
            Step::Close(file) => self.close(file),
            Step::Acquire(via) => drop(self.acquire(via)),
            Step::Attach(via, target) => drop(self.attach(via, target)),
            Step::Begin(via) => self.begin(via, Self::acquire),
            Step::BeginAttach(via, target) => self.begin(via, |it, via| it.attach(via, target)),
            Step::Undo => self.undo(),
            Step::Release(who) => self.release(who, None),
            Step::ReleaseOf(who, target) => self.release(who, Some(target)),
            Step::Map(back, access) => self.map_grant(back, access),
            Step::Guess(via, back, access) => self.guess(via, back, access),
            Step::Unmap(back) => self.unmap(back),
            Step::Touch { back, page, write } => self.touch(back, page, write),
            Step::Exit(who) => self.exit(who),
            Step::BecomeUser { who, user } => self.people[who].becomes(user),
            Step::Reap => self.reap(),
        }
        self.settle();
        self.compare_effects();
    }

    fn who(&self, who: usize) -> Who {
        (self.people[who].id(), self.people[who].user())
    }

    fn open(&mut self, file: usize, writable: bool) {
        if self.files[file].is_some() {
            return;
        }
        let model = self.model.files.len();
        self.model.files.push(ModelFile::opened(writable));
        self.files[file] = Some(Open {
            file: File::opened(writable),
            model,
            closing: false,
        });
    }

    fn close(&mut self, file: usize) {
        if let Some(open) = &mut self.files[file] {
            open.closing = true;
            self.grants.retain(|(via, _)| via.file != file);
        }
    }

    /// Files go whose last reference went.
    fn settle(&mut self) {
        for place in 0..self.files.len() {
            let calls = self.in_flight.iter().map(|call| call.via);
            let mut uses = self.mappings.iter().map(|kept| kept.via).chain(calls);
            let busy = uses.any(|via| via.file == place);
            if let Some(open) = self.files[place].take_if(|open| open.closing && !busy) {
                self.world.close(open.file);
                self.model.file_gone(open.model);
            }
        }
    }

    fn acquire(&mut self, via: Via) -> Option<(Acquired, Answer)> {
        let caller = self.who(via.who);
        let open = usable(&mut self.files, via)?;
        let real = self.world.acquire(&self.people[via.who], &mut open.file);
        let naive = self.model.acquire(caller, open.model);
        self.grant(via, real, naive)
    }

    fn attach(&mut self, via: Via, target: usize) -> Option<(Acquired, Answer)> {
        let caller = self.who(via.who);
        let open = usable(&mut self.files, via)?;
        let (me, target) = (&self.people[via.who], &self.people[target]);
        let real = self.world.attach(me, &mut open.file, target);
        let naive = self.model.attach(caller, open.model, target.id());
        self.grant(via, real, naive)
    }

    /// A new occupancy has a name that none ever had, a known one the name it always had.
    fn grant(
        &mut self,
        via: Via,
        real: Result<Acquired, Refusal>,
        naive: Result<Answer, Refusal>,
    ) -> Option<(Acquired, Answer)> {
        assert_eq!(real.as_ref().err(), naive.as_ref().err());
        let (real, naive) = (real.ok()?, naive.ok()?);
        if naive.life == self.names.len() {
            assert!(!self.names.contains(&real.cookie), "a name returned");
            self.names.push(real.cookie);
        }
        assert_eq!(real.cookie, self.names[naive.life]);
        let same = |other: &Via| (other.who, other.file) == (via.who, via.file);
        self.grants
            .retain(|(other, life)| !(same(other) && *life == naive.life));
        self.grants.push((via, naive.life));
        Some((real, naive))
    }

    fn begin(&mut self, via: Via, call: impl FnOnce(&mut Self, Via) -> Option<(Acquired, Answer)>) {
        if self.in_flight.is_some() {
            return;
        }
        self.in_flight = call(self, via).map(|(acquired, answer)| InFlight {
            acquired,
            answer,
            via,
        });
    }

    fn undo(&mut self) {
        let Some(call) = self.in_flight.take() else {
            return;
        };
        let open = self.files[call.via.file].as_mut();
        let open = open.expect("a call keeps its file");
        self.world.undo(&mut open.file, call.acquired);
        self.model.undo(open.model, call.answer);
    }

    fn release(&mut self, who: usize, target: Option<usize>) {
        let caller = self.people[who].id();
        let named = target.map_or(caller, |target| self.people[target].id());
        let asked = target.map_or(Target::Caller, |_| Target::Process(named));
        self.world.release_of(&self.people[who], asked);
        self.model.release(caller, named);
    }

    fn map_grant(&mut self, back: usize, access: Access) {
        if let Some(&(via, life)) = self.grants.iter().nth_back(back) {
            self.map(via, life, access);
        }
    }

    fn guess(&mut self, via: Via, back: usize, access: Access) {
        if let Some(life) = self.names.len().checked_sub(back + 1) {
            self.map(via, life, access);
        }
    }

    fn map(&mut self, via: Via, life: usize, access: Access) {
        let caller = self.who(via.who);
        let Some(open) = usable(&mut self.files, via) else {
            return;
        };
        let mut request = whole(self.names[life]);
        request.private = access.private;
        request.may_write = access.may_write && (access.private || open.file.writable);
        let model = self.model.mappings.len();
        let real = self
            .world
            .map_as(&self.people[via.who], &open.file, request);
        let naive = self.model.map(caller, open.model, life, request);
        assert_eq!(real.map(|(_, role)| role), naive);
        if let Ok((world, _)) = real {
            self.mappings.push(Kept { world, model, via });
        }
    }

    fn unmap(&mut self, back: usize) {
        if let Some(place) = self.mappings.len().checked_sub(back + 1) {
            self.world.unmap(self.mappings.remove(place).world);
        }
    }

    fn touch(&mut self, back: usize, page: usize, write: bool) {
        let Some(kept) = self.mappings.iter().nth_back(back) else {
            return;
        };
        let write = write && self.world.device.mapping(kept.world).may_write;
        let value = write.then_some(self.next_value);
        self.next_value += 1;
        let before = self.world.read(kept.world, page);
        if let Some(value) = value {
            self.world.write(kept.world, page, value);
        }
        let after = self.world.read(kept.world, page);
        assert_eq!((before, after), self.model.touch(kept.model, page, value));
    }

    /// The address space goes, then the process. Files stay, since others have them too. The place gets a new process.
    fn exit(&mut self, who: usize) {
        for kept in self.mappings.iter().filter(|kept| kept.via.who == who) {
            self.world.unmap(kept.world);
        }
        self.mappings.retain(|kept| kept.via.who != who);
        self.in_flight.take_if(|call| call.via.who == who);
        self.grants.retain(|(via, _)| via.who != who);
        self.people[who].dies();
        self.model.dead.insert(self.people[who].id());
        self.people[who] = Process::new(self.next_identity);
        self.next_identity += 1;
    }

    fn reap(&mut self) {
        self.world.reap();
        self.model.reap();
    }

    /// Everything goes: processes, mappings, files.
    pub(crate) fn wind_up(&mut self) {
        (0..self.people.len()).for_each(|who| self.step(Step::Exit(who)));
        (0..self.files.len()).for_each(|file| self.step(Step::Close(file)));
    }
}

/// The open file of a place, for a new call through it.
fn usable(files: &mut [Option<Open>], via: Via) -> Option<&mut Open> {
    files[via.file].as_mut().filter(|open| !open.closing)
}
