// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the kernel of Linux, and the libraries in front of it, refuse and what they let pass. Usage: kernel WHAT
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct ibv_xrcd *domain;

static void require(int holds, const char *what) {
    if (!holds) {
        perror(what);
        exit(99);
    }
}

static void open_device(void) {
    struct ibv_device **list = ibv_get_device_list(NULL);
    context = ibv_open_device(list[0]);
    ibv_free_device_list(list);
    require(context != NULL, "ibv_open_device");
    pd = ibv_alloc_pd(context);
    cq = ibv_create_cq(context, 64, NULL, NULL, 0);
    struct ibv_xrcd_init_attr any = {.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS, .fd = -1, .oflags = O_CREAT};
    domain = ibv_open_xrcd(context, &any);
    require(pd && cq && domain, "open_device");
}

// ---- which attributes a change of state needs, takes, or drops, by type

enum { RC, UC, UD, SEND, RECV, TYPES };
static const enum ibv_qp_type types[] = {IBV_QPT_RC, IBV_QPT_UC, IBV_QPT_UD, IBV_QPT_XRC_SEND, IBV_QPT_XRC_RECV};

#define CUR IBV_QP_CUR_STATE
#define ACC IBV_QP_ACCESS_FLAGS
#define PKI IBV_QP_PKEY_INDEX
#define PORT IBV_QP_PORT
#define QKEY IBV_QP_QKEY
#define PEER (IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN)
#define SERVES (IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER)
#define ASKS (IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC)
#define TIME IBV_QP_TIMEOUT
#define PSN IBV_QP_SQ_PSN
#define RNR IBV_QP_MIN_RNR_TIMER
#define MIGRATION (IBV_QP_ALT_PATH | IBV_QP_PATH_MIG_STATE) // which this device has not

static const struct change {
    enum ibv_qp_state from, to;
    int required[TYPES], optional[TYPES]; // for each type
} changes[] = {
    {IBV_QPS_RESET, IBV_QPS_INIT, {PKI | PORT | ACC, PKI | PORT | ACC, PKI | PORT | QKEY, PKI | PORT | ACC, PKI | PORT | ACC}, {0}},
    {IBV_QPS_INIT, IBV_QPS_INIT, {0}, {PKI | PORT | ACC, PKI | PORT | ACC, PKI | PORT | QKEY, PKI | PORT | ACC, PKI | PORT | ACC}},
    {IBV_QPS_INIT, IBV_QPS_RTR, {PEER | SERVES, PEER, 0, PEER, PEER | SERVES}, {ACC | PKI, ACC | PKI, PKI | QKEY, ACC | PKI, ACC | PKI}},
    {IBV_QPS_RTR, IBV_QPS_RTS, {TIME | ASKS | PSN, PSN, PSN, TIME | ASKS | PSN, TIME | PSN}, {CUR | ACC | RNR, CUR | ACC, CUR | QKEY, CUR | ACC, CUR | ACC | RNR}},
    {IBV_QPS_RTS, IBV_QPS_RTS, {0}, {CUR | ACC | RNR, CUR | ACC, CUR | QKEY, CUR | ACC, CUR | ACC | RNR}},
    {IBV_QPS_RTS, IBV_QPS_SQD, {0}, {IBV_QP_EN_SQD_ASYNC_NOTIFY, IBV_QP_EN_SQD_ASYNC_NOTIFY, IBV_QP_EN_SQD_ASYNC_NOTIFY, IBV_QP_EN_SQD_ASYNC_NOTIFY, IBV_QP_EN_SQD_ASYNC_NOTIFY}},
    {IBV_QPS_SQD, IBV_QPS_RTS, {0}, {CUR | ACC | RNR, CUR | ACC, CUR | QKEY, CUR | ACC, CUR | ACC | RNR}},
    {IBV_QPS_RESET, IBV_QPS_RESET, {0}, {0}},
    {IBV_QPS_INIT, IBV_QPS_RESET, {0}, {0}},
    {IBV_QPS_INIT, IBV_QPS_ERR, {0}, {0}},
    {IBV_QPS_RTR, IBV_QPS_RESET, {0}, {0}},
    {IBV_QPS_RTR, IBV_QPS_ERR, {0}, {0}},
    {IBV_QPS_RTS, IBV_QPS_RESET, {0}, {0}},
    {IBV_QPS_RTS, IBV_QPS_ERR, {0}, {0}},
    {IBV_QPS_SQD, IBV_QPS_ERR, {0}, {0}},
    {IBV_QPS_ERR, IBV_QPS_RESET, {0}, {0}},
    {IBV_QPS_ERR, IBV_QPS_ERR, {0}, {0}},
};

