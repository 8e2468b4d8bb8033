// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// libverbatim-memory.so, for LD_PRELOAD by 'verbatim exec --sanitize': functions that give memory back tell libverbatim.so if it has bytes
// of a registered region. Everything else is as it is.
//
// A block of the allocator counts if a region begins with it or lies in it: a region of whole pages may have bytes of its neighbours.
// Pages count if a region has one of them. They are told of when they are gone, and if no region was registered meanwhile: that of another
// thread may be in new pages at the same addresses.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "memory.h"

struct verbatim_memory verbatim_memory = {.most = MOST_REGIONS};

// Looking up a function may give memory back or map some itself: a block is then kept.
#define REAL(name) \
    static __typeof__(&name) real; \
    static __thread int looking; \
    if (!real && !looking) { \
        looking = 1; \
        real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
        looking = 0; \
    }

static int has_region(const void *from, size_t length, int is_block) {
    long first = (long)from, last = first + (long)length;
    if (!from || last <= verbatim_memory.lowest || first >= verbatim_memory.highest || !verbatim_memory.freed) {
        return 0;
    }
    long used = verbatim_memory.used;
    for (long i = 0; i < used; i++) {
        long begin = verbatim_memory.begin[i], end = verbatim_memory.end[i];
        if (begin && begin < last && end > first && (!is_block || begin == first || (begin > first && end <= last))) {
            return 1;
        }
    }
    return 0;
}

#define TELL(name, from, length, is_block) \
    if (has_region(from, length, is_block)) { \
        verbatim_memory.freed( \
            name, (long)(from), (long)(length), is_block, (long)__builtin_return_address(0), __builtin_frame_address(0)); \
    }

#define TELL_GONE(name, from, length, is_block, registrations_before) \
    if (verbatim_memory.used && verbatim_memory.registrations == (registrations_before)) { \
        TELL(name, from, length, is_block) \
    }

void free(void *memory) {
    REAL(free)
    if (verbatim_memory.used) {
        TELL("free", memory, memory ? malloc_usable_size(memory) : 0, 1)
    }
    if (real) {
        real(memory);
    }
}

void *realloc(void *memory, size_t size) {
    REAL(realloc)
    long before = verbatim_memory.registrations;
    size_t had = memory && verbatim_memory.used ? malloc_usable_size(memory) : 0;
    int is_told = had && has_region(memory, had, 1);
    void *now = real ? real(memory, size) : NULL;
    size_t has = is_told && now ? malloc_usable_size(now) : 0;
    if (is_told && now && now != memory) {
        TELL_GONE("realloc", memory, had, 1, before)
    } else if (is_told && has && has < had) {
        TELL_GONE("realloc", (char *)memory + has, had - has, 0, before)
    }
    return now;
}

int munmap(void *memory, size_t length) {
    REAL(munmap)
    long before = verbatim_memory.registrations;
    int failed = real ? real(memory, length) : (int)syscall(SYS_munmap, memory, length);
    if (!failed) {
        TELL_GONE("munmap", memory, length, 0, before)
    }
    return failed;
}

void *mremap(void *memory, size_t had, size_t has, int flags, ...) {
    REAL(mremap)
    long before = verbatim_memory.registrations;
    va_list more;
    va_start(more, flags);
    void *to = flags & MREMAP_FIXED ? va_arg(more, void *) : NULL;
    va_end(more);
    void *now = real(memory, had, has, flags, to);
    if (now != MAP_FAILED && now != memory) {
        TELL_GONE("mremap", memory, had, 0, before)
    } else if (now != MAP_FAILED && has < had) {
        TELL_GONE("mremap", (char *)memory + has, had - has, 0, before)
    }
    return now;
}

void *mmap(void *memory, size_t length, int rights, int flags, int descriptor, off_t offset) {
    REAL(mmap)
    long before = verbatim_memory.registrations;
    void *now = real ? real(memory, length, rights, flags, descriptor, offset)
                     : (void *)syscall(SYS_mmap, memory, length, rights, flags, descriptor, offset);
    if (now != MAP_FAILED && (flags & MAP_FIXED)) {
        TELL_GONE("mmap", now, length, 0, before)
    }
    return now;
}

// The same function, for programs that are compiled with large files.
void *mmap64(void *, size_t, int, int, int, off_t) __attribute__((alias("mmap")));
