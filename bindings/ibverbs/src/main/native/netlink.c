// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// Part of libverbatim-paths.so: answers programs that ask the kernel for adapters by NETLINK_RDMA, as the commands 'rdma link', 'rdma dev',
// 'rdma resource' and 'rdma statistic' do. Such a socket is one of NETLINK_USERSOCK here, so that binding, receiving and waiting are the
// kernel's; what is sent by it is answered from another one. Sockets of all other protocols are as they are.
//
// A process has devices of its own, so this tells what a kernel tells of adapters that nobody uses: no objects and no counters. What only
// the device knows, its GUIDs and capabilities, is left out, and it belongs to no interface.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define MOST_SOCKETS 64
#define MOST_REQUEST 8192
#define CLIENT_NLDEV 5
#define COMMAND_BITS 10

// Of enum rdma_nldev_command, up to Linux 6.1; kernels refuse later ones.
enum {
    GET = 1, SET, NEWLINK, DELLINK, PORT_GET, SYS_GET, SYS_SET, RES_GET = 9, RES_QP_GET, RES_CM_ID_GET, RES_CQ_GET, RES_MR_GET, RES_PD_GET,
    GET_CHARDEV, STAT_SET, STAT_GET, STAT_DEL, RES_QP_GET_RAW, RES_CQ_GET_RAW, RES_MR_GET_RAW, RES_CTX_GET, RES_SRQ_GET, STAT_GET_STATUS,
    END_OF_COMMANDS
};

// Of enum rdma_nldev_attr.
enum {
    DEV_INDEX = 1, DEV_NAME, PORT_INDEX, CAP_FLAGS, FW_VERSION, SUBNET_PREFIX = 8, LID, SM_LID, LMC, PORT_STATE, PORT_PHYS_STATE,
    DEV_NODE_TYPE, RES_SUMMARY, RES_SUMMARY_ENTRY, RES_SUMMARY_ENTRY_NAME, RES_SUMMARY_ENTRY_CURR,
    NETNS_MODE = 66, DEV_PROTOCOL, STAT_RES = 75, STAT_HWCOUNTERS = 80, COPY_ON_FORK = 93
};

