// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls the functions of C again and again with handles that are NULL, freed, of another kind, or memory of anything, and with random
// numbers. Usage: fuzz SEED ROUNDS. None may end the process, wait for ever or succeed with a wrong handle. Prints what did, and how
// many calls succeeded and failed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <rdma/rsocket.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// What a function takes, a letter for each argument. Those of the first line are handles; a '?' behind one says that it may be NULL or is
// not looked at; the others are numbers, lengths, memory to write to, to read from, strings and addresses of sockets, and NULL alone.
#define HANDLES "dcpqQmwsahxDIEe"
enum { KINDS = sizeof HANDLES - 1, PAGE = 4096, CHOICES = 6 };

struct function {
    char fails; // 'n' = NULL, '-' = -1, '#' = the error number, '*' = anything
    const char *name, *takes;
};

// Those that destroy what they are given are given wrong handles only.
static const struct function destroying[] = {
    {'#', "ibv_close_device", "c"}, {'#', "ibv_dealloc_pd", "p"}, {'#', "ibv_destroy_qp", "q"}, {'#', "ibv_destroy_cq", "Q"},
    {'#', "ibv_dereg_mr", "m"}, {'#', "ibv_destroy_srq", "s"}, {'#', "ibv_destroy_ah", "a"}, {'#', "ibv_destroy_comp_channel", "h"},
    {'-', "rdma_destroy_id", "I"}, {'*', "rdma_destroy_event_channel", "E"}, {'-', "rdma_ack_cm_event", "e"},
    {'*', "rdma_destroy_qp", "I"}, {'*', "rdma_destroy_srq", "I"}, {'*', "rdma_destroy_ep", "I"}, {'*', "ibv_unimport_pd", "p"},
    {'*', "ibv_unimport_mr", "m"}, {'*', "ibv_unimport_dm", "D"}, {'-', "rdma_migrate_id", "IE?"}, // of which calls wait, without a channel
};
static const struct function functions[] = {
    {'n', "ibv_get_device_name", "d"}, {'*', "ibv_get_device_guid", "d"}, {'-', "ibv_get_device_index", "d"}, {'n', "ibv_open_device", "d"},
    {'n', "ibv_import_device", "i"}, {'#', "ibv_query_device", "co"}, {'#', "ibv_query_port", "cio"}, {'-', "ibv_query_gid", "ciio"},
    {'-', "ibv_query_pkey", "ciio"}, {'-', "ibv_get_pkey_index", "cii"}, {'#', "_ibv_query_gid_ex", "ciioil"},
    {'*', "_ibv_query_gid_table", "coiil"}, {'*', "ibv_node_type_str", "i"}, {'*', "ibv_port_state_str", "i"},
    {'*', "ibv_event_type_str", "i"}, {'*', "ibv_wc_status_str", "i"}, {'*', "ibv_rate_to_mult", "i"}, {'*', "mult_to_ibv_rate", "i"},
    {'*', "ibv_rate_to_mbps", "i"}, {'*', "mbps_to_ibv_rate", "i"}, {'n', "ibv_alloc_pd", "c"}, {'n', "ibv_import_pd", "ci"},
    {'n', "ibv_reg_mr", "prli"}, {'n', "ibv_reg_mr_iova", "prlri"}, {'n', "ibv_reg_mr_iova2", "prlri"}, {'n', "ibv_reg_mr_ex", "pr"},
    {'n', "ibv_reg_dmabuf_mr", "pllii"}, {'-', "ibv_rereg_mr", "mip?rli"}, {'n', "ibv_import_mr", "pi"}, {'n', "ibv_import_dm", "ci"},
    {'n', "ibv_create_comp_channel", "c"}, {'n', "ibv_create_cq", "cirh?i"}, {'#', "ibv_resize_cq", "Qi"},
    {'n', "ibv_create_srq", "pr"}, {'#', "ibv_modify_srq", "sri"}, {'#', "ibv_query_srq", "so"}, {'n', "ibv_create_qp", "pr"},
    {'#', "ibv_query_qp", "qoio"}, {'#', "ibv_modify_qp", "qri"}, {'#', "ibv_query_ece", "qo"}, {'#', "ibv_set_ece", "qr"},
    {'*', "ibv_query_qp_data_in_order", "qii"}, {'n', "ibv_create_ah", "pr"}, {'n', "ibv_create_ah_from_wc", "prri"},
    {'#', "ibv_init_ah_from_wc", "cirro"}, {'#', "ibv_attach_mcast", "qri"}, {'#', "ibv_detach_mcast", "qri"},
    {'*', "ibv_ack_cq_events", "Q?i"}, {'*', "rdma_event_str", "i"}, {'-', "rdma_create_id", "E?oli"}, {'-', "rdma_bind_addr", "Ir"},
    {'-', "rdma_resolve_addr", "I00i"}, {'-', "rdma_resolve_route", "Ii"}, {'-', "rdma_listen", "Ii"}, {'-', "rdma_connect", "Ir"},
    {'-', "rdma_establish", "I"}, {'-', "rdma_accept", "Ir"}, {'-', "rdma_reject", "Iri"}, {'-', "rdma_notify", "Ii"},
    {'-', "rdma_disconnect", "I"}, {'-', "rdma_set_option", "Iiirl"}, {'*', "rdma_get_src_port", "I"},
    {'*', "rdma_get_dst_port", "I"}, {'-', "rdma_init_qp_attr", "Ioo"}, {'-', "rdma_set_local_ece", "Ir"},
    {'-', "rdma_get_remote_ece", "Io"}, {'-', "rdma_join_multicast", "Irl"}, {'-', "rdma_join_multicast_ex", "Irl"},
    {'-', "rdma_leave_multicast", "Ir"}, {'-', "rdma_create_ep", "000p?"}, {'-', "rdma_get_request", "Io"}, {'-', "rdma_create_qp", "Ip?r"},
    {'-', "rdma_create_qp_ex", "Ir"}, {'-', "rdma_create_srq", "Ip?r"}, {'-', "rdma_create_srq_ex", "Ir"},
    {'-', "rsocket", "iii"}, {'-', "rbind", "fri"}, {'-', "rlisten", "fi"}, {'-', "raccept", "foo"}, {'-', "rconnect", "fri"},
    {'-', "rshutdown", "fi"}, {'-', "rclose", "f"}, {'-', "rgetpeername", "foo"}, {'-', "rgetsockname", "foo"},
    {'-', "rsetsockopt", "fiirl"}, {'-', "rgetsockopt", "fiioo"}, {'-', "rfcntl", "fil"}, {'-', "rrecv", "foli"}, {'-', "rsend", "frli"},
    {'-', "rread", "fol"}, {'-', "rwrite", "frl"}, {'-', "rreadv", "fri"}, {'-', "rwritev", "fri"}, {'-', "rrecvmsg", "fri"},
    {'-', "rsendmsg", "fri"}, {'-', "riomap", "frlil"}, {'-', "riounmap", "frl"}, {'-', "riowrite", "frlli"},
    // Members of ibv_context.ops, by their names there.
    {'n', "+alloc_mw", "pi"}, {'#', "+bind_mw", "qwr"}, {'-', "+poll_cq", "Qlo"}, {'#', "+req_notify_cq", "Qi"},
    {'#', "+post_srq_recv", "sro"}, {'#', "+post_send", "qro"}, {'#', "+post_recv", "qro"},
};

