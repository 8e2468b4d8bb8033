// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls with wrong arguments, each with the error number that it must have. Prints those that have another one, and their number.
#define _GNU_SOURCE
#include <errno.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <rdma/rsocket.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

// Of functions that return a pointer, -1 or an error number.
#define POINTER(expected, call) check(#call, expected, (errno = 0, (long)(call)) ? 0 : errno)
#define MINUS(expected, call) check(#call, expected, (errno = 0, (call)) < 0 ? errno : 0)
#define NUMBER(expected, call) check(#call, expected, call)

static int calls;

static void check(const char *what, int expected, int error) {
    calls++;
    if (error != expected) {
        printf("%s: %s instead of %s\n", what, error ? strerrorname_np(error) : "no error", strerrorname_np(expected));
    }
}

static struct ibv_context *context;
static struct ibv_pd *pd, *freed_pd;
static struct ibv_cq *cq, *freed_cq;
static struct ibv_qp *qp, *freed_qp;
static struct ibv_mr *mr, *freed_mr;
static char memory[4096];
static void *unreadable;                      // a page without rights
static void *unmapped = (void *)(1ul << 60); // beyond what a process can map, so nothing ever lies there

static struct ibv_qp_init_attr usual(void) {
    return (struct ibv_qp_init_attr){.send_cq = cq, .recv_cq = cq, .cap = {4, 4, 1, 1, 64}, .qp_type = IBV_QPT_RC};
}

static void of_devices(void) {
    struct ibv_port_attr port;
    union ibv_gid gid;
    __be16 key;
    POINTER(ENODEV, ibv_open_device(NULL));
    POINTER(EINVAL, ibv_alloc_pd(NULL));
    NUMBER(EFAULT, ibv_query_device(context, NULL));
    NUMBER(EINVAL, ibv_query_port(context, 0, &port));
    NUMBER(EINVAL, ibv_query_port(context, 2, &port));
    MINUS(EINVAL, ibv_query_gid(context, 1, 99, &gid));
    MINUS(EFAULT, ibv_query_gid(context, 1, 0, NULL));
    MINUS(EINVAL, ibv_query_pkey(context, 1, 99, &key));
    NUMBER(EINVAL, ibv_dealloc_pd(freed_pd));
    NUMBER(EBUSY, ibv_dealloc_pd(pd)); // in use
}

static void of_memory(void) {
    struct ibv_alloc_dm_attr large = {.length = 1ul << 40}, unknown = {.length = 64, .comp_mask = 1u << 31};
    struct ibv_mw wrong;
    int access = IBV_ACCESS_LOCAL_WRITE;
    POINTER(EINVAL, ibv_reg_mr(NULL, memory, 16, access));
    POINTER(EINVAL, ibv_reg_mr(freed_pd, memory, 16, access));
    POINTER(EFAULT, ibv_reg_mr(pd, NULL, 16, access));
    POINTER(EFAULT, ibv_reg_mr(pd, unmapped, 16, access));
    POINTER(EINVAL, ibv_reg_mr(pd, memory, -1ul, access));
    POINTER(EINVAL, ibv_reg_mr(pd, memory, 1ul << 44, access));
    POINTER(EINVAL, ibv_reg_mr(pd, (void *)-16ul, 16, access));
    POINTER(EINVAL, ibv_reg_mr(pd, memory, 16, IBV_ACCESS_REMOTE_WRITE));
    POINTER(EINVAL, ibv_reg_mr(pd, memory, 16, access | 1 << 19));
    NUMBER(EINVAL, ibv_dereg_mr(freed_mr));
    NUMBER(EINVAL, ibv_dereg_mr((struct ibv_mr *)memory));
    POINTER(EINVAL, ibv_alloc_mw(pd, 9));
    POINTER(EINVAL, ibv_alloc_dm(context, &large));
    POINTER(EINVAL, ibv_alloc_dm(context, &unknown));
}

