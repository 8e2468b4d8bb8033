// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cm.protocol.CmConnection;
import dev.verbatim.cm.protocol.ConnectionState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.Apr;
import dev.verbatim.wire.mad.CmMessage;
import dev.verbatim.wire.mad.Drep;
import dev.verbatim.wire.mad.Dreq;
import dev.verbatim.wire.mad.Lap;
import dev.verbatim.wire.mad.Mra;
import dev.verbatim.wire.mad.Path;
import dev.verbatim.wire.mad.Rej;
import dev.verbatim.wire.mad.Rep;
import dev.verbatim.wire.mad.Req;
import dev.verbatim.wire.mad.Rtu;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every message in every state, on both sides. What a line below does not say must not happen: no message, no event, no other
 * state. Lines: side and state, message, next state, messages sent, events, and messages sent when those were fetched.
 */
class EveryMessageInEveryStateTest {

    private static final List<String> SAID = List.of("""
            active   REQ_SENT      rep       MRA_REP_SENT  [] [ESTABLISHED] [rtu]
            active   REQ_SENT      mra-req   MRA_REQ_RCVD  [] [] []
            active   REQ_SENT      rej-req   IDLE          [] [REJECTED] []
            active   REQ_SENT      rej-stale TIMEWAIT      [] [REJECTED] []
            active   REQ_SENT      dreq      REQ_SENT      [drep] [] []
            active   MRA_REQ_RCVD  dreq      MRA_REQ_RCVD  [drep] [] []
            active   MRA_REQ_RCVD  rep       MRA_REP_SENT  [] [ESTABLISHED] [rtu]
            active   MRA_REQ_RCVD  rej-req   IDLE          [] [REJECTED] []
            active   MRA_REQ_RCVD  rej-stale TIMEWAIT      [] [REJECTED] []
            active   MRA_REP_SENT  rep       MRA_REP_SENT  [mra] [ESTABLISHED] [rtu]
            active   MRA_REP_SENT  rej-other TIMEWAIT      [] [CONNECT_ERROR, REJECTED] []
            active   ESTABLISHED   rep       ESTABLISHED   [rtu] [] []
            active   ESTABLISHED   rej-other TIMEWAIT      [] [REJECTED] []
            active   ESTABLISHED   dreq      DREQ_RCVD     [] [DISCONNECTED] []
            active   DREQ_SENT     rej-other TIMEWAIT      [] [REJECTED] []
            active   DREQ_SENT     dreq      DREQ_RCVD     [] [DISCONNECTED] []
            active   DREQ_SENT     drep      TIMEWAIT      [] [DISCONNECTED] []
            active   DREQ_RCVD     drep      TIMEWAIT      [] [] []
            active   TIMEWAIT      dreq      TIMEWAIT      [drep] [] []
            active   IDLE          dreq      IDLE          [drep] [] []
            passive  MRA_REQ_SENT  req       MRA_REQ_SENT  [mra] [] []
            passive  MRA_REQ_SENT  rej-other IDLE          [] [REJECTED] []
            passive  REP_SENT      rtu       ESTABLISHED   [] [ESTABLISHED] []
            passive  REP_SENT      mra-rep   MRA_REP_RCVD  [] [] []
            passive  REP_SENT      rej-other IDLE          [] [REJECTED] []
            passive  REP_SENT      dreq      DREQ_RCVD     [] [DISCONNECTED] []
            passive  MRA_REP_RCVD  rtu       ESTABLISHED   [] [ESTABLISHED] []
            passive  MRA_REP_RCVD  rej-other IDLE          [] [REJECTED] []
            passive  MRA_REP_RCVD  dreq      DREQ_RCVD     [] [DISCONNECTED] []
            passive  ESTABLISHED   rej-other TIMEWAIT      [] [REJECTED] []
            passive  ESTABLISHED   dreq      DREQ_RCVD     [] [DISCONNECTED] []
            passive  DREQ_SENT     rej-other TIMEWAIT      [] [REJECTED] []
            passive  DREQ_SENT     dreq      DREQ_RCVD     [] [DISCONNECTED] []
            passive  DREQ_SENT     drep      TIMEWAIT      [] [DISCONNECTED] []
            passive  DREQ_RCVD     drep      TIMEWAIT      [] [] []
            passive  TIMEWAIT      dreq      TIMEWAIT      [drep] [] []
            passive  TIMEWAIT      req-anew  TIMEWAIT      [] [CONNECT_REQUEST] []
            passive  IDLE          req-anew  IDLE          [] [CONNECT_REQUEST] []
            passive  MRA_REQ_SENT  req-anew  MRA_REQ_SENT  [mra] [] []
            passive  IDLE          dreq      IDLE          [drep] [] []
            """.split("\n"));

