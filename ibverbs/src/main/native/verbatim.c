// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// libibverbs.so.1 and librdmacm.so.1 of a Verbatim device. This file knows the ABI and the process: it starts or joins a JVM at the
// first call that needs one, takes calls to Java, and keeps threads, forks, signals and exits of the program as they would be without
// a JVM. What the functions do is written in Java; which there are is listed in symbols.txt, of which build.sh makes symbols.h.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <jni.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))
#define LOCAL_TLS static __thread __attribute__((tls_model("initial-exec")))
#define LEAST_STACK (256 << 10)
#define JVM_STACK (8 << 20)
#define MOST_OPTIONS 64

typedef long (*call_t)(long, long, long, long, long, long);

// How a function says that it failed.
enum fails { fails_errno, fails_minus, fails_null, fails_count, fails_zero, fails_void };

struct symbol {
    const char *where; // the Java class in dev.verbatim.ibverbs, and the name
    enum fails fails;
    call_t forwarder;
};

enum {
#define JAVA(name, fails, where) index_##name,
#include "symbols.h"
#undef JAVA
    symbol_count
};

static const struct symbol symbols[];
static call_t linked[symbol_count]; // Java's functions, once they were called
static _Atomic int started;         // a JVM runs in this process, and was not lost by a fork
static _Atomic int lost;            // this process is a child of one that had a JVM
static JavaVM *vm;
static jclass entry;
static jmethodID entry_link, entry_exit;
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t leaving;

LOCAL_TLS int inside;             // calls to Java that this thread is in; 1 for ever in a thread of the device
LOCAL_TLS int attached;           // the JVM knows this thread
LOCAL_TLS struct proxy *proxied;  // calls in the place of this thread, whose stack is too small for Java

static void say(const char *text) {
    char line[512];
    int length = snprintf(line, sizeof line, "verbatim: %s\n", text);
    ssize_t unused = write(2, line, length < (int)sizeof line ? (size_t)length : sizeof line - 1);
    (void)unused;
}

static long failed(enum fails fails, int error) {
    errno = error;
    return fails == fails_errno ? error : fails == fails_minus ? -1 : fails == fails_count ? -error : 0;
}

// ---- Signals. The JVM handles what is its own and calls these, as the handlers that were there before it, for the rest.

long verbatim_touch_read(long address), verbatim_touch_write(long address), verbatim_touch_failed(long address);

// Touch a byte without changing it; 0 if that is possible. A fault goes on at verbatim_touch_failed.
#if defined(__x86_64__)
__asm__(".text\nverbatim_touch_read: movb (%rdi), %al\nxorl %eax, %eax\nret\n"
        "verbatim_touch_write: lock orb $0, (%rdi)\nxorl %eax, %eax\nret\n"
        "verbatim_touch_failed: movl $1, %eax\nret\n");
#define PROGRAM_COUNTER(context) (((ucontext_t *)(context))->uc_mcontext.gregs[REG_RIP])
#elif defined(__aarch64__)
__asm__(".text\nverbatim_touch_read: ldrb w1, [x0]\nmov x0, #0\nret\n"
        "verbatim_touch_write: 1: ldxrb w1, [x0]\nstxrb w2, w1, [x0]\ncbnz w2, 1b\nmov x0, #0\nret\n"
        "verbatim_touch_failed: mov x0, #1\nret\n");
#define PROGRAM_COUNTER(context) (((ucontext_t *)(context))->uc_mcontext.pc)
#endif

// Whether the program could read, or write, each page of a range now: what is not mapped any more is found out here.
static long usable(long address, long length, long written) {
    long page = 4096, end = address + length;
    for (long at = address; at < end; at = (at & -page) + page) {
        if (written ? verbatim_touch_write(at) : verbatim_touch_read(at)) {
            return 0;
        }
    }
    return 1;
}

static const int watched[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPIPE};
static struct sigaction programs[NSIG]; // what the program wants of these signals
static struct sigaction jvms_bus;
LOCAL_TLS int converting;

static int real_sigaction(int number, const struct sigaction *new, struct sigaction *old) {
    static int (*real)(int, const struct sigaction *, struct sigaction *);
    if (!real) {
        real = (int (*)(int, const struct sigaction *, struct sigaction *))dlsym(RTLD_NEXT, "sigaction");
    }
    return real(number, new, old);
}

