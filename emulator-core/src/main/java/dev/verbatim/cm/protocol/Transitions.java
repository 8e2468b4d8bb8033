// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

import static dev.verbatim.cm.protocol.ConnectionState.DREQ_RCVD;
import static dev.verbatim.cm.protocol.ConnectionState.DREQ_SENT;
import static dev.verbatim.cm.protocol.ConnectionState.ESTABLISHED;
import static dev.verbatim.cm.protocol.ConnectionState.IDLE;
import static dev.verbatim.cm.protocol.ConnectionState.MRA_REP_RCVD;
import static dev.verbatim.cm.protocol.ConnectionState.MRA_REP_SENT;
import static dev.verbatim.cm.protocol.ConnectionState.MRA_REQ_RCVD;
import static dev.verbatim.cm.protocol.ConnectionState.MRA_REQ_SENT;
import static dev.verbatim.cm.protocol.ConnectionState.REP_SENT;
import static dev.verbatim.cm.protocol.ConnectionState.REQ_SENT;
import static dev.verbatim.cm.protocol.ConnectionState.TIMEWAIT;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The states of a connection: what each does about each {@link Stimulus}, and which one follows (CM-07, CM-08). What has no line is
 * ignored if it is a message or the passing of time, and refused if it is a call.
 *
 * <p>A closed identifier needs no TIMEWAIT: messages that still arrive for its connection find none, and a DREQ without a connection is
 * confirmed.
 */
final class Transitions {

    /** What to do, and which state follows. */
    record Transition(Reaction reaction, ConnectionState next) {}

    private static final Set<Stimulus> CALLS = EnumSet.range(Stimulus.CONNECT, Stimulus.DESTROY);
    private static final Map<ConnectionState, Map<Stimulus, Transition>> TABLE = new EnumMap<>(ConnectionState.class);

