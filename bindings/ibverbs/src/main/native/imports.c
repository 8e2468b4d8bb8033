// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Let libraries that are loaded call another function in the place of one that they import.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
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

// ---- A JVM's threads go on while the program ends, and the program's handlers may use verbs then. The C library calls the destructors of
// the JVM's own objects before handlers that were set before it was loaded. So they are called when it has just been loaded, which
// takes them off the C library's list, and the data are put back.

static int ignore(void) {
    return 0;
}

struct data {
    const struct link_map *library;
    char *begin, *end; // what is written after relocation; NULL if it was not found
};

static int find_data(struct dl_phdr_info *info, size_t unused, void *of) {
    struct data *data = of;
    char *constant = NULL;
    if (info->dlpi_addr != data->library->l_addr) {
        return 0;
    }
    for (const ElfW(Phdr) *part = info->dlpi_phdr, *end = part + info->dlpi_phnum; part < end; part++) {
        char *at = (char *)info->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && (part->p_flags & PF_W)) {
            data->begin = at;
            data->end = at + part->p_memsz; // of the last one, behind those that are constant
        } else if (part->p_type == PT_GNU_RELRO) {
            constant = (char *)((uintptr_t)(at + part->p_memsz) & -sysconf(_SC_PAGESIZE));
        }
    }
    if (constant > data->begin && constant < data->end) {
        data->begin = constant;
    }
    return 1;
}

// Of the library that has an address, and was just loaded. Whether it has no destructors left that the C library would call.
int verbatim_keep_to_end(const void *within) {
    struct data data = {0};
    Dl_info unused;
    if (!dladdr1(within, &unused, (void **)&data.library, RTLD_DL_LINKMAP) || !dl_iterate_phdr(find_data, &data) || !data.begin) {
        return 0;
    }
    size_t size = data.end - data.begin;
    char *copy = malloc(size);
    if (!copy || !replace_all(data.library, "free", ignore)) {
        free(copy);
        return 0;
    }
    memcpy(copy, data.begin, size);
    replace_all(data.library, "pthread_key_delete", ignore);
    void (**destructors)(void) = (void *)(data.library->l_addr + in_dynamic(data.library, DT_FINI_ARRAY));
    for (size_t i = in_dynamic(data.library, DT_FINI_ARRAYSZ) / sizeof *destructors; i-- > 0;) {
        destructors[i]();
    }
    memcpy(data.begin, copy, size);
    free(copy);
    replace_all(data.library, "free", free);
    replace_all(data.library, "pthread_key_delete", pthread_key_delete);
    replace_all(data.library, "__cxa_atexit", ignore);
    return 1;
}
