// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// What libverbatim.so and libverbatim-memory.so share: where registered regions begin, and who is told that memory there is given back.
enum { MOST_REGIONS = 4096 };
struct verbatim_memory {
    volatile long most, used;       // places in the list, and how many of the first may be taken
    volatile long lowest, highest;  // all that were ever taken lie between these
    volatile long begin[MOST_REGIONS]; // 0 for a free place
    void (*freed)(const char *call, long address, long length, long caller, char *frame);
};
