// SPDX-License-Identifier: MIT OR Apache-2.0
//! The names of all checks, once for both harnesses.

/// Calls the macro `$run` with every check, by module. One that is missing here is dead code, so the build fails.
macro_rules! for_each_check {
    ($run:ident) => {
        $run! {
            totals {
                a_counter_of_every_band_is_in_the_totals
                the_dead_word_of_a_core_is_in_no_total
                no_number_beyond_the_last_names_a_counter
                a_monotonic_counter_is_the_sum_of_ended_and_live_occupancies
                a_sum_wraps_modulo_2_to_the_64
                a_reserved_counter_is_summed_like_a_named_one
                a_gauge_is_the_sum_of_live_occupancies
                a_bitmap_is_the_or_of_ended_and_live_occupancies
                a_core_that_the_device_does_not_have_is_not_summed
            }
            identity {
                a_version_is_counted_once_for_each_occupancy_that_had_it
                an_unset_version_is_not_counted
                the_least_used_version_makes_room_for_a_ninth
                the_most_used_version_comes_first
                a_process_without_identifier_does_not_hide_that_of_another
                the_newest_live_identifier_counts
                an_identifier_stays_until_a_newer_one_is_there
            }
            reports {
                an_occupancy_that_ends_during_a_report_is_counted_once
                the_next_occupant_of_a_slot_does_not_hide_the_one_before
                a_total_never_falls_from_one_report_to_the_next
                a_row_names_its_occupancy_and_the_cores_it_counts_on
                a_core_is_marked_by_any_of_its_counters
                a_row_does_not_take_the_cores_of_the_next_occupant
            }
            posts {
                a_fresh_device_posts_only_its_constants
                an_unknown_constant_is_left_out
                a_record_is_an_id_a_length_and_the_text
                growth_is_posted_once
                an_ended_and_a_new_occupancy_give_one_delta
                a_falling_counter_takes_nothing_from_others
                counters_of_all_cores_of_the_device_are_one_record
                features_of_an_ended_process_wait_for_their_tick
                features_of_live_processes_are_posted_again_and_again
                a_zero_identifier_does_not_hide_that_of_another
                an_identifier_is_kept_until_a_newer_one_arrives
                the_model_set_is_posted_in_hexadecimal
                two_versions_are_posted_the_more_frequent_first
                a_third_version_is_posted_next_time
                a_live_version_counts_once_for_each_of_its_ticks
                a_framework_type_is_posted_without_a_version
                framework_versions_and_types_alternate
                a_type_field_of_another_component_is_not_posted
                a_build_number_is_printed_as_a_signed_number
                a_request_for_sysfs_nodes_is_ignored
            }
            posts_full {
                everything_is_delivered_over_the_following_ticks
                a_full_message_starves_no_row
                what_did_not_fit_comes_first_next_time
                a_smaller_record_goes_where_a_larger_did_not_fit
                long_versions_never_overflow_the_message
                a_version_that_does_not_fit_is_kept
                a_version_and_its_type_go_together
                undelivered_features_wait_for_their_next_tick
                an_undelivered_message_is_said_again
                what_comes_while_a_message_is_on_its_way_is_not_lost
                any_value_in_any_word_is_harmless
            }
        }
    };
}

pub(crate) use for_each_check;