static void on_signal(int number, siginfo_t *info, void *context) {
    uintptr_t pc = PROGRAM_COUNTER(context);
    if (pc >= (uintptr_t)verbatim_touch_read && pc < (uintptr_t)verbatim_touch_failed) {
        PROGRAM_COUNTER(context) = (uintptr_t)verbatim_touch_failed;
        return;
    }
    if (inside && number == SIGPIPE) {
        return; // a peer has closed its socket, which is no concern of the program's
    }
    if (inside && number == SIGSEGV && jvms_bus.sa_sigaction && !converting) {
        // Memory went away while Java used it. The JVM makes an error of a SIGBUS, which is what that is for mapped files.
        converting = 1;
        info->si_signo = SIGBUS;
        jvms_bus.sa_sigaction(SIGBUS, info, context);
        converting = 0;
        return;
    }
    struct sigaction *wanted = &programs[number];
    if (wanted->sa_flags & SA_SIGINFO) {
        wanted->sa_sigaction(number, info, context);
    } else if (wanted->sa_handler == SIG_DFL) {
        int ends = converting ? SIGSEGV : number;
        real_sigaction(ends, wanted, NULL); // the fault comes again, and is the end
        if (info->si_code <= 0 || number == SIGPIPE) {
            raise(ends);
        }
    } else if (wanted->sa_handler != SIG_IGN) {
        wanted->sa_handler(number);
    }
}

static int is_watched(int number) {
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++) {
        if (number == watched[i]) {
            return 1;
        }
    }
    return 0;
}

static void watch_signals(void) {
    struct sigaction own = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++) {
        real_sigaction(watched[i], &own, &programs[watched[i]]);
    }
}

// While the JVM has the handlers the program's are kept here, and called by on_signal.
EXPORTED int sigaction(int number, const struct sigaction *new, struct sigaction *old) {
    if (!atomic_load(&started) || inside || !is_watched(number)) {
        return real_sigaction(number, new, old);
    }
    struct sigaction before = programs[number];
    if (new) {
        programs[number] = *new;
    }
    if (old) {
        *old = before;
    }
    return 0;
}

EXPORTED sighandler_t signal(int number, sighandler_t handler) {
    struct sigaction new = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    return sigaction(number, &new, &old) ? SIG_ERR : old.sa_handler;
}

// ---- The JVM.

static JNIEnv *environment(void) {
    JNIEnv *env = NULL;
    (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8);
    return env;
}

