// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import dev.verbatim.fabric.Choices;
import dev.verbatim.sim.Fate;
import dev.verbatim.sim.FaultPolicy;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.Outage;
import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Faults of a RoCEv2 carrier, as a command line says them: {@code drop=10} for 10 packets in 1,000 of each direction, {@code
 * drop@ATOMIC_ACKNOWLEDGE=3} for the third packet of that opcode, {@code seed=5} for other draws. Packets are delayed by 10 ms at most,
 * and a way is cut for 100 ms at most.
 */
public final class InjectedFaults implements FaultPolicy {

    private static final long LONGEST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_CUT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A packet that is named. */
    private static final class Named {
        private final String kind;
        private final String opcode;
        private final int nth;
        private int seen;

        Named(String kind, String opcode, int nth) {
            this.kind = kind;
            this.opcode = opcode;
            this.nth = nth;
        }

        boolean is(Packet packet) {
            return packet.opcode().name().equals(opcode) && ++seen == nth;
        }
    }

    private final List<Named> named;
    private final FaultPolicy odds;

    private InjectedFaults(List<Named> named, FaultPolicy odds) {
        this.named = named;
        this.odds = odds;
    }

    /**
     * Reads faults.
     *
     * @param texts such as {@code drop=10}; kinds are drop, duplicate, delay, reorder, corrupt and cut
     * @throws IllegalArgumentException if a text is none, with what it may be
     */
    public static FaultPolicy parse(List<String> texts) {
        LinkFaults odds = LinkFaults.NONE;
        List<Named> named = new ArrayList<>();
        long seed = 1;
        for (String text : texts) {
            int equals = text.indexOf('=');
            int at = text.indexOf('@');
            if (equals < 1 || at > equals) {
                throw wrong(text);
            }
            int number = number(text, equals);
            String kind = text.substring(0, at < 0 ? equals : at).toLowerCase(Locale.ROOT);
            if (at >= 0) {
                fateOf(kind, text);
                named.add(new Named(kind, text.substring(at + 1, equals).toUpperCase(Locale.ROOT), number));
            } else if (kind.equals("seed")) {
                seed = number;
            } else {
                odds = with(odds, kind, number, text);
            }
        }
        return new InjectedFaults(named, FaultPolicy.drawn(odds, Choices.seeded(seed)));
    }

    private static int number(String text, int equals) {
        try {
            return Integer.parseInt(text.substring(equals + 1));
        } catch (NumberFormatException e) {
            throw wrong(text);
        }
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "fault=" + text + " is none of KIND=N, KIND@OPCODE=N and seed=N, where KIND is drop,"
                        + " duplicate, delay, reorder, corrupt or cut");
    }

    private static LinkFaults with(LinkFaults odds, String kind, int perMille, String text) {
        return switch (kind) {
            case "drop" -> odds.dropping(perMille);
            case "duplicate" -> odds.duplicating(perMille);
            case "delay" -> odds.delaying(perMille, LONGEST_DELAY_NANOS);
            case "reorder" -> odds.reordering(perMille);
            case "corrupt" -> odds.corrupting(perMille);
            case "cut" -> odds.cutting(perMille, LONGEST_CUT_NANOS);
            default -> throw wrong(text);
        };
    }

    private static Fate fateOf(String kind, String text) {
        return switch (kind) {
            case "drop" -> Fate.DROP;
            case "duplicate" -> Fate.DUPLICATE;
            case "delay" -> Fate.delayed(LONGEST_DELAY_NANOS);
            case "reorder" -> Fate.OVERTAKEN;
            case "corrupt" -> Fate.CORRUPT;
            case "cut" -> Fate.outage(Outage.CUT, LONGEST_CUT_NANOS);
            default -> throw wrong(text);
        };
    }

    @Override
    public Fate decide(Gid from, Gid to, Packet packet) {
        for (Named each : named) {
            if (each.is(packet)) {
                return fateOf(each.kind, each.kind);
            }
        }
        return odds.decide(from, to, packet);
    }
}