static uint64_t state;
static struct ibv_context *context;
static void *alive[KINDS], *freed[KINDS], *unreadable;
static char anything[2 * PAGE], room[1 << 16], nothing[2 * PAGE];
static long succeeded, failed;

static uint64_t next(uint64_t bound) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state % bound;
}

// Small numbers, addresses of objects and random bits, as structs have them.
static void refill(void) {
    for (size_t i = 0; i < sizeof anything / 8; i++) {
        uint64_t word[] = {next(8), 0, (uintptr_t)alive[next(KINDS)], (uintptr_t)freed[next(KINDS)], next(256) << 32 | next(64),
            state, (uintptr_t)anything + 8 * next(PAGE / 8), (uintptr_t)unreadable};
        ((uint64_t *)anything)[i] = word[next(8)];
    }
}

static long handle(int kind, int may_be_right, int *wrong) {
    int other = (kind + 1 + next(KINDS - 1)) % KINDS;
    void *choices[] = {may_be_right ? alive[kind] : NULL, NULL, freed[kind], alive[other], anything + 8 * next(PAGE / 8), unreadable};
    int choice = may_be_right && next(2) ? 0 : next(CHOICES);
    *wrong |= choices[choice] != alive[kind] || !alive[kind];
    return (long)choices[choice];
}

static long argument(char letter) {
    static const long numbers[] = {0, 1, 2, 3, 6, 7, 63, 255, -1, 1 << 20, INT32_MAX, INT32_MIN};
    static const long lengths[] = {0, 1, 8, 16, 64, 4096};
    static const long descriptors[] = {-1, 900, 1023, INT32_MAX, INT32_MIN}; // open are fewer
    void *from[] = {anything + next(PAGE), nothing, unreadable, NULL};
    void *to[] = {room, unreadable, NULL, room};
    switch (letter) {
        case 'i': return next(8) ? numbers[next(12)] : (int)state;
        case 'l': return lengths[next(6)];
        case 'f': return descriptors[next(5)];
        case 'r': return (long)from[next(4)];
        case 'o': return (long)to[next(4)];
        default: return 0;
    }
}

static int fails(char how, long result) {
    return how == 'n' ? !result : how == '-' ? (int)result < 0 : how == '#' ? (int)result != 0 : 1;
}