static const char *variable(const char *name, const char *otherwise) {
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

// How many devices there are; the name of the one with that index in name, if there is one.
static int devices(uint32_t index, char name[IF_NAMESIZE * 4]) {
    const char *list = variable("VERBATIM_DEVICES", "1");
    int count = 0;
    if (*list >= '0' && *list <= '9') {
        count = atoi(list);
        snprintf(name, IF_NAMESIZE * 4, "verbatim%u", index);
        return count;
    }
    for (; *list; count++) {
        size_t letters = strcspn(list, ",");
        if (count == (int)index) {
            snprintf(name, IF_NAMESIZE * 4, "%.*s", (int)letters, list);
        }
        list += letters + (list[letters] == ',');
    }
    return count;
}

// ---- messages

struct message {
    struct nlmsghdr head;
    char body[4096];
};

static void *append(struct message *to, int type, const void *data, size_t length) {
    struct nlattr *at = (struct nlattr *)((char *)to + NLMSG_ALIGN(to->head.nlmsg_len));
    at->nla_type = type;
    at->nla_len = NLA_HDRLEN + length;
    memset(at + 1, 0, NLA_ALIGN(length));
    memcpy(at + 1, data, length);
    to->head.nlmsg_len = NLMSG_ALIGN(to->head.nlmsg_len) + NLA_ALIGN(at->nla_len);
    return at;
}

static void number(struct message *to, int type, uint32_t value) {
    append(to, type, &value, sizeof value);
}

static void large(struct message *to, int type, uint64_t value) {
    append(to, type, &value, sizeof value);
}

static void byte(struct message *to, int type, uint8_t value) {
    append(to, type, &value, sizeof value);
}

static void text(struct message *to, int type, const char *value) {
    append(to, type, value, strlen(value) + 1);
}

static struct nlattr *begin_nest(struct message *to, int type) {
    return append(to, type | NLA_F_NESTED, "", 0);
}

static void end_nest(struct message *to, struct nlattr *nest) {
    nest->nla_len = (char *)to + to->head.nlmsg_len - (char *)nest;
}

// ---- answers

struct asking {
    int from;                   // the socket that answers
    struct sockaddr_nl to;      // the one that asked
    const struct nlmsghdr *request;
};

static struct message answer_to(const struct asking *who) {
    struct message made = {.head = {.nlmsg_len = NLMSG_HDRLEN, .nlmsg_type = who->request->nlmsg_type, .nlmsg_seq = who->request->nlmsg_seq, .nlmsg_pid = who->to.nl_pid}};
    return made;
}

static void deliver(const struct asking *who, const struct message *what) {
    REAL(sendto)(who->from, what, what->head.nlmsg_len, MSG_DONTWAIT, (const struct sockaddr *)&who->to, sizeof who->to);
}

static int is_dump(const struct asking *who) {
    return who->request->nlmsg_flags & NLM_F_DUMP;
}

static void deliver_one_of(const struct asking *who, struct message *what) {
    what->head.nlmsg_flags = is_dump(who) ? NLM_F_MULTI : 0;
    deliver(who, what);
}

// The end of a list, or how a request ended.
static void deliver_end(const struct asking *who, int error) {
    struct message end = answer_to(who);
    int negative = -error;
    size_t quoted = error ? who->request->nlmsg_len : sizeof *who->request;
    if (is_dump(who) && !error) {
        end.head.nlmsg_type = NLMSG_DONE;
        end.head.nlmsg_flags = NLM_F_MULTI;
        memcpy(end.body, &negative, sizeof negative);
        end.head.nlmsg_len += sizeof negative;
    } else {
        end.head.nlmsg_type = NLMSG_ERROR;
        memcpy(end.body, &negative, sizeof negative);
        quoted = quoted > sizeof end.body - sizeof negative ? sizeof *who->request : quoted;
        memcpy(end.body + sizeof negative, who->request, quoted);
        end.head.nlmsg_len += sizeof negative + quoted;
    }
    deliver(who, &end);
}

// The number that a request says, in value; whether it says one.
static int said(const struct asking *who, int type, uint32_t *value) {
    const char *at = NLMSG_DATA(who->request), *end = (const char *)who->request + who->request->nlmsg_len;
    while (end - at >= NLA_HDRLEN) {
        const struct nlattr *one = (const struct nlattr *)at;
        if (one->nla_len < NLA_HDRLEN || one->nla_len > end - at) {
            return 0;
        }
        if ((one->nla_type & NLA_TYPE_MASK) == type && one->nla_len >= NLA_HDRLEN + sizeof *value) {
            memcpy(value, one + 1, sizeof *value);
            return 1;
        }
        at += NLA_ALIGN(one->nla_len);
    }
    return 0;
}

static void describe(struct message *to, uint32_t index) {
    char name[IF_NAMESIZE * 4];
    devices(index, name);
    number(to, DEV_INDEX, index);
    text(to, DEV_NAME, name);
}

static int is_ib(void) {
    return !strcmp(variable("VERBATIM_LINK", "ethernet"), "ib");
}

static uint32_t ports(void) {
    return atoi(variable("VERBATIM_PORTS", "1"));
}

static void deliver_device(const struct asking *who, uint32_t index) {
    struct message one = answer_to(who);
    describe(&one, index);
    number(&one, PORT_INDEX, ports());
    text(&one, FW_VERSION, "0");
    byte(&one, DEV_NODE_TYPE, 1);
    text(&one, DEV_PROTOCOL, is_ib() ? "ib" : "roce");
    deliver_one_of(who, &one);
}

static void deliver_port(const struct asking *who, uint32_t index, uint32_t port) {
    struct message one = answer_to(who);
    describe(&one, index);
    number(&one, PORT_INDEX, port);
    if (is_ib()) {
        large(&one, SUBNET_PREFIX, UINT64_C(0xfe80) << 48);
        number(&one, LID, 0);
        number(&one, SM_LID, 0);
        byte(&one, LMC, 0);
    }
    byte(&one, PORT_STATE, 4);
    byte(&one, PORT_PHYS_STATE, 5);
    deliver_one_of(who, &one);
}

static void deliver_summary(const struct asking *who, uint32_t index) {
    static const char *const kinds[] = {"pd", "cq", "qp", "cm_id", "mr", "ctx", "srq"};
    struct message one = answer_to(who);
    describe(&one, index);
    struct nlattr *table = begin_nest(&one, RES_SUMMARY);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct nlattr *entry = begin_nest(&one, RES_SUMMARY_ENTRY);
        text(&one, RES_SUMMARY_ENTRY_NAME, kinds[i]);
        large(&one, RES_SUMMARY_ENTRY_CURR, 0);
        end_nest(&one, entry);
    }
    end_nest(&one, table);
    deliver_one_of(who, &one);
}

