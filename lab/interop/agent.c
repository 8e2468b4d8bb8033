// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Carries out verbs that are sent as lines over TCP, one answer for each: "ok VALUE...", or "error ERRNO WHAT".
// Objects have small numbers, which the sender chooses. Each connection is a process with a device of its own.
//
// Build: cc -O1 -Wall -o agent agent.c -libverbs        Run: agent PORT 4|6

#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { OBJECTS = 64, ENTRIES = 64, MOST_BYTES = 1 << 20, LINE = 65536, PORT = 1 };

struct queue {
    struct ibv_qp *qp;
    struct ibv_cq *send;
    struct ibv_cq *recv;
};

static struct ibv_context *device;
static struct ibv_pd *pd;
static union ibv_gid own_gid;
static int gid_index = -1;
static struct queue queues[OBJECTS];
static struct ibv_mr *regions[OBJECTS];
static struct ibv_mw *windows[OBJECTS];
static struct ibv_srq *shared;
static struct ibv_ah *handles[OBJECTS];
static unsigned handle_count;
static char answer[LINE];

static void ok(const char *format, ...)
{
    va_list values;

    strcpy(answer, "ok ");
    va_start(values, format);
    vsnprintf(answer + 3, sizeof answer - 3, format, values);
    va_end(values);
}

static void failed(int error, const char *what)
{
    snprintf(answer, sizeof answer, "error %d %s", error, what);
}

#define bad(what) failed(EINVAL, what)

// The result of a verb that returns an errno.
static void result(int error, const char *what)
{
    if (error)
        failed(error, what);
    else
        ok("");
}

static int is_ipv4(const union ibv_gid *gid)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};

    return memcmp(gid->raw, mapped, sizeof mapped) == 0;
}

// The first GID of the wanted version of IP that is not link-local.
static int find_gid(int family)
{
    for (int index = 0; index < 16; index++) {
        union ibv_gid gid;

        if (ibv_query_gid(device, PORT, index, &gid) || (!gid.global.interface_id && !gid.global.subnet_prefix))
            continue;
        if (gid.raw[0] == 0xfe || is_ipv4(&gid) != (family == 4))
            continue;
        own_gid = gid;
        gid_index = index;
        return 0;
    }
    return -1;
}

static int open_device(int family)
{
    struct ibv_device **list = ibv_get_device_list(NULL);

    if (!list || !list[0])
        return -1;
    device = ibv_open_device(list[0]);
    if (!device)
        return -1;
    pd = ibv_alloc_pd(device);
    return pd ? find_gid(family) : -1;
}

static void do_gid(void)
{
    char text[33];

    for (int at = 0; at < 16; at++)
        sprintf(text + 2 * at, "%02x", own_gid.raw[at]);
    ok("%s", text);
}

static void do_reg(unsigned n, unsigned length, unsigned access)
{
    void *memory;

    if (length > MOST_BYTES || posix_memalign(&memory, 4096, length ? length : 1)) {
        failed(ENOMEM, "memory");
        return;
    }
    memset(memory, 0, length);
    regions[n] = ibv_reg_mr(pd, memory, length, access);
    if (!regions[n])
        failed(errno, "ibv_reg_mr");
    else
        ok("%" PRIuPTR " %" PRIu32 " %" PRIu32, (uintptr_t)memory, regions[n]->lkey, regions[n]->rkey);
}

static int dereg(unsigned n)
{
    void *memory = regions[n]->addr;
    int error = ibv_dereg_mr(regions[n]);

    if (!error) {
        regions[n] = NULL;
        free(memory);
    }
    return error;
}

static int dealloc(unsigned n)
{
    int error = ibv_dealloc_mw(windows[n]);

    if (!error)
        windows[n] = NULL;
    return error;
}

static void do_window(unsigned n, unsigned type)
{
    windows[n] = ibv_alloc_mw(pd, type == 2 ? IBV_MW_TYPE_2 : IBV_MW_TYPE_1);
    if (!windows[n])
        failed(errno, "ibv_alloc_mw");
    else
        ok("%" PRIu32, windows[n]->rkey);
}

