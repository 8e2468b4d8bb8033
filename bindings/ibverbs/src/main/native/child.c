// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// long verbatim_run(words, variables, text, room): runs a program, such as addr2line, and takes what it writes: the length, or -1. It is
// the child of a child that has ended and signals nothing, so the waits of the process and its handler of SIGCHLD do not see it.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_STACK = 32 << 10 };
struct child {
    char **words, **variables;
    int output;
    sigset_t signals;
    char stacks[2][CHILD_STACK] __attribute__((aligned(16)));
};

static int become(void *of) {
    struct child *child = of;
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(child->output, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    sigprocmask(SIG_SETMASK, &child->signals, NULL);
    execve(child->words[0], child->words, child->variables);
    _exit(127);
}

static int leave_child(void *of) {
    struct child *child = of;
    clone(become, child->stacks[1] + CHILD_STACK, CLONE_VM | CLONE_VFORK, child);
    _exit(0);
}

long verbatim_run(long words, long variables, long text, long room) {
    struct child *child = calloc(1, sizeof *child);
    int ends[2];
    sigset_t all, before;
    if (!child || pipe2(ends, O_CLOEXEC)) {
        free(child);
        return -1;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    child->words = (char **)words, child->variables = (char **)variables, child->output = ends[1], child->signals = before;
    pid_t pid = clone(leave_child, child->stacks[0] + CHILD_STACK, CLONE_VM | CLONE_VFORK, child);
    while (pid > 0 && waitpid(pid, NULL, __WCLONE) < 0 && errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    long length = 0, count = pid < 0 ? 0 : 1;
    while (count > 0 && length < room) {
        count = read(ends[0], (char *)text + length, room - length);
        length += count > 0 ? count : 0;
        count = count < 0 && errno == EINTR ? 1 : count;
    }
    close(ends[0]);
    free(child);
    return length;
}