static void deliver_counters(const struct asking *who, uint32_t index, uint32_t port) {
    struct message one = answer_to(who);
    describe(&one, index);
    number(&one, PORT_INDEX, port);
    end_nest(&one, begin_nest(&one, STAT_HWCOUNTERS));
    deliver_one_of(who, &one);
}

// Answers a request for something of all devices, if it is a list, or of one.
static int of_devices(const struct asking *who, void (*each)(const struct asking *, uint32_t)) {
    char name[IF_NAMESIZE * 4];
    uint32_t index, count = devices(0, name);
    if (is_dump(who)) {
        for (index = 0; index < count; index++) {
            each(who, index);
        }
        return 0;
    }
    if (!said(who, DEV_INDEX, &index) || index >= count) {
        return EINVAL;
    }
    each(who, index);
    return 0;
}

// The same for all ports of a device, or one.
static int of_ports(const struct asking *who, void (*each)(const struct asking *, uint32_t, uint32_t)) {
    char name[IF_NAMESIZE * 4];
    uint32_t index, port;
    if (!said(who, DEV_INDEX, &index) || index >= (uint32_t)devices(0, name)) {
        return EINVAL;
    }
    if (is_dump(who)) {
        for (port = 1; port <= ports(); port++) {
            each(who, index, port);
        }
        return 0;
    }
    if (!said(who, PORT_INDEX, &port) || port < 1 || port > ports()) {
        return EINVAL;
    }
    each(who, index, port);
    return 0;
}

static int of_system(const struct asking *who) {
    struct message one = answer_to(who);
    byte(&one, NETNS_MODE, 1);
    byte(&one, COPY_ON_FORK, 1);
    deliver(who, &one);
    return 0;
}

// There is no object: the list is empty, and none has the number that is asked for.
static int of_objects(const struct asking *who) {
    char name[IF_NAMESIZE * 4];
    uint32_t index;
    if (!said(who, DEV_INDEX, &index) || index >= (uint32_t)devices(0, name)) {
        return EINVAL;
    }
    return is_dump(who) ? 0 : ENOENT;
}

// The error number of a request, whose answer is delivered if it is 0.
static int answer(const struct asking *who) {
    int type = who->request->nlmsg_type, command = type & ((1 << COMMAND_BITS) - 1);
    uint32_t unused;
    if (type >> COMMAND_BITS != CLIENT_NLDEV) {
        return EINVAL;
    }
    switch (command) {
        case GET: return of_devices(who, deliver_device);
        case PORT_GET: return of_ports(who, deliver_port);
        case RES_GET: return of_devices(who, deliver_summary);
        case SYS_GET: return of_system(who);
        case STAT_GET: return is_dump(who) || said(who, STAT_RES, &unused) ? of_objects(who) : of_ports(who, deliver_counters);
        case RES_QP_GET: case RES_CM_ID_GET: case RES_CQ_GET: case RES_MR_GET: case RES_PD_GET: case RES_CTX_GET: case RES_SRQ_GET: return of_objects(who);
        case SET: case SYS_SET: case STAT_SET: case STAT_DEL: case RES_QP_GET_RAW: case RES_CQ_GET_RAW: case RES_MR_GET_RAW:
            return geteuid() ? EPERM : EOPNOTSUPP;
        case NEWLINK: case DELLINK: return geteuid() ? EPERM : EINVAL;
        case GET_CHARDEV: return EOPNOTSUPP;
        default: return EINVAL;
    }
}

