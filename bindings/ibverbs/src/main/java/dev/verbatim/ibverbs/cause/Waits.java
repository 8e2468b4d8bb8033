// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import dev.verbatim.ibverbs.call.Messages;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.VerbsException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the program waits for, said when nothing happens for about two seconds, and when a signal ends it: once for each place, on
 * standard error, or where failures are told. {@code verbatim.c} has it looked twice a second; while requests get on that costs one look
 * at each queue pair.
 */
public final class Waits {

    /** Looks without progress before something is said. */
    private static final int PATIENCE = 3;

    /** So many looks later, what does not get on is looked up again. */
    private static final int LATER = 8;

    private static final int MOST_LINES = 16;

    private static final boolean IS_QUIET = System.getenv("VERBATIM_QUIET") != null;

    private static final Set<Call> CALLS = ConcurrentHashMap.newKeySet();
    private static final Map<String, LongFunction<@Nullable Wait>> EVENTS = new ConcurrentHashMap<>();
    private static final List<LongSupplier> PROGRESS = new CopyOnWriteArrayList<>();
    private static final List<Function<Boolean, List<Wait>>> OTHERS = new CopyOnWriteArrayList<>();
    private static final Set<Object> TOLD = new HashSet<>();

    private static @Nullable WaitingThreads waiting;
    private static int made;
    private static volatile int looks;
    private static volatile boolean arePlacesWanted;
    private static volatile @Nullable Wait noRoom;
    private static long progress;
    private static int quietLooks;

    private Waits() {}

    /**
     * Something that does not get on.
     *
     * @param call the function in which the program is, or which tells of it; null if it is in none
     * @param place where it was called; null if that is not known
     * @param what of it, as a sentence without a subject
     * @param reason what would end it; null if {@code what} says it
     * @param posted where the request was posted, or the event fetched that it waits for; null if that is not known
     */
    public record Wait(
            @Nullable String call,
            @Nullable NativeCallSite place,
            String what,
            @Nullable Refusal reason,
            @Nullable NativeCallSite posted) {

        /** Nothing is wrong, but a wait that lasts. */
        public static Wait inVain(String what) {
            return new Wait(null, null, what, null, null);
        }

        /** The same in a call. */
        Wait in(String symbol, @Nullable NativeCallSite where) {
            return new Wait(Causes.callOf(symbol), where, what, reason, posted);
        }

        private String asLine() {
            StringBuilder text = new StringBuilder();
            if (call != null) {
                text.append(call).append(place == null ? "" : " at " + place).append(' ');
            }
            text.append(what);
            for (Refusal each = reason; each != null; each = each.cause()) {
                text.append(": ").append(WordsOfC.of(each.ownSentence()));
                if (each.cause() == null) {
                    text.append(" [").append(each.rule()).append(']');
                }
            }
            if (posted != null) {
                text.append(reason == null ? "; fetched at " : "; posted at ").append(posted);
            }
            return text.toString();
        }

        private Failure asFailure() {
            String text = (call == null ? "" : call + " ") + what;
            return new Failure("wait", text, Map.of(), reason, null, posted, call, place);
        }
    }

    /** A call waits for acknowledgements of so many events that the program has fetched by a function, the last at that place. */
    public static Wait owed(
            int count, String events, String fetch, String acknowledge, @Nullable NativeCallSite fetched) {
        String what = "has waited for the acknowledgement of " + count + " " + events + ", which " + fetch
                + " has given to the program; call " + acknowledge + " for each first";
        return new Wait(null, null, what, null, fetched);
    }

    /** A call of the library's that waits, on the thread of the program. */
    private static final class Call {

        private final String name;
        private final @Nullable NativeCallSite place;
        private final Supplier<Wait> what;
        private int looks;

        private Call(String name, Supplier<Wait> what) {
            this.name = name;
            this.place = NativeCallSite.ofCall();
            this.what = what;
        }
    }

