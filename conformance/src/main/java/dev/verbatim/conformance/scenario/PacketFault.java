// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.Variants;
import dev.verbatim.wire.Opcode;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Something that happens to a packet on its way, at a step of the protocol that is named.
 *
 * @param kind what happens
 * @param packet opcode of the packet; null for any
 * @param from node that sends it; null for any
 * @param to node that it is for; null for any
 * @param nth which of those packets, from 1
 * @param times to how many of them, one after the other
 * @param nanos how much later a delayed one arrives, or how long a cut lasts, 0 for good; 0 for all others
 */
public record PacketFault(
        Kind kind,
        @Nullable Opcode packet,
        @Nullable String from,
        @Nullable String to,
        int nth,
        int times,
        long nanos) {

    /** What can happen to a packet. */
    public enum Kind {
        /** It is lost. */
        DROP,
        /** It arrives twice. */
        DUPLICATE,
        /** It arrives later. */
        DELAY,
        /** A bit of it is turned over, which its ICRC tells. */
        CORRUPT,
        /** Later packets may overtake it, where a seed or an exploration has it so. */
        REORDER,
        /** It is lost, and the way between the two is cut. */
        CUT,
        /** It is lost, and its sender neither says nor hears anything any more. */
        SILENCE,
        /** It is lost, and its sender is gone. */
        CRASH;

        /** Its name in files. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final int MOST = 1_000_000;
    private static final Pattern DURATION = Pattern.compile("([1-9][0-9]{0,9})(ns|us|ms|s)");
    private static final long LONGEST_NANOS = 3_600_000_000_000L;

    /** In a file. */
    public static final Form<PacketFault> FORM = form();

    private static Form<PacketFault> form() {
        Variants<PacketFault> variants = new Variants<>("a fault");
        for (Kind kind : Kind.values()) {
            variants.add(kind.word(), word(kind), PacketFault.class, fault -> fault.kind == kind);
        }
        return variants;
    }

    private static Mapping<PacketFault> word(Kind kind) {
        Mapping<PacketFault> packet = new Mapping<>("packet_to_" + kind.word(), "a packet");
        Form<String> node = Forms.name("the name of a node");
        Key<PacketFault, Opcode> opcode = packet.perhaps(
                "packet", Forms.constant("the opcode of a packet", Opcode.class), PacketFault::packet, "Its opcode.");
        Key<PacketFault, String> from = packet.perhaps("from", node, PacketFault::from, "Node that sends it.");
        Key<PacketFault, String> to = packet.perhaps("to", node, PacketFault::to, "Node that it is for.");
        Key<PacketFault, Integer> nth =
                packet.optional("nth", Forms.integer(1, MOST), 1, PacketFault::nth, "Which of those packets, from 1.");
        Key<PacketFault, Integer> times = packet.optional(
                "times", Forms.integer(1, MOST), 1, PacketFault::times, "To how many of them, one after the other.");
        Key<PacketFault, Long> time = time(packet, kind);
        packet.making(values -> new PacketFault(
                kind,
                values.orNull(opcode),
                values.orNull(from),
                values.orNull(to),
                values.get(nth),
                values.get(times),
                time == null ? 0 : values.get(time)));
        Mapping<PacketFault> fault = new Mapping<>("fault_" + kind.word(), "a fault");
        Key<PacketFault, PacketFault> head =
                fault.required(kind.word(), packet, all -> all, "Which packet meets this on its way.");
        return fault.making(values -> Objects.requireNonNull(values.get(head)));
    }

    private static @Nullable Key<PacketFault, Long> time(Mapping<PacketFault> packet, Kind kind) {
        return switch (kind) {
            case DELAY -> packet.required("by", duration(), PacketFault::nanos, "How much later.");
            case CUT ->
                packet.optional(
                        "lasts", duration(), 0L, PacketFault::nanos, "How long the cut lasts; for ever if left out.");
            default -> null;
        };
    }

    private static Form<Long> duration() {
        return Forms.parsed(
                "a time such as 50us or 10ms, at most 3600s", DURATION, PacketFault::parse, nanos -> nanos + "ns");
    }

    private static Long parse(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text + " is not a time; write it like 10ms");
        }
        long unit = switch (matcher.group(2)) {
            case "ns" -> 1;
            case "us" -> 1_000;
            case "ms" -> 1_000_000;
            default -> 1_000_000_000;
        };
        long nanos = Long.parseLong(matcher.group(1)) * unit;
        if (nanos > LONGEST_NANOS) {
            throw new IllegalArgumentException(text + " is more than 3600s; shorten it");
        }
        return nanos;
    }
}