// Answers what was sent by one of these sockets, which may be several requests.
static void answer_all(int descriptor, const char *what, size_t length) {
    struct asking who = {.to = {.nl_family = AF_NETLINK}};
    socklen_t size = sizeof who.to;
    getsockname(descriptor, (struct sockaddr *)&who.to, &size);
    if (!who.to.nl_pid) { // the kernel binds it when something is sent
        bind(descriptor, (struct sockaddr *)&who.to, sizeof who.to);
        getsockname(descriptor, (struct sockaddr *)&who.to, &size);
    }
    who.to.nl_groups = 0;
    who.from = REAL(socket)(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_USERSOCK);
    while (length >= NLMSG_HDRLEN) {
        who.request = (const struct nlmsghdr *)what;
        size_t own = who.request->nlmsg_len;
        if (own < NLMSG_HDRLEN || own > length) {
            break;
        }
        if (who.request->nlmsg_flags & NLM_F_REQUEST && who.request->nlmsg_type >= NLMSG_MIN_TYPE) {
            int error = answer(&who);
            if (error || is_dump(&who) || who.request->nlmsg_flags & NLM_F_ACK) {
                deliver_end(&who, error);
            }
        }
        own = NLMSG_ALIGN(own);
        what += own < length ? own : length;
        length -= own < length ? own : length;
    }
    close(who.from);
}

// ---- the sockets, by the numbers that the kernel gives each while it is there

static _Atomic ino_t sockets[MOST_SOCKETS];
static _Atomic unsigned sockets_made;

static ino_t number_of(int descriptor) {
    struct stat of;
    return fstat(descriptor, &of) || !S_ISSOCK(of.st_mode) ? 0 : of.st_ino;
}

static int is_own(int descriptor) {
    if (!atomic_load(&sockets_made)) {
        return 0;
    }
    int before = errno;
    ino_t wanted = number_of(descriptor);
    errno = before;
    for (size_t i = 0; wanted && i < MOST_SOCKETS; i++) {
        if (atomic_load(&sockets[i]) == wanted) {
            return 1;
        }
    }
    return 0;
}

int socket(int domain, int type, int protocol) {
    int is_rdma = domain == AF_NETLINK && protocol == NETLINK_RDMA;
    int made = REAL(socket)(domain, type, is_rdma ? NETLINK_USERSOCK : protocol);
    if (made >= 0 && is_rdma) {
        atomic_store(&sockets[atomic_fetch_add(&sockets_made, 1) % MOST_SOCKETS], number_of(made));
    }
    return made;
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
    if (!is_own(descriptor)) {
        return REAL(sendmsg)(descriptor, message, flags);
    }
    _Alignas(struct nlmsghdr) char room[MOST_REQUEST];
    size_t length = 0;
    for (size_t i = 0; i < message->msg_iovlen; i++) {
        const struct iovec *part = &message->msg_iov[i];
        if (part->iov_len > sizeof room - length) {
            errno = EMSGSIZE;
            return -1;
        }
        memcpy(room + length, part->iov_base, part->iov_len);
        length += part->iov_len;
    }
    answer_all(descriptor, room, length);
    return length;
}

ssize_t sendto(int descriptor, const void *what, size_t length, int flags, const struct sockaddr *to, socklen_t size) {
    if (!is_own(descriptor)) {
        return REAL(sendto)(descriptor, what, length, flags, to, size);
    }
    struct iovec all = {(void *)what, length};
    return sendmsg(descriptor, &(struct msghdr){.msg_iov = &all, .msg_iovlen = 1}, flags);
}

ssize_t send(int descriptor, const void *what, size_t length, int flags) {
    return is_own(descriptor) ? sendto(descriptor, what, length, flags, NULL, 0) : REAL(send)(descriptor, what, length, flags);
}
