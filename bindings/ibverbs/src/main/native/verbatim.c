// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
//
// libibverbs.so.1 and librdmacm.so.1 of a Verbatim device. This file knows the ABI and the process: it starts or joins a JVM at the
// first call that needs one, takes calls to Java, and keeps threads, forks, signals and exits of the program as they are without a
// JVM. What the functions do is written in Java; which there are is listed in symbols.txt, of which build.sh makes the headers.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <jni.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))
#define OF_THREAD static __thread __attribute__((tls_model("initial-exec")))
#define say(text) dprintf(STDERR_FILENO, "verbatim: %s\n", text)
#define COUNT(array) (sizeof(array) / sizeof *(array))
#define JAVA_STACK (1 << 20) // on which Java runs for a thread of the program
#define JVMS_DESCRIPTORS 8   // that it opens beside its class path when it starts
#define MOST_FRAMES 32       // of the program's, of which return addresses are left
#define MOST_POINTED 6       // of them that are found by frame pointers

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
static void *answer;             // Java's function: the arguments of a call, and behind them the index of its symbol
static char quick[symbol_count]; // which calls do nothing that a thread can be cancelled at
static _Atomic int started; // a JVM runs in this process
static int lost;            // this process is a child of one that had a JVM; 2 when that was said
static int unable = ENODEV; // why no JVM runs
static int well, told;      // it has started; why it has not was said
static JavaVM *vm;
static int created; // the JVM is the library's own, and not the program's
static jclass entry;
static jmethodID entry_call;
static pthread_key_t leaving;
OF_THREAD int inside;       // in calls of Java, so many; of a thread of the JVM always
OF_THREAD int attached;     // the JVM knows this thread
OF_THREAD struct waiting *waiting; // where this thread waits; also if a handler left the wait by a jump
OF_THREAD char *java_stack; // on which Java runs for this thread; NULL for its own, as of a thread of the program's JVM

static long failed(enum fails fails, int error) {
    errno = error;
    return fails == fails_errno ? error : fails == fails_minus ? -1 : fails == fails_count ? -error : 0;
}

static JNIEnv *environment(void) {
    JNIEnv *env = NULL;
    return (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) == JNI_OK ? env : NULL;
}

// ---- Stacks. Java runs on a stack of the library's, so that a call takes little of the program's, wherever that is, and a thread
// that has called keeps all of its own: a JVM that knows a thread protects the last pages of what it takes for its stack.

int verbatim_import(const void *within, const char *name, void *replacement); // imports.c
void verbatim_import_all(const char *name, void *replacement);
int verbatim_keep_to_end(const void *within);
long verbatim_on_stack(long a, long b, long c, long d, long e, long f, void *function, void *end, long g); // stack.S

// What the JVM asks when it gets to know a thread, and only then.
static int stack_of_thread(pthread_t thread, pthread_attr_t *attributes) {
    if (!java_stack || !pthread_equal(thread, pthread_self())) {
        return pthread_getattr_np(thread, attributes);
    }
    return pthread_attr_init(attributes) ?: pthread_attr_setstack(attributes, java_stack, JAVA_STACK);
}

// A thread that were cancelled in Java would leave it by force. Those that are quick wait for nothing but locks.
static inline __attribute__((always_inline)) long in_java_quickly(
    void *function, long a, long b, long c, long d, long e, long f, long g) {
    inside++;
    long result = verbatim_on_stack(a, b, c, d, e, f, function, java_stack ? java_stack + JAVA_STACK : NULL, g);
    inside--;
    return result;
}

static long in_java(void *function, long a, long b, long c, long d, long e, long f, long g) {
    int state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    long result = in_java_quickly(function, a, b, c, d, e, f, g);
    pthread_setcancelstate(state, &state);
    return result;
}

static int jvms_wait(pthread_cond_t *condition, pthread_mutex_t *lock) {
    int state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    int error = pthread_cond_wait(condition, lock);
    pthread_setcancelstate(state, &state);
    return error;
}

static int jvms_timed_wait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *until) {
    int state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    int error = pthread_cond_timedwait(condition, lock, until);
    pthread_setcancelstate(state, &state);
    return error;
}

// ---- Signals. on_signal has the handlers of those that a JVM wants. Of a JVM of the library's own it knows what the JVM asked for, and
// is the handler that was there before it, which the JVM calls for what is not its own. The handlers of a JVM of the program's stand for
// the program's.

long verbatim_touch_read(long address), verbatim_touch_write(long address), verbatim_touch_failed(long address); // touch.S

