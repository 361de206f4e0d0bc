// SPDX-License-Identifier: GPL-2.0
/* The helpers once more, since an object belongs to one module. */
#include "../src/helpers.c"
