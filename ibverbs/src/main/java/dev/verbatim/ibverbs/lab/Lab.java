// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.lab;

import dev.verbatim.ibverbs.call.Messages;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.live.ControlSocket;
import dev.verbatim.sim.FaultPolicy;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The faults of this process, by the environment: a line each. */
public final class Lab {

    private static final String WANTED = System.getenv("VERBATIM_FAULTS");

    /** Whether more may be wanted while the program runs. */
    private static final boolean IS_CONTROLLED = System.getenv("VERBATIM_CONTROL") != null;

    /** Whether any are or may be wanted. */
    public static final boolean ON = IS_CONTROLLED || (WANTED != null && !WANTED.isEmpty());

    private static final List<Fault> FAULTS =
            new CopyOnWriteArrayList<>(ON && WANTED != null ? parse(WANTED) : List.of());

    private static final List<Device> DEVICES = new CopyOnWriteArrayList<>();
    private static @Nullable ControlSocket control;
    private static @Nullable ScheduledExecutorService timer;
    private static final String INJECT = "inject ";
    private static final Set<String> REFUSABLE = IS_CONTROLLED ? Set.copyOf(Words.calls()) : Set.of();
    private static final Set<Gid> OWN = ConcurrentHashMap.newKeySet();

    /** Queue pairs in the order of their creation, by device and number. */
    private static final Map<Long, Created> QUEUE_PAIRS = new ConcurrentHashMap<>();

    private static final AtomicInteger CREATED = new AtomicInteger();

    private static ToIntFunction<String> existing = word -> 0;

    private record Created(int ordinal, QueuePair queuePair) {}

    private Lab() {}

    private static List<Fault> parse(String lines) {
        List<Fault> faults = new ArrayList<>();
        for (String line : lines.lines().toList()) {
            try {
                faults.add(Fault.parse(line));
            } catch (BadFault e) {
                Messages.say("fault '%s' does not happen: %s", line, String.valueOf(e.getMessage()));
            }
        }
        return List.copyOf(faults);
    }

    /** What becomes of packets; null if none meets a fault. */
    public static @Nullable FaultPolicy packets() {
        boolean any = FAULTS.stream().anyMatch(fault -> fault.kind().isOfPackets());
        return any ? new PacketFaults(FAULTS, OWN) : null;
    }

    /** By what objects are counted, by their words in faults. */
    public static void countBy(ToIntFunction<String> population) {
        existing = population;
    }

    /** A device was opened, and its events begin. */
    public static void opened(Device device) {
        OWN.add(device.gid());
        DEVICES.add(device);
        FAULTS.forEach(fault -> schedule(device, fault));
        if (IS_CONTROLLED) {
            listen();
        }
    }

    private static synchronized void listen() {
        if (control == null) {
            try {
                control = ControlSocket.open(Lab::answer);
            } catch (UncheckedIOException e) {
                Messages.say("%s", String.valueOf(e.getMessage()));
            }
        }
    }

    /** The program ends, and takes no faults any more. */
    public static synchronized void close() {
        if (control != null) {
            control.close();
            control = null;
        }
    }