static void do_srq(void)
{
    struct ibv_srq_init_attr attributes = {.attr = {.max_wr = ENTRIES, .max_sge = 1}};

    shared = ibv_create_srq(pd, &attributes);
    result(shared ? 0 : errno, "ibv_create_srq");
}

static void do_qp(unsigned n, const char *type, int from_shared)
{
    struct queue *q = &queues[n];
    struct ibv_qp_init_attr attributes = {
        .cap = {.max_send_wr = ENTRIES, .max_recv_wr = ENTRIES, .max_send_sge = 1, .max_recv_sge = 1},
        .qp_type = !strcmp(type, "ud") ? IBV_QPT_UD : !strcmp(type, "uc") ? IBV_QPT_UC : IBV_QPT_RC,
    };

    q->send = ibv_create_cq(device, ENTRIES, NULL, NULL, 0);
    q->recv = ibv_create_cq(device, ENTRIES, NULL, NULL, 0);
    attributes.send_cq = q->send;
    attributes.recv_cq = q->recv;
    if (from_shared)
        attributes.srq = shared;
    q->qp = ibv_create_qp(pd, &attributes);
    if (!q->qp)
        failed(errno, "ibv_create_qp");
    else
        ok("%" PRIu32, q->qp->qp_num);
}

// x and 32 hexadecimal digits.
static int parse_gid(const char *text, union ibv_gid *gid)
{
    if (*text++ != 'x')
        return -1;
    for (int at = 0; at < 16; at++) {
        unsigned byte;

        if (sscanf(text + 2 * at, "%2x", &byte) != 1)
            return -1;
        gid->raw[at] = byte;
    }
    return 0;
}

static void address(struct ibv_ah_attr *attributes, const union ibv_gid *gid)
{
    memset(attributes, 0, sizeof *attributes);
    attributes->is_global = 1;
    attributes->port_num = PORT;
    attributes->grh.dgid = *gid;
    attributes->grh.sgid_index = gid_index;
    attributes->grh.hop_limit = 64;
}

// RESET to RTS. A queue pair of UD takes a Q_Key in place of a peer.
static void do_connect(unsigned n, const char *gid_text, unsigned peer, unsigned peer_psn, unsigned psn, unsigned access,
                       unsigned mtu, unsigned timeout, unsigned retries, unsigned rnr_retries)
{
    struct ibv_qp *qp = queues[n].qp;
    struct ibv_qp_attr a = {.qp_state = IBV_QPS_INIT, .port_num = PORT, .qp_access_flags = access, .qkey = peer};
    int connected = qp->qp_type != IBV_QPT_UD, reliable = qp->qp_type == IBV_QPT_RC;
    union ibv_gid gid;
    int error;

    error = ibv_modify_qp(qp, &a,
                          IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | (connected ? IBV_QP_ACCESS_FLAGS : IBV_QP_QKEY));
    if (error || parse_gid(gid_text, &gid)) {
        failed(error, "INIT");
        return;
    }
    a.qp_state = IBV_QPS_RTR;
    a.path_mtu = mtu;
    a.dest_qp_num = peer;
    a.rq_psn = peer_psn;
    a.max_dest_rd_atomic = 16;
    a.min_rnr_timer = 12;
    address(&a.ah_attr, &gid);
    error = ibv_modify_qp(qp, &a,
                          IBV_QP_STATE | (connected ? IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN : 0) |
                              (reliable ? IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER : 0));
    if (error) {
        failed(error, "RTR");
        return;
    }
    a.qp_state = IBV_QPS_RTS;
    a.sq_psn = psn;
    a.timeout = timeout;
    a.retry_cnt = retries;
    a.rnr_retry = rnr_retries;
    a.max_rd_atomic = 16;
    error = ibv_modify_qp(qp, &a,
                          IBV_QP_STATE | IBV_QP_SQ_PSN |
                              (reliable ? IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC : 0));
    result(error, "RTS");
}