static const char *variable(const char *name, const char *otherwise) {
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

// A class loader of the library's own in a JVM that the program brought, so that its class path stays as it is.
static jclass load_beside(JNIEnv *env, const char *name, const char *paths) {
    jclass url = (*env)->FindClass(env, "java/net/URL"), loader = (*env)->FindClass(env, "java/net/URLClassLoader");
    jclass file = (*env)->FindClass(env, "java/io/File"), uri = (*env)->FindClass(env, "java/net/URI");
    char *copy = strdup(paths), *rest = copy, *part;
    int count = 1, i = 0;
    for (const char *c = paths; *c; c++) {
        count += *c == ':';
    }
    jobjectArray urls = (*env)->NewObjectArray(env, count, url, NULL);
    while ((part = strsep(&rest, ":"))) {
        jobject at = (*env)->NewObject(env, file, (*env)->GetMethodID(env, file, "<init>", "(Ljava/lang/String;)V"),
                                       (*env)->NewStringUTF(env, part));
        at = (*env)->CallObjectMethod(env, at, (*env)->GetMethodID(env, file, "toURI", "()Ljava/net/URI;"));
        at = (*env)->CallObjectMethod(env, at, (*env)->GetMethodID(env, uri, "toURL", "()Ljava/net/URL;"));
        (*env)->SetObjectArrayElement(env, urls, i++, at);
    }
    free(copy);
    jobject own = (*env)->NewObject(env, loader, (*env)->GetMethodID(env, loader, "<init>", "([Ljava/net/URL;)V"), urls);
    jmethodID load = (*env)->GetMethodID(env, loader, "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;");
    jclass loaded = (*env)->CallObjectMethod(env, own, load, (*env)->NewStringUTF(env, name));
    if (!(*env)->ExceptionCheck(env)) { // loadClass does not link: an older JVM would say so only later
        (*env)->GetStaticMethodID(env, loaded, "link", "(I)J");
    }
    return loaded;
}

static int create(const char *library) {
    jint (*make)(JavaVM **, void **, void *);
    void *jvm = dlopen(library, RTLD_NOW | RTLD_GLOBAL), *env;
    if (!jvm || !(make = (jint(*)(JavaVM **, void **, void *))dlsym(jvm, "JNI_CreateJavaVM"))) {
        say(dlerror());
        return 0;
    }
    JavaVMOption options[MOST_OPTIONS];
    int count = 0;
    char *copy = strdup(variable("VERBATIM_JVM_OPTIONS", "")), *rest = copy, *part;
    while (count < MOST_OPTIONS && (part = strsep(&rest, "\n"))) {
        if (*part) {
            options[count++] = (JavaVMOption){.optionString = part};
        }
    }
    JavaVMInitArgs arguments = {JNI_VERSION_1_8, count, options, JNI_FALSE};
    int named = getenv("_JAVA_SR_SIGNUM") != NULL;
    setenv("_JAVA_SR_SIGNUM", "60", 0); // leaves SIGUSR2 to the program
    watch_signals();
    jint result = make(&vm, &env, &arguments);
    if (!named) {
        unsetenv("_JAVA_SR_SIGNUM");
    }
    if (result != JNI_OK) {
        say("the JVM did not start; see VERBATIM_JVM_OPTIONS, and whether memory is limited (ulimit -v)");
        return 0;
    }
    real_sigaction(SIGBUS, NULL, &jvms_bus);
    return 1;
}

static const void *interface[] = {(void *)(long)symbol_count, symbols, usable};

static void *start(void *joined) {
    inside = 1; // whatever this thread does, the JVM does
    *(int *)joined = 0;
    jint (*running)(JavaVM **, jsize, jsize *) = (jint(*)(JavaVM **, jsize, jsize *))dlsym(RTLD_DEFAULT, "JNI_GetCreatedJavaVMs");
    jsize count = 0;
    const char *library = variable("VERBATIM_JVM", NULL), *paths = variable("VERBATIM_CLASS_PATH", NULL);
    if (running && running(&vm, 1, &count) == JNI_OK && count == 1) {
        *(int *)joined = 1;
    } else if (!library || !paths) {
        say("VERBATIM_JVM and VERBATIM_CLASS_PATH are not set: start the program with 'verbatim exec -- PROGRAM', or set what"
            " 'verbatim exec --print-env' prints");
        return NULL;
    } else if (!create(library)) {
        return NULL;
    }
    JNIEnv *env = environment();
    if (*(int *)joined && (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, NULL) != JNI_OK) {
        return NULL;
    }
    jclass found = *(int *)joined && paths ? load_beside(env, "dev.verbatim.ibverbs.call.Entry", paths)
                                           : (*env)->FindClass(env, "dev/verbatim/ibverbs/call/Entry");
    jmethodID begin = NULL;
    if (found && !(*env)->ExceptionCheck(env)) {
        entry = (*env)->NewGlobalRef(env, found);
        entry_link = (*env)->GetStaticMethodID(env, entry, "link", "(I)J");
        entry_exit = (*env)->GetStaticMethodID(env, entry, "exit", "()V");
        begin = (*env)->GetStaticMethodID(env, entry, "begin", "(J)V");
    }
    if (begin) {
        (*env)->CallStaticVoidMethod(env, entry, begin, (jlong)(intptr_t)interface);
    }
    int well = begin && !(*env)->ExceptionCheck(env);
    if (!well) {
        (*env)->ExceptionDescribe(env);
        say("the device could not be started: it needs a JVM 22 or newer, and the class path in VERBATIM_CLASS_PATH");
    }
    (*vm)->DetachCurrentThread(vm);
    return well ? vm : NULL;
}

static void in_child(void) {
    if (atomic_exchange(&started, 0)) {
        atomic_store(&lost, 1);
    }
    attached = inside = 0;
    proxied = NULL;
    pthread_mutex_init(&starting, NULL);
}

static void leave(void *thread_or_proxy);
static void goodbye(void);

static int start_once(void) {
    static int tried;
    pthread_mutex_lock(&starting);
    if (!tried) {
        pthread_attr_t attributes;
        pthread_t thread;
        int joined;
        void *well = NULL;
        tried = 1;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, JVM_STACK);
        if (pthread_create(&thread, &attributes, start, &joined) == 0 && pthread_join(thread, &well) == 0 && well) {
            pthread_key_create(&leaving, leave);
            pthread_atfork(NULL, NULL, in_child);
            atexit(goodbye);
            atomic_store(&started, 1);
        }
    }
    pthread_mutex_unlock(&starting);
    return atomic_load(&started);
}

// ---- Calls.

// A thread that Java can run on, for one whose stack is too small.
struct proxy {
    sem_t asked, answered;
    int index; // negative to end
    long with[6], result;
    int error;
};

static long call(int index, long a, long b, long c, long d, long e, long f);

static void *serve(void *of) {
    struct proxy *proxy = of;
    for (;;) {
        while (sem_wait(&proxy->asked)) {
        }
        if (proxy->index < 0) {
            free(proxy);
            return NULL;
        }
        long *with = proxy->with;
        proxy->result = call(proxy->index, with[0], with[1], with[2], with[3], with[4], with[5]);
        proxy->error = errno;
        sem_post(&proxy->answered);
    }
}

static long call_by_proxy(int index, long a, long b, long c, long d, long e, long f) {
    proxied->index = index;
    memcpy(proxied->with, (long[]){a, b, c, d, e, f}, sizeof proxied->with);
    proxied->error = errno;
    sem_post(&proxied->asked);
    while (sem_wait(&proxied->answered)) {
    }
    errno = proxied->error;
    return proxied->result;
}

