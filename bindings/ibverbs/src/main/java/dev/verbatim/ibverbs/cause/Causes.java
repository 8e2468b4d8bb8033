// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cause;

import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.DroppedPackets;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Tells why calls and requests fail, if the environment asks for it. */
public final class Causes {

    private static final @Nullable String WANTED = System.getenv("VERBATIM_EXPLAIN");

    /** Whether all failures are told, those included that programs bring about. */
    private static final boolean ALL = WANTED != null && !WANTED.isEmpty();

    /** Whether failures are told: also where mistakes are looked for. While they are not, nothing is kept of any request. */
    public static final boolean ON = ALL || Misuse.ON;

    /** A peer over a network tells its reason behind its NAK. */
    private static final int MOST_WAITS = 100;

    private static final long WAIT_NANOS = 1_000_000;

    private static final List<Runnable> ENDINGS = new CopyOnWriteArrayList<>();

    private Causes() {}

    /** Has something done before the devices are closed. */
    public static void atEnd(Runnable ending) {
        ENDINGS.add(ending);
    }

    /** The program ends by exit. */
    public static void end() {
        if (ON) {
            ENDINGS.forEach(Runnable::run);
        }
    }

    /** The devices are closed: says how often what was told once has come. */
    public static void summarize() {
        if (ON) {
            Report.OF_PROCESS.end();
        }
    }

    /** The name by which programs call a function of symbols.txt. */
    static String callOf(String symbol) {
        return switch (symbol) {
            case "take_cq_event" -> "ibv_get_cq_event";
            case "take_async_event" -> "ibv_get_async_event";
            case "take_cm_event" -> "rdma_get_cm_event";
            default -> symbol.startsWith("op_") ? "ibv_" + symbol.substring("op_".length()) : symbol;
        };
    }

    /** A call is refused, by the function of symbols.txt that answers it. */
    public static void refused(String symbol, RuntimeException refused) {
        int number = refused instanceof VerbsException verbs
                ? verbs.errno().number()
                : refused instanceof Refused own ? own.errno() : Errno.EIO.number();
        if (number == Errno.EAGAIN.number() || number == Refused.EINPROGRESS || (!ALL && isUsual(symbol, number))) {
            return;
        }
        String call = callOf(symbol);
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("errno", nameOf(number));
        Report.OF_PROCESS.tell(new Failure(
                "verb",
                call + " was refused: " + nameOf(number),
                facts,
                refused instanceof VerbsException verbs ? verbs.refusal() : null,
                refused.getMessage(),
                null,
                call,
                NativeCallSite.here()));
    }

    /** Programs ask so what a device can do, and of a socket which options it has. */
    private static boolean isUsual(String symbol, int errno) {
        boolean isOfSockets = symbol.startsWith("r") && !symbol.startsWith("rdma_");
        return isOfSockets || errno == Errno.EOPNOTSUPP.number() || errno == Refused.ENOSYS;
    }

    private static String nameOf(int errno) {
        for (Errno each : Errno.values()) {
            if (each.number() == errno) {
                return each.name();
            }
        }
        return switch (errno) {
            case Refused.EBADF -> "EBADF";
            case Refused.EFAULT -> "EFAULT";
            case Refused.ENOSYS -> "ENOSYS";
            default -> "errno " + errno;
        };
    }

