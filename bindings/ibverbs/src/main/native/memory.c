// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// libverbatim-memory.so, for LD_PRELOAD by 'verbatim exec --sanitize': functions that give memory back tell libverbatim.so if it has bytes
// of a registered region. Everything else is as it is.
//
// A block of the allocator counts if a region begins with it or lies in it: a region of whole pages may have bytes of its neighbours.
// Pages count if a region has one of them. They are told of when they are gone, and if no region was registered meanwhile: that of another
// thread may be in new pages at the same addresses. Pages that stay, and lose what is in them or the file that they are of, are gone as well:
// an adapter goes on with the old ones. A change of rights is none: it does not concern adapters.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "memory.h"

struct verbatim_memory verbatim_memory = {.most = MOST_REGIONS};

// Looking up a function may give memory back or map some itself: a block is then kept.
#define REAL(name) \
    static __typeof__(&name) real; \
    static __thread volatile int looking; /* the compiler takes it that dlsym does not call back */ \
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
    if (has_region((const void *)(from), length, is_block)) { \
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
    if (is_told && now != memory && (now || !size)) {
        TELL_GONE("realloc", memory, had, 1, before)
    } else if (is_told && has && has < had) {
        TELL_GONE("realloc", (char *)memory + has, had - has, 0, before)
    }
    return now;
}