    private static synchronized void schedule(Device device, Fault fault) {
        if (fault.kind() == Fault.Kind.EVENT && fault.afterNanos() >= 0) {
            ScheduledExecutorService scheduler = timer;
            if (scheduler == null) {
                scheduler = Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("verbatim-faults").factory());
                timer = scheduler;
            }
            var unused = scheduler.schedule(() -> raise(device, fault), fault.afterNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** What a command from outside is answered with. */
    private static String answer(String command) {
        try {
            String line = command.startsWith(INJECT) ? command.substring(INJECT.length()) : "";
            if (line.isBlank()) {
                throw new BadFault("'" + command + "' is no command; it is one of stat, inject FAULT");
            }
            inject(Fault.parse(line));
            return "injected\n";
        } catch (BadFault e) {
            return "error " + e.getMessage() + "\n";
        }
    }

    /** Lets something fail from now on, which is where its steps are counted from; an event without a step is raised at once. */
    private static void inject(Fault fault) {
        if (fault.isOfPackets() || fault.kind() == Fault.Kind.SEED) {
            throw new BadFault("fault '" + fault + "' is of packets, which are given when the program starts");
        }
        if (fault.kind() == Fault.Kind.EVENT && fault.value("nth") == null && fault.afterNanos() < 0) {
            DEVICES.forEach(device -> raise(device, fault));
            return;
        }
        FAULTS.add(fault);
        DEVICES.forEach(device -> schedule(device, fault));
    }

    private static void raise(Device device, Fault fault) {
        try {
            device.inject(EventType.valueOf(String.valueOf(fault.value("type"))));
        } catch (VerbsException e) {
            Messages.say("fault '%s' did not happen: %s", fault, String.valueOf(e.getMessage()));
        }
    }

    private static long key(int device, int number) {
        return (long) device << Integer.SIZE | number;
    }

    /** A queue pair was created on a device of this index. */
    public static void created(int device, QueuePair queuePair) {
        QUEUE_PAIRS.put(key(device, queuePair.number()), new Created(CREATED.incrementAndGet(), queuePair));
    }

    /** Whether a call may be refused, by the function of symbols.txt. */
    public static boolean concerns(String symbol) {
        String call = Calls.familyOf(symbol);
        if (IS_CONTROLLED) {
            return REFUSABLE.contains(call);
        }
        return FAULTS.stream()
                .anyMatch(fault -> (fault.kind() == Fault.Kind.REFUSE && call.equals(fault.value("call")))
                        || (fault.kind() == Fault.Kind.LIMIT && creates(call, fault)));
    }

    private static boolean creates(String call, Fault fault) {
        String objects = String.valueOf(fault.value("objects"));
        return switch (objects) {
            case "pd", "mw" -> call.equals("ibv_alloc_" + objects);
            case "mr" -> call.equals("ibv_reg_mr");
            default -> call.equals("ibv_create_" + objects) || call.equals("rdma_create_" + objects);
        };
    }

    /**
     * A call is going to be made.
     *
     * @param symbol the function of symbols.txt
     * @throws Refused if it is to fail
     */
    public static void enter(String symbol) {
        String call = Calls.familyOf(symbol);
        for (Fault fault : FAULTS) {
            boolean refused = fault.kind() == Fault.Kind.REFUSE && call.equals(fault.value("call")) && fault.happens();
            boolean exceeded = fault.kind() == Fault.Kind.LIMIT
                    && creates(call, fault)
                    && existing.applyAsInt(String.valueOf(fault.value("objects"))) >= fault.most();
            if (refused || exceeded) {
                throw new Refused(fault.error(Errno.ENOMEM).number(), "the fault '" + fault + "' was wanted");
            }
        }
    }

    /** The program polls a completion of a device of this index: it may become a failure, which takes its queue pair to ERR. */
    public static void polled(int index, Device device, WorkCompletion completion) {
        for (Fault fault : FAULTS) {
            if (fault.kind() == Fault.Kind.EVENT && fault.afterNanos() < 0 && fault.happens()) {
                raise(device, fault);
            }
            if (fault.kind() == Fault.Kind.COMPLETE && completion.isSuccess()) {
                Created of = QUEUE_PAIRS.get(key(index, completion.qpNumber()));
                if (isOf(fault, of, completion) && fault.happens()) {
                    fail(fault, of, completion);
                }
            }
        }
    }

    private static boolean isOf(Fault fault, @Nullable Created of, WorkCompletion completion) {
        String opcode = fault.value("opcode");
        return (fault.queuePair() == 0 || (of != null && of.ordinal() == fault.queuePair()))
                && (opcode == null || completion.opcode().name().equals(opcode));
    }

    private static void fail(Fault fault, @Nullable Created of, WorkCompletion completion) {
        WcStatus status = WcStatus.valueOf(String.valueOf(fault.value("status")));
        long number = completion.requestNumber();
        completion.fill(
                completion.id(),
                status,
                completion.opcode(),
                0,
                0,
                completion.qpNumber(),
                0,
                0,
                status.number(),
                Refusal.of(Rule.UNLISTED, "the fault '%s' was wanted", fault.toString()));
        completion.number(number);
        if (of != null) {
            try {
                of.queuePair().modify(new QpAttributes().state(QpState.ERR), QpAttributeMask.STATE);
            } catch (VerbsException e) {
                // It is destroyed, or in RESET.
            }
        }
    }
}
