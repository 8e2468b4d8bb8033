// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Waits for ever in the calls of rsockets, each in a thread of its own, until a signal ends it.
#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <rdma/rsocket.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CHECK(what) do { if (!(what)) { perror(#what); exit(1); } } while (0)
static char bytes[1 << 20];

static int listening(struct sockaddr_in *at) {
    socklen_t size = sizeof *at;
    int listener = rsocket(AF_INET, SOCK_STREAM, 0);
    *at = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    CHECK(listener >= 0 && !rbind(listener, (struct sockaddr *)at, size) && !rlisten(listener, 4));
    CHECK(!rgetsockname(listener, (struct sockaddr *)at, &size));
    return listener;
}

static void *connecting(void *at) {
    int one = rsocket(AF_INET, SOCK_STREAM, 0);
    CHECK(one >= 0);
    rconnect(one, at, sizeof(struct sockaddr_in));
    return (void *)(intptr_t)one;
}

// A connected socket, whose peer does nothing.
static int joined(void) {
    struct sockaddr_in at;
    int listener = listening(&at);
    pthread_t thread;
    void *one;
    CHECK(!pthread_create(&thread, NULL, connecting, &at));
    CHECK(raccept(listener, NULL, NULL) >= 0 && !pthread_join(thread, &one));
    return (intptr_t)one;
}

static void *accepts(void *unused) {
    struct sockaddr_in at;
    raccept(listening(&at), NULL, NULL); // waits
    return NULL;
}

static void *connects(void *unused) {
    struct sockaddr_in at;
    int listener = listening(&at);
    CHECK(listener >= 0);
    connecting(&at); // waits
    return NULL;
}

static void *reads(void *unused) {
    rread(joined(), bytes, 1); // waits
    return NULL;
}

static void *writes(void *unused) {
    rwrite(joined(), bytes, sizeof bytes); // waits
    return NULL;
}

static void *polls(void *unused) {
    struct pollfd one = {joined(), POLLIN};
    rpoll(&one, 1, -1); // waits
    return NULL;
}

int main(void) {
    void *(*all[])(void *) = {accepts, connects, reads, writes, polls};
    pthread_t thread;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        CHECK(!pthread_create(&thread, NULL, all[i], NULL));
    }
    pause();
}