static void do_recv(unsigned n, uint64_t id, uint64_t at, unsigned length, unsigned lkey, int to_shared)
{
    struct ibv_sge element = {.addr = at, .length = length, .lkey = lkey};
    struct ibv_recv_wr request = {.wr_id = id, .sg_list = &element, .num_sge = 1}, *bad_request;

    result(to_shared ? ibv_post_srq_recv(shared, &request, &bad_request) : ibv_post_recv(queues[n].qp, &request, &bad_request),
           "post receive");
}

// Opcode and flags are the numbers of the C interface. Immediate data are a number in network byte order on the wire.
static void do_send(unsigned n, uint64_t id, unsigned opcode, unsigned flags, uint64_t at, unsigned length, unsigned lkey, uint64_t remote,
                    unsigned rkey, uint64_t compare_or_add, uint64_t swap, unsigned immediate_or_key)
{
    struct ibv_sge element = {.addr = at, .length = length, .lkey = lkey};
    struct ibv_send_wr request = {
        .wr_id = id, .sg_list = &element, .num_sge = length || lkey ? 1 : 0, .opcode = opcode, .send_flags = flags};
    struct ibv_send_wr *bad_request;

    if (opcode == IBV_WR_LOCAL_INV || opcode == IBV_WR_SEND_WITH_INV)
        request.invalidate_rkey = immediate_or_key;
    else
        request.imm_data = htonl(immediate_or_key);
    if (opcode == IBV_WR_ATOMIC_CMP_AND_SWP || opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
        request.wr.atomic.remote_addr = remote;
        request.wr.atomic.rkey = rkey;
        request.wr.atomic.compare_add = compare_or_add;
        request.wr.atomic.swap = swap;
    } else {
        request.wr.rdma.remote_addr = remote;
        request.wr.rdma.rkey = rkey;
    }
    result(ibv_post_send(queues[n].qp, &request, &bad_request), "ibv_post_send");
}

// One address handle for each peer.
static struct ibv_ah *handle_to(struct ibv_ah_attr *attributes, const union ibv_gid *gid)
{
    static union ibv_gid peers[OBJECTS];
    unsigned n = 0;

    while (n < handle_count && memcmp(&peers[n], gid, sizeof *gid))
        n++;
    if (n == handle_count && n < OBJECTS) {
        handles[n] = ibv_create_ah(pd, attributes);
        peers[n] = *gid;
        handle_count++;
    }
    return n < OBJECTS ? handles[n] : NULL;
}

static void do_datagram(unsigned n, uint64_t id, unsigned opcode, unsigned flags, unsigned immediate, uint64_t at, unsigned length, unsigned lkey, const char *gid_text, unsigned peer,
                        unsigned queue_key)
{
    struct ibv_sge element = {.addr = at, .length = length, .lkey = lkey};
    struct ibv_send_wr request = {
        .wr_id = id, .sg_list = &element, .num_sge = length ? 1 : 0, .opcode = opcode, .send_flags = flags};
    struct ibv_send_wr *bad_request;
    struct ibv_ah_attr attributes;
    union ibv_gid gid;

    if (parse_gid(gid_text, &gid)) {
        bad("gid");
        return;
    }
    address(&attributes, &gid);
    request.imm_data = htonl(immediate);
    request.wr.ud.ah = handle_to(&attributes, &gid);
    request.wr.ud.remote_qpn = peer;
    request.wr.ud.remote_qkey = queue_key;
    if (!request.wr.ud.ah)
        failed(errno, "ibv_create_ah");
    else
        result(ibv_post_send(queues[n].qp, &request, &bad_request), "ibv_post_send");
}

