// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// The README's example of a program in C: connects to TwoJvms (server) of the consumer over RoCEv2, and writes to its memory.
// cc -o write write.c -lrdmacm -libverbs && ./write 192.0.2.1
#include <endian.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int failed(const char *call) {
    perror(call);
    return 1;
}

// README begins
int main(int argc, char **argv) {
    struct rdma_addrinfo hints = { .ai_port_space = RDMA_PS_TCP }, *there;
    struct ibv_qp_init_attr attributes = { .cap = { 1, 1, 1, 1, 8 }, .qp_type = IBV_QPT_RC, .sq_sig_all = 1 };
    struct rdma_cm_id *id;
    if (argc != 2 || rdma_getaddrinfo(argv[1], "7471", &hints, &there) || rdma_create_ep(&id, there, NULL, &attributes)) {
        return failed("rdma_create_ep");
    }
    if (rdma_connect(id, NULL)) {
        return failed("rdma_connect");
    }
    uint64_t address, value = 42;
    uint32_t rkey;
    memcpy(&address, id->event->param.conn.private_data, 8);
    memcpy(&rkey, (const char *) id->event->param.conn.private_data + 8, 4);
    struct ibv_wc completion;
    if (rdma_post_write(id, NULL, &value, 8, NULL, IBV_SEND_INLINE, be64toh(address), be32toh(rkey))
            || rdma_get_send_comp(id, &completion) != 1) {
        return failed("rdma_post_write");
    }
    puts(ibv_wc_status_str(completion.status));
    return rdma_disconnect(id);
}
// README ends