static void of_queues(void) {
    struct ibv_cq_init_attr_ex unknown_cq = {.cqe = 4, .comp_mask = 1u << 31}, unknown_flags = {.cqe = 4, .wc_flags = 1ul << 40};
    struct ibv_srq_init_attr none = {}, many = {.attr = {1 << 30, 1}};
    struct ibv_srq_init_attr_ex unknown_srq = {.attr = {4, 1}, .comp_mask = 1u << 31, .pd = pd};
    POINTER(EINVAL, ibv_create_cq(context, 0, NULL, NULL, 0));
    POINTER(EINVAL, ibv_create_cq(context, 1 << 30, NULL, NULL, 0));
    POINTER(EINVAL, ibv_create_cq(context, 4, NULL, NULL, 99));
    POINTER(EINVAL, ibv_create_cq(context, 4, NULL, (void *)memory, 0));
    POINTER(EOPNOTSUPP, ibv_create_cq_ex(context, &unknown_cq));
    POINTER(EOPNOTSUPP, ibv_create_cq_ex(context, &unknown_flags));
    NUMBER(EINVAL, ibv_resize_cq(cq, 0));
    NUMBER(EINVAL, ibv_destroy_cq(freed_cq));
    NUMBER(EBUSY, ibv_destroy_cq(cq)); // in use
    POINTER(EFAULT, ibv_create_srq(pd, NULL));
    POINTER(EINVAL, ibv_create_srq(pd, &none));
    POINTER(EINVAL, ibv_create_srq(pd, &many));
    POINTER(EINVAL, ibv_create_srq_ex(context, &unknown_srq));
}