// Type 1 gets its key of the library; of type 2 the low byte of the key is increased, as programs do.
static void do_bind(unsigned n, unsigned window, unsigned region, unsigned offset, unsigned length, unsigned access)
{
    struct ibv_mw_bind_info info = {
        .mr = regions[region], .addr = (uintptr_t)regions[region]->addr + offset, .length = length, .mw_access_flags = access};
    struct ibv_mw *mw = windows[window];
    int error;

    if (mw->type == IBV_MW_TYPE_1) {
        struct ibv_mw_bind bind = {.wr_id = IBV_WR_BIND_MW, .send_flags = IBV_SEND_SIGNALED, .bind_info = info};

        error = ibv_bind_mw(queues[n].qp, mw, &bind);
    } else {
        struct ibv_send_wr request = {.wr_id = IBV_WR_BIND_MW, .opcode = IBV_WR_BIND_MW, .send_flags = IBV_SEND_SIGNALED};
        struct ibv_send_wr *bad_request;

        request.bind_mw.mw = mw;
        request.bind_mw.rkey = ibv_inc_rkey(mw->rkey);
        request.bind_mw.bind_info = info;
        error = ibv_post_send(queues[n].qp, &request, &bad_request);
        if (!error)
            mw->rkey = request.bind_mw.rkey;
    }
    if (error)
        failed(error, "bind");
    else
        ok("%" PRIu32, mw->rkey);
}