    static {
        in(IDLE).on(Stimulus.CONNECT, Reaction.SEND_REQ, REQ_SENT)
                .on(Stimulus.DISCONNECT, Reaction.NOTHING, IDLE)
                .on(Stimulus.DESTROY, Reaction.NOTHING, IDLE);
        in(REQ_SENT)
                .on(Stimulus.REP, Reaction.TELL_ANSWER, MRA_REP_SENT)
                .on(Stimulus.MRA_OF_REQ, Reaction.WAIT_LONGER, MRA_REQ_RCVD)
                .on(Stimulus.REJ, Reaction.TELL_REJECTED, IDLE)
                .on(Stimulus.REJ_STALE, Reaction.TELL_REJECTED, TIMEWAIT)
                .on(Stimulus.NO_ANSWER, Reaction.TELL_UNREACHABLE, IDLE)
                .on(Stimulus.CARRIER_LOST, Reaction.TELL_UNREACHABLE, IDLE)
                .on(Stimulus.DESTROY, Reaction.GIVE_UP, IDLE);
        in(MRA_REQ_RCVD).as(REQ_SENT).without(Stimulus.MRA_OF_REQ);
        in(MRA_REP_SENT)
                .on(Stimulus.REP, Reaction.SEND_MRA, MRA_REP_SENT)
                .on(Stimulus.REJ, Reaction.TELL_REJECTED, TIMEWAIT)
                .on(Stimulus.REJ_STALE, Reaction.TELL_REJECTED, TIMEWAIT)
                .on(Stimulus.CARRIER_LOST, Reaction.TELL_UNREACHABLE, IDLE)
                .on(Stimulus.ESTABLISH, Reaction.SEND_RTU, ESTABLISHED)
                .on(Stimulus.REJECT, Reaction.SEND_REJ, IDLE)
                .on(Stimulus.DESTROY, Reaction.SEND_REJ, IDLE);
        in(MRA_REQ_SENT)
                .on(Stimulus.REQ, Reaction.SEND_MRA, MRA_REQ_SENT)
                .on(Stimulus.REJ, Reaction.TELL_WITHDRAWN, IDLE)
                .on(Stimulus.REJ_STALE, Reaction.TELL_WITHDRAWN, IDLE)
                .on(Stimulus.CARRIER_LOST, Reaction.TELL_WITHDRAWN, IDLE)
                .on(Stimulus.ACCEPT, Reaction.SEND_REP, REP_SENT)
                .on(Stimulus.REJECT, Reaction.SEND_REJ, IDLE)
                .on(Stimulus.DESTROY, Reaction.SEND_REJ, IDLE);
        in(REP_SENT)
                .on(Stimulus.RTU, Reaction.TELL_ESTABLISHED, ESTABLISHED)
                .on(Stimulus.NOTIFY, Reaction.TELL_ESTABLISHED, ESTABLISHED)
                .on(Stimulus.MRA_OF_REP, Reaction.WAIT_LONGER, MRA_REP_RCVD)
                .on(Stimulus.REJ, Reaction.TELL_REJECTED, IDLE)
                .on(Stimulus.REJ_STALE, Reaction.TELL_REJECTED, TIMEWAIT)
                .on(Stimulus.DREQ, Reaction.TELL_PEER_LEFT, DREQ_RCVD)
                .on(Stimulus.NO_ANSWER, Reaction.TELL_UNREACHABLE, IDLE)
                .on(Stimulus.CARRIER_LOST, Reaction.TELL_UNREACHABLE, IDLE)
                .on(Stimulus.DESTROY, Reaction.SEND_REJ, IDLE);
        in(MRA_REP_RCVD).as(REP_SENT).without(Stimulus.MRA_OF_REP);
        in(ESTABLISHED)
                .on(Stimulus.REP, Reaction.REPEAT_RTU, ESTABLISHED)
                .on(Stimulus.REJ, Reaction.TELL_REJECTED, TIMEWAIT)
                .on(Stimulus.REJ_STALE, Reaction.TELL_REJECTED, TIMEWAIT)
                .on(Stimulus.DREQ, Reaction.TELL_PEER_LEFT, DREQ_RCVD)
                .on(Stimulus.FORGOTTEN, Reaction.SEND_DREQ, DREQ_SENT)
                .on(Stimulus.CARRIER_LOST, Reaction.TELL_CUT_OFF, TIMEWAIT)
                .on(Stimulus.DISCONNECT, Reaction.SEND_DREQ, DREQ_SENT)
                .on(Stimulus.DESTROY, Reaction.SEND_LAST_DREQ, IDLE);
        in(DREQ_SENT)
                .on(Stimulus.DREP, Reaction.TELL_OVER, TIMEWAIT)
                .on(Stimulus.DREQ, Reaction.TELL_PEER_LEFT, DREQ_RCVD)
                .on(Stimulus.REJ, Reaction.TELL_REJECTED, TIMEWAIT)
                .on(Stimulus.REJ_STALE, Reaction.TELL_REJECTED, TIMEWAIT)
                .on(Stimulus.NO_ANSWER, Reaction.TELL_CUT_OFF, TIMEWAIT)
                .on(Stimulus.CARRIER_LOST, Reaction.TELL_CUT_OFF, TIMEWAIT)
                .on(Stimulus.DISCONNECT, Reaction.NOTHING, DREQ_SENT)
                .on(Stimulus.DESTROY, Reaction.NOTHING, IDLE);
        in(DREQ_RCVD)
                .on(Stimulus.DREP, Reaction.TELL_OVER, TIMEWAIT)
                .on(Stimulus.DISCONNECT, Reaction.SEND_DREP, TIMEWAIT)
                .on(Stimulus.DESTROY, Reaction.SEND_DREP, IDLE);
        in(TIMEWAIT)
                .on(Stimulus.DREQ, Reaction.REPEAT_DREP, TIMEWAIT)
                .on(Stimulus.TIMEWAIT_OVER, Reaction.TELL_TIMEWAIT_EXIT, IDLE)
                .on(Stimulus.DISCONNECT, Reaction.NOTHING, TIMEWAIT)
                .on(Stimulus.DESTROY, Reaction.NOTHING, IDLE);
    }

    private Transitions() {}

    /** What {@code state} does about it. */
    static Transition of(ConnectionState state, Stimulus stimulus) {
        Map<Stimulus, Transition> row = TABLE.get(state);
        Transition transition = row == null ? null : row.get(stimulus);
        return transition != null
                ? transition
                : new Transition(CALLS.contains(stimulus) ? Reaction.REFUSE : Reaction.NOTHING, state);
    }

    private static Row in(ConnectionState state) {
        Map<Stimulus, Transition> transitions = new EnumMap<>(Stimulus.class);
        TABLE.put(state, transitions);
        return new Row(transitions);
    }

    /** A row of the table as it is written down. */
    private record Row(Map<Stimulus, Transition> transitions) {

        Row on(Stimulus stimulus, Reaction reaction, ConnectionState next) {
            transitions.put(stimulus, new Transition(reaction, next));
            return this;
        }

        Row as(ConnectionState other) {
            transitions.putAll(TABLE.getOrDefault(other, Map.of()));
            return this;
        }

        void without(Stimulus stimulus) {
            transitions.remove(stimulus);
        }
    }
}