void *reallocarray(void *memory, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(memory, bytes);
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

// ---- Pages that stay, and what is in them does not.

#ifndef MADV_DONTNEED_LOCKED
#define MADV_DONTNEED_LOCKED 24
#endif

struct mapping {
    unsigned long from, to, offset, inode;
    char rights[5];
    dev_t device;
};

static int next_mapping(FILE *maps, struct mapping *found) {
    char line[512];
    unsigned int high, low;
    if (!fgets(line, sizeof line, maps)
        || sscanf(line, "%lx-%lx %4s %lx %x:%x %lu", &found->from, &found->to, found->rights, &found->offset, &high, &low, &found->inode)
            != 7) {
        return 0;
    }
    while (line[__builtin_strlen(line) - 1] != '\n' && fgets(line, sizeof line, maps)) { // a long path
    }
    found->device = makedev(high, low);
    return 1;
}

#define EACH_MAPPING(found) \
    for (FILE *maps = verbatim_memory.used ? fopen("/proc/self/maps", "re") : NULL; maps; fclose(maps), maps = NULL) \
        for (struct mapping found; next_mapping(maps, &found);)

#define MOST(one, other) ((one) > (other) ? (one) : (other))
#define LEAST(one, other) ((one) < (other) ? (one) : (other))

int madvise(void *memory, size_t length, int advice) {
    REAL(madvise)
    long before = verbatim_memory.registrations;
    int failed = real ? real(memory, length, advice) : (int)syscall(SYS_madvise, memory, length, advice);
    const char *name = advice == MADV_DONTNEED || advice == MADV_DONTNEED_LOCKED ? "madvise(MADV_DONTNEED)"
        : advice == MADV_FREE                                                    ? "madvise(MADV_FREE)"
        : advice == MADV_REMOVE                                                  ? "madvise(MADV_REMOVE)"
                                                                                 : NULL;
    if (!failed && name && has_region(memory, length, 0)) {
        unsigned long first = (unsigned long)memory, last = first + length;
        EACH_MAPPING(found) {
            // Pages of a shared mapping come back as they were.
            if (found.from < last && found.to > first && (found.rights[3] == 'p' || advice == MADV_REMOVE)) {
                unsigned long from = MOST(first, found.from);
                TELL_GONE(name, from, LEAST(last, found.to) - from, 0, before)
            }
        }
    }
    return failed;
}

int shmdt(const void *memory) {
    REAL(shmdt)
    long before = verbatim_memory.registrations;
    struct mapping all = {0};
    EACH_MAPPING(found) {
        int goes_on = all.to && found.from == all.to && found.inode == all.inode && found.device == all.device
            && found.offset == all.offset + (all.to - all.from);
        if (found.from == (unsigned long)memory) {
            all = found;
        } else if (goes_on) {
            all.to = found.to;
        }
    }
    int failed = real ? real(memory) : (int)syscall(SYS_shmdt, memory);
    if (!failed) {
        TELL_GONE("shmdt", all.from, all.to - all.from, 0, before)
    }
    return failed;
}

static unsigned long at_offset(const struct mapping *of, unsigned long offset) {
    return of->from + (offset > of->offset ? LEAST(offset - of->offset, of->to - of->from) : 0);
}

// Bytes of a file are gone, and so those of its mappings. A private page that was written is gone where the file was cut, and stays at a hole.
#define TELL_OF_FILE(name, file, begin, end, is_cut, before) \
    EACH_MAPPING(found) { \
        if (found.inode == (file).st_ino && found.device == (file).st_dev && (is_cut || found.rights[3] == 's')) { \
            unsigned long from = at_offset(&found, begin), to = at_offset(&found, end); \
            TELL_GONE(name, from, to - from, 0, before) \
        } \
    }

static unsigned long up_to_page(off_t length) {
    return ((unsigned long)length + 4095) & -4096UL;
}

int ftruncate(int descriptor, off_t length) {
    REAL(ftruncate)
    long before = verbatim_memory.registrations;
    struct stat file;
    int shrinks = verbatim_memory.used && !fstat(descriptor, &file) && file.st_size > length;
    int failed = real ? real(descriptor, length) : (int)syscall(SYS_ftruncate, descriptor, length);
    if (!failed && shrinks) {
        TELL_OF_FILE("ftruncate", file, up_to_page(length), ULONG_MAX, 1, before)
    }
    return failed;
}

int truncate(const char *path, off_t length) {
    REAL(truncate)
    long before = verbatim_memory.registrations;
    struct stat file;
    int shrinks = verbatim_memory.used && !stat(path, &file) && file.st_size > length;
    int failed = real ? real(path, length) : (int)syscall(SYS_truncate, path, length);
    if (!failed && shrinks) {
        TELL_OF_FILE("truncate", file, up_to_page(length), ULONG_MAX, 1, before)
    }
    return failed;
}

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
    REAL(fallocate)
    long before = verbatim_memory.registrations;
    int failed = real ? real(descriptor, mode, offset, length) : (int)syscall(SYS_fallocate, descriptor, mode, offset, length);
    struct stat file;
    if (!failed && (mode & FALLOC_FL_PUNCH_HOLE) && verbatim_memory.used && !fstat(descriptor, &file)) {
        unsigned long end = ((unsigned long)offset + (unsigned long)length) & -4096UL;
        TELL_OF_FILE("fallocate(FALLOC_FL_PUNCH_HOLE)", file, up_to_page(offset), end, 0, before)
    }
    return failed;
}

int ftruncate64(int, off_t) __attribute__((alias("ftruncate")));
int truncate64(const char *, off_t) __attribute__((alias("truncate")));
int fallocate64(int, int, off_t, off_t) __attribute__((alias("fallocate")));

void *sbrk(intptr_t more) {
    REAL(sbrk)
    long before = verbatim_memory.registrations;
    void *had = real ? real(more) : (void *)-1;
    if (had != (void *)-1 && more < 0) {
        unsigned long end = up_to_page((off_t)had + more);
        TELL_GONE("sbrk", end, (unsigned long)had - end, 0, before)
    }
    return had;
}

int brk(void *end) {
    REAL(brk)
    long before = verbatim_memory.registrations;
    unsigned long had = (unsigned long)syscall(SYS_brk, 0);
    int failed = real ? real(end) : -1;
    unsigned long from = up_to_page((off_t)end);
    if (!failed && from < had) {
        TELL_GONE("brk", from, had - from, 0, before)
    }
    return failed;
}
