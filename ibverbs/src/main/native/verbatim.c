// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// libibverbs.so.1 and librdmacm.so.1 of a Verbatim device. This file knows the ABI and the process: it starts or joins a JVM at the
// first call that needs one, takes calls to Java, and keeps threads, forks, signals and exits of the program as they are without a
// JVM. What the functions do is written in Java; which there are is listed in symbols.txt, of which build.sh makes the headers.
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
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))
#define OF_THREAD static __thread __attribute__((tls_model("initial-exec")))
#define say(text) dprintf(STDERR_FILENO, "verbatim: %s\n", text)
#define COUNT(array) (sizeof(array) / sizeof *(array))
#define LEAST_STACK (256 << 10) // of a thread that Java runs on
#define MOST_FRAMES 6           // of the program's, of which a call leaves the return addresses

#include "memory.h"
#include "indexes.h" // index_NAME of each function that Java answers, and symbol_count

typedef long (*call_t)(long, long, long, long, long, long);
enum fails { fails_errno, fails_minus, fails_null, fails_count, fails_zero, fails_void }; // how a function says that it failed
struct symbol {
    const char *where; // the Java class in dev.verbatim.ibverbs, and the name
    enum fails fails;
    call_t forwarder;
};
static const struct symbol symbols[];
static call_t linked[symbol_count]; // Java's functions, once they were called
struct proxy { // a thread that Java runs on in the place of one whose stack is too small
    sem_t asked, answered;
    int index, error; // index is negative to end
    long with[6], result;
    long callers[MOST_FRAMES]; // of the thread that asks
};
static _Atomic int started; // a JVM runs in this process
static int lost;            // this process is a child of one that had a JVM; 2 when that was said
static JavaVM *vm;
static int created; // the JVM is the library's own, and not the program's
static jclass entry;
static jmethodID entry_call;
static pthread_key_t leaving;
OF_THREAD int inside;            // in calls of Java, so many
OF_THREAD int attached;          // the JVM knows this thread
OF_THREAD struct proxy *proxied; // this thread's

static long failed(enum fails fails, int error) {
    errno = error;
    return fails == fails_errno ? error : fails == fails_minus ? -1 : fails == fails_count ? -error : 0;
}

static JNIEnv *environment(void) {
    JNIEnv *env = NULL;
    return (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) == JNI_OK ? env : NULL;
}

// ---- Signals. A JVM of the library's own finds on_signal as the handler that was there before it, and calls it for what is not its
// own. In a JVM of the program's, on_signal comes first, and the JVM's handlers stand for the program's.

long verbatim_touch_read(long address), verbatim_touch_write(long address), verbatim_touch_failed(long address); // touch.S

#if defined(__x86_64__)
#define PROGRAM_COUNTER(context) (((ucontext_t *)(context))->uc_mcontext.gregs[REG_RIP])
#elif defined(__aarch64__)
#define PROGRAM_COUNTER(context) (((ucontext_t *)(context))->uc_mcontext.pc)
#endif

// Whether each page of a range can be read, or written, at this moment.
static long usable(long address, long length, long written) {
    long page = 4096, at = address;
    while (at < address + length && !(written ? verbatim_touch_write(at) : verbatim_touch_read(at))) {
        at = (at & -page) + page;
    }
    return at >= address + length;
}

static const int watched[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPIPE};
static struct sigaction programs[NSIG]; // what the program wants of these signals
static struct sigaction jvms_bus;
OF_THREAD int converting;
int __sigaction(int number, const struct sigaction *new, struct sigaction *old); // the C library's own

static void on_signal(int number, siginfo_t *info, void *context) {
    uintptr_t pc = PROGRAM_COUNTER(context);
    int javas = inside || (atomic_load(&started) && !attached && environment());
    struct sigaction *wanted = &programs[number];
    if (pc >= (uintptr_t)verbatim_touch_read && pc < (uintptr_t)verbatim_touch_failed) {
        PROGRAM_COUNTER(context) = (uintptr_t)verbatim_touch_failed;
    } else if (javas && number == SIGPIPE) {
        // A peer has closed its socket, which is no concern of the program's.
    } else if (javas && number == SIGSEGV && created && !converting) {
        // Memory went away while Java used it. Of a SIGBUS, which is what happens to mapped files, the JVM makes an error.
        converting = 1;
        info->si_signo = SIGBUS;
        jvms_bus.sa_sigaction(SIGBUS, info, context);
        converting = 0;
    } else if (wanted->sa_flags & SA_SIGINFO) {
        wanted->sa_sigaction(number, info, context);
    } else if (wanted->sa_handler == SIG_DFL) {
        int end = converting ? SIGSEGV : number;
        __sigaction(end, wanted, NULL); // a fault comes again, and ends the process
        if (info->si_code <= 0 || number == SIGPIPE) {
            raise(end);
        }
    } else if (wanted->sa_handler != SIG_IGN) {
        wanted->sa_handler(number);
    }
}

