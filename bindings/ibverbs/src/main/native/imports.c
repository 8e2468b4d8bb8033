// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Let libraries that are loaded call another function in the place of one that they import.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { OF_CALLS = R_X86_64_JUMP_SLOT, OF_ADDRESSES = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { OF_CALLS = R_AARCH64_JUMP_SLOT, OF_ADDRESSES = R_AARCH64_GLOB_DAT };
#endif

static uintptr_t in_dynamic(const struct link_map *library, ElfW(Sxword) tag) {
    for (const ElfW(Dyn) *entry = library->l_ld; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == tag) {
            return entry->d_un.d_val; // the loader has made addresses of offsets
        }
    }
    return 0;
}

static int replace(const struct link_map *library, uintptr_t table, size_t length, const char *name, void *replacement) {
    const ElfW(Sym) *symbols = (void *)in_dynamic(library, DT_SYMTAB);
    const char *names = (void *)in_dynamic(library, DT_STRTAB);
    long page = sysconf(_SC_PAGESIZE);
    int found = 0;
    for (const ElfW(Rela) *entry = (void *)table, *end = (void *)(table + length); entry < end; entry++) {
        unsigned type = ELF64_R_TYPE(entry->r_info);
        if ((type == OF_CALLS || type == OF_ADDRESSES) && !strcmp(names + symbols[ELF64_R_SYM(entry->r_info)].st_name, name)) {
            void **slot = (void **)(library->l_addr + entry->r_offset);
            found |= mprotect((void *)((uintptr_t)slot & -page), page, PROT_READ | PROT_WRITE) == 0 && (*slot = replacement, 1);
        }
    }
    return found;
}

static int replace_all(const struct link_map *library, const char *name, void *replacement) {
    int of_calls = replace(library, in_dynamic(library, DT_JMPREL), in_dynamic(library, DT_PLTRELSZ), name, replacement);
    return replace(library, in_dynamic(library, DT_RELA), in_dynamic(library, DT_RELASZ), name, replacement) | of_calls;
}

// Within the library that has an address, and no other. Whether it imports that.
int verbatim_import(const void *within, const char *name, void *replacement) {
    struct link_map *library;
    Dl_info unused;
    if (!dladdr1(within, &unused, (void **)&library, RTLD_DL_LINKMAP)) {
        return 0;
    }
    return replace_all(library, name, replacement);
}

// Within the program, and all libraries that it has now.
void verbatim_import_all(const char *name, void *replacement) {
    for (const struct link_map *library = _r_debug.r_map; library; library = library->l_next) {
        if (*library->l_name || library == _r_debug.r_map) { // not what the kernel maps
            replace_all(library, name, replacement);
        }
    }
}