static const struct change *change_of(enum ibv_qp_state from, enum ibv_qp_state to) {
    for (size_t i = 0; i < COUNT(changes); i++) {
        if (changes[i].from == from && changes[i].to == to) {
            return &changes[i];
        }
    }
    return NULL;
}

static int dropped(int type) {
    return type == SEND ? SERVES : type == RECV ? ASKS : 0;
}

static struct ibv_qp *create(int type) {
    struct ibv_qp_init_attr_ex wanted = {.qp_type = types[type], .send_cq = cq, .recv_cq = cq, .cap = {1, 1, 1, 1, 0}, .comp_mask = IBV_QP_INIT_ATTR_PD, .pd = pd};
    if (type == RECV) {
        wanted.comp_mask = IBV_QP_INIT_ATTR_XRCD;
        wanted.xrcd = domain;
    }
    struct ibv_qp *qp = ibv_create_qp_ex(context, &wanted);
    require(qp != NULL, "ibv_create_qp_ex");
    return qp;
}

static int modify(struct ibv_qp *qp, enum ibv_qp_state from, enum ibv_qp_state to, int mask) {
    struct ibv_qp_attr values = {.qp_state = to, .cur_qp_state = from, .path_mtu = IBV_MTU_512, .qkey = 9, .port_num = 1, .ah_attr = {.is_global = 1, .port_num = 1}};
    require(!ibv_query_gid(context, 1, 0, &values.ah_attr.grh.dgid), "ibv_query_gid");
    return ibv_modify_qp(qp, &values, mask);
}

static struct ibv_qp *brought(int type, enum ibv_qp_state to) {
    static const enum ibv_qp_state ways[][5] = {{0}, {1}, {1, 2}, {1, 2, 3}, {1, 2, 3, 4}, {0}, {1, 6}};
    struct ibv_qp *qp = create(type);
    enum ibv_qp_state from = IBV_QPS_RESET;
    for (int i = 0; from != to; from = ways[to][i++]) {
        const struct change *step = change_of(from, ways[to][i]);
        require(!modify(qp, from, step->to, IBV_QP_STATE | step->required[type]), "brought");
    }
    return qp;
}

static int tried(int type, enum ibv_qp_state from, enum ibv_qp_state to, int mask) {
    const struct change *change = change_of(from, to);
    int taken = mask & ~dropped(type), legal = change ? change->required[type] | change->optional[type] | IBV_QP_STATE : 0;
    int expected = change && !(change->required[type] & ~taken) && !(taken & ~legal) ? 0 : EINVAL;
    if (mask >> 21) {
        expected = EOPNOTSUPP;
    }
    struct ibv_qp *qp = brought(type, from);
    int error = modify(qp, from, to, mask);
    if (error != expected) {
        printf("type %d, %d to %d with 0x%x: %d, not %d\n", types[type], from, to, mask, error, expected);
    }
    ibv_destroy_qp(qp);
    return 1;
}

static void transitions(void) {
    open_device();
    int count = 0;
    for (int type = 0; type < TYPES; type++) {
        for (size_t i = 0; i < COUNT(changes); i++) {
            const struct change *change = &changes[i];
            int least = IBV_QP_STATE | change->required[type], most = least | change->optional[type];
            for (int bit = 1; bit < 22; bit++) {
                count += tried(type, change->from, change->to, least ^ 1 << bit);
            }
            count += tried(type, change->from, change->to, least) + tried(type, change->from, change->to, most);
            // As programs do that give both ends of an XRC connection the attributes of RC.
            count += tried(type, change->from, change->to, most | dropped(type));
        }
        for (int from = IBV_QPS_RESET; from <= IBV_QPS_ERR; from++) {
            for (int to = IBV_QPS_RESET; from != IBV_QPS_SQE && to <= IBV_QPS_ERR; to++) {
                if (!change_of(from, to) && !(from == IBV_QPS_SQD && to <= IBV_QPS_SQD)) {
                    count += tried(type, from, to, IBV_QP_STATE);
                }
            }
        }
    }
    printf("%s\n", count > 1900 ? "transitions tried" : "too few");
}

// ---- acknowledgements

