// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.lab;

import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.LinkSpeed;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Opcode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Something that is to go wrong, as a line has it: a word that says what, and its values, such as {@code refuse call=ibv_reg_mr
 * error=ENOMEM nth=3}. Steps are counted from 1.
 */
public final class Fault {

    /** What can go wrong, and the values that each has. */
    enum Kind {
        DROP("packet from device nth times per_mille"),
        DUPLICATE("packet from device nth times per_mille"),
        DELAY("packet from device nth times per_mille by"),
        REORDER("packet from device nth times per_mille"),
        CORRUPT("packet from device nth times per_mille"),
        CUT("packet from device nth times per_mille lasts"),
        SILENCE("packet from device nth"),
        SEED("seed"),
        COMPLETE("status qp opcode nth times"),
        REFUSE("call error nth times after"),
        LIMIT("objects most error"),
        EVENT("type device port qp nth after"),
        LINK("mtu width speed device port nth after"),
        RNR("qp lasts nth after");

        private static final List<String> WORDS = Words.of(Kind.class).stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .toList();

        private final String values;

        Kind(String values) {
            this.values = values;
        }

        List<String> valueNames() {
            return List.of(values.split(" ", -1));
        }

        boolean isOfPackets() {
            return switch (this) {
                case DROP, DUPLICATE, DELAY, REORDER, CORRUPT, CUT, SILENCE -> true;
                default -> false;
            };
        }

        /** Whether it happens to a device or a queue pair when a completion is polled, or at a time. */
        boolean isTimed() {
            return this == EVENT || this == LINK || this == RNR;
        }
    }

    /** The event that names a queue pair: it is raised by taking that to ERR. */
    static final String LAST_WQE = "QP_LAST_WQE_REACHED";

    private static final List<String> INJECTED = List.of(
            "PORT_ERR",
            "PORT_ACTIVE",
            "DEVICE_FATAL",
            "LID_CHANGE",
            "PKEY_CHANGE",
            "SM_CHANGE",
            "CLIENT_REREGISTER",
            "GID_CHANGE",
            LAST_WQE);

    /** Requests of one queue, of which fewer are accepted than were promised. */
    private static final List<String> QUEUES = List.of("send_wr", "recv_wr");

    static final List<String> OBJECTS = List.of("pd", "mr", "mw", "cq", "qp", "srq", "ah", "send_wr", "recv_wr");

