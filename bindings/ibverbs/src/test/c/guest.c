// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// What a program has that a JVM could take from it: stacks, limits, directories, signals and its end. Usage: guest CASE... Each case is a
// process of its own, for which a line is written: what its verbs said, and how it ended. With "later:" its limit comes behind a first use.
#define _GNU_SOURCE
#include <alloca.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct ibv_mr *mr;
static struct ibv_qp *pair[2];
static char memory[256];

static const char *name_of(int error) {
    return error ? strerrorname_np(error) : "0";
}

static void make_pair(struct ibv_qp *made[2]) {
    struct ibv_qp_init_attr attributes = {.send_cq = cq, .recv_cq = cq, .cap = {16, 16, 1, 1, 0}, .qp_type = IBV_QPT_RC};
    made[0] = ibv_create_qp(pd, &attributes);
    made[1] = made[0] ? ibv_create_qp(pd, &attributes) : NULL;
}

static int join(struct ibv_qp *one, struct ibv_qp *other) {
    struct ibv_qp_attr to = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};
    int failed = ibv_modify_qp(one, &to, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
    to = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = other->qp_num, .max_dest_rd_atomic = 1,
        .min_rnr_timer = 12, .ah_attr = {.is_global = 1, .port_num = 1, .grh = {.hop_limit = 1}}};
    ibv_query_gid(context, 1, 0, &to.ah_attr.grh.dgid);
    failed |= ibv_modify_qp(one, &to, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN
        | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
    to = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7, .max_rd_atomic = 1};
    return failed | ibv_modify_qp(one, &to, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN
        | IBV_QP_MAX_QP_RD_ATOMIC);
}

// What did not succeed first, or NULL.
static const char *begin(void) {
    struct ibv_device **list = ibv_get_device_list(NULL);
    if (!list) {
        return "list";
    }
    context = ibv_open_device(list[0]);
    ibv_free_device_list(list);
    if (!context) {
        return "open";
    }
    if (!(pd = ibv_alloc_pd(context)) || !(cq = ibv_create_cq(context, 64, NULL, NULL, 0))
        || !(mr = ibv_reg_mr(pd, memory, sizeof memory, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE))) {
        return "objects";
    }
    make_pair(pair);
    return !pair[1] ? "pair" : join(pair[0], pair[1]) || join(pair[1], pair[0]) ? "join" : NULL;
}

static const char *transfer(void) {
    struct ibv_sge from = {(uintptr_t)memory, 8, mr->lkey};
    struct ibv_send_wr *bad, write = {.sg_list = &from, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE, .send_flags = IBV_SEND_SIGNALED,
        .wr.rdma = {(uintptr_t)memory + 128, mr->rkey}};
    struct ibv_wc completion;
    int count = 0;
    memset(memory + 128, 0, 8);
    memcpy(memory, "guests!", 8);
    if ((errno = ibv_post_send(pair[0], &write, &bad))) {
        return "post";
    }
    while (!(count = ibv_poll_cq(cq, 1, &completion))) {
    }
    return count < 0 || completion.status || memcmp(memory, memory + 128, 8) ? "transfer" : NULL;
}

// Objects of all kinds: each is made, or there is no room for it; and each is gone afterwards.
static const char *make_more(void) {
    struct ibv_comp_channel *channel = ibv_create_comp_channel(context);
    int channels = channel ? 0 : errno;
    struct ibv_cq *other = ibv_create_cq(context, 64, NULL, NULL, 0);
    int cqs = other ? 0 : errno;
    struct ibv_mr *region = ibv_reg_mr(pd, memory, 64, 0);
    int regions = region ? 0 : errno;
    struct ibv_qp *qps[2] = {NULL, NULL};
    errno = 0;
    make_pair(qps);
    int error = errno = channels && channels != ENOMEM && channels != EMFILE ? channels
        : cqs && cqs != ENOMEM                                              ? cqs
        : regions && regions != ENOMEM                                      ? regions
        : !qps[1] && errno != ENOMEM                                        ? errno
                                                                            : 0;
    int left = (qps[0] && ibv_destroy_qp(qps[0])) | (qps[1] && ibv_destroy_qp(qps[1])) | (region && ibv_dereg_mr(region))
        | (other && ibv_destroy_cq(other)) | (channel && ibv_destroy_comp_channel(channel));
    errno = error;
    return error ? "make" : left ? "destroy" : NULL;
}

