// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// What libverbatim.so and libverbatim-memory.so share: where registered regions are, and who is told that memory there is given back.
enum { MOST_REGIONS = 4096 };
struct verbatim_memory {
    volatile long most, used;           // places in the lists, and how many of the first may be taken
    volatile long lowest, highest;      // all that were ever taken lie between these
    volatile long registrations;        // how many there were
    volatile long begin[MOST_REGIONS];  // first byte; 0 for a free place
    volatile long end[MOST_REGIONS];    // byte behind the last
    void (*freed)(const char *call, long address, long length, long is_block, long caller, char *frame);
};
