// SPDX-License-Identifier: GPL-2.0
//! Who gets which slot, and how long an occupancy lives.

#[kernel::macros::kunit_tests(nds_slots_life)]
mod tests {
    use crate::rules::{Refusal, Target, SLOTS};
    use crate::slots_world::{File, Lives, Process, World};
    use kernel::error::Result;

    #[test]
    fn unused_slots_come_first_then_the_one_cleared_longest_ago() -> Result {
        let lives = Lives::new();
        let crowd: [Process<'_>; 19] = lives.some();
        let (mut world, mut file) = (World::new()?, File::opened(true));
        for (slot, who) in crowd[..3].iter().enumerate() {
            assert_eq!(world.slot_given(who, &mut file), Some(slot));
        }
        world.release(&crowd[1]);
        world.release(&crowd[0]);
        for (slot, who) in (3..16).zip(&crowd[3..]) {
            assert_eq!(world.slot_given(who, &mut file), Some(slot));
        }
        assert_eq!(world.slot_given(&crowd[16], &mut file), Some(1));
        assert_eq!(world.slot_given(&crowd[17], &mut file), Some(0));
        assert_eq!(world.acquire(&crowd[18], &mut file), Err(Refusal::NoSlot));
        Ok(())
    }

    #[test]
    fn acquiring_again_gives_the_same_slab_and_changes_nothing() -> Result {
        let lives = Lives::new();
        let [a, b] = lives.some();
        let (mut world, mut file) = (World::new()?, File::opened(true));
        let first = world.acquire(&a, &mut file);
        assert!(first.is_ok());
        assert_eq!(world.acquire(&a, &mut file), first);
        assert_eq!(world.store.statistics().acquires, 1);
        assert_eq!(world.slot_given(&b, &mut file), Some(1));
        Ok(())
    }

    #[test]
    fn attaching_finds_the_slab_of_a_process_and_records_no_owner() -> Result {
        let lives = Lives::new();
        let [a, reader] = lives.some();
        let (mut world, mut file, mut other) =
            (World::new()?, File::opened(true), File::opened(false));
        let cookie = world.acquire(&a, &mut file);
        assert_eq!(world.attach(&reader, &mut other, &a), cookie);
        assert!(!world.owns(&reader));
        world.close(other);
        assert!(world.owns(&a));
        Ok(())
    }

    #[test]
    fn naming_a_process_without_a_slab_finds_nothing() -> Result {
        let lives = Lives::new();
        let [a, reader] = lives.some();
        let (mut world, mut file) = (World::new()?, File::opened(true));
        let nothing = Err(Refusal::NoSuchOwner);
        assert_eq!(world.attach(&reader, &mut file, &a), nothing);
        assert_eq!(world.attach(&reader, &mut file, &reader), nothing);
        assert!(world.ask(&reader, &mut file, Target::Nobody).is_err());
        assert!(world.acquire(&a, &mut file).is_ok());
        world.release(&a);
        assert_eq!(world.attach(&reader, &mut file, &a), nothing);
        assert_eq!(world.used(), 0);
        Ok(())
    }

    #[test]
    fn producing_needs_a_file_opened_for_writing() -> Result {
        let lives = Lives::new();
        let [a] = lives.some();
        let (mut world, mut file) = (World::new()?, File::opened(false));
        assert_eq!(world.acquire(&a, &mut file), Err(Refusal::NotWritable));
        assert_eq!(world.used(), 0);
        Ok(())
    }

    #[test]
    fn attaching_to_another_users_slab_is_a_matter_of_policy() -> Result {
        let lives = Lives::new();
        let [a, mut stranger] = lives.some();
        stranger.user = 1001;
        let (mut world, mut file) = (World::new()?, File::opened(true));
        assert!(world.acquire(&a, &mut file).is_ok());
        assert_eq!(world.attach(&stranger, &mut file, &a), Err(Refusal::Policy));
        assert!(file.rights.readable().next().is_none());
        Ok(())
    }

    #[test]
    fn release_by_anybody_but_the_owner_does_nothing() -> Result {
        let lives = Lives::new();
        let [a, reader] = lives.some();
        let (mut world, mut file) = (World::new()?, File::opened(true));
        assert!(world.acquire(&a, &mut file).is_ok());
        world.release(&reader);
        let owner = Target::Process(crate::rules::Owner::id(&a));
        world.store.release(&mut world.memory, &reader, owner);
        assert!(world.owns(&a));
        world.release(&a);
        world.release(&a);
        assert_eq!(world.store.statistics().releases, 1);
        Ok(())
    }

    #[test]
    fn the_last_holding_file_ends_the_occupancy() -> Result {
        let lives = Lives::new();
        let [a] = lives.some();
        let (mut world, mut first, mut second) =
            (World::new()?, File::opened(true), File::opened(true));
        assert!(world.acquire(&a, &mut first).is_ok());
        assert!(world.acquire(&a, &mut second).is_ok());
        world.close(first);
        assert!(world.owns(&a));
        world.close(second);
        assert!(!world.owns(&a));
        assert_eq!(world.store.statistics().closes, 1);
        Ok(())
    }

    #[test]
    fn an_inherited_file_holds_the_slabs_of_parent_and_child() -> Result {
        let lives = Lives::new();
        let [parent, child] = lives.some();
        let (mut world, mut file) = (World::new()?, File::opened(true));
        assert_eq!(world.slot_given(&parent, &mut file), Some(0));
        assert_eq!(world.slot_given(&child, &mut file), Some(1));
        world.release(&parent);
        assert!(world.owns(&child));
        world.close(file);
        assert_eq!(world.used(), 0);
        Ok(())
    }

    #[test]
    fn a_file_that_held_an_ended_occupancy_does_not_end_the_next_one() -> Result {
        let lives = Lives::new();
        let [a, b] = lives.some();
        let (mut world, mut old, mut new) = (World::new()?, File::opened(true), File::opened(true));
        let first = world.acquire(&a, &mut old);
        world.release(&a);
        assert!(first
            .and_then(|cookie| world.return_to(&b, &mut new, cookie.slot))
            .is_ok());
        world.close(old);
        assert!(world.owns(&b));
        Ok(())
    }

    #[test]
    fn an_undone_acquire_leaves_no_slab_behind() -> Result {
        let lives = Lives::new();
        let [a] = lives.some();
        let (mut world, mut file) = (World::new()?, File::opened(true));
        if let Ok(acquired) = world.ask(&a, &mut file, Target::Caller) {
            world
                .store
                .undo(&mut world.memory, &mut file.rights, acquired);
        }
        assert_eq!(world.store.statistics().acquires, 1);
        assert_eq!(world.used(), 0);
        Ok(())
    }

    #[test]
    fn a_slab_that_another_thread_acquired_meanwhile_is_kept() -> Result {
        let lives = Lives::new();
        let [a] = lives.some();
        let (mut world, mut file) = (World::new()?, File::opened(true));
        let failing = world.ask(&a, &mut file, Target::Caller);
        assert!(world.acquire(&a, &mut file).is_ok());
        if let Ok(acquired) = failing {
            world
                .store
                .undo(&mut world.memory, &mut file.rights, acquired);
        }
        assert!(world.owns(&a));
        Ok(())
    }

    #[test]
    fn a_newcomer_gets_the_slab_of_a_dead_owner_on_a_full_device() -> Result {
        let lives = Lives::new();
        let crowd: [Process<'_>; SLOTS + 1] = lives.some();
        let (mut world, mut file) = (World::new()?, File::opened(true));
        let (owners, newcomer) = (&crowd[..SLOTS], &crowd[SLOTS]);
        assert!(owners
            .iter()
            .all(|who| world.acquire(who, &mut file).is_ok()));
        assert_eq!(world.acquire(newcomer, &mut file), Err(Refusal::NoSlot));
        owners[11].dies();
        assert_eq!(world.slot_given(newcomer, &mut file), Some(11));
        Ok(())
    }

    #[test]
    fn nobody_attaches_to_a_ghost() -> Result {
        let lives = Lives::new();
        let [dead, reader] = lives.some();
        let (mut world, mut file) = (World::new()?, File::opened(true));
        assert!(world.acquire(&dead, &mut file).is_ok());
        dead.dies();
        assert_eq!(
            world.attach(&reader, &mut file, &dead),
            Err(Refusal::NoSuchOwner)
        );
        assert_eq!(world.store.statistics().reaps, 1);
        Ok(())
    }

    #[test]
    fn the_periodic_work_frees_the_slabs_of_dead_owners_only() -> Result {
        let lives = Lives::new();
        let [a, dead, b] = lives.some();
        let (mut world, mut file) = (World::new()?, File::opened(true));
        assert!([&a, &dead, &b]
            .into_iter()
            .all(|who| world.acquire(who, &mut file).is_ok()));
        dead.dies();
        world.reap();
        assert!(world.owns(&a) && world.owns(&b) && !world.owns(&dead));
        Ok(())
    }
}
