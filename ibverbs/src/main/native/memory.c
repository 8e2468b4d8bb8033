// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// libverbatim-memory.so, for LD_PRELOAD by 'verbatim exec --sanitize': free, realloc and munmap tell libverbatim.so when they give memory
// back in which a registered region begins. Everything else is as it is.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "memory.h"

struct verbatim_memory verbatim_memory = {.most = MOST_REGIONS};

// Looking up a function may free memory itself, which is then kept.
#define REAL(name) \
    static __typeof__(&name) real; \
    static __thread int looking; \
    if (!real && !looking) { \
        looking = 1; \
        real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
        looking = 0; \
    }

static int has_region(const void *from, size_t length) {
    long begin = (long)from, end = begin + (long)length;
    if (!from || end <= verbatim_memory.lowest || begin > verbatim_memory.highest || !verbatim_memory.freed) {
        return 0;
    }
    long used = verbatim_memory.used;
    for (long i = 0; i < used; i++) {
        if (verbatim_memory.begin[i] && verbatim_memory.begin[i] >= begin && verbatim_memory.begin[i] < end) {
            return 1;
        }
    }
    return 0;
}

#define TELL(name, from, length) \
    if (has_region(from, length)) { \
        verbatim_memory.freed(name, (long)(from), (long)(length), (long)__builtin_return_address(0), __builtin_frame_address(0)); \
    }

void free(void *memory) {
    REAL(free)
    if (verbatim_memory.used) {
        TELL("free", memory, memory ? malloc_usable_size(memory) : 0)
    }
    if (real) {
        real(memory);
    }
}

void *realloc(void *memory, size_t size) {
    REAL(realloc)
    size_t before = memory && verbatim_memory.used ? malloc_usable_size(memory) : 0;
    int had = has_region(memory, before);
    void *moved = real ? real(memory, size) : NULL;
    if (had && moved && moved != memory) {
        TELL("realloc", memory, before)
    }
    return moved;
}

int munmap(void *memory, size_t length) {
    REAL(munmap)
    TELL("munmap", memory, length)
    return real(memory, length);
}
