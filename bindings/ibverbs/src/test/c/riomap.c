// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// A server maps memory as soon as it has accepted, while the client has not seen the answer, and the client writes into it.
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <rdma/rsocket.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static int nonblocking_socket(void) {
    int made = rsocket(AF_INET, SOCK_STREAM, 0), maps = 1;
    rsetsockopt(made, SOL_RDMA, RDMA_IOMAPSIZE, &maps, sizeof maps);
    rfcntl(made, F_SETFL, O_NONBLOCK);
    return made;
}

static void wait_for(int socket, short events) {
    struct pollfd one = {.fd = socket, .events = events};
    rpoll(&one, 1, 10000);
}

int main(void) {
    static volatile char memory[4096];
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    int listener = nonblocking_socket(), client = nonblocking_socket(), accepted;
    char byte = 1;
    if (rbind(listener, (struct sockaddr *)&address, length) || rgetsockname(listener, (struct sockaddr *)&address, &length)
        || rlisten(listener, 1)) {
        return 1;
    }
    while ((accepted = raccept(listener, NULL, NULL)) < 0 && errno == EAGAIN) {
        rconnect(client, (struct sockaddr *)&address, length); // begins, and then goes on
    }
    rfcntl(accepted, F_SETFL, O_NONBLOCK);
    off_t at = riomap(accepted, (void *)memory, sizeof memory, PROT_WRITE, 0, -1);
    printf("riomap: %s\n", at == (off_t)(size_t)memory ? "mapped" : strerror(errno));
    if (at == -1) {
        return 1;
    }
    wait_for(client, POLLOUT);
    while (rsend(accepted, &byte, 1, 0) < 0 && errno == EAGAIN) { // tells the mapping, too
        wait_for(accepted, POLLOUT);
    }
    while (rrecv(client, &byte, 1, 0) < 0 && errno == EAGAIN) {
        wait_for(client, POLLIN);
    }
    printf("riowrite: %zu\n", riowrite(client, "written", 8, at, 0));
    while (!memory[6]) {
        struct pollfd one = {.fd = accepted, .events = POLLIN};
        rpoll(&one, 1, 10);
    }
    printf("memory: %s\n", (char *)memory);
    return rclose(client) || rclose(accepted) || rclose(listener);
}