#if defined(__x86_64__)
#define PROGRAM_COUNTER(context) (((ucontext_t *)(context))->uc_mcontext.gregs[REG_RIP])
#define STACK_POINTER(context) (((ucontext_t *)(context))->uc_mcontext.gregs[REG_RSP])
#define RED_ZONE 128
#elif defined(__aarch64__)
#define PROGRAM_COUNTER(context) (((ucontext_t *)(context))->uc_mcontext.pc)
#define STACK_POINTER(context) (((ucontext_t *)(context))->uc_mcontext.sp)
#define RED_ZONE 0
#endif

// Whether each page of a range can be read, or written, at this moment.
static long usable(long address, long length, long written) {
    long page = 4096, at = address;
    while (at < address + length && !(written ? verbatim_touch_write(at) : verbatim_touch_read(at))) {
        at = (at & -page) + page;
    }
    return at >= address + length;
}

static const int watched[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPIPE, SIGXFSZ};
static struct sigaction programs[NSIG], jvms[NSIG]; // what each wants of these signals
static void give_up(void);

static int keeping;                                 // a JVM of the library's own has them
OF_THREAD int asked;                                // for the signal that is handled the JVM was asked, so many times
int __sigaction(int number, const struct sigaction *new, struct sigaction *old); // the C library's own

static int is_watched(int number) {
    size_t i = 0;
    while (i < COUNT(watched) && watched[i] != number) {
        i++;
    }
    return i < COUNT(watched);
}

static int is_within(const stack_t *stack, void *address) {
    return (uintptr_t)address - (uintptr_t)stack->ss_sp < stack->ss_size;
}

// Calls a handler as the system would: with its mask, and on the alternate stack only if it wants that.
static void handle_as(struct sigaction *wanted, int number, siginfo_t *info, void *context) {
    struct sigaction as = *wanted;
    ucontext_t *at = context;
    void *stack = NULL;
    if (!(as.sa_flags & SA_ONSTACK) && is_within(&at->uc_stack, &as) && !is_within(&at->uc_stack, (void *)STACK_POINTER(context))) {
        stack = (void *)((STACK_POINTER(context) - RED_ZONE) & -16);
    }
    if (!(as.sa_flags & SA_NODEFER)) {
        sigaddset(&as.sa_mask, number);
    }
    if (as.sa_flags & SA_RESETHAND) {
        wanted->sa_handler = SIG_DFL;
        wanted->sa_flags = 0;
    }
    pthread_sigmask(SIG_BLOCK, &as.sa_mask, NULL);
    if (as.sa_flags & SA_NODEFER && !sigismember(&as.sa_mask, number)) {
        sigset_t this;
        sigemptyset(&this);
        sigaddset(&this, number);
        pthread_sigmask(SIG_UNBLOCK, &this, NULL);
    }
    verbatim_on_stack(number, (long)info, (long)context, 0, 0, 0, as.sa_sigaction, stack, 0);
}

static void on_signal(int number, siginfo_t *info, void *context) {
    uintptr_t pc = PROGRAM_COUNTER(context);
    number = asked == 2 ? SIGSEGV : number;
    int javas = inside || (atomic_load(&started) && !attached && environment());
    int is_fault = number == SIGSEGV && info->si_code > 0;
    struct sigaction *wanted = &programs[number];
    if (pc >= (uintptr_t)verbatim_touch_read && pc < (uintptr_t)verbatim_touch_failed) {
        PROGRAM_COUNTER(context) = (uintptr_t)verbatim_touch_failed;
    } else if (javas && number == SIGPIPE) {
        // A peer has closed its socket, which is no concern of the program's.
    } else if (javas && jvms[number].sa_sigaction && asked < 1 + is_fault) {
        // Memory that goes away while Java uses it is a SIGSEGV that is not the JVM's. Of a SIGBUS, which is what happens to mapped
        // files, it makes an error.
        int before = asked++, as = before ? SIGBUS : number;
        info->si_signo = as;
        handle_as(&jvms[as], as, info, context);
        info->si_signo = number;
        asked = before;
    } else if (inside && !atomic_load(&started) && number != SIGXFSZ) {
        give_up();
    } else if (wanted->sa_handler == SIG_DFL) {
        __sigaction(number, wanted, NULL); // a fault comes again, and ends the process
        if (info->si_code <= 0 || number == SIGPIPE || number == SIGXFSZ) {
            raise(number);
        }
    } else if (wanted->sa_handler != SIG_IGN) {
        asked = 0;
        info->si_signo = number;
        handle_as(wanted, number, info, context);
    }
}