    private static final List<String> MESSAGES = List.of(
            "req",
            "req-anew",
            "mra-req",
            "mra-rep",
            "rep",
            "rtu",
            "rej-req",
            "rej-other",
            "rej-stale",
            "dreq",
            "drep",
            "lap",
            "apr");

    private static Map<String, String> expectations() {
        Map<String, String> expected = new TreeMap<>();
        for (String line : SAID) {
            String[] words = line.trim().split("\\s+", 4);
            expected.put(words[0] + " " + words[1] + " " + words[2], words[3].replaceAll("\\s+", " "));
        }
        return expected;
    }

    @TestFactory
    Stream<DynamicTest> eachDoesWhatItsLineSaysAndElseNothing() {
        Map<String, String> expected = expectations();
        List<String> states = List.of(
                "active REQ_SENT",
                "active MRA_REQ_RCVD",
                "active MRA_REP_SENT",
                "active ESTABLISHED",
                "active DREQ_SENT",
                "active DREQ_RCVD",
                "active TIMEWAIT",
                "active IDLE",
                "passive MRA_REQ_SENT",
                "passive REP_SENT",
                "passive MRA_REP_RCVD",
                "passive ESTABLISHED",
                "passive DREQ_SENT",
                "passive DREQ_RCVD",
                "passive TIMEWAIT",
                "passive IDLE");
        assertThat(expected.keySet())
                .allMatch(key -> states.contains(key.substring(0, key.lastIndexOf(' ')))
                        && MESSAGES.contains(key.substring(key.lastIndexOf(' ') + 1)));
        return states.stream()
                .flatMap(state -> MESSAGES.stream().map(message -> {
                    String key = state + " " + message;
                    String nothing = state.substring(state.indexOf(' ') + 1) + " [] "
                            + (state.equals("active MRA_REP_SENT") ? "[ESTABLISHED] [rtu]" : "[] []");
                    return DynamicTest.dynamicTest(
                            key,
                            () -> assertThat(outcome(state, message)).isEqualTo(expected.getOrDefault(key, nothing)));
                }));
    }

    private static String outcome(String state, String message) {
        boolean active = state.startsWith("active");
        try (Scene scene = active ? new ActiveScene() : new PassiveScene()) {
            scene.reach(state.substring(state.indexOf(' ') + 1));
            return scene.outcome(message);
        }
    }

    /** One connection and its scripted peer. */
    private abstract static class Scene implements AutoCloseable {
        final CmWorld world = new CmWorld();
        final ScriptedPeer peer = new ScriptedPeer(world.fabric);
        CmWorld.End end = world.server;
        CmId id = end.channel.createId();
        int ownId;

        abstract void reach(String state);

        abstract Req req();

        void say(CmMessage message) {
            peer.say(end.device.gid(), ScriptedPeer.TRANSACTION, message);
        }

        int ownQpn() {
            QueuePair qp = id.qp();
            return qp == null ? 0 : qp.number();
        }

        CmConnection connection() {
            return Objects.requireNonNull(id.identifier().exchange().connection());
        }

        /** The ways that both sides go when the connection stands. */
        void reachFromEstablished(String state) {
            switch (state) {
                case "DREQ_SENT" -> id.disconnect();
                case "DREQ_RCVD", "TIMEWAIT", "IDLE" -> {
                    say(message("dreq"));
                    end.expect(CmEventType.DISCONNECTED);
                    if (!state.equals("DREQ_RCVD")) {
                        id.disconnect();
                    }
                    if (state.equals("IDLE")) {
                        end.expect(CmEventType.TIMEWAIT_EXIT);
                    }
                }
                default -> {}
            }
        }

