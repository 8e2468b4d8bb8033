// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.cause.Misuse;
import dev.verbatim.ibverbs.lab.Lab;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.wire.MemoryFault;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The one way of C into Java, for all functions. Nothing that is thrown leaves it, since that would end the process: a function that
 * meets it fails as its symbol says, and one whose failing fails, too, does so without an object.
 */
final class Guard {

    /** What tests have thrown, and where; the first of them is no test's. */
    enum Place {
        NOWHERE,
        BEFORE,
        WITHIN,
        BEHIND
    }

    /** Whether tests have something thrown. */
    private static final boolean IS_TESTED = Boolean.getBoolean("verbatim.guard.tested");

    private static final Symbol[] SYMBOLS = withRehearsal(Library.get().symbols());

    /** Behind the functions of the list is one that fails, and whose failing fails. */
    private static final int REHEARSAL = SYMBOLS.length - 1;

    private static final Answers[] ANSWERS = new Answers[SYMBOLS.length];

    /** Whether something is done before the call. */
    private static final boolean[] IS_PREPARED = new boolean[SYMBOLS.length];

    private static final int EIO = Errno.EIO.number(), ENOMEM = Errno.ENOMEM.number();

    static volatile Place place = Place.NOWHERE;
    static volatile @Nullable Throwable thrown;

    private Guard() {}

    private static Symbol[] withRehearsal(Symbol[] symbols) {
        Symbol[] all = Arrays.copyOf(symbols, symbols.length + 1);
        all[symbols.length] = new Symbol("call.Guard.rehearse", Fails.ERRNO);
        return all;
    }

    /** Goes the way of a failure to its end: the virtual machine takes heap where it throws and catches for the first time. */
    static void rehearse() {
        Answers failing = new Answers() {
            @Override
            protected long call(int index, long a, long b, long c, long d, long e, long f) {
                throw new StackOverflowError("a rehearsal");
            }
        };
        answerBy(REHEARSAL, failing);
        long errno = call(0, 0, 0, 0, 0, 0, REHEARSAL);
        if (errno != ENOMEM || errnoOf(SYMBOLS[REHEARSAL], new StackOverflowError("a rehearsal")) != ENOMEM) {
            throw new IllegalStateException("a rehearsal ended with errno " + errno);
        }
    }

    /** Has these answer. */
    static void answerBy(int index, Answers answers) {
        ANSWERS[index] = answers;
        Symbol symbol = SYMBOLS[index];
        IS_PREPARED[index] =
                IS_TESTED || symbol.heap() != Symbol.Heap.NEITHER || (Lab.ON && Lab.concerns(symbol.name()));
    }

    static long call(long a, long b, long c, long d, long e, long f, int index) {
        try {
            if (IS_PREPARED[index]) {
                prepare(index, b, c);
            }
            if (Misuse.ON && isOfSockets(SYMBOLS[index])) {
                return answerByOwnVerbs(index, a, b, c, d, e, f);
            }
            long result = ANSWERS[index].call(index, a, b, c, d, e, f);
            MemoryFault.raise(); // of its last access, and not behind the guard
            return result;
        } catch (Throwable failure) {
            try {
                if (failure instanceof OutOfMemoryError) {
                    Reserve.give(); // which the rest of this may need
                }
                MemoryFault.raise();
                return failed(index, failure);
            } catch (Throwable again) {
                return failedTwice(SYMBOLS[index].fails(), failure, again);
            }
        }
    }

    private static void prepare(int index, long b, long c) throws Throwable {
        Symbol symbol = SYMBOLS[index];
        throwAt(Place.BEFORE);
        switch (symbol.heap()) {
            case KEEPS -> Reserve.require();
            case POSTS -> Reserve.requireNowAndThen();
            case FREES -> Reserve.free();
            case NEITHER -> {}
        }
        if (Lab.ON && Lab.concerns(symbol.name())) {
            meetFaults(symbol, b, c);
        }
        throwAt(Place.WITHIN);
    }

    private static boolean isOfSockets(Symbol symbol) {
        return symbol.where().startsWith("rsocket.");
    }

    /** A call that the library answers by verbs of its own, which are not the program's. */
    private static long answerByOwnVerbs(int index, long a, long b, long c, long d, long e, long f) {
        Misuse.enterOwn();
        try {
            long result = ANSWERS[index].call(index, a, b, c, d, e, f);
            MemoryFault.raise();
            return result;
        } finally {
            Misuse.leaveOwn();
        }
    }

    /** A call that fails where a fault wants it. Of a chain of requests none is posted, and {@code bad} points to the first. */
    private static void meetFaults(Symbol symbol, long requests, long bad) {
        try {
            Lab.enter(symbol.name());
        } catch (Refused wanted) {
            if (symbol.name().startsWith("op_post_")) {
                Native.putLong(bad, requests);
            }
            throw wanted;
        }
    }

    private static void throwAt(Place here) throws Throwable {
        if (!IS_TESTED) {
            return;
        }
        boolean isHere = place == here || (place == Place.BEHIND && here == Place.WITHIN);
        Throwable wanted = thrown;
        if (isHere && wanted != null) {
            throw wanted;
        }
    }

    private static long failed(int index, Throwable failure) throws Throwable {
        Symbol symbol = SYMBOLS[index];
        throwAt(Place.BEHIND);
        if (index == REHEARSAL) {
            throw failure;
        }
        int errno = errnoOf(symbol, failure);
        if (symbol.fails().setsErrno()) {
            Native.errno(errno);
        }
        return symbol.fails().with(errno);
    }

    private static int errnoOf(Symbol symbol, Throwable failure) {
        if (failure instanceof VerbsException refused) {
            Messages.refused(symbol.name(), refused);
            return refused.errno().number();
        }
        if (failure instanceof Refused refused) {
            Messages.refused(symbol.name(), refused);
            return refused.errno();
        }
        if (isOfMemory(failure)) {
            return ENOMEM;
        }
        if (failure instanceof InternalError) {
            Refused fault = new Refused(Refused.EFAULT, "memory that a pointer of the program's leads to is not there");
            Messages.refused(symbol.name(), fault);
            return fault.errno();
        }
        Messages.unexpected(symbol.name(), failure);
        return EIO;
    }

    /** There is no heap, or no stack. */
    private static boolean isOfMemory(Throwable failure) {
        return failure instanceof VirtualMachineError && !(failure instanceof InternalError);
    }

    /** Without an object, and without a word. */
    private static long failedTwice(Fails fails, Throwable failure, Throwable again) {
        int errno = EIO;
        try {
            errno = isOfMemory(failure) || isOfMemory(again)
                    ? ENOMEM
                    : again instanceof InternalError ? Refused.EFAULT : EIO;
            if (fails.setsErrno()) {
                Native.errno(errno);
            }
        } catch (Throwable last) {
            errno = ENOMEM; // the function fails at least
        }
        return fails.with(errno);
    }
}