static const char *finish(void) {
    errno = 0;
    return (pair[0] && ibv_destroy_qp(pair[0])) | (pair[1] && ibv_destroy_qp(pair[1])) | (mr && ibv_dereg_mr(mr)) | (cq && ibv_destroy_cq(cq))
            | (pd && ibv_dealloc_pd(pd)) | (context && ibv_close_device(context))
        ? "finish"
        : NULL;
}

static void tell(const char *failed) {
    printf(" %s", failed ?: "works");
    if (failed) {
        printf(" %s", name_of(errno));
    }
    fflush(stdout);
}

static void use(void) {
    tell(begin() ?: transfer() ?: make_more() ?: transfer());
}

static void use_more(void) {
    tell(transfer() ?: make_more() ?: transfer());
}

static void *use_more_in_thread(void *unused) {
    use_more();
    return NULL;
}

static void in_thread(size_t stack, void *(*run)(void *)) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, stack) || pthread_create(&thread, &attributes, run, NULL) || pthread_join(thread, NULL)) {
        printf(" no thread");
    }
}

static void soft(int limit, rlim_t value) {
    struct rlimit both;
    getrlimit(limit, &both);
    both.rlim_cur = value;
    if (setrlimit(limit, &both)) {
        printf(" no limit %s", name_of(errno));
    }
}

static long descriptors(void) {
    int next = open("/dev/null", O_RDONLY);
    close(next);
    return next;
}

// Users have limits of processes; root has none.
static void be_user(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    if (getuid() == 0) {
        syscall(SYS_setresuid, 64321, 0, 0);
        syscall(SYS_capget, &header, data);
        data[0].effective &= ~(1u << CAP_SYS_RESOURCE | 1u << CAP_SYS_ADMIN);
        syscall(SYS_capset, &header, data);
    }
}

static int mount_at(const char *path, unsigned long flags, const char *options) {
    int failed = unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) || mount("none", path, "tmpfs", flags, options);
    if (failed) {
        printf(" works"); // nobody may mount here, so the case cannot be had
        fflush(stdout);
        _exit(0);
    }
    return failed;
}

static int limit(const char *what, long value) {
    if (!strcmp(what, "addresses")) {
        soft(RLIMIT_AS, value << 10);
    } else if (!strcmp(what, "data")) {
        soft(RLIMIT_DATA, value << 10);
    } else if (!strcmp(what, "stack")) {
        soft(RLIMIT_STACK, value << 10);
    } else if (!strcmp(what, "processes")) {
        be_user();
        soft(RLIMIT_NPROC, value);
    } else if (!strcmp(what, "descriptors")) {
        soft(RLIMIT_NOFILE, descriptors() + value);
    } else if (!strcmp(what, "locked")) {
        soft(RLIMIT_MEMLOCK, value);
    } else if (!strcmp(what, "no-directory")) {
        char path[] = "/tmp/guest-XXXXXX";
        return !mkdtemp(path) || chdir(path) || rmdir(path);
    } else if (!strcmp(what, "no-proc")) {
        return mount_at("/proc", 0, NULL);
    } else if (!strcmp(what, "read-only-tmp")) {
        return mount_at("/tmp", MS_RDONLY, NULL);
    } else if (!strcmp(what, "full-tmp")) {
        mount_at("/tmp", 0, "size=4096");
        int file = open("/tmp/full", O_CREAT | O_WRONLY, 0600);
        while (write(file, memory, sizeof memory) > 0) {
        }
        close(file);
    } else {
        return 0;
    }
    return 1;
}