        CmMessage message(String name) {
            int peerId = ScriptedPeer.ID;
            Octets none = Octets.EMPTY;
            return switch (name) {
                case "req" -> req();
                case "req-anew" ->
                    peer.request(end.device.gid())
                            .startingPsn(ScriptedPeer.PSN + 1)
                            .serviceId(req().serviceId())
                            .build();
                case "mra-req" -> new Mra(peerId, ownId, Mra.MESSAGE_REQ, 20, none);
                case "mra-rep" -> new Mra(peerId, ownId, Mra.MESSAGE_REP, 20, none);
                case "rep" ->
                    peer.reply(peer.request(end.device.gid()).localId(ownId).build());
                case "rtu" -> new Rtu(peerId, ownId, none);
                case "rej-req" -> new Rej(peerId, ownId, Rej.MESSAGE_REQ, 28, none, none);
                case "rej-other" -> new Rej(peerId, ownId, Rej.MESSAGE_OTHER, 28, none, none);
                case "rej-stale" -> new Rej(0, ownId, Rej.MESSAGE_REQ, 10, none, none);
                case "dreq" -> new Dreq(peerId, ownId, ownQpn(), none);
                case "drep" -> new Drep(peerId, ownId, none);
                case "lap" -> new Lap(peerId, ownId, ownQpn(), 20, Path.NONE, none);
                case "apr" -> new Apr(peerId, ownId, 0, none, none);
                default -> throw new IllegalArgumentException(name);
            };
        }

        String outcome(String message) {
            peer.heardSince();
            assertThat(id.identifier().exchange().connection()).isNotNull();
            say(message(message));
            ConnectionState next = connection().state();
            List<String> sent = peer.heardSince();
            List<String> events = new ArrayList<>();
            while (end.hasEvent()) {
                CmEvent event = Objects.requireNonNull(end.poll());
                event.acknowledge();
                events.add(event.type().name());
            }
            return next + " " + sent + " " + events + " " + peer.heardSince();
        }

        @Override
        public void close() {
            world.close();
        }
    }

    private static final class ActiveScene extends Scene {
        @Override
        Req req() {
            // Its sender is known as the one who was asked.
            return peer.request(end.device.gid()).serviceId(0x0106_0001L).build();
        }

        @Override
        void reach(String state) {
            end = world.client;
            id = end.resolved(new InetSocketAddress(peer.device.gid().toInetAddress(), CmWorld.PORT));
            id.connect(ConnectionParameters.USUAL);
            ownId = peer.hear(Req.class).localId();
            switch (state) {
                case "REQ_SENT" -> {}
                case "MRA_REQ_RCVD" -> say(message("mra-req"));
                case "MRA_REP_SENT" -> say(message("rep"));
                default -> {
                    say(message("rep"));
                    end.expect(CmEventType.ESTABLISHED);
                    reachFromEstablished(state);
                }
            }
            assertThat(connection().state().name()).isEqualTo(state);
        }

        @Override
        String outcome(String message) {
            String outcome = super.outcome(message);
            // Nobody listens here: as a request of somebody who is not known it is refused.
            return message.startsWith("req") && outcome.contains("[rej]") ? outcome.replace("[rej]", "[]") : outcome;
        }
    }

    private static final class PassiveScene extends Scene {
        @Override
        Req req() {
            return peer.request(end.device.gid()).build();
        }

        @Override
        void reach(String state) {
            end.listen(0);
            say(req());
            id = end.expect(CmEventType.CONNECT_REQUEST).id();
            end.createQp(id);
            ownId = connection().localId();
            if (!state.equals("MRA_REQ_SENT")) {
                id.accept(ConnectionParameters.USUAL);
                assertThat(peer.hear(Rep.class).localId()).isEqualTo(ownId);
            }
            switch (state) {
                case "MRA_REQ_SENT", "REP_SENT" -> {}
                case "MRA_REP_RCVD" -> say(message("mra-rep"));
                default -> {
                    say(message("rtu"));
                    end.expect(CmEventType.ESTABLISHED);
                    reachFromEstablished(state);
                }
            }
            assertThat(connection().state().name()).isEqualTo(state.toUpperCase(Locale.ROOT));
        }
    }
}