    /**
     * The program gets a failed completion.
     *
     * @param device its name
     * @param opcode of the request, in words; empty if it is not known
     * @param posted where it was posted; null if it is not known
     * @param symbol the function that the program polls by; null if it ended without polling it
     */
    public static void failed(
            String device,
            WorkCompletion completion,
            String opcode,
            @Nullable NativeCallSite posted,
            @Nullable String symbol) {
        if (!ALL && completion.status() == WcStatus.WR_FLUSH_ERR) {
            return; // programs end so, and a failure before it is told
        }
        Refusal refusal = completion.refusal();
        awaitReason(completion.status(), refusal);
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("device", device);
        facts.put("qp", completion.qpNumber());
        facts.put("wr_id", Long.toUnsignedString(completion.id()));
        facts.put("status", completion.status().name());
        facts.put("vendor_err", VendorErrors.of(completion));
        Report.OF_PROCESS.tell(new Failure(
                "completion",
                (opcode.isEmpty() ? "request" : opcode)
                        + " wr_id=" + Long.toUnsignedString(completion.id()) + " of qp " + completion.qpNumber()
                        + " failed: "
                        + completion.status() + " (status "
                        + completion.status().number() + ", vendor_err "
                        + VendorErrors.of(completion) + ")",
                facts,
                refusal,
                null,
                posted,
                symbol == null ? null : callOf(symbol),
                symbol == null ? null : NativeCallSite.here()));
    }

    private static void awaitReason(WcStatus status, @Nullable Refusal refusal) {
        boolean isPeers = status == WcStatus.REM_ACCESS_ERR
                || status == WcStatus.REM_INV_REQ_ERR
                || status == WcStatus.REM_OP_ERR;
        for (int waits = 0; isPeers && refusal != null && refusal.cause() == null && waits < MOST_WAITS; waits++) {
            LockSupport.parkNanos(WAIT_NANOS);
        }
    }

    /** The program gets an asynchronous event; only those that are errors are told. */
    public static void event(String device, AsyncEvent event) {
        if (!isError(event)) {
            return;
        }
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("device", device);
        facts.put("event", event.type().name());
        Report.OF_PROCESS.tell(new Failure(
                "event",
                "asynchronous event " + event.type() + " of " + subjectOf(device, event),
                facts,
                event.refusal(),
                event.refusal() == null ? "it was injected" : null,
                null,
                "ibv_get_async_event",
                NativeCallSite.here()));
    }

    private static boolean isError(AsyncEvent event) {
        return switch (event.type()) {
            case CQ_ERR, QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR, SRQ_ERR, PORT_ERR, DEVICE_FATAL, PATH_MIG_ERR -> true;
            default -> false;
        };
    }

    private static String subjectOf(String device, AsyncEvent event) {
        QueuePair qp = event.queuePair();
        CompletionQueue cq = event.completionQueue();
        SharedReceiveQueue srq = event.sharedReceiveQueue();
        if (qp != null) {
            return "qp " + qp.number();
        }
        if (cq != null) {
            return "a completion queue of " + device;
        }
        return srq != null
                ? "srq " + srq.number()
                : event.portNumber() == 0 ? device : "port " + event.portNumber() + " of " + device;
    }

    /** A device has dropped a packet, of the first kind so far, or one could not leave it. */
    public static void dropped(String device, DroppedPackets dropped) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("device", device);
        facts.put("qp", dropped.qpNumber());
        Report.OF_PROCESS.tell(
                new Failure("drop", textOf(device, dropped), facts, dropped.reason(), null, null, null, null));
    }

    private static String textOf(String device, DroppedPackets dropped) {
        return dropped.isOwn()
                ? device + " lost a packet of qp " + dropped.qpNumber()
                : device + " dropped a packet for qp " + dropped.qpNumber();
    }

    /** The program ends: so many of them were dropped in all. */
    public static void droppedInAll(String device, DroppedPackets dropped) {
        Report.OF_PROCESS.say("verbatim: " + dropped.count() + " packets in all: " + textOf(device, dropped) + ": "
                + dropped.reason() + "\n");
    }

    /**
     * The program gets an event of a connection that failed.
     *
     * @param symbol the function that it gets it by
     */
    public static void connection(String name, int status, String explanation, String symbol) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("event", name);
        facts.put("status", status);
        String shown = status < 0 ? nameOf(-status) : String.valueOf(status);
        Report.OF_PROCESS.tell(new Failure(
                "connection",
                name + " with status " + shown,
                facts,
                null,
                explanation,
                null,
                callOf(symbol),
                NativeCallSite.here()));
    }
}