static void acknowledgements(void) {
    open_device();
    struct ibv_comp_channel *channel = ibv_create_comp_channel(context);
    struct ibv_cq *own = ibv_create_cq(context, 4, NULL, channel, 0), *told;
    struct ibv_srq *srq = ibv_create_srq(pd, &(struct ibv_srq_init_attr){.attr = {.max_wr = 1, .max_sge = 1}});
    struct ibv_qp_init_attr wanted = {.send_cq = own, .recv_cq = own, .cap = {1, 1, 1, 1, 0}, .qp_type = IBV_QPT_RC};
    struct ibv_qp *qp = ibv_create_qp(pd, &wanted);
    struct ibv_recv_wr *bad;
    struct ibv_async_event event;
    void *with;
    require(!modify(qp, 0, IBV_QPS_INIT, IBV_QP_STATE | PKI | PORT | ACC), "INIT");
    ibv_req_notify_cq(own, 0);
    require(!ibv_post_recv(qp, &(struct ibv_recv_wr){0}, &bad) && !modify(qp, 0, IBV_QPS_ERR, IBV_QP_STATE), "ERR");
    require(!ibv_get_cq_event(channel, &told, &with), "ibv_get_cq_event");
    ibv_ack_cq_events(own, 0);
    ibv_ack_cq_events(own, 3);
    ibv_ack_cq_events(own, 1);
    require(!ibv_destroy_qp(qp) && !ibv_destroy_cq(own), "destroy");
    wanted.send_cq = wanted.recv_cq = cq;
    wanted.srq = srq;
    qp = ibv_create_qp(pd, &wanted);
    require(!modify(qp, 0, IBV_QPS_INIT, IBV_QP_STATE | PKI | PORT | ACC) && !modify(qp, 0, IBV_QPS_ERR, IBV_QP_STATE), "ERR");
    require(!ibv_get_async_event(context, &event), "ibv_get_async_event");
    ibv_ack_async_event(&event);
    ibv_ack_async_event(&event);
    event.event_type = IBV_EVENT_PORT_ACTIVE;
    ibv_ack_async_event(&event);
    require(!ibv_destroy_qp(qp), "ibv_destroy_qp");
}

// ---- addresses and options of identifiers

static struct rdma_event_channel *events;

static struct rdma_cm_id *identifier(enum rdma_port_space space) {
    struct rdma_cm_id *id;
    require(!rdma_create_id(events, &id, NULL, space), "rdma_create_id");
    return id;
}

static int set(struct rdma_cm_id *id, int level, int option, int value, size_t length) {
    return rdma_set_option(id, level, option, &value, length) ? errno : 0;
}

static struct sockaddr *four(const char *text, int port) {
    static struct sockaddr_in address;
    address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port)};
    inet_pton(AF_INET, text, &address.sin_addr);
    return (struct sockaddr *)&address;
}

static struct sockaddr *six(const char *text, int port) {
    static struct sockaddr_in6 address;
    address = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons(port)};
    inet_pton(AF_INET6, text, &address.sin6_addr);
    return (struct sockaddr *)&address;
}

static const char *name(int failed) {
    return !failed ? "ok" : errno == EINVAL ? "EINVAL" : errno == EADDRINUSE ? "EADDRINUSE" : errno == EADDRNOTAVAIL ? "EADDRNOTAVAIL" : strerror(errno);
}

// One identifier binds an address, another one the same port; then the first one listens.
static void share(const char *what, struct sockaddr *first, int reuses, struct sockaddr *second, int also_reuses) {
    struct rdma_cm_id *one = identifier(RDMA_PS_TCP), *other = identifier(RDMA_PS_TCP);
    require(!set(one, RDMA_OPTION_ID, RDMA_OPTION_ID_REUSEADDR, reuses, 4), "REUSEADDR");
    require(!set(other, RDMA_OPTION_ID, RDMA_OPTION_ID_REUSEADDR, also_reuses, 4), "REUSEADDR");
    require(!rdma_bind_addr(one, first), "rdma_bind_addr");
    if (second->sa_family == AF_INET6) {
        ((struct sockaddr_in6 *)second)->sin6_port = rdma_get_src_port(one);
    } else {
        ((struct sockaddr_in *)second)->sin_port = rdma_get_src_port(one);
    }
    printf("%s: %s", what, name(rdma_bind_addr(other, second)));
    printf(", listen %s", name(rdma_listen(one, 1)));
    printf(", late %d\n", set(one, RDMA_OPTION_ID, RDMA_OPTION_ID_REUSEADDR, 1, 4));
    rdma_destroy_id(other);
    rdma_destroy_id(one);
}

