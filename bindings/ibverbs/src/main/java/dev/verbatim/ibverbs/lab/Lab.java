// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.lab;

import dev.verbatim.ibverbs.call.Messages;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.live.ControlSocket;
import dev.verbatim.sim.FaultPolicy;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
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
    private static final CreatedQueuePairs QUEUE_PAIRS = new CreatedQueuePairs();
    private static final Links LINKS = new Links();
    private static final DeviceFaults DEVICE_FAULTS = new DeviceFaults(QUEUE_PAIRS, LINKS);

    private static ToIntFunction<String> existing = word -> 0;
    private static boolean isLossy;

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

    /**
     * What becomes of the packets of a device, which can be lost.
     *
     * @param device its name
     */
    public static FaultPolicy packets(String device) {
        isLossy = true;
        return new PacketFaults(device, FAULTS, OWN, LINKS);
    }

    /** By what objects are counted, by their words in faults. */
    public static void countBy(ToIntFunction<String> population) {
        existing = population;
    }

    /** A device was opened, and its events begin. */
    public static void opened(Device device) {
        OWN.addAll(device.gids());
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

    /** Whether the fault is for that device; what happens to queue pairs, of whichever devices, is left to the first. */
    private static boolean isFor(Fault fault, Device device) {
        return fault.isOf(device.name()) && (!fault.isOfQueuePairs() || DEVICES.indexOf(device) == 0);
    }

    private static synchronized void schedule(Device device, Fault fault) {
        if (!fault.kind().isTimed() || fault.afterNanos() < 0 || !isFor(fault, device)) {
            return;
        }
        if (fault.afterNanos() == 0) {
            DEVICE_FAULTS.happen(fault, device);
            return;
        }
        ScheduledExecutorService scheduler = timer;
        if (scheduler == null) {
            scheduler = Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("verbatim-faults").factory());
            timer = scheduler;
        }
        var unused =
                scheduler.schedule(() -> DEVICE_FAULTS.happen(fault, device), fault.afterNanos(), TimeUnit.NANOSECONDS);
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

    /**
     * Lets something fail from now on, which is where its steps are counted from; what happens to a device, without a step, happens at
     * once.
     */
    private static void inject(Fault fault) {
        if (fault.kind() == Fault.Kind.SEED) {
            throw new BadFault("fault '" + fault + "' is given when the program starts");
        }
        if (fault.isOfPackets() && !isLossy) {
            throw new BadFault(
                    "fault '" + fault + "' is of packets, which TCP never loses; start the program with --fabric roce");
        }
        List<String> names = DEVICES.stream().map(Device::name).toList();
        if (fault.device() != null && !names.contains(fault.device())) {
            throw new BadFault("fault '" + fault + "' names no open device; it is one of " + String.join(", ", names));
        }
        if (DEVICES.stream()
                .anyMatch(device -> fault.isOf(device.name())
                        && fault.port() > device.gids().size())) {
            throw new BadFault("fault '" + fault + "' names no port; the program was started with fewer --ports");
        }
        if (fault.kind().isTimed() && fault.value("nth") == null && fault.afterNanos() < 0) {
            DEVICES.stream()
                    .filter(device -> isFor(fault, device))
                    .forEach(device -> DEVICE_FAULTS.happen(fault, device));
            return;
        }
        FAULTS.add(fault);
        DEVICES.forEach(device -> schedule(device, fault));
    }

    /** A queue pair was created on a device of this index. */
    public static void created(int device, QueuePair queuePair) {
        QUEUE_PAIRS.add(device, queuePair);
    }

    /** It was destroyed. */
    public static void destroyed(int device, QueuePair queuePair) {
        QUEUE_PAIRS.remove(device, queuePair);
    }

    /** How many requests a queue takes that so many were asked for: fewer, where a fault says so; {@code send_wr} or {@code recv_wr}. */
    public static int taken(String queue, int asked) {
        long least = asked;
        for (Fault fault : FAULTS) {
            if (fault.kind() == Fault.Kind.LIMIT && queue.equals(fault.value("objects"))) {
                least = Math.min(least, fault.most());
            }
        }
        return (int) least;
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
            case "send_wr", "recv_wr" -> false;
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
                throw new Refused(
                        fault.error(Errno.ENOMEM).number(), fault.reason().sentence());
            }
        }
    }

    /** The program polls a completion of a device of this index: it may become a failure, which takes its queue pair to ERR. */
    public static void polled(int index, Device device, WorkCompletion completion) {
        for (Fault fault : FAULTS) {
            if (fault.kind().isTimed() && fault.afterNanos() < 0 && fault.happens()) {
                DEVICE_FAULTS.happen(fault, named(fault, device));
            }
            if (fault.kind() == Fault.Kind.COMPLETE && completion.isSuccess()) {
                CreatedQueuePairs.Created of = QUEUE_PAIRS.of(index, completion.qpNumber());
                if (isOf(fault, of, completion) && fault.happens()) {
                    fail(fault, of, completion);
                }
            }
        }
    }

    /** The device that a fault names, or else the one that the step was of. */
    private static Device named(Fault fault, Device ofStep) {
        return DEVICES.stream()
                .filter(device -> device.name().equals(fault.device()))
                .findFirst()
                .orElse(ofStep);
    }

    private static boolean isOf(Fault fault, CreatedQueuePairs.@Nullable Created of, WorkCompletion completion) {
        String opcode = fault.value("opcode");
        return (fault.queuePair() == 0 || (of != null && of.ordinal() == fault.queuePair()))
                && (opcode == null || completion.opcode().name().equals(opcode));
    }

    private static void fail(Fault fault, CreatedQueuePairs.@Nullable Created of, WorkCompletion completion) {
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
                fault.reason());
        completion.number(number);
        if (of != null) {
            try {
                of.queuePair().modify(new QpAttributes().state(QpState.ERR).reason(fault.reason()));
            } catch (VerbsException e) {
                // It is destroyed, or in RESET.
            }
        }
    }
}