static const struct sigaction own = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};

static void watch_signals(void) {
    for (size_t i = 0; i < COUNT(watched); i++) {
        __sigaction(watched[i], &own, &programs[watched[i]]);
    }
}

// What the JVM calls.
static int jvms_sigaction(int number, const struct sigaction *new, struct sigaction *old) {
    if (!is_watched(number)) {
        return __sigaction(number, new, old);
    }
    struct sigaction before = jvms[number].sa_sigaction ? jvms[number] : own;
    jvms[number] = new ? *new : jvms[number];
    if (old) {
        *old = before;
    }
    return 0;
}

// Signals that end the program, where it wants nothing else: first Java says what it knows, on the thread of watch. What the program does
// is over with the signal; a thread that is in Java goes on until it is back.
static const int endings[] = {SIGINT, SIGTERM, SIGHUP};
static _Atomic int ending; // such a signal that has come
static sem_t signalled;    // posted when it has

static void end_by(int number) {
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    __sigaction(number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
}

// The program's thread does nothing more. If Java has not said what it knows in five seconds, it ends without.
static void await_end(void) {
    struct timespec left = {5, 0};
    while (nanosleep(&left, &left)) {
    }
    end_by(atomic_load(&ending));
}

static void on_ending(int number) {
    int error = errno;
    if (!atomic_load(&started) || atomic_exchange(&ending, number)) {
        end_by(number); // a child's, or the second
    }
    sem_post(&signalled);
    if (!inside) {
        await_end();
    }
    errno = error;
}

static const struct sigaction on_end = {.sa_handler = on_ending, .sa_flags = SA_RESTART | SA_ONSTACK};

static int is_ending(int number) {
    size_t i = 0;
    while (i < COUNT(endings) && endings[i] != number) {
        i++;
    }
    return i < COUNT(endings);
}

static void handle_endings(void) {
    for (size_t i = 0; i < COUNT(endings); i++) {
        struct sigaction before;
        if (!__sigaction(endings[i], NULL, &before) && before.sa_handler == SIG_DFL) {
            __sigaction(endings[i], &on_end, NULL);
        }
    }
}

// While the JVM has the handlers, those that the program sets are kept here, for on_signal.
static int programs_sigaction(int number, const struct sigaction *new, struct sigaction *old) {
    if (created && is_ending(number)) {
        int result = __sigaction(number, new && new->sa_handler == SIG_DFL ? &on_end : new, old);
        if (!result && old && old->sa_handler == on_ending) {
            *old = (struct sigaction){.sa_handler = SIG_DFL};
        }
        return result;
    }
    if (!keeping || !is_watched(number)) {
        return __sigaction(number, new, old);
    }
    struct sigaction before = programs[number];
    programs[number] = new ? *new : before;
    if (old) {
        *old = before;
    }
    return 0;
}

static sighandler_t handle_by(int number, sighandler_t handler, int flags) {
    struct sigaction new = {.sa_handler = handler, .sa_flags = flags}, old;
    return programs_sigaction(number, &new, &old) ? SIG_ERR : old.sa_handler;
}

static sighandler_t programs_signal(int number, sighandler_t handler) {
    return handle_by(number, handler, SA_RESTART);
}

// What signal is in programs that are compiled for strict C.
static sighandler_t programs_sysv_signal(int number, sighandler_t handler) {
    return handle_by(number, handler, SA_RESETHAND | SA_NODEFER);
}

EXPORTED int sigaction(int, const struct sigaction *, struct sigaction *) __attribute__((alias("programs_sigaction")));
EXPORTED sighandler_t signal(int, sighandler_t) __attribute__((alias("programs_signal")));
EXPORTED sighandler_t __sysv_signal(int, sighandler_t) __attribute__((alias("programs_sysv_signal")));

// A program that has loaded this library by dlopen finds the C library's first.
static void be_found(void) {
    if (dlsym(RTLD_DEFAULT, "sigaction") == dlsym(RTLD_NEXT, "sigaction")) {
        verbatim_import_all("sigaction", programs_sigaction);
        verbatim_import_all("signal", programs_signal);
        verbatim_import_all("__sysv_signal", programs_sysv_signal);
    }
}

// ---- The JVM: created with the options of VERBATIM_JVM_OPTIONS, a line each, or joined. One that cannot start would end the process;
// it is left as it is then, and the program goes on without a device.

static sem_t ended;          // it has started, or cannot
static pthread_t starter;    // calls it
static jmp_buf given_up;     // of the starter
static atomic_int jvms_threads, lacks_threads, lacks_descriptors;
static char words[512]; // what the JVM said when it started

static void give_up(void) {
    if (pthread_equal(pthread_self(), starter)) {
        longjmp(given_up, 1);
    }
    sem_post(&ended);
    for (;;) {
        pause();
    }
}

static void jvms_exit(int status) {
    if (!atomic_load(&started)) {
        give_up();
    }
    exit(status);
}

static void jvms_abort(void) {
    if (!atomic_load(&started)) {
        give_up();
    }
    say("the JVM met an error and ends the process; with VERBATIM_EXTRA_JVM_OPTIONS=-XX:-SuppressFatalErrorMessage it says which");
    abort();
}

static int jvms_printf(FILE *to, const char *format, va_list arguments) {
    size_t length = strlen(words);
    return atomic_load(&started) ? vfprintf(to, format, arguments)
                                 : vsnprintf(words + length, sizeof words - length, format, arguments);
}

static int jvms_character(int character, FILE *to) {
    return atomic_load(&started) ? fputc(character, to) : character;
}

// A JVM that gets no memory ends the process: it gets what was kept for that, and while there is none to keep objects are refused.
enum { RESERVE = 32 << 20 };
static _Atomic(void *) reserve;
static _Atomic int scarce; // it was given up

static int give_reserve(void) {
    void *kept = atomic_exchange(&reserve, NULL);
    scarce = 1;
    return kept && munmap(kept, RESERVE) == 0;
}

static void *jvms_malloc(size_t size) {
    void *memory = malloc(size);
    return memory || !give_reserve() ? memory : malloc(size);
}

static void *jvms_calloc(size_t count, size_t size) {
    void *memory = calloc(count, size);
    return memory || !give_reserve() ? memory : calloc(count, size);
}

static void *jvms_realloc(void *block, size_t size) {
    void *memory = realloc(block, size);
    return memory || !size || !give_reserve() ? memory : realloc(block, size);
}

// Addresses that the JVM has may be used however few there may be.
static void *jvms_mmap(void *at, size_t length, int rights, int flags, int file, off_t offset) {
    void *memory = mmap(at, length, rights, flags, file, offset);
    if (memory == MAP_FAILED && errno == ENOMEM && give_reserve()) {
        memory = mmap(at, length, rights, flags, file, offset);
    }
    int is_use = (flags & MAP_FIXED) && (flags & MAP_ANONYMOUS) && rights != PROT_NONE;
    return memory == MAP_FAILED && errno == ENOMEM && is_use && mprotect(at, length, rights) == 0 ? at : memory;
}

static int is_limited(int what, unsigned long *limit) {
    struct rlimit limits;
    int known = getrlimit(what, &limits) == 0 && limits.rlim_cur != RLIM_INFINITY;
    *limit = known ? limits.rlim_cur : 0;
    return known;
}

static void keep_reserve(void) {
    void *kept = mmap(NULL, RESERVE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0), *none = NULL;
    scarce = kept == MAP_FAILED;
    if (!scarce && !atomic_compare_exchange_strong(&reserve, &none, kept)) {
        munmap(kept, RESERVE);
    }
}

struct begun {
    void *(*run)(void *);
    void *with;
};

static void *run_jvms(void *of) {
    struct begun begun = *(struct begun *)of;
    free(of);
    inside = 1;
    void *result = begun.run(begun.with);
    atomic_fetch_sub(&jvms_threads, 1);
    return result;
}

// None of its threads takes a signal that is meant for the program.
static int jvms_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *with) {
    struct begun *begun = malloc(sizeof *begun);
    if (!begun) {
        return EAGAIN;
    }
    *begun = (struct begun){run, with};
    atomic_fetch_add(&jvms_threads, 1);
    sigset_t all, before;
    sigfillset(&all);
    for (size_t i = 0; i < COUNT(watched); i++) {
        sigdelset(&all, watched[i]);
    }
    sigdelset(&all, SIGRTMAX - 2); // by which Java ends what a thread does with a socket that another closes
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(thread, attributes, run_jvms, begun);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error) {
        atomic_fetch_sub(&jvms_threads, 1);
        lacks_threads = 1;
        free(begun);
    }
    return error;
}

