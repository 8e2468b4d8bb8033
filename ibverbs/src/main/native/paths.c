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

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static const char *const roots[] = {"/sys/class/infiniband", "/sys/class/infiniband_verbs", "/dev/infiniband"};

// The path below VERBATIM_PATHS that stands for one below these roots; any other path as it is.
static const char *moved(const char *path, char room[PATH_MAX]) {
    const char *under = getenv("VERBATIM_PATHS");
    for (size_t i = 0; under && path && i < sizeof roots / sizeof *roots; i++) {
        size_t length = strlen(roots[i]);
        if (!strncmp(path, roots[i], length) && (path[length] == '/' || path[length] == '\0')
            && snprintf(room, PATH_MAX, "%s%s", under, path) < PATH_MAX) {
            return room;
        }
    }
    return path;
}

int stat(const char *path, struct stat *to) {
    char room[PATH_MAX];
    return REAL(stat)(moved(path, room), to);
}

int lstat(const char *path, struct stat *to) {
    char room[PATH_MAX];
    return REAL(lstat)(moved(path, room), to);
}

int fstatat(int directory, const char *path, struct stat *to, int flags) {
    char room[PATH_MAX];
    return REAL(fstatat)(directory, moved(path, room), to, flags);
}

int access(const char *path, int mode) {
    char room[PATH_MAX];
    return REAL(access)(moved(path, room), mode);
}

int open(const char *path, int flags, ...) {
    char room[PATH_MAX];
    va_list more;
    va_start(more, flags);
    mode_t mode = va_arg(more, mode_t);
    va_end(more);
    return REAL(open)(moved(path, room), flags, mode);
}

int open64(const char *path, int flags, ...) {
    char room[PATH_MAX];
    va_list more;
    va_start(more, flags);
    mode_t mode = va_arg(more, mode_t);
    va_end(more);
    return REAL(open64)(moved(path, room), flags, mode);
}

FILE *fopen(const char *path, const char *mode) {
    char room[PATH_MAX];
    return REAL(fopen)(moved(path, room), mode);
}

DIR *opendir(const char *path) {
    char room[PATH_MAX];
    return REAL(opendir)(moved(path, room));
}

char *realpath(const char *path, char *to) {
    char room[PATH_MAX];
    return REAL(realpath)(moved(path, room), to);
}

ssize_t readlink(const char *path, char *to, size_t size) {
    char room[PATH_MAX];
    return REAL(readlink)(moved(path, room), to, size);
}