static void *pointer_to(const char *name) {
    static const struct { const char *name; size_t offset; } members[] = {
        {"+alloc_mw", offsetof(struct ibv_context_ops, alloc_mw)}, {"+bind_mw", offsetof(struct ibv_context_ops, bind_mw)},
        {"+poll_cq", offsetof(struct ibv_context_ops, poll_cq)}, {"+req_notify_cq", offsetof(struct ibv_context_ops, req_notify_cq)},
        {"+post_srq_recv", offsetof(struct ibv_context_ops, post_srq_recv)},
        {"+post_send", offsetof(struct ibv_context_ops, post_send)}, {"+post_recv", offsetof(struct ibv_context_ops, post_recv)},
    };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (!strcmp(name, members[i].name)) {
            return *(void **)((char *)&context->ops + members[i].offset);
        }
    }
    return dlsym(RTLD_DEFAULT, name);
}

static void call(const struct function *of, int may_be_right) {
    long (*function)(long, long, long, long, long, long) = pointer_to(of->name);
    long with[6] = {0};
    int wrong = 0, count = 0;
    if (!function) {
        printf("%s is not there\n", of->name);
        return;
    }
    for (const char *at = of->takes; *at; at++) {
        const char *kind = strchr(HANDLES, *at);
        int ignored, optional = at[1] == '?';
        with[count++] = kind ? handle(kind - HANDLES, may_be_right, optional ? &ignored : &wrong) : argument(*at);
        at += optional;
    }
    if (getenv("FUZZ_TELLS")) {
        fprintf(stderr, "%s(%lx, %lx, %lx, %lx, %lx, %lx)\n", of->name, with[0], with[1], with[2], with[3], with[4], with[5]);
    }
    errno = 0;
    long result = function(with[0], with[1], with[2], with[3], with[4], with[5]);
    int has_failed = fails(of->fails, result), error = of->fails == '#' ? (int)result : errno;
    if (has_failed && of->fails != '*' && (error <= 0 || error == EIO)) {
        printf("%s: no error number of a mistake but %d\n", of->name, error);
    } else if (!has_failed && wrong) {
        printf("%s succeeded with a wrong handle\n", of->name);
    }
    has_failed ? failed++ : succeeded++;
}

static void make(void *all[]) {
    static struct ibv_device **devices;
    struct rdma_cm_id *id = NULL;
    devices = devices ?: ibv_get_device_list(NULL);
    struct ibv_context *own = ibv_open_device(devices[0]);
    struct ibv_pd *pd = ibv_alloc_pd(own);
    struct ibv_comp_channel *channel = ibv_create_comp_channel(own);
    struct ibv_cq *cq = ibv_create_cq(own, 8, NULL, NULL, 0);
    struct ibv_qp_init_attr attributes = {.send_cq = cq, .recv_cq = cq, .cap = {4, 4, 1, 1, 64}, .qp_type = IBV_QPT_RC};
    struct ibv_srq_init_attr shared = {.attr = {4, 1}};
    struct ibv_ah_attr route = {.port_num = 1, .is_global = 1};
    struct ibv_alloc_dm_attr words = {.length = 64};
    struct ibv_xrcd_init_attr domain = {.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS, .fd = -1, .oflags = 0100};
    struct rdma_event_channel *events = rdma_create_event_channel();
    rdma_create_id(events, &id, NULL, RDMA_PS_TCP);
    void *made[KINDS] = {devices[0], own, pd, ibv_create_qp(pd, &attributes), cq, ibv_reg_mr(pd, nothing, PAGE, IBV_ACCESS_LOCAL_WRITE),
        ibv_alloc_mw(pd, IBV_MW_TYPE_1), ibv_create_srq(pd, &shared), ibv_create_ah(pd, &route), channel, ibv_open_xrcd(own, &domain),
        ibv_alloc_dm(own, &words), id, events, NULL};
    memcpy(all, made, sizeof made);
    for (int i = 0; i < KINDS - 1; i++) {
        if (!made[i]) {
            printf("no object %c: %s\n", HANDLES[i], strerror(errno));
            exit(1);
        }
    }
}

static void destroy(void *all[]) {
    int status = ibv_destroy_qp(all[3]) | ibv_destroy_cq(all[4]) | ibv_dereg_mr(all[5]) | ibv_dealloc_mw(all[6]) | ibv_destroy_srq(all[7])
        | ibv_destroy_ah(all[8]) | ibv_destroy_comp_channel(all[9]) | ibv_close_xrcd(all[10]) | ibv_free_dm(all[11]) | ibv_dealloc_pd(all[2])
        | rdma_destroy_id(all[12]) | ibv_close_device(all[1]);
    rdma_destroy_event_channel(all[13]);
    all[0] = NULL; // devices stay
    if (status) {
        printf("objects were not destroyed: %d\n", status);
    }
}

int main(int count, char **words) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    state = strtoull(words[1], NULL, 0) * 0x9e3779b97f4a7c15 + 1;
    unreadable = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    make(freed);
    make(alive);
    context = alive[1];
    destroy(freed);
    for (long i = 0; i < strtol(words[2], NULL, 0); i++) {
        refill();
        for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
            call(&functions[k], 1);
        }
        for (size_t k = 0; k < sizeof destroying / sizeof *destroying; k++) {
            call(&destroying[k], 0);
        }
    }
    printf("%ld calls, some well: %s, some badly: %s\n", succeeded + failed, succeeded ? "yes" : "no", failed ? "yes" : "no");
    return 0;
}
