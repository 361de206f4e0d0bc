// SPDX-License-Identifier: MIT OR Apache-2.0
// usleep() for tests, in place of the one of libc.

#include "sleeps.h"

#include <unistd.h>

unsigned sleeps[MAX_SLEEPS];
size_t sleep_count;
void (*sleep_hook)(size_t nth);

int usleep(useconds_t microseconds)
{
	size_t nth = sleep_count++;

	if (nth < MAX_SLEEPS)
		sleeps[nth] = microseconds;
	if (sleep_hook)
		sleep_hook(nth);
	return 0;
}

void sleeps_reset(void (*hook)(size_t nth))
{
	sleep_count = 0;
	sleep_hook = hook;
}