static void watch_signals(void) {
    struct sigaction own = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    for (size_t i = 0; i < COUNT(watched); i++) {
        __sigaction(watched[i], &own, &programs[watched[i]]);
    }
}

// While the JVM has the handlers, those that the program sets are kept here, for on_signal.
EXPORTED int sigaction(int number, const struct sigaction *new, struct sigaction *old) {
    for (size_t i = 0; i < COUNT(watched); i++) {
        if (number == watched[i] && created && atomic_load(&started) && !inside) {
            struct sigaction before = programs[number];
            programs[number] = new ? *new : before;
            if (old) {
                *old = before;
            }
            return 0;
        }
    }
    return __sigaction(number, new, old);
}

EXPORTED sighandler_t signal(int number, sighandler_t handler) {
    struct sigaction new = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    return sigaction(number, &new, &old) ? SIG_ERR : old.sa_handler;
}

// ---- The JVM: created with the options of VERBATIM_JVM_OPTIONS, a line each, or joined.

static int create(const char *library) {
    jint (*make)(JavaVM **, void **, void *);
    void *jvm = library ? dlopen(library, RTLD_NOW | RTLD_GLOBAL) : NULL, *env;
    if (!jvm || !(make = (jint(*)(JavaVM **, void **, void *))dlsym(jvm, "JNI_CreateJavaVM"))) {
        say(library ? dlerror() : "VERBATIM_JVM is not set: start the program by 'verbatim exec -- PROGRAM', or set what"
                                  " 'verbatim exec --print-env' prints");
        return 0;
    }
    JavaVMOption options[64];
    JavaVMInitArgs arguments = {JNI_VERSION_1_8, 0, options, JNI_FALSE};
    char *part, *rest = strdup(getenv("VERBATIM_JVM_OPTIONS") ?: "");
    while ((size_t)arguments.nOptions < COUNT(options) && (part = strsep(&rest, "\n"))) {
        options[arguments.nOptions] = (JavaVMOption){.optionString = part};
        arguments.nOptions += *part != '\0';
    }
    watch_signals();
    created = make(&vm, &env, &arguments) == JNI_OK;
    if (!created) {
        say("the JVM did not start: see VERBATIM_JVM_OPTIONS, and whether memory is limited (ulimit -v)");
    }
    __sigaction(SIGBUS, NULL, &jvms_bus);
    return created;
}

// The program has a JVM: its class path stays as it is. A class loader with the elements of the library's, which knows of the JVM's
// classes those of the JDK alone, has the others.
static jclass load_beside(JNIEnv *env, const char *paths) {
    jclass file = (*env)->FindClass(env, "java/io/File"), uri = (*env)->FindClass(env, "java/net/URI");
    jclass url = (*env)->FindClass(env, "java/net/URL"), any = (*env)->FindClass(env, "java/lang/ClassLoader");
    jclass loader = (*env)->FindClass(env, "java/net/URLClassLoader");
    jmethodID of_path = (*env)->GetMethodID(env, file, "<init>", "(Ljava/lang/String;)V");
    jmethodID to_uri = (*env)->GetMethodID(env, file, "toURI", "()Ljava/net/URI;");
    jmethodID to_url = (*env)->GetMethodID(env, uri, "toURL", "()Ljava/net/URL;");
    jmethodID jdks = (*env)->GetStaticMethodID(env, any, "getPlatformClassLoader", "()Ljava/lang/ClassLoader;");
    jmethodID from = (*env)->GetMethodID(env, loader, "<init>", "([Ljava/net/URL;Ljava/lang/ClassLoader;)V");
    jmethodID load = (*env)->GetMethodID(env, loader, "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;");
    jmethodID add = (*env)->GetMethodID(env, loader, "addURL", "(Ljava/net/URL;)V");
    jobjectArray none = (*env)->NewObjectArray(env, 0, url, NULL);
    jobject own = (*env)->NewObject(env, loader, from, none, (*env)->CallStaticObjectMethod(env, any, jdks));
    char *part, *rest = strdup(paths);
    while ((part = strsep(&rest, ":"))) {
        (*env)->PushLocalFrame(env, 4);
        jobject element = (*env)->NewObject(env, file, of_path, (*env)->NewStringUTF(env, part));
        element = (*env)->CallObjectMethod(env, (*env)->CallObjectMethod(env, element, to_uri), to_url);
        (*env)->CallVoidMethod(env, own, add, element);
        (*env)->PopLocalFrame(env, NULL);
    }
    return (*env)->CallObjectMethod(env, own, load, (*env)->NewStringUTF(env, "dev.verbatim.ibverbs.call.Entry"));
}

