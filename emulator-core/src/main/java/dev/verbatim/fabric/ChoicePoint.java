// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.verbs.Rule;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where more than one behaviour is legal, each with the rules that permit it. The first alternative is the canonical one. */
public enum ChoicePoint {
    /** What the network or the scheduler lets happen first: the next step of a program, or other things before it. */
    PROGRAM_STEP(Kind.ORDER, Rule.N6, Rule.N7, Rule.ORD_21),
    /** A queue pair sends its next request packet, and gathers its bytes; or other things happen first. */
    REQUEST(Kind.ORDER, Rule.N6, Rule.ORD_35),
    /** A responder fetches the next bytes of a READ that it accepted; or other things happen first. */
    READ_FETCH(Kind.ORDER, Rule.N1, Rule.N7, Rule.N18, Rule.ORD_13),
    /** A responder sends its ACK, NAK or atomic response; or other things happen first, and later ACKs take its place. */
    ACKNOWLEDGEMENT(Kind.ORDER, Rule.N4, Rule.N8),
    /** The next packet of one queue pair arrives; or those of others, and other things, do first. */
    ARRIVAL(Kind.ORDER, Rule.N2, Rule.N6, Rule.N7),
    /** Bytes that a device accepted are seen by the CPU; or other things happen first. */
    PLACEMENT(Kind.ORDER, Rule.N3, Rule.ORD_34),
    /** A completion is seen in its queue; or other things happen first. */
    COMPLETION(Kind.ORDER, Rule.N4, Rule.ORD_22),
    /** A part of the source of a packet is gathered, an aligned word of an element at a time; or other things happen first. */
    GATHER_SPLIT(Kind.ORDER, Rule.N18, Rule.ORD_35),
    /** A part of a packet that answers a READ is fetched, an aligned word at a time; or other things happen first. */
    FETCH_SPLIT(Kind.ORDER, Rule.N18, Rule.ORD_40),

    /** The oldest asynchronous event that occurred can be read by a program that looks; or other things happen first. */
    ASYNC_EVENT(Kind.ORDER, Rule.N11, Rule.AE_20),

    /** The bytes of one packet are placed in one piece, or word by word. */
    PLACEMENT_SPLIT(Kind.ALTERNATIVE, Rule.N3),
    /** The local element of a READ or atomic is checked when its answer comes, or before it is sent. */
    EARLY_LOCAL_CHECK(Kind.ALTERNATIVE, Rule.N10),
    /** A LOCAL_INV without FENCE waits until all earlier requests have completed, or takes effect when its turn to start comes. */
    EARLY_LOCAL_INVALIDATE(Kind.ALTERNATIVE, Rule.N5, Rule.ORD_18),
    /** A receive whose message was refused for its key completes with an error, or is flushed with the others. */
    REFUSED_RECEIVE_KEPT(Kind.ALTERNATIVE, Rule.N16),
    /** The first packet in RTR raises COMM_EST, or nothing ever does. */
    COMMUNICATION_ESTABLISHED(Kind.ALTERNATIVE, Rule.N11, Rule.QP_27),
    /** A request that was executed completes as it is when its queue pair fails first, or is flushed with those behind it. */
    EXECUTED_FLUSHED(Kind.ALTERNATIVE, Rule.N8, Rule.QP_22),
    /** A completion event is queued beside an unread one of the same queue, or is merged with it. */
    EVENT_MERGE(Kind.ALTERNATIVE, Rule.N12, Rule.NT_05),
    /** A queue that is armed waits for the next completion, or takes one for it that came before. */
    SPURIOUS_EVENT(Kind.ALTERNATIVE, Rule.N12, Rule.NT_01),
    /** How many free numbers are left out before one is given to a key. */
    KEY_INDEX(Kind.NUMBER, Rule.N14),
    /** How many free numbers are left out before one is given to a queue pair. */
    QP_NUMBER(Kind.NUMBER, Rule.N14),
    /** By how much a requester waits longer than an RNR NAK asks for. */
    RNR_TIMER_SLOP(Kind.NUMBER, Rule.N15),
    /** By how much the ACK timer runs longer than its nominal time. */
    ACK_TIMER_SLOP(Kind.NUMBER, Rule.N17),
    /** How much longer than it might be a delay or a cut is. */
    FAULT_LENGTH(Kind.NUMBER, Rule.N_05),

    /** A link may lose a packet (N-05). */
    LINK_DROP(Kind.FAULT, Rule.N_05, Rule.N9, Rule.N13),
    /** A link may deliver a packet twice. */
    LINK_DUPLICATE(Kind.FAULT, Rule.N_05),
    /** A link may hold a packet back until time has passed. */
    LINK_DELAY(Kind.FAULT, Rule.N_05),
    /** A link may let later packets of the same queue pair overtake one. */
    LINK_REORDER(Kind.FAULT, Rule.N_05),
    /** A link may turn over a bit of a packet, which the ICRC tells. */
    LINK_CORRUPT(Kind.FAULT, Rule.N_05),
    /** A link may be cut for a while, in both directions. */
    LINK_CUT(Kind.FAULT, Rule.N_06, Rule.QP_29),
    /** A device may fall silent for good. */
    DEVICE_SILENCE(Kind.FAULT, Rule.N_06, Rule.N8, Rule.QP_29),
    /** A device may be gone from one moment to the next. */
    DEVICE_CRASH(Kind.FAULT, Rule.N_06, Rule.QP_29),

    /** A load of a GPU or the CPU returns the newest value of a word, or one that it may still see. */
    OBSERVE(Kind.ALTERNATIVE, Rule.VIS_08, Rule.VIS_09, Rule.VIS_10, Rule.VIS_11),
    /** An adapter reads the newest value of a word, or one from before a store that was not released. */
    WRITEBACK(Kind.ALTERNATIVE, Rule.VIS_10, Rule.VIS_11),
    /** When power fails a word keeps what was written last, or an older value that was durable before. */
    DURABLE(Kind.ALTERNATIVE, Rule.VIS_16);

    /** What is chosen. */
    public enum Kind {
        /** Whether an event that can happen does so now, or after which others. */
        ORDER,
        /** Which of several legal behaviours a device shows. */
        ALTERNATIVE,
        /** A number that programs must not rely on: a key, the number of a queue pair, a time. */
        NUMBER,
        /** Whether something fails. */
        FAULT
    }

    private final Kind kind;
    private final List<String> rules;

    ChoicePoint(Kind kind, Rule... rules) {
        this.kind = kind;
        this.rules = Stream.of(rules).map(Rule::id).toList();
    }

    /** What is chosen there. */
    public Kind kind() {
        return kind;
    }

    /**
     * Whether it orders events that are there also where it is off: then none may be passed over. Effects, by contrast, are
     * had at once where their point is off, and are no events.
     */
    public boolean isOfTurns() {
        return switch (this) {
            case PROGRAM_STEP, REQUEST, READ_FETCH, ACKNOWLEDGEMENT, ARRIVAL -> true;
            default -> false;
        };
    }

    /** The rules that permit it. */
    public List<String> rules() {
        return rules;
    }

    /**
     * The point of that {@linkplain #label() label}.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static ChoicePoint labelled(String label) {
        for (ChoicePoint point : values()) {
            if (point.label().equals(label)) {
                return point;
            }
        }
        throw new IllegalArgumentException("choice point \"" + label + "\" is none of "
                + Stream.of(values()).map(ChoicePoint::label).collect(Collectors.joining(", ")));
    }

    /** The name that commands and files use: lower case, with dashes. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