static size_t stack_size(void) {
    pthread_attr_t attributes;
    size_t size = LEAST_STACK;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstacksize(&attributes, &size);
        pthread_attr_destroy(&attributes);
    }
    return size;
}

static int attach(void) {
    JNIEnv *env;
    pthread_t thread;
    struct proxy *own;
    if (stack_size() >= LEAST_STACK) {
        attached = (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, NULL) == JNI_OK;
        pthread_setspecific(leaving, vm);
    } else if ((own = calloc(1, sizeof *own)) && !sem_init(&own->asked, 0, 0) && !sem_init(&own->answered, 0, 0)
               && !pthread_create(&thread, NULL, serve, own)) {
        pthread_detach(thread);
        pthread_setspecific(leaving, proxied = own);
    }
    return attached || proxied;
}

// The thread ends.
static void leave(void *thread_or_proxy) {
    if (proxied && thread_or_proxy == proxied) {
        proxied->index = -1;
        sem_post(&proxied->asked);
    } else if (atomic_load(&started) && attached) {
        inside = 1;
        (*vm)->DetachCurrentThread(vm);
    }
}

// The program ends: peers are told.
static void goodbye(void) {
    JNIEnv *env;
    if (atomic_load(&started) && !inside && !proxied && (attached || attach()) && (env = environment())) {
        inside++;
        (*env)->CallStaticVoidMethod(env, entry, entry_exit);
        inside--;
    }
}

static int link_symbol(int index) {
    JNIEnv *env = environment();
    inside++;
    linked[index] = (call_t)(intptr_t)(*env)->CallStaticLongMethod(env, entry, entry_link, (jint)index);
    inside--;
    return linked[index] != NULL;
}

static int is_lost(void) {
    static int said;
    if (atomic_load(&lost) && !said) {
        said = 1;
        say("this process is a child of one that used verbs; it has no device (ENODEV). Use verbs after exec, or first in the child");
    }
    return atomic_load(&lost);
}

// Inside Java at most once: what Java calls does not come back here.
static long call(int index, long a, long b, long c, long d, long e, long f) {
    if (__builtin_expect(!attached || !linked[index], 0)) {
        if (is_lost() || !(atomic_load(&started) || start_once()) || !(attached || proxied || attach())) {
            return failed(symbols[index].fails, ENODEV);
        }
        if (proxied) {
            return call_by_proxy(index, a, b, c, d, e, f);
        }
        if (!linked[index] && !link_symbol(index)) {
            return failed(symbols[index].fails, ENOSYS);
        }
    }
    inside++;
    long result = linked[index](a, b, c, d, e, f);
    inside--;
    return result;
}

#define SIX long a, long b, long c, long d, long e, long f
#define JAVA(name, fails, where) EXPORTED long verbatim_##name(SIX) { return call(index_##name, a, b, c, d, e, f); }
#define REFUSE(name, fails, error) EXPORTED long verbatim_##name(SIX) { return failed(fails, error); }
#define ANSWER(name, value) EXPORTED long verbatim_##name(SIX) { return value; }
#define VERSION(of, symbol) __asm__(".symver " of ", " symbol);
#include "symbols.h"
#undef JAVA
#undef REFUSE
#undef ANSWER
#undef VERSION

#define JAVA(name, fails, where) {where "." #name, fails, verbatim_##name},
static const struct symbol symbols[] = {
#include "symbols.h"
};

// ---- Waiting for events: the program's thread waits here, where it can be cancelled and interrupted, for the descriptor that it sees
// too. Java then takes the event; 1 if there is none any more.

static long await_event(int index, const int *descriptor, long a, long b, long c) {
    long result;
    do {
        uint64_t count;
        if (is_lost() || read(*descriptor, &count, sizeof count) != sizeof count) {
            return failed(fails_minus, atomic_load(&lost) ? ENODEV : errno);
        }
        result = (int)call(index, a, b, c, 0, 0, 0);
    } while (result == 1);
    return result;
}

EXPORTED long verbatim_ibv_get_cq_event(long channel, long cq, long context) {
    return await_event(index_take_cq_event, (int *)(channel + 8), channel, cq, context);
}

EXPORTED long verbatim_ibv_get_async_event(long context, long event) {
    return await_event(index_take_async_event, (int *)(context + 268), context, event, 0);
}

EXPORTED long verbatim_rdma_get_cm_event(long channel, long event) {
    if (!channel || !event) {
        return failed(fails_minus, EINVAL);
    }
    return await_event(index_take_cm_event, (int *)channel, channel, event, 0);
}

EXPORTED char verbatim_verbs_allow_disassociate_destroy;