// What Java is asked: for the function of a symbol by its index, or one of these.
enum { to_begin = -1, to_end = -2 };

static long ask(int what, long with) {
    JNIEnv *env = environment();
    inside++;
    long answer = (*env)->CallStaticLongMethod(env, entry, entry_call, (jint)what, (jlong)with);
    inside--;
    return answer;
}

static long callers_here(void);
long verbatim_run(long words, long variables, long text, long room); // child.c
static void memory_freed(const char *call, long address, long length, long is_block, long caller, char *frame);

static const void *interface[] = {(void *)(long)symbol_count, symbols, usable, callers_here, verbatim_run, NULL}; // the last is what memory.h has

static void *start(void *unused) {
    jint (*running)(JavaVM **, jsize, jsize *) = (jint(*)(JavaVM **, jsize, jsize *))dlsym(RTLD_DEFAULT, "JNI_GetCreatedJavaVMs");
    JNIEnv *env;
    jsize count = 0;
    inside = 1; // whatever this thread does, the JVM does
    if (running && running(&vm, 1, &count) == JNI_OK && count == 1) {
        watch_signals();
    } else if (!create(getenv("VERBATIM_JVM"))) {
        return NULL;
    }
    (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, NULL);
    const char *paths = created ? NULL : getenv("VERBATIM_CLASS_PATH"); // else its classes are on the JVM's own class path
    entry = paths ? load_beside(env, paths) : (*env)->FindClass(env, "dev/verbatim/ibverbs/call/Entry");
    if (!(*env)->ExceptionCheck(env) && (entry_call = (*env)->GetStaticMethodID(env, entry, "call", "(IJ)J"))) {
        entry = (*env)->NewGlobalRef(env, entry);
        ask(to_begin, (long)interface);
    }
    jthrowable failure = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    if (failure && (*env)->IsInstanceOf(env, failure, (*env)->FindClass(env, "java/lang/UnsupportedClassVersionError"))) {
        say("the JVM of this process is older than 22, so that it has no device (ENODEV): start it with JDK 22 or newer");
    } else if (failure) {
        (*env)->Throw(env, failure);
        (*env)->ExceptionDescribe(env);
        say("the device did not start: set VERBATIM_CLASS_PATH as 'verbatim exec --print-env' prints it");
    }
    (*vm)->DetachCurrentThread(vm);
    return failure ? NULL : vm;
}

static void in_child(void) {
    lost |= atomic_exchange(&started, 0);
    attached = inside = 0;
    proxied = NULL;
}

// ---- Who calls. Where explanations are wanted, each call first leaves the return addresses of the program's frames: of the call
// itself, and of those outside of it as far as the program keeps frame pointers, as without optimization, where the inline functions
// of the headers are frames of their own.

static int noted, sanitized; // whether explanations are wanted, or mistakes looked for
OF_THREAD long callers[MOST_FRAMES]; // innermost first, then 0
OF_THREAD char *stack_end;

__attribute__((constructor)) static void choose(void) {
    sanitized = getenv("VERBATIM_SANITIZE") != NULL;
    noted = sanitized || getenv("VERBATIM_EXPLAIN") || getenv("VERBATIM_FAULTS");
    struct verbatim_memory *memory = sanitized ? dlsym(RTLD_DEFAULT, "verbatim_memory") : NULL;
    if (memory) {
        interface[COUNT(interface) - 1] = memory;
        memory->freed = memory_freed;
    }
}

static long callers_here(void) {
    return (long)callers;
}

static void find_stack(void) {
    pthread_attr_t attributes;
    void *begin;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &begin, &size);
        pthread_attr_destroy(&attributes);
    }
    stack_end = size ? (char *)begin + size : (char *)1;
}

// Of a function that has a frame pointer, and was called by one that has left it as the program had it.
static inline __attribute__((always_inline)) void note(long address, char *frame) {
    int error = errno;
    size_t count = 0;
    if (!stack_end) {
        find_stack();
    }
    callers[count++] = address;
    for (char *next = *(char **)frame; count < MOST_FRAMES && next > frame && next + 16 <= stack_end && !((uintptr_t)next & 7);
         next = *(char **)next) {
        frame = next;
        callers[count++] = ((long *)frame)[1];
    }
    if (count < MOST_FRAMES) {
        callers[count] = 0;
    }
    errno = error;
}

// ---- Calls.

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
        memcpy(callers, proxy->callers, sizeof callers);
        proxy->result = call(proxy->index, with[0], with[1], with[2], with[3], with[4], with[5]);
        proxy->error = errno;
        sem_post(&proxy->answered);
    }
}

