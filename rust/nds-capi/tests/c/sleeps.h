/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* usleep() for tests: notes the duration, runs a hook, and does not sleep. */
#ifndef SLEEPS_H
#define SLEEPS_H

#include <stddef.h>

#define MAX_SLEEPS 256

extern unsigned sleeps[MAX_SLEEPS];
extern size_t sleep_count;

/* Runs instead of the n-th sleep, counted from 0. */
extern void (*sleep_hook)(size_t nth);

void sleeps_reset(void (*hook)(size_t nth));

#endif /* SLEEPS_H */