static void identifiers(void) {
    require((events = rdma_create_event_channel()) != NULL, "rdma_create_event_channel");
    struct rdma_cm_id *id = identifier(RDMA_PS_TCP), *datagrams = identifier(RDMA_PS_UDP);
    printf("sizes %d %d %d %d %d\n", set(id, 0, RDMA_OPTION_ID_TOS, 1, 4), set(id, 0, RDMA_OPTION_ID_ACK_TIMEOUT, 1, 0),
           set(id, 0, RDMA_OPTION_ID_REUSEADDR, 1, 1), set(id, 0, RDMA_OPTION_ID_AFONLY, 1, 8), set(id, 0, RDMA_OPTION_ID_TOS, 1, -1));
    printf("unknown %d %d, NULL", set(id, 0, 9, 1, 4), set(id, 7, 0, 1, 4));
    printf(" %s\n", rdma_set_option(id, 0, 9, NULL, 4) ? strerror(errno) : "ok");
    printf("timeouts %d %d %d, of datagrams %d\n", set(id, 0, RDMA_OPTION_ID_ACK_TIMEOUT, 0, 1), set(id, 0, RDMA_OPTION_ID_ACK_TIMEOUT, 31, 1),
           set(id, 0, RDMA_OPTION_ID_ACK_TIMEOUT, 32, 1), set(datagrams, 0, RDMA_OPTION_ID_ACK_TIMEOUT, 14, 1));
    printf("families %s", name(rdma_resolve_addr(id, four("127.0.0.1", 0), six("::1", 1), 2000)));
    printf(" %s", name(rdma_resolve_addr(id, six("::1", 0), four("127.0.0.1", 1), 2000)));
    require(!rdma_bind_addr(id, six("::1", 0)), "rdma_bind_addr");
    printf(" %s\n", name(rdma_resolve_addr(id, NULL, four("127.0.0.1", 1), 2000)));
    share("wildcards", four("0.0.0.0", 0), 0, four("0.0.0.0", 0), 0);
    share("one shares", four("0.0.0.0", 0), 1, four("0.0.0.0", 0), 0);
    share("both share", four("0.0.0.0", 0), 1, four("0.0.0.0", 0), 1);
    share("families", four("0.0.0.0", 0), 0, six("::", 0), 0);
    struct rdma_cm_id *one = identifier(RDMA_PS_TCP), *other = identifier(RDMA_PS_TCP);
    require(!set(one, 0, RDMA_OPTION_ID_AFONLY, 1, 4) && !rdma_bind_addr(one, six("::", 0)), "AFONLY");
    printf("families apart: %s", name(rdma_bind_addr(other, four("0.0.0.0", ntohs(rdma_get_src_port(one))))));
    printf(", listen %s", name(rdma_listen(one, 1)));
    printf(" %s\n", name(rdma_listen(other, 1)));
}

// A client asks, and destroys its identifier before it is answered.
static void withdrawn(void) {
    struct rdma_event_channel *client = rdma_create_event_channel();
    struct rdma_cm_event *event;
    struct rdma_cm_id *listener, *asking;
    require((events = rdma_create_event_channel()) && client, "rdma_create_event_channel");
    listener = identifier(RDMA_PS_TCP);
    require(!rdma_bind_addr(listener, four("0.0.0.0", 0)) && !rdma_listen(listener, 1), "rdma_listen");
    require(!rdma_create_id(client, &asking, NULL, RDMA_PS_TCP), "rdma_create_id");
    require(!rdma_resolve_addr(asking, NULL, four("127.0.0.1", ntohs(rdma_get_src_port(listener))), 2000), "rdma_resolve_addr");
    require(!rdma_get_cm_event(client, &event) && !rdma_ack_cm_event(event), "ADDR_RESOLVED");
    require(!rdma_resolve_route(asking, 2000), "rdma_resolve_route");
    require(!rdma_get_cm_event(client, &event) && !rdma_ack_cm_event(event), "ROUTE_RESOLVED");
    require(!rdma_connect(asking, &(struct rdma_conn_param){.qp_num = 77}), "rdma_connect");
    require(!rdma_get_cm_event(events, &event), "CONNECT_REQUEST");
    struct rdma_cm_id *asked = event->id;
    rdma_ack_cm_event(event);
    require(!rdma_destroy_id(asking) && !rdma_get_cm_event(events, &event), "REJECTED");
    printf("%s %d %s", rdma_event_str(event->event), event->status, event->id == asked ? "of the request" : "of another");
    rdma_ack_cm_event(event);
    printf(", accept %s\n", name(rdma_accept(asked, &(struct rdma_conn_param){.qp_num = 78})));
    rdma_destroy_id(asked);
    rdma_destroy_id(listener);
}

int main(int words, char **word) {
    const char *what = words > 1 ? word[1] : "";
    if (!strcmp(what, "transitions")) {
        transitions();
    } else if (!strcmp(what, "acknowledgements")) {
        acknowledgements();
    } else if (!strcmp(what, "identifiers")) {
        identifiers();
        withdrawn();
    }
    return 0;
}