static long call_by_proxy(int index, const long with[6]) {
    proxied->index = index;
    memcpy(proxied->with, with, sizeof proxied->with);
    memcpy(proxied->callers, callers, sizeof callers);
    sem_post(&proxied->asked);
    while (sem_wait(&proxied->answered)) {
    }
    errno = proxied->error;
    return proxied->result;
}

static int attach(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    JNIEnv *env;
    size_t stack = LEAST_STACK;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstacksize(&attributes, &stack);
        pthread_attr_destroy(&attributes);
    }
    if (stack >= LEAST_STACK) {
        attached = (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, NULL) == JNI_OK;
    } else if ((proxied = calloc(1, sizeof *proxied)) && pthread_create(&thread, NULL, serve, proxied) == 0) {
        pthread_detach(thread); // semaphores of zeros are at 0
    } else {
        free(proxied);
        proxied = NULL;
    }
    pthread_setspecific(leaving, vm);
    return attached || proxied;
}

// The thread ends.
static void leave(void *unused) {
    if (proxied) {
        proxied->index = -1;
        sem_post(&proxied->asked);
    } else if (atomic_load(&started) && attached) {
        inside = 1;
        (*vm)->DetachCurrentThread(vm);
    }
}

// The program ends: peers are told. If mistakes were found that are to be its failure, it ends with the status that Java says.
static void goodbye(int status, void *unused) {
    if (atomic_load(&started) && !inside && !proxied && (attached || attach()) && attached) {
        long wanted = ask(to_end, status);
        if (wanted && !status) {
            exit(wanted); // the C library goes on with the handlers that are left
        }
    }
}

static void start_once(void) {
    pthread_t thread;
    void *well = NULL;
    if (pthread_create(&thread, NULL, start, NULL) == 0 && pthread_join(thread, &well) == 0 && well) {
        pthread_key_create(&leaving, leave);
        pthread_atfork(NULL, NULL, in_child);
        on_exit(goodbye, NULL);
        atomic_store(&started, 1);
    }
}

static int is_started(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start_once);
    return atomic_load(&started);
}

static int is_lost(void) {
    if (lost && lost++ == 1) {
        say("this process is a child of one that used verbs, and has no device (ENODEV): use verbs after exec, or in the child first");
    }
    return lost;
}

static long call(int index, long a, long b, long c, long d, long e, long f) {
    if (__builtin_expect(!attached || !linked[index], 0)) {
        if (is_lost() || !is_started() || !(attached || proxied || attach())) {
            return failed(symbols[index].fails, ENODEV);
        }
        if (proxied) {
            return call_by_proxy(index, (long[]){a, b, c, d, e, f});
        }
        if (!linked[index] && !(linked[index] = (call_t)ask(index, 0))) {
            return failed(symbols[index].fails, ENOSYS);
        }
    }
    inside++;
    long result = linked[index](a, b, c, d, e, f);
    inside--;
    return result;
}

// Waiting for an event: here, where the thread can be cancelled and interrupted, by the descriptor that the program has, too. Java then
// takes the event; 1 if there is none any more.
static long await_event(int index, long descriptor, long a, long b, long c) {
    uint64_t count;
    long result = 1;
    if (sanitized && index == index_take_cq_event) {
        call(index_await_cq_event, a, 0, 0, 0, 0, 0);
    }
    while (result == 1 && !is_lost() && read(*(int *)descriptor, &count, sizeof count) == sizeof count) {
        result = (int)call(index, a, b, c, 0, 0, 0);
    }
    return lost ? failed(fails_minus, ENODEV) : result == 1 ? -1 : result;
}

// The same, each in the frame of a forwarder: nothing of it is needed after these.
#define NOTED __attribute__((noinline, optimize("no-omit-frame-pointer"))) static long

NOTED noted_call(long address, int index, long a, long b, long c, long d, long e, long f) {
    note(address, __builtin_frame_address(0));
    return call(index, a, b, c, d, e, f);
}

NOTED noted_wait(long address, int index, long descriptor, long a, long b, long c) {
    note(address, __builtin_frame_address(0));
    return await_event(index, descriptor, a, b, c);
}

// The program gives memory of a region back; not the JVM, on threads of its own or in a call.
__attribute__((noinline, optimize("no-omit-frame-pointer"))) static void memory_freed(
    const char *name, long address, long length, long is_block, long caller, char *frame) {
    int error = errno;
    if (atomic_load(&started) && !inside && !lost && (attached || proxied || !environment())) {
        note(caller, frame);
        call(index_memory_freed, address, length, (long)name, is_block, 0, 0);
    }
    errno = error;
}

#define IS_NOTED __builtin_expect(noted, 0)
#define CALLER (long)__builtin_return_address(0)

#include "forwarders.h" // verbatim_NAME of each symbol, and the table symbols