// Calls with so many bytes left of the stack.
static __attribute__((noinline)) void near_end(long left) {
    pthread_attr_t attributes;
    void *lowest;
    size_t size;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
    char *array = alloca((char *)__builtin_frame_address(0) - (char *)lowest - left);
    *(volatile char *)array = 1;
    use_more();
}

static void *near_end_of_thread(void *unused) {
    near_end(16 << 10);
    return NULL;
}

static ucontext_t outside, coroutine;

static void other_stack(void) {
    static char stack[24 << 10];
    getcontext(&coroutine);
    coroutine.uc_stack = (stack_t){.ss_sp = stack, .ss_size = sizeof stack};
    coroutine.uc_link = &outside;
    makecontext(&coroutine, use_more, 0);
    swapcontext(&outside, &coroutine);
}

static void on_other_stack(int number) {
    use_more();
}

static void alternate_stack(void *stack, size_t size) {
    stack_t alternate = {.ss_sp = stack, .ss_size = size};
    sigaltstack(&alternate, NULL);
}

static int overflow(int depth) {
    volatile char room[4096];
    room[depth & 4095] = depth;
    return overflow(depth + 1) + room[depth & 4095];
}

static void end_by_handler(int number) {
    _exit(42);
}

static void *overflow_in_thread(void *unused) {
    static char stack[16 << 10];
    alternate_stack(stack, sizeof stack);
    overflow(0);
    return NULL;
}

static volatile int interruptions, refusals;

static void poll_in_handler(int number) {
    struct ibv_wc completion;
    interruptions++;
    refusals += ibv_poll_cq(cq, 1, &completion) < 0;
}

static volatile int interrupted;

static void count_signal(int number) {
    interrupted++;
}

static pthread_key_t last;

static void use_at_end(void *unused) {
    use_more();
}

static void *end_with_verbs(void *unused) {
    pthread_setspecific(last, &last);
    use_more();
    return NULL;
}

static void *use_behind_main(void *unused) {
    usleep(20000);
    use_more();
    return NULL;
}

static void *be_cancelled(void *unused) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_cancel(pthread_self());
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    const char *failed = transfer() ?: make_more() ?: transfer();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    tell(failed);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    pthread_testcancel();
    return NULL;
}

static void destroy_at_exit(void) {
    tell(transfer() ?: finish());
}

// The JVM looks through all of its heap several times, behind the end of all that was loaded after this handler was set.
static void fill_heap_at_exit(void) {
    static struct ibv_qp *filled[4096];
    struct ibv_qp_init_attr attributes = {.send_cq = cq, .recv_cq = cq, .cap = {8192, 8192, 1, 1, 0}, .qp_type = IBV_QPT_RC};
    int count = 0, left = 0;
    while (count < 4096 && (filled[count] = ibv_create_qp(pd, &attributes))) {
        count++;
    }
    int error = errno;
    while (count) {
        left |= ibv_destroy_qp(filled[--count]);
    }
    errno = error;
    tell(error != ENOMEM ? "fill" : left ? "destroy" : transfer() ?: finish());
}

// Another limit than those that the process began with comes behind its first use, goes, and comes again.
static void later(char *what, long value) {
    static const int all[] = {RLIMIT_AS, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_NPROC, RLIMIT_NOFILE};
    struct rlimit before[5];
    for (int i = 0; i < 5; i++) {
        getrlimit(all[i], &before[i]);
    }
    use();
    limit(what, value);
    use_more();
    for (int i = 0; i < 5; i++) {
        soft(all[i], before[i].rlim_cur);
    }
    in_thread(64 << 10, use_more_in_thread);
    limit(what, value);
    tell(transfer() ?: finish());
}