static int has_descriptors(int count) {
    int *opened = calloc(count, sizeof *opened), had = 0;
    while (opened && had < count && (opened[had] = eventfd(0, EFD_CLOEXEC)) >= 0) {
        had++;
    }
    for (int i = 0; i < had; i++) {
        close(opened[i]);
    }
    free(opened);
    return had == count;
}

// In one line: the first that the JVM said of its end, and the limit that it met.
static void say_unable(void) {
    static const char before[] = "Error occurred during initialization of VM\n";
    char *said = strstr(words, before), limited[128] = "";
    unsigned long limit;
    said = said ? said + strlen(before) : words;
    said[strcspn(said, "\n")] = '\0';
    if ((lacks_descriptors || !has_descriptors(1)) && is_limited(RLIMIT_NOFILE, &limit)) {
        unable = EMFILE;
        snprintf(limited, sizeof limited, "; too few descriptors are left (ulimit -n is %lu)", limit);
    } else if (lacks_threads && is_limited(RLIMIT_NPROC, &limit)) {
        unable = ENOMEM;
        snprintf(limited, sizeof limited, "; a thread could not be made (ulimit -u is %lu)", limit);
    } else if (is_limited(RLIMIT_AS, &limit)) {
        unable = ENOMEM;
        snprintf(limited, sizeof limited, "; there are too few addresses (ulimit -v is %lu)", limit >> 10);
    } else if (is_limited(RLIMIT_DATA, &limit)) {
        unable = ENOMEM;
        snprintf(limited, sizeof limited, "; there is too little memory (ulimit -d is %lu)", limit >> 10);
    }
    dprintf(STDERR_FILENO, "verbatim: no device, since the JVM did not start%s%s%s\n", *said ? ": " : "", said, limited);
}

