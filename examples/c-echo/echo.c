// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// echo server            accepts one client, sends back what it gets, and ends
// echo client HOST TEXT  prints what comes back
#include <errno.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PORT "7471"
#define ROOM 1024

static void fail(const char *what) {
    fprintf(stderr, "echo: %s: %s\n", what, strerror(errno));
    exit(1);
}

static struct ibv_qp_init_attr queue_pair(void) {
    return (struct ibv_qp_init_attr) {
        .cap = { .max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1 },
        .qp_type = IBV_QPT_RC,
        .sq_sig_all = 1,
    };
}

static struct rdma_addrinfo *address(const char *host, int flags) {
    struct rdma_addrinfo hints = { .ai_flags = flags, .ai_port_space = RDMA_PS_TCP }, *found;
    if (rdma_getaddrinfo(host, PORT, &hints, &found)) {
        fail("rdma_getaddrinfo");
    }
    return found;
}

// Waits for a completion; what it was is told only if it failed.
static struct ibv_wc completed(int (*next)(struct rdma_cm_id *, struct ibv_wc *), struct rdma_cm_id *id, const char *what) {
    struct ibv_wc completion;
    if (next(id, &completion) != 1) {
        fail(what);
    }
    if (completion.status != IBV_WC_SUCCESS) {
        fprintf(stderr, "echo: %s: %s\n", what, ibv_wc_status_str(completion.status));
        exit(1);
    }
    return completion;
}

static void send_text(struct rdma_cm_id *id, void *text, size_t length, struct ibv_mr *region) {
    if (rdma_post_send(id, NULL, text, length, region, 0)) {
        fail("rdma_post_send");
    }
    completed(rdma_get_send_comp, id, "send");
}

static int serve(void) {
    struct ibv_qp_init_attr attributes = queue_pair();
    struct rdma_cm_id *listener, *id;
    struct rdma_addrinfo *here = address(NULL, RAI_PASSIVE);
    static char text[ROOM];
    if (rdma_create_ep(&listener, here, NULL, &attributes) || rdma_listen(listener, 1)) {
        fail("rdma_listen");
    }
    puts("listening");
    fflush(stdout);
    if (rdma_get_request(listener, &id)) {
        fail("rdma_get_request");
    }
    struct ibv_mr *region = rdma_reg_msgs(id, text, sizeof text);
    // The receive is posted before the connection is accepted, so that the client's message finds it.
    if (!region || rdma_post_recv(id, NULL, text, sizeof text, region)) {
        fail("rdma_post_recv");
    }
    if (rdma_accept(id, NULL)) {
        fail("rdma_accept");
    }
    struct ibv_wc received = completed(rdma_get_recv_comp, id, "receive");
    send_text(id, text, received.byte_len, region);
    rdma_disconnect(id);
    rdma_dereg_mr(region);
    rdma_destroy_ep(id);
    rdma_destroy_ep(listener);
    rdma_freeaddrinfo(here);
    return 0;
}

static int ask(const char *host, const char *text) {
    struct ibv_qp_init_attr attributes = queue_pair();
    struct rdma_cm_id *id;
    struct rdma_addrinfo *there = address(host, 0);
    static char sent[ROOM], answer[ROOM];
    if (rdma_create_ep(&id, there, NULL, &attributes)) {
        fail("rdma_create_ep");
    }
    struct ibv_mr *out = rdma_reg_msgs(id, sent, sizeof sent), *in = rdma_reg_msgs(id, answer, sizeof answer);
    if (!out || !in || rdma_post_recv(id, NULL, answer, sizeof answer, in)) {
        fail("rdma_post_recv");
    }
    if (rdma_connect(id, NULL)) {
        fail("rdma_connect");
    }
    snprintf(sent, sizeof sent, "%s", text);
    send_text(id, sent, strlen(sent), out);
    struct ibv_wc received = completed(rdma_get_recv_comp, id, "receive");
    printf("%.*s\n", (int) received.byte_len, answer);
    rdma_disconnect(id);
    rdma_dereg_mr(in);
    rdma_dereg_mr(out);
    rdma_destroy_ep(id);
    rdma_freeaddrinfo(there);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "server")) {
        return serve();
    }
    if (argc == 4 && !strcmp(argv[1], "client")) {
        return ask(argv[2], argv[3]);
    }
    fprintf(stderr, "usage: echo server | echo client HOST TEXT\n");
    return 2;
}