static void run(char *what) {
    char *value = strchr(what, '=');
    if (value) {
        *value++ = '\0';
    }
    if (!strncmp(what, "later:", 6)) {
        later(what + 6, value ? atol(value) : 0);
        return;
    }
    if (!strcmp(what, "descriptors-at-open")) {
        struct ibv_device **list = ibv_get_device_list(NULL);
        struct rlimit before;
        getrlimit(RLIMIT_NOFILE, &before);
        limit("descriptors", atol(value));
        tell(ibv_open_device(list[0]) ? NULL : "open");
        soft(RLIMIT_NOFILE, before.rlim_cur);
        use();
        tell(finish());
        return;
    }
    if (limit(what, value ? atol(value) : 0)) {
        use();
        tell(finish());
        return;
    }
    if (!strcmp(what, "destroy-at-exit")) {
        use();
        atexit(destroy_at_exit);
        return;
    }
    if (!strcmp(what, "exit-handler-first")) {
        atexit(destroy_at_exit);
    } else if (!strcmp(what, "heap-full-at-exit")) {
        atexit(fill_heap_at_exit);
        use();
        return;
    }
    use();
    if (!strcmp(what, "stacks")) {
        in_thread(16 << 10, use_more_in_thread);
        in_thread(64 << 20, use_more_in_thread);
        near_end(32 << 10);
        in_thread(1 << 20, near_end_of_thread);
        other_stack();
        static char stack[32 << 10];
        alternate_stack(stack, sizeof stack);
        sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_other_stack, .sa_flags = SA_ONSTACK}, NULL);
        raise(SIGUSR1);
        char *array = alloca(7 << 20);
        memset(array, 1, 7 << 20);
        use_more();
    } else if (!strcmp(what, "overflow")) {
        static char stack[16 << 10];
        alternate_stack(stack, sizeof stack);
        sigaction(SIGSEGV, &(struct sigaction){.sa_handler = end_by_handler, .sa_flags = SA_ONSTACK}, NULL);
        overflow(0);
    } else if (!strcmp(what, "overflow-in-thread")) {
        sigaction(SIGSEGV, &(struct sigaction){.sa_handler = end_by_handler, .sa_flags = SA_ONSTACK}, NULL);
        in_thread(256 << 10, overflow_in_thread);
    } else if (!strcmp(what, "overflow-unhandled")) {
        overflow(0);
    } else if (!strcmp(what, "first-thread-ends")) {
        pthread_t thread;
        pthread_create(&thread, NULL, use_behind_main, NULL);
        pthread_exit(NULL);
    } else if (!strcmp(what, "thread-ends")) {
        pthread_key_create(&last, use_at_end);
        in_thread(64 << 10, end_with_verbs);
        use_more();
    } else if (!strcmp(what, "cancelled")) {
        in_thread(64 << 10, be_cancelled);
        use_more();
    } else if (!strcmp(what, "verbs-in-handler")) {
        struct itimerval often = {{0, 500}, {0, 500}};
        struct ibv_port_attr port;
        sigaction(SIGALRM, &(struct sigaction){.sa_handler = poll_in_handler, .sa_flags = SA_RESTART}, NULL);
        setitimer(ITIMER_REAL, &often, NULL);
        while (interruptions < 50 || !refusals) {
            ibv_query_port(context, 1, &port);
        }
        setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
        use_more();
    } else if (!strcmp(what, "blocked-signals")) {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, NULL);
        for (int i = 0; i < 50; i++) {
            kill(getpid(), SIGUSR1); // waits here, and is no thread's
        }
        int number = 0;
        sigdelset(&all, SIGUSR1);
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, SIGUSR1);
        sigwait(&one, &number);
        printf(" signal %s", number == SIGUSR1 ? "waited" : "lost");
        use_more();
    }
    if (strcmp(what, "exit-handler-first")) {
        tell(finish());
    }
}

int main(int count, char **words) {
    for (int i = 1; i < count; i++) {
        printf("%s:", words[i]);
        fflush(stdout);
        pid_t child = fork();
        if (!child) {
            alarm(60);
            run(words[i]);
            exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        printf(" ends %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
        fflush(stdout);
    }
    return 0;
}
