// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// libverbatim-paths.so, for LD_PRELOAD: programs that look for adapters in /sys and /dev find those of Verbatim in a directory of
// VERBATIM_PATHS, which 'verbatim exec --with-paths' makes. Everything else is as it is.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static const char *const roots[] = {"/sys/class/infiniband", "/sys/class/infiniband_verbs", "/dev/infiniband"};

// Which device that is by its own name, of length letters, in the list VERBATIM_DEVICES; -1 for none.
static int named(const char *name, size_t length) {
    const char *list = getenv("VERBATIM_DEVICES");
    for (int i = 0; list && *list; i++) {
        size_t of = strcspn(list, ",");
        if (of == length && !strncmp(list, name, length)) {
            return i;
        }
        list += of + (list[of] == ',');
    }
    return -1;
}

// Whether that is the number of a port that each device has beside the first, by VERBATIM_PORTS.
static int is_further_port(const char *name, size_t length) {
    const char *ports = getenv("VERBATIM_PORTS");
    return ports && length == 1 && *name > '1' && *name <= *ports;
}

static int ends_with(const char room[PATH_MAX], size_t used, const char *name) {
    size_t letters = strlen(name);
    return used > letters && !strcmp(room + used - letters, name);
}

// Appends a path to room, in which devices have their own names instead of verbatim0 and so on, where those stand, and each port the files
// of the first; 0 if it has no room.
static int append(char room[PATH_MAX], const char *path) {
    size_t used = strlen(room);
    while (*path) {
        size_t slashes = strspn(path, "/"), letters = strcspn(path + slashes, "/");
        int device = ends_with(room, used, "/infiniband") ? named(path + slashes, letters) : -1;
        int is_port = ends_with(room, used, "/ports") && is_further_port(path + slashes, letters);
        int more = device >= 0 ? snprintf(room + used, PATH_MAX - used, "/verbatim%d", device)
                   : is_port   ? snprintf(room + used, PATH_MAX - used, "/1")
                               : snprintf(room + used, PATH_MAX - used, "%.*s", (int)(slashes + letters), path);
        used += more;
        if (used >= PATH_MAX) {
            return 0;
        }
        path += slashes + letters;
    }
    return 1;
}

// The path below VERBATIM_PATHS that stands for one below these roots; any other path as it is.
static const char *moved(const char *path, char room[PATH_MAX]) {
    const char *under = getenv("VERBATIM_PATHS");
    for (size_t i = 0; under && path && i < sizeof roots / sizeof *roots; i++) {
        size_t length = strlen(roots[i]);
        if (!strncmp(path, roots[i], length) && (path[length] == '/' || path[length] == '\0')
            && snprintf(room, PATH_MAX, "%s%s", under, roots[i]) < PATH_MAX && append(room, path + length)) {
            return room;
        }
    }
    return path;
}

#define MOVE(result, name, parameters, ...) \
    result name parameters { \
        char room[PATH_MAX]; \
        path = moved(path, room); \
        return REAL(name)(__VA_ARGS__); \
    }

MOVE(int, stat, (const char *path, struct stat *to), path, to)
MOVE(int, lstat, (const char *path, struct stat *to), path, to)
MOVE(int, fstatat, (int directory, const char *path, struct stat *to, int flags), directory, path, to, flags)
MOVE(int, stat64, (const char *path, struct stat64 *to), path, to)
MOVE(int, lstat64, (const char *path, struct stat64 *to), path, to)
MOVE(int, fstatat64, (int directory, const char *path, struct stat64 *to, int flags), directory, path, to, flags)
MOVE(int, statx, (int directory, const char *path, int flags, unsigned mask, struct statx *to), directory, path, flags, mask, to)
MOVE(int, access, (const char *path, int mode), path, mode)
MOVE(int, faccessat, (int directory, const char *path, int mode, int flags), directory, path, mode, flags)
MOVE(ssize_t, readlinkat, (int directory, const char *path, char *to, size_t size), directory, path, to, size)
MOVE(int, scandir,
     (const char *path, struct dirent ***to, int (*wanted)(const struct dirent *),
      int (*order)(const struct dirent **, const struct dirent **)),
     path, to, wanted, order)
MOVE(ssize_t, getxattr, (const char *path, const char *name, void *to, size_t size), path, name, to, size)
MOVE(ssize_t, lgetxattr, (const char *path, const char *name, void *to, size_t size), path, name, to, size)
MOVE(FILE *, fopen, (const char *path, const char *mode), path, mode)
MOVE(FILE *, fopen64, (const char *path, const char *mode), path, mode)
MOVE(DIR *, opendir, (const char *path), path)
MOVE(char *, realpath, (const char *path, char *to), path, to)
MOVE(ssize_t, readlink, (const char *path, char *to, size_t size), path, to, size)

#define MOVE_OPEN(name) \
    int name(const char *path, int flags, ...) { \
        char room[PATH_MAX]; \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = va_arg(more, mode_t); \
        va_end(more); \
        return REAL(name)(moved(path, room), flags, mode); \
    }

MOVE_OPEN(open)
MOVE_OPEN(open64)

#define MOVE_OPENAT(name) \
    int name(int directory, const char *path, int flags, ...) { \
        char room[PATH_MAX]; \
        va_list more; \
        va_start(more, flags); \
        mode_t mode = va_arg(more, mode_t); \
        va_end(more); \
        return REAL(name)(directory, moved(path, room), flags, mode); \
    }

MOVE_OPENAT(openat)
MOVE_OPENAT(openat64)