static int create(const char *library) {
    jint (*make)(JavaVM **, void **, void *);
    void *jvm = library ? dlopen(library, RTLD_NOW | RTLD_GLOBAL) : NULL, *env;
    if (!jvm || !(make = (jint(*)(JavaVM **, void **, void *))dlsym(jvm, "JNI_CreateJavaVM"))) {
        snprintf(words, sizeof words, "%s", library ? dlerror() : "VERBATIM_JVM is not set: start the program by 'verbatim exec -- PROGRAM', or set what"
                                  " 'verbatim exec --print-env' prints");
        return 0;
    }
    static const struct {
        const char *name;
        void *replacement;
        int is_optional; // where builds of the JVM differ
    } imports[] = {{"pthread_getattr_np", stack_of_thread, 0}, {"pthread_create", jvms_thread, 0}, {"sigaction", jvms_sigaction, 0},
        {"exit", jvms_exit, 0}, {"abort", jvms_abort, 0}, {"_exit", jvms_exit, 1}, {"vfprintf", jvms_printf, 1}, {"fputc", jvms_character, 1},
        {"pthread_cond_wait", jvms_wait, 1}, {"pthread_cond_timedwait", jvms_timed_wait, 1}, {"malloc", jvms_malloc, 1},
        {"calloc", jvms_calloc, 1}, {"realloc", jvms_realloc, 1}, {"mmap", jvms_mmap, 1}, {"mmap64", jvms_mmap, 1}};
    be_found();
    verbatim_keep_to_end(make);
    for (size_t i = 0; i < COUNT(imports); i++) {
        if (!verbatim_import(make, imports[i].name, imports[i].replacement) && !imports[i].is_optional) {
            snprintf(words, sizeof words, "%s does not import %s; use a JVM of OpenJDK for glibc", library, imports[i].name);
            return 0;
        }
    }
    JavaVMOption options[64] = {{"vfprintf", jvms_printf}};
    JavaVMInitArgs arguments = {JNI_VERSION_1_8, 1, options, JNI_FALSE};
    static char *volatile text; // stays, and a detector of leaks finds it here
    char *part, *rest = text = strdup(getenv("VERBATIM_JVM_OPTIONS") ?: "");
    while ((size_t)arguments.nOptions < COUNT(options) && (part = strsep(&rest, "\n"))) {
        options[arguments.nOptions] = (JavaVMOption){.optionString = part};
        arguments.nOptions += *part != '\0';
    }
    // If it finds too few descriptors for a class, it never has that class.
    int elements = 0;
    for (const char *at = getenv("VERBATIM_CLASS_PATH"); at; at = strchr(at + 1, ':')) {
        elements++;
    }
    lacks_descriptors = !has_descriptors(elements + JVMS_DESCRIPTORS);
    if (lacks_descriptors) {
        return 0;
    }
    char directory[PATH_MAX];
    if (!getcwd(directory, sizeof directory)) {
        // A JVM does not start in a directory that was deleted. This thread, and those that it makes, have one of their own then.
        int unused = unshare(CLONE_FS) || chdir("/");
        (void)unused;
    }
    unsigned long unused;
    if (is_limited(RLIMIT_AS, &unused)) {
        mallopt(M_ARENA_MAX, 1); // each other one takes 64 MiB of addresses
    }
    keep_reserve();
    keeping = 1;
    watch_signals();
    created = make(&vm, &env, &arguments) == JNI_OK;
    if (created) {
        handle_endings();
    }
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

// What Java is asked by JNI; all else by the function that it answers to to_begin.
enum { to_begin = -1, to_end = -2, to_look = -3, to_end_by_signal = -4 };

static long ask_here(long what, long with) {
    JNIEnv *env = environment();
    return (*env)->CallStaticLongMethod(env, entry, entry_call, (jint)what, (jlong)with);
}

static long ask(int what, long with) {
    return in_java(ask_here, what, with, 0, 0, 0, 0, 0);
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
    starter = pthread_self();
    if (running && running(&vm, 1, &count) == JNI_OK && count == 1) {
        watch_signals();
        verbatim_import(running, "pthread_getattr_np", stack_of_thread);
    } else if (setjmp(given_up) || !create(getenv("VERBATIM_JVM"))) {
        sem_post(&ended);
        return NULL;
    }
    (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, NULL);
    const char *paths = created ? NULL : getenv("VERBATIM_CLASS_PATH"); // else its classes are on the JVM's own class path
    entry = paths ? load_beside(env, paths) : (*env)->FindClass(env, "dev/verbatim/ibverbs/call/Entry");
    if (!(*env)->ExceptionCheck(env) && (entry_call = (*env)->GetStaticMethodID(env, entry, "call", "(IJ)J"))) {
        entry = (*env)->NewGlobalRef(env, entry);
        answer = (void *)ask(to_begin, (long)interface);
        told = !answer;
    }
    jthrowable failure = (*env)->ExceptionOccurred(env);
    (*env)->ExceptionClear(env);
    told |= failure != NULL;
    if (failure && (*env)->IsInstanceOf(env, failure, (*env)->FindClass(env, "java/lang/UnsupportedClassVersionError"))) {
        say("the JVM of this process is older than 22, so that it has no device (ENODEV): start it with JDK 22 or newer");
    } else if (failure) {
        jmethodID to_string = (*env)->GetMethodID(env, (*env)->FindClass(env, "java/lang/Object"), "toString", "()Ljava/lang/String;");
        jstring text = (*env)->CallObjectMethod(env, failure, to_string);
        const char *bytes = text ? (*env)->GetStringUTFChars(env, text, NULL) : NULL;
        dprintf(STDERR_FILENO, "verbatim: the device did not start: %s; set VERBATIM_CLASS_PATH as 'verbatim exec --print-env' prints it\n",
            bytes ?: "no memory");
    }
    (*vm)->DetachCurrentThread(vm);
    well = !told;
    sem_post(&ended);
    return NULL;
}

static void in_child(void) {
    lost |= atomic_exchange(&started, 0);
    attached = inside = jvms_threads = 0;
    atomic_store(&ending, 0);
    waiting = NULL;
}

// ---- Who calls. Each call leaves its return address; where explanations are wanted, or nothing gets on, those of the program's frames: of
// the call itself, and of those outside of it as far as the program keeps frame pointers, as without optimization, where the inline functions
// of the headers are frames of their own.

static int noted, sanitized; // whether explanations are wanted, or mistakes looked for
static int wanted;           // whether nothing gets on at present, so that calls are to say where they are
OF_THREAD long callers[MOST_FRAMES]; // innermost first, then 0
OF_THREAD char *stack_begin, *stack_end; // of the thread; a call on another stack has no frames but its own

static void leave(void *unused);
static void goodbye(int status, void *unused);
static _Atomic int first_ended; // by pthread_exit

static int is_first(void) {
    return syscall(SYS_gettid) == getpid();
}

__attribute__((constructor)) static void choose(void) {
    on_exit(goodbye, NULL); // behind the handlers of the program, which may use verbs
    pthread_key_create(&leaving, leave);
    if (is_first()) {
        pthread_setspecific(leaving, &leaving);
    }
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
    stack_begin = size ? begin : (char *)1;
    stack_end = stack_begin + size;
}

// Of a function that has a frame pointer, and was called by one that has left it as the program had it.
static inline __attribute__((always_inline)) void note(long address, char *frame) {
    int error = errno;
    size_t count = 0;
    if (!stack_end) {
        find_stack();
    }
    callers[count++] = address;
    for (char *next = *(char **)frame; count < MOST_POINTED && frame >= stack_begin && next > frame && next + 16 <= stack_end && !((uintptr_t)next & 7);
         next = *(char **)next) {
        frame = next;
        callers[count++] = ((long *)frame)[1];
    }
    callers[count] = 0;
    errno = error;
}

// The same by the tables of the compiler, which takes longer and finds frames without a pointer, too: memory is mostly given back by
// functions of standard libraries, several within each other, that the program has called.
static void note_by_tables(long address, char *frame) {
    int error = errno, from = 0;
    void *found[2 * MOST_FRAMES];
    int count = backtrace(found, COUNT(found));
    while (from < count && (long)found[from] != address) {
        from++;
    }
    if (from == count) {
        note(address, frame);
    }
    for (int i = 0; from < count && i < MOST_FRAMES; i++) {
        callers[i] = from + i < count ? (long)found[from + i] : 0;
    }
    errno = error;
}

// ---- Calls.

static long attach_here(void) {
    JNIEnv *env;
    return (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, NULL) == JNI_OK;
}

static long detach_here(void) {
    return (*vm)->DetachCurrentThread(vm);
}

static void give_stack(void) {
    if (java_stack) {
        munmap(java_stack, JAVA_STACK);
    }
    java_stack = NULL;
}

static int attach(void) {
    if (environment()) {
        return attached = 1; // a thread of the program's JVM, on its own stack
    }
    java_stack = mmap(NULL, JAVA_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (java_stack == MAP_FAILED) {
        java_stack = NULL;
        return 0;
    }
    attached = in_java(attach_here, 0, 0, 0, 0, 0, 0, 0) && pthread_setspecific(leaving, &leaving) == 0;
    if (!attached) {
        give_stack();
    }
    return attached;
}

// The first thread of a process may end by pthread_exit. The process then ends with the last thread of the program: the C library would
// wait for those of the JVM, too.

static char first_state(void) {
    char file[64], text[128] = "", *name_end;
    snprintf(file, sizeof file, "/proc/self/task/%d/stat", getpid());
    int stat = open(file, O_RDONLY | O_CLOEXEC);
    long length = stat < 0 ? 0 : read(stat, text, sizeof text - 1);
    close(stat);
    return length > 0 && (name_end = strrchr(text, ')')) ? name_end[2] : '?';
}

static long count_threads(void) {
    long count = -2; // . and ..
    DIR *tasks = opendir("/proc/self/task");
    while (tasks && readdir(tasks)) {
        count++;
    }
    if (tasks) {
        closedir(tasks);
    }
    return count;
}

static void *end_with_program(void *unused) {
    // Beside those of the JVM there are then this one, and the first, which stays until the process ends.
    for (int alone = 0; alone < 2;) {
        usleep(10000);
        alone = first_state() == 'Z' && count_threads() == atomic_load(&jvms_threads) + 2 ? alone + 1 : 0;
    }
    exit(0);
}

static void watch_end(void) {
    pthread_t thread;
    if (first_ended && jvms_threads && pthread_create(&thread, NULL, end_with_program, NULL) == 0) {
        pthread_detach(thread);
    }
}

// A thread ends. If another destructor uses verbs, it comes back.
static void leave(void *unused) {
    if (atomic_load(&started) && attached) {
        in_java(detach_here, 0, 0, 0, 0, 0, 0, 0);
    }
    attached = 0;
    give_stack();
    if (is_first() && !atomic_exchange(&first_ended, 1)) {
        watch_end();
    }
}

// The program ends: peers are told. If mistakes were found that are to be its failure, it ends with the status that Java says.
static void goodbye(int status, void *unused) {
    if (atomic_load(&started) && !atomic_load(&ending) && !inside && (attached || attach())) {
        long wanted = ask(to_end, status);
        if (wanted && !status) {
            exit(wanted); // the C library goes on with the handlers that are left
        }
    }
}

// ---- Who waits. While a thread waits for an event in C it has a place here, as far as there are places.

struct waiting {
    _Atomic long object; // of the call; 0 if nobody waits
    long count;          // of the waits here
    long index;          // of the symbol that takes the event
    long callers[MOST_FRAMES];
};
static struct waiting waits[64];

static void end_wait(void *unused) {
    if (waiting) {
        atomic_store(&waiting->object, 0);
        waiting = NULL;
    }
}

static void begin_wait(int index, long object) {
    end_wait(NULL);
    for (size_t i = 0; i < COUNT(waits) && !waiting; i++) {
        long nobody = 0;
        if (!atomic_load_explicit(&waits[i].object, memory_order_relaxed) && atomic_compare_exchange_strong(&waits[i].object, &nobody, -1)) {
            waiting = &waits[i];
            waiting->count++;
            waiting->index = index;
            memcpy(waiting->callers, callers, sizeof callers);
            atomic_store(&waiting->object, object);
        }
    }
}

// Lets Java look twice a second whether anything gets on, and say why not; and ends the process when a signal is to.
static void *watch(void *unused) {
    JNIEnv *env;
    attached = (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, NULL) == JNI_OK;
    while (!atomic_load(&ending)) {
        struct timespec next;
        clock_gettime(CLOCK_REALTIME, &next);
        next.tv_nsec += 500000000;
        next.tv_sec += next.tv_nsec / 1000000000;
        next.tv_nsec %= 1000000000;
        if (sem_timedwait(&signalled, &next) && attached) {
            wanted = (int)ask(to_look, (long)waits);
        }
    }
    if (attached) {
        ask(to_end_by_signal, (long)waits);
    }
    end_by(atomic_load(&ending));
    return NULL;
}

static void begin_to_watch(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, JAVA_STACK);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    jvms_thread(&thread, &attributes, watch, NULL);
}

static void find_quick(void) {
    for (int index = 0; index < symbol_count; index++) {
        const char *where = symbols[index].where;
        quick[index] = index == index_op_poll_cq || strstr(where, "ExtendedPolls")
                       || (strstr(where, "ExtendedPosts") && index != index_op_wr_complete);
    }
}

static void start_once(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    sem_init(&ended, 0, 0);
    pthread_atfork(NULL, NULL, in_child);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, JAVA_STACK); // not what a limit makes of it (ulimit -s)
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    int error = jvms_thread(&thread, &attributes, start, NULL);
    while (!error && sem_wait(&ended)) {
    }
    if (well) {
        find_quick();
        atomic_store(&started, 1);
        begin_to_watch();
    } else if (!told) {
        say_unable();
    }
    watch_end(); // of a first thread that ended before
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

static int makes_object(int index) {
    return symbols[index].fails == fails_null && !strstr(symbols[index].where, "verbs.Names") && index != index_ibv_get_device_name;
}

static long call(int index, long a, long b, long c, long d, long e, long f) {
    if (__builtin_expect(!attached || inside || scarce, 0)) {
        if (inside) {
            return failed(symbols[index].fails, EBUSY); // of a handler of a signal that came within a call
        }
        if (is_lost() || !is_started()) {
            return failed(symbols[index].fails, lost ? ENODEV : unable);
        }
        if (scarce && makes_object(index)) {
            keep_reserve();
            if (scarce) {
                return failed(fails_null, ENOMEM);
            }
        }
        if (!attached && !attach()) {
            return failed(symbols[index].fails, ENOMEM);
        }
    }
    long result = quick[index] ? in_java_quickly(answer, a, b, c, d, e, f, index) : in_java(answer, a, b, c, d, e, f, index);
    if (__builtin_expect(atomic_load_explicit(&ending, memory_order_relaxed), 0)) {
        await_end();
    }
    return result;
}

// Waiting for an event: here, where the thread can be cancelled and interrupted, by the descriptor that the program has, too. Java then
// takes the event; 1 if there is none any more.
static long read_event(int index, long descriptor, long a, long b, long c) {
    uint64_t count;
    long result = 1;
    while (result == 1 && !is_lost() && read(*(int *)descriptor, &count, sizeof count) == sizeof count) {
        result = (int)call(index, a, b, c, 0, 0, 0);
    }
    return result;
}

static long await_event(int index, long descriptor, long a, long b, long c) {
    long result;
    if (sanitized && index == index_take_cq_event) {
        call(index_await_cq_event, a, 0, 0, 0, 0, 0);
    }
    begin_wait(index, a);
    pthread_cleanup_push(end_wait, NULL);
    result = read_event(index, descriptor, a, b, c);
    pthread_cleanup_pop(1);
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
    if (atomic_load(&started) && !inside && !lost && (attached || !environment())) {
        note_by_tables(caller, frame);
        call(index_memory_freed, address, length, (long)name, is_block, 0, 0);
    }
    errno = error;
}

static inline __attribute__((always_inline)) void note_caller(long address) {
    callers[0] = address;
    callers[1] = 0;
}

#define IS_NOTED __builtin_expect(noted | wanted, 0)
#define CALLER (long)__builtin_return_address(0)

#include "forwarders.h" // verbatim_NAME of each symbol, and the table symbols