    /** What a thread does that waits. */
    public interface Waiting<E extends Exception> {

        /** Waits. */
        void run() throws E;
    }

    /** This thread waits in a call. */
    public static <E extends Exception> void during(String name, Supplier<Wait> what, Waiting<E> waiting) throws E {
        Call call = new Call(name, what);
        CALLS.add(call);
        try {
            waiting.run();
        } finally {
            CALLS.remove(call);
        }
    }

    /** A call found no room, and the program may try it again and again. */
    public static void noRoom(String symbol, Refusal reason) {
        noRoom =
                new Wait(null, null, "finds no room again and again", reason, null).in(symbol, NativeCallSite.ofCall());
    }

    /** How often it was looked. */
    public static int looks() {
        return looks;
    }

    /** Whether nothing gets on at present, so that polls that find nothing are to tell where they are. */
    public static boolean arePlacesWanted() {
        return arePlacesWanted;
    }

    /** Who waits in C for an event of an object waits for this, by the function of symbols.txt that takes the event. */
    public static void ofEvents(String symbol, LongFunction<@Nullable Wait> what) {
        EVENTS.put(symbol, what);
    }

    /** A number that changes while something gets on, and what does not get on when it stays, told whether nobody is known to wait. */
    public static void ofOthers(LongSupplier number, Function<Boolean, List<Wait>> what) {
        PROGRESS.add(number);
        OTHERS.add(what);
    }

    /**
     * Looks at everything. By one thread.
     *
     * @param table where waiting threads are listed
     * @param isLast whether a signal ends the process, so that what waits is said sooner
     */
    public static void look(long table, boolean isLast) {
        try {
            lookAt(threadsAt(table), isLast);
        } catch (VerbsException closed) {
            // The program ends, and its devices are closed meanwhile.
        }
    }

    private static void lookAt(WaitingThreads threads, boolean isLast) {
        int patience = isLast ? 1 : PATIENCE;
        long now = 0;
        for (LongSupplier each : PROGRESS) {
            now = 31 * now + each.getAsLong();
        }
        quietLooks = now == progress ? quietLooks + 1 : 0;
        progress = now;
        arePlacesWanted = quietLooks > 0;
        looks = ++made;
        Wait refused = noRoom;
        noRoom = null;
        List<Wait> found = new ArrayList<>();
        List<Wait> idle = new ArrayList<>();
        for (Call call : CALLS) {
            if (++call.looks == patience || (isLast && call.looks > patience)) {
                found.add(call.what.get().in(call.name, call.place));
            }
        }
        for (WaitingThreads.Waiting thread : threads.look(patience, isLast)) {
            LongFunction<@Nullable Wait> what = EVENTS.get(thread.symbol());
            Wait wait = what == null ? null : what.apply(thread.object());
            if (wait != null) {
                (wait.reason() == null ? idle : found).add(wait.in(thread.symbol(), thread.place()));
            }
        }
        boolean isQuiet =
                isLast ? quietLooks > 0 : quietLooks == PATIENCE || (quietLooks > PATIENCE && quietLooks % LATER == 0);
        if (isQuiet && refused != null) {
            found.add(refused);
        }
        if (isQuiet) {
            for (Function<Boolean, List<Wait>> each : OTHERS) {
                found.addAll(each.apply(found.isEmpty()));
            }
        }
        (found.isEmpty() ? idle : found).forEach(Waits::tell);
    }

    private static WaitingThreads threadsAt(long table) {
        WaitingThreads known = waiting;
        if (known == null) {
            known = new WaitingThreads(table);
            waiting = known;
        }
        return known;
    }

    private static void tell(Wait wait) {
        Failure failure = wait.asFailure();
        if (IS_QUIET || TOLD.size() >= MOST_LINES || !TOLD.add(failure.likeness())) {
            return;
        }
        if (Causes.ON) {
            Report.OF_PROCESS.tell(failure);
        } else {
            Messages.say("%s", wait.asLine());
        }
    }
}