static void of_queue_pairs(void) {
    struct ibv_qp_init_attr wrong_type = usual(), many = usual(), other_cq = usual();
    struct ibv_qp_init_attr_ex unknown = {.send_cq = cq, .recv_cq = cq, .cap = {4, 4, 1, 1, 0}, .qp_type = IBV_QPT_RC, .pd = pd};
    struct ibv_qp_init_attr_ex flags = unknown, operations = unknown;
    struct ibv_qp_attr attributes = {.qp_state = IBV_QPS_RTS}, other_port = {.qp_state = IBV_QPS_INIT, .port_num = 9};
    struct ibv_ah_attr route = {.port_num = 9}, index = {.port_num = 1, .is_global = 1, .grh = {.sgid_index = 9}};
    union ibv_gid group = {.raw = {0xff, 0x0e}};
    wrong_type.qp_type = 77;
    many.cap.max_send_wr = 1 << 30;
    other_cq.send_cq = freed_cq;
    unknown.comp_mask = IBV_QP_INIT_ATTR_PD | 1u << 31;
    flags.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_CREATE_FLAGS, flags.create_flags = 1u << 31;
    operations.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS, operations.send_ops_flags = 1ul << 40;
    POINTER(EINVAL, ibv_create_qp(NULL, &many));
    POINTER(EFAULT, ibv_create_qp(pd, NULL));
    POINTER(EINVAL, ibv_create_qp(pd, &wrong_type));
    POINTER(EINVAL, ibv_create_qp(pd, &many));
    POINTER(EINVAL, ibv_create_qp(pd, &other_cq));
    POINTER(EOPNOTSUPP, ibv_create_qp_ex(context, &unknown));
    POINTER(EOPNOTSUPP, ibv_create_qp_ex(context, &flags));
    POINTER(EOPNOTSUPP, ibv_create_qp_ex(context, &operations));
    NUMBER(EFAULT, ibv_modify_qp(qp, NULL, IBV_QP_STATE));
    NUMBER(EINVAL, ibv_modify_qp(qp, &attributes, IBV_QP_STATE)); // RESET to RTS
    NUMBER(EOPNOTSUPP, ibv_modify_qp(qp, &attributes, 1 << 30));
    NUMBER(EINVAL, ibv_modify_qp(qp, &other_port, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
    NUMBER(EINVAL, ibv_modify_qp(freed_qp, &attributes, IBV_QP_STATE));
    NUMBER(EINVAL, ibv_destroy_qp(freed_qp));
    POINTER(EFAULT, ibv_create_ah(pd, NULL));
    POINTER(EINVAL, ibv_create_ah(pd, &route));
    POINTER(EINVAL, ibv_create_ah(pd, &index));
    NUMBER(EOPNOTSUPP, ibv_attach_mcast(qp, &group, 0));
    NUMBER(EOPNOTSUPP, ibv_detach_mcast(qp, &group, 0));
}

static void of_requests(void) {
    struct ibv_sge many[8] = {{(uintptr_t)memory, 16, 0}};
    struct ibv_send_wr *bad, send = {.opcode = 99}, pieces = {.sg_list = many, .num_sge = 8};
    struct ibv_send_wr nowhere = {.sg_list = NULL, .num_sge = 1}, inlined = {.sg_list = many, .num_sge = 1, .send_flags = IBV_SEND_INLINE};
    struct ibv_recv_wr *worse, receive = {.sg_list = many, .num_sge = 8};
    struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = 1};
    NUMBER(EINVAL, ibv_post_recv(qp, &receive, &worse));
    NUMBER(EINVAL, ibv_post_send(qp, &send, &bad)); // in RESET
    ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
    receive.num_sge = 1;
    receive.sg_list = unreadable;
    NUMBER(EFAULT, ibv_post_recv(qp, &receive, &worse));
    struct ibv_qp_attr error = {.qp_state = IBV_QPS_ERR};
    ibv_modify_qp(qp, &error, IBV_QP_STATE);
    many[0].length = 1 << 20;
    NUMBER(EINVAL, ibv_post_send(qp, &send, &bad));
    NUMBER(EINVAL, ibv_post_send(qp, &pieces, &bad));
    NUMBER(EFAULT, ibv_post_send(qp, &nowhere, &bad));
    NUMBER(EINVAL, ibv_post_send(qp, &inlined, &bad));
    NUMBER(EFAULT, ibv_post_send(qp, unreadable, &bad));
    // The fault of the last access of a call, which a JVM tells of later, also when the call is compiled.
    for (int i = 0, most = 20000; i < most; i++) {
        if (ibv_post_send(qp, &send, unreadable) != EFAULT || ibv_query_device(context, unreadable) != EFAULT || i == most - 1) {
            NUMBER(EFAULT, ibv_post_send(qp, &send, unreadable));
            NUMBER(EFAULT, ibv_query_device(context, unreadable));
            most = 0;
        }
    }
}

static void of_connections(void) {
    struct rdma_event_channel *channel = rdma_create_event_channel();
    struct rdma_cm_id *id = NULL, *other = NULL;
    struct sockaddr odd = {.sa_family = 77};
    struct sockaddr_in far = {.sin_family = AF_INET, .sin_port = htons(7), .sin_addr = {htonl(0xc6336401)}}; // 198.51.100.1
    int option = 1;
    MINUS(EINVAL, rdma_create_id(channel, NULL, NULL, RDMA_PS_TCP));
    MINUS(EINVAL, rdma_create_id((void *)memory, &id, NULL, RDMA_PS_TCP));
    MINUS(EINVAL, rdma_create_id(channel, &id, NULL, 0x999));
    rdma_create_id(channel, &id, NULL, RDMA_PS_TCP);
    MINUS(EINVAL, rdma_bind_addr(id, NULL));
    MINUS(EINVAL, rdma_bind_addr(id, &odd));
    MINUS(EADDRNOTAVAIL, rdma_bind_addr(id, (struct sockaddr *)&far));
    MINUS(EINVAL, rdma_resolve_addr(id, NULL, NULL, 100));
    MINUS(EINVAL, rdma_resolve_route(id, 100));
    MINUS(EINVAL, rdma_connect(id, NULL));
    MINUS(EINVAL, rdma_accept(id, NULL));
    MINUS(EINVAL, rdma_disconnect(id));
    MINUS(EINVAL, rdma_create_qp(id, pd, NULL));
    MINUS(ENOSYS, rdma_set_option(id, 9, 9, &option, sizeof option));
    MINUS(EINVAL, rdma_join_multicast(id, (struct sockaddr *)&far, NULL));
    MINUS(EADDRNOTAVAIL, rdma_leave_multicast(id, (struct sockaddr *)&far));
    MINUS(EINVAL, rdma_destroy_id(NULL));
    MINUS(EINVAL, rdma_get_cm_event(NULL, NULL));
    MINUS(EINVAL, rdma_ack_cm_event(NULL));
    rdma_destroy_id(id);
    MINUS(EINVAL, rdma_destroy_id(id)); // again
    rdma_destroy_event_channel(channel);
}

// What the device has not, refused as by a kernel that has it not.
static void of_what_is_left_out(void) {
    struct rdma_event_channel *channel = rdma_create_event_channel();
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct sockaddr_in group = {.sin_family = AF_INET, .sin_addr = {htonl(0xe0000107)}}; // 224.0.1.7
    struct rdma_cm_join_mc_attr_ex joined = {RDMA_CM_JOIN_MC_ATTR_ADDRESS | RDMA_CM_JOIN_MC_ATTR_JOIN_FLAGS,
        RDMA_MC_JOIN_FLAG_FULLMEMBER, (struct sockaddr *)&group};
    struct ibv_qp_init_attr target = usual(), initiator = usual();
    struct rdma_cm_id *datagrams = NULL, *xrc = NULL;
    target.qp_type = IBV_QPT_XRC_RECV;
    initiator.qp_type = IBV_QPT_XRC_SEND;
    if (rdma_create_id(channel, &datagrams, NULL, RDMA_PS_UDP) || rdma_bind_addr(datagrams, (struct sockaddr *)&here)
        || rdma_create_id(channel, &xrc, NULL, RDMA_PS_IB) || rdma_bind_addr(xrc, (struct sockaddr *)&here)) {
        perror("identifiers");
    }
    MINUS(ENOSYS, rdma_join_multicast(datagrams, (struct sockaddr *)&group, NULL));
    MINUS(ENOSYS, rdma_join_multicast_ex(datagrams, &joined, NULL));
    MINUS(EADDRNOTAVAIL, rdma_leave_multicast(datagrams, (struct sockaddr *)&group));
    MINUS(EOPNOTSUPP, rsocket(AF_INET, SOCK_DGRAM, 0));
    MINUS(EOPNOTSUPP, rsocket(AF_INET6, SOCK_DGRAM, IPPROTO_UDP));
    MINUS(EINVAL, rdma_create_qp(xrc, NULL, &target));
    MINUS(EINVAL, rdma_create_qp(xrc, NULL, &initiator));
    rdma_destroy_id(datagrams);
    rdma_destroy_id(xrc);
    rdma_destroy_event_channel(channel);
}

int main(void) {
    unreadable = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct ibv_device **devices = ibv_get_device_list(NULL);
    context = ibv_open_device(devices[0]);
    pd = ibv_alloc_pd(context), freed_pd = ibv_alloc_pd(context);
    cq = ibv_create_cq(context, 8, NULL, NULL, 0), freed_cq = ibv_create_cq(context, 8, NULL, NULL, 0);
    mr = ibv_reg_mr(pd, memory, sizeof memory, 0), freed_mr = ibv_reg_mr(pd, memory, sizeof memory, 0);
    struct ibv_qp_init_attr attributes = usual();
    qp = ibv_create_qp(pd, &attributes), freed_qp = ibv_create_qp(pd, &attributes);
    if (!qp || !freed_qp || ibv_destroy_qp(freed_qp) || ibv_dereg_mr(freed_mr) || ibv_destroy_cq(freed_cq) || ibv_dealloc_pd(freed_pd)) {
        return 1;
    }
    of_devices();
    of_memory();
    of_queues();
    of_queue_pairs();
    of_requests();
    of_connections();
    of_what_is_left_out();
    printf("%d calls\n", calls);
    return 0;
}