    private static final long FOR_EVER = Long.MAX_VALUE / 2;
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ns|us|ms|s)");
    private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final int MILLE = 1000;

    private final Kind kind;
    private final Map<String, String> values;
    private final long first;
    private final long behindLast;
    private final long most;
    private final long queuePair;
    private final int port;
    private final long seed;
    private final int perMille;
    private final long delayNanos;
    private final long lastsNanos;
    private final long afterNanos;
    private final AtomicLong seen = new AtomicLong();

    private Fault(Kind kind, Map<String, String> values) {
        this.kind = kind;
        this.values = values;
        boolean isFromThere = kind == Kind.REFUSE && values.containsKey("after");
        first = isFromThere ? number("after", 0, 0, Integer.MAX_VALUE) + 1 : number("nth", 1, 1, Integer.MAX_VALUE);
        behindLast = first + number("times", isFromThere ? FOR_EVER : 1, 1, Integer.MAX_VALUE);
        most = number("most", 0, 0, Integer.MAX_VALUE);
        queuePair = number("qp", 0, 1, Integer.MAX_VALUE);
        port = (int) number("port", 0, 1, DeviceLimits.MOST_PHYSICAL_PORTS);
        seed = number("seed", 1, 0, Long.MAX_VALUE);
        perMille = (int) number("per_mille", 0, 0, MILLE);
        delayNanos = nanos("by", TimeUnit.MILLISECONDS.toNanos(10));
        lastsNanos = nanos("lasts", 0);
        afterNanos = kind.isTimed() ? nanos("after", -1) : -1;
    }

    /**
     * Reads a line.
     *
     * @throws BadFault if it is none
     */
    public static Fault parse(String line) {
        String[] words = line.strip().split("\\s+", -1);
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals < 1) {
                throw new BadFault("'" + words[i] + "' of fault '" + line.strip() + "' is not NAME=VALUE");
            }
            values.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        return of(words[0], values);
    }

    /**
     * A fault of its parts.
     *
     * @throws BadFault if it is none
     */
    static Fault of(String word, Map<String, String> values) {
        Kind kind = Kind.valueOf(Words.require(word, "fault", Kind.WORDS).toUpperCase(Locale.ROOT));
        Map<String, String> checked = new LinkedHashMap<>();
        values.forEach((name, value) -> {
            String known = Words.require(name, "value of " + word, kind.valueNames());
            checked.put(known, check(known, value));
        });
        Fault fault = new Fault(kind, checked);
        fault.requireWhole();
        return fault;
    }

    private static String check(String name, String value) {
        return switch (name) {
            case "packet" -> Words.require(value, "packet", Words.of(Opcode.class));
            case "from" -> Words.require(value, "from", List.of("here", "peer"));
            case "status" -> Words.require(value, "status", Words.of(WcStatus.class));
            case "opcode" -> Words.require(value, "opcode", Words.of(WcOpcode.class));
            case "call" -> Words.require(value, "call", Words.calls());
            case "error" -> Words.require(value, "error", Words.of(Errno.class));
            case "objects" -> Words.require(value, "objects", OBJECTS);
            case "type" -> Words.require(value, "event", INJECTED);
            case "mtu" -> Words.require(value, "mtu", List.of("256", "512", "1024", "2048", "4096"));
            case "width" -> Words.require(value, "width", List.of("1", "2", "4", "8", "12"));
            case "speed" -> Words.require(value, "speed", Words.of(LinkSpeed.class));
            default -> value;
        };
    }

    private void requireWhole() {
        switch (kind) {
            case SEED -> require("seed");
            case COMPLETE -> require("status");
            case REFUSE -> {
                require("call");
                require("error");
            }
            case LIMIT -> {
                require("objects");
                require("most");
            }
            case EVENT -> require("type");
            case RNR -> require("lasts");
            default -> {}
        }
        if (kind == Kind.LINK && Collections.disjoint(values.keySet(), List.of("mtu", "width", "speed"))) {
            throw new BadFault(this + ": what changes? specify mtu, width or speed");
        }
        if (kind == Kind.LIMIT && QUEUES.contains(values.get("objects")) && values.containsKey("error")) {
            throw new BadFault(this + ": a post to a full queue fails with ENOMEM; leave error out");
        }
        requireElement();
        requirePackets();
    }

    /** An event is of a queue pair, of a port or of a device. */
    private void requireElement() {
        boolean isOfQueuePair = kind == Kind.EVENT && LAST_WQE.equals(values.get("type"));
        boolean isOfPort =
                kind == Kind.LINK || String.valueOf(values.get("type")).matches("PORT_.*|.*_CHANGE|CLIENT_.*");
        if (port != 0 && !isOfPort) {
            throw new BadFault(this + ": the event is of no port; leave port out");
        }
        if (isOfQueuePair && (!values.containsKey("qp") || values.containsKey("device"))) {
            throw new BadFault(this + ": the event is of a queue pair; specify qp, by the order of creation");
        }
        if (kind == Kind.EVENT && !isOfQueuePair && values.containsKey("qp")) {
            throw new BadFault(this + ": the event is of a port or device; specify device instead of qp");
        }
    }

    private void requirePackets() {
        boolean isDrawn = values.containsKey("per_mille");
        if (kind.isOfPackets() && isDrawn && (values.containsKey("nth") || values.containsKey("packet"))) {
            throw new BadFault(this + ": per_mille is of all packets, packet and nth name some; specify one of them");
        }
        if (kind.isOfPackets() && !isDrawn && !values.containsKey("packet") && !values.containsKey("nth")) {
            throw new BadFault(this + ": which packets? specify packet, nth or per_mille");
        }
    }

    private void require(String name) {
        if (!values.containsKey(name)) {
            throw new BadFault(this + " has no " + name);
        }
    }

    private long number(String name, long otherwise, long least, long most) {
        String value = values.get(name);
        if (value == null) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new BadFault(name + "=" + value + " is not a number in " + least + ".." + most);
    }

    private long nanos(String name, long otherwise) {
        String value = values.get(name);
        if (value == null) {
            return otherwise;
        }
        Matcher matcher = TIME.matcher(value);
        if (matcher.matches()) {
            long unit = switch (matcher.group(2)) {
                case "ns" -> 1;
                case "us" -> 1_000;
                case "ms" -> 1_000_000;
                default -> 1_000_000_000L;
            };
            long nanos = Long.parseLong(matcher.group(1)) * unit;
            if (nanos <= LONGEST_NANOS) {
                return nanos;
            }
        }
        throw new BadFault(name + "=" + value + " is not a time up to 3600s, such as 10ms");
    }

    /** Whether it is of packets. */
    public boolean isOfPackets() {
        return kind.isOfPackets();
    }

    Kind kind() {
        return kind;
    }

    /** A word of it; null if it has none of that name. */
    @Nullable
    String value(String name) {
        return values.get(name);
    }

    Errno error(Errno otherwise) {
        String error = values.get("error");
        return error == null ? otherwise : Errno.valueOf(error);
    }

    long most() {
        return most;
    }

    /** The queue pair whose completions are meant, by the order of creation from 1; 0 for all. */
    long queuePair() {
        return queuePair;
    }

    /** The port that it is of; 0 for all of the device. */
    public int port() {
        return port;
    }

    long seed() {
        return seed;
    }

    int perMille() {
        return perMille;
    }

    long delayNanos() {
        return delayNanos;
    }

    /** When it happens after the device was opened; -1 if a step is named. */
    long afterNanos() {
        return afterNanos;
    }

    /** How long a way is cut, or receives are held; 0 for ever. */
    long lastsNanos() {
        return lastsNanos;
    }

    /** Whether it happens to queue pairs, whichever devices they are of. */
    boolean isOfQueuePairs() {
        return kind == Kind.RNR || LAST_WQE.equals(values.get("type"));
    }

    /** The device that it is of; null for any. */
    public @Nullable String device() {
        return values.get("device");
    }

    /** Whether it may happen to the device with that name. */
    boolean isOf(String deviceName) {
        String device = device();
        return device == null || device.equals(deviceName);
    }

    /** Its step came once more: whether the fault happens now. */
    boolean happens() {
        long count = seen.incrementAndGet();
        return count >= first && count < behindLast;
    }

    /** Why what it makes fail has failed. */
    Refusal reason() {
        return Refusal.of(Rule.UNLISTED, "the fault '%s' was wanted", toString());
    }

    /** The line. */
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(kind.name().toLowerCase(Locale.ROOT));
        values.forEach(
                (name, value) -> line.append(' ').append(name).append('=').append(value));
        return line.toString();
    }
}