static int64_t millis(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Waits for one completion, and tells all that are there then, up to eight.
static void do_wait(unsigned n, const char *which, unsigned patience)
{
    struct ibv_cq *cq = *which == 's' ? queues[n].send : queues[n].recv;
    int64_t deadline = millis() + patience;
    struct ibv_wc wc[8];
    int count, at = 3;

    while ((count = ibv_poll_cq(cq, 8, wc)) == 0) {
        if (millis() > deadline) {
            ok("none");
            return;
        }
        usleep(500);
    }
    if (count < 0) {
        failed(-count, "ibv_poll_cq");
        return;
    }
    ok("");
    for (int i = 0; i < count; i++)
        at += sprintf(answer + at, "%s%" PRIu64 " %d %d %" PRIu32 " %" PRIu32 " %u", i ? " " : "", wc[i].wr_id, wc[i].status,
                      wc[i].opcode, wc[i].byte_len,
                      wc[i].wc_flags & IBV_WC_WITH_IMM ? ntohl(wc[i].imm_data) : wc[i].invalidated_rkey, wc[i].wc_flags);
}

static void do_load(unsigned region, unsigned offset, unsigned length)
{
    const uint8_t *from = (uint8_t *)regions[region]->addr + offset;
    int at = sprintf(answer, "ok ");

    if (length > (LINE - 16) / 2) {
        bad("length");
        return;
    }
    for (unsigned index = 0; index < length; index++) {
        answer[at++] = "0123456789abcdef"[from[index] >> 4];
        answer[at++] = "0123456789abcdef"[from[index] & 15];
    }
    answer[at] = 0;
}

// Byte number i of the region is i times 7, and a first value.
static void do_fill(unsigned region, unsigned length, unsigned first)
{
    uint8_t *to = regions[region]->addr;

    for (unsigned index = 0; index < length; index++)
        to[index] = index * 7 + first;
    ok("");
}

static void do_store(unsigned region, unsigned offset, const char *hex)
{
    uint8_t *to = (uint8_t *)regions[region]->addr + offset;
    unsigned byte;

    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
        *to++ = byte;
    ok("");
}

static void do_state(unsigned n)
{
    struct ibv_qp_attr attributes;
    struct ibv_qp_init_attr init;
    int error = ibv_query_qp(queues[n].qp, &attributes, IBV_QP_STATE, &init);

    if (error)
        failed(error, "ibv_query_qp");
    else
        ok("%d", attributes.qp_state);
}

static int close_queue(unsigned n)
{
    struct queue *q = &queues[n];
    int error = ibv_destroy_qp(q->qp);

    if (!error) {
        ibv_destroy_cq(q->send);
        ibv_destroy_cq(q->recv);
        memset(q, 0, sizeof *q);
    }
    return error;
}

// Everything ends. Windows first: soft-RoCE does not destroy a queue pair while one is bound over it.
static void do_reset(void)
{
    int error = 0;

    for (unsigned n = 0; n < OBJECTS && !error; n++)
        error = windows[n] ? dealloc(n) : 0;
    for (unsigned n = 0; n < OBJECTS && !error; n++)
        error = queues[n].qp ? close_queue(n) : 0;
    for (unsigned n = 0; n < OBJECTS && !error; n++) {
        error = handles[n] ? ibv_destroy_ah(handles[n]) : 0;
        handles[n] = NULL;
    }
    handle_count = 0;
    if (shared && !error) {
        error = ibv_destroy_srq(shared);
        shared = NULL;
    }
    for (unsigned n = 0; n < OBJECTS && !error; n++)
        error = regions[n] ? dereg(n) : 0;
    result(error, "reset");
}

// A line is a word, then numbers, then perhaps a text: the type of a queue pair, which queue, a GID or bytes.
static void carry_out(char *line)
{
    char word[16] = "", text[40] = "";
    uint64_t v[12] = {0};
    char *rest = line;
    int length = 0, count = 0;

    if (sscanf(rest, "%15s%n", word, &length) != 1) {
        bad("empty line");
        return;
    }
    rest += length;
    while (count < 12 && sscanf(rest, "%" SCNu64 "%n", &v[count], &length) == 1 && (rest[length] == ' ' || !rest[length])) {
        rest += length;
        count++;
    }
    if (count > 0 && v[0] >= OBJECTS) {
        bad("number");
        return;
    }
    if (!strcmp(word, "gid"))
        do_gid();
    else if (!strcmp(word, "reg"))
        do_reg(v[0], v[1], v[2]);
    else if (!strcmp(word, "dereg"))
        result(dereg(v[0]), "ibv_dereg_mr");
    else if (!strcmp(word, "window"))
        do_window(v[0], v[1]);
    else if (!strcmp(word, "srq"))
        do_srq();
    else if (!strcmp(word, "qp") && sscanf(rest, " %39s", text) == 1)
        do_qp(v[0], text, v[1] != 0);
    else if (!strcmp(word, "connect") && sscanf(rest, " %39s", text) == 1)
        do_connect(v[0], text, v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]);
    else if (!strcmp(word, "recv"))
        do_recv(v[0], v[1], v[2], v[3], v[4], v[5] != 0);
    else if (!strcmp(word, "send"))
        do_send(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11]);
    else if (!strcmp(word, "datagram") && sscanf(rest, " %39s", text) == 1)
        do_datagram(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], text, v[8], v[9]);
    else if (!strcmp(word, "bind"))
        do_bind(v[0], v[1], v[2], v[3], v[4], v[5]);
    else if (!strcmp(word, "wait") && sscanf(rest, " %39s", text) == 1)
        do_wait(v[0], text, v[1]);
    else if (!strcmp(word, "load"))
        do_load(v[0], v[1], v[2]);
    else if (!strcmp(word, "store"))
        do_store(v[0], v[1], rest + strspn(rest, " x"));
    else if (!strcmp(word, "state"))
        do_state(v[0]);
    else if (!strcmp(word, "fill"))
        do_fill(v[0], v[1], v[2]);
    else if (!strcmp(word, "close"))
        result(close_queue(v[0]), "ibv_destroy_qp");
    else if (!strcmp(word, "reset"))
        do_reset();
    else
        bad("unknown command");
}

static void serve(int socket, int family)
{
    FILE *in = fdopen(socket, "r"), *out = fdopen(dup(socket), "w");
    static char line[LINE];

    if (open_device(family)) {
        fprintf(out, "error %d no RoCEv2 device with an address of IPv%d\n", ENODEV, family);
        fflush(out);
        return;
    }
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\r\n")] = 0;
        carry_out(line);
        fprintf(out, "%s\n", answer);
        fflush(out);
    }
}

int main(int argc, char **argv)
{
    struct sockaddr_in6 at = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_ANY_INIT};
    int yes = 1, listener = socket(AF_INET6, SOCK_STREAM, 0);

    if (argc != 3) {
        fprintf(stderr, "usage: %s PORT 4|6\n", argv[0]);
        return 2;
    }
    signal(SIGCHLD, SIG_IGN);
    at.sin6_port = htons(atoi(argv[1]));
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 4)) {
        perror("agent");
        return 1;
    }
    printf("agent-listens\n");
    fflush(stdout);
    for (;;) {
        int connection = accept(listener, NULL, NULL);

        if (connection < 0)
            continue;
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        if (fork() == 0) {
            close(listener);
            serve(connection, atoi(argv[2]));
            _exit(0);
        }
        close(connection);
    }
}
