// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each option does in each state of either end, and how identifiers share a port, as Linux has it. */
class OptionsInEveryStateTest {

    private static final ConnectionParameters USUAL = ConnectionParameters.USUAL;

    private static final Map<String, Consumer<CmId>> OPTIONS = new LinkedHashMap<>();

    static {
        OPTIONS.put("ACK_TIMEOUT", id -> id.ackTimeout(14));
        OPTIONS.put("ACK_TIMEOUT 0", id -> id.ackTimeout(0));
        OPTIONS.put("TOS", id -> id.typeOfService(96));
        OPTIONS.put("REUSEADDR", id -> id.reuseAddress(true));
        OPTIONS.put("REUSEADDR 0", id -> id.reuseAddress(false));
        OPTIONS.put("AFONLY", id -> id.oneFamily(true));
    }

    /** By column: taken, or refused with EINVAL. */
    private static final List<String> TABLE = List.of(
            "                ACK_TIMEOUT  ACK_TIMEOUT 0  TOS    REUSEADDR  REUSEADDR 0  AFONLY ",
            "new             taken        taken          taken  taken      taken        taken  ",
            "bound           taken        taken          taken  taken      EINVAL       taken  ",
            "listening       taken        taken          taken  EINVAL     EINVAL       EINVAL ",
            "resolving       taken        taken          taken  taken      EINVAL       EINVAL ",
            "address         taken        taken          taken  taken      EINVAL       EINVAL ",
            "route           taken        taken          taken  taken      EINVAL       EINVAL ",
            "connecting      taken        taken          taken  taken      EINVAL       EINVAL ",
            "request         taken        taken          taken  taken      EINVAL       EINVAL ",
            "active          taken        taken          taken  taken      EINVAL       EINVAL ",
            "passive         taken        taken          taken  taken      EINVAL       EINVAL ",
            "rejected        taken        taken          taken  taken      EINVAL       EINVAL ",
            "ended           taken        taken          taken  taken      EINVAL       EINVAL ",
            "UDP new         EINVAL       EINVAL         taken  taken      taken        taken  ",
            "UDP listening   EINVAL       EINVAL         taken  EINVAL     EINVAL       EINVAL ",
            "IB new          taken        taken          taken  taken      taken        taken  ");

    @AutoClose
    private final CmWorld world = new CmWorld();

    private final CmWorld.End client = world.client;
    private final CmWorld.End server = world.server;

    private final Map<String, Supplier<CmId>> states = new LinkedHashMap<>();

    {
        states.put("new", client.channel::createId);
        states.put("bound", () -> bound(client.channel.createId(), 0));
        states.put("listening", () -> listening(client.channel.createId()));
        states.put("resolving", () -> resolving(client.channel.createId()));
        states.put("address", this::resolved);
        states.put("route", () -> client.resolved(server.address(CmWorld.PORT)));
        states.put("connecting", () -> world.connecting(USUAL));
        states.put("request", () -> {
            CmId unused = world.connecting(USUAL);
            return server.expect(CmEventType.CONNECT_REQUEST).id();
        });
        states.put("active", () -> world.connected()[0]);
        states.put("passive", () -> world.connected()[1]);
        states.put("rejected", this::rejected);
        states.put("ended", this::ended);
        states.put("UDP new", () -> client.channel.createId(PortSpace.UDP));
        states.put("UDP listening", () -> listening(client.channel.createId(PortSpace.UDP)));
        states.put("IB new", () -> client.channel.createId(PortSpace.IB));
    }

    private CmId bound(CmId id, int port) {
        id.bindAddress(client.address(port));
        return id;
    }

    private CmId listening(CmId id) {
        id.listen(0);
        return id;
    }

    private CmId resolving(CmId id) {
        id.resolveAddress(server.address(CmWorld.PORT), CmWorld.SECOND);
        return id;
    }

    private CmId resolved() {
        CmId id = resolving(client.channel.createId());
        client.expect(CmEventType.ADDR_RESOLVED);
        return id;
    }

    private CmId rejected() {
        CmId id = world.connecting(USUAL);
        server.expect(CmEventType.CONNECT_REQUEST).id().reject();
        client.expect(CmEventType.REJECTED);
        return id;
    }

    private CmId ended() {
        CmId id = world.connected()[0];
        id.disconnect();
        server.expect(CmEventType.DISCONNECTED).id().disconnect();
        client.expect(CmEventType.DISCONNECTED);
        return id;
    }

    private static String outcome(Consumer<CmId> option, CmId id) {
        try {
            option.accept(id);
            return "taken";
        } catch (VerbsException e) {
            return e.errno().name();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "new",
        "bound",
        "listening",
        "resolving",
        "address",
        "route",
        "connecting",
        "request",
        "active",
        "passive",
        "rejected",
        "ended",
        "UDP new",
        "UDP listening",
        "IB new"
    })
    @Rule({"CM-12", "CM-27", "CM-28"})
    void eachOptionIsTakenWhereTheTableSays(String state) {
        StringBuilder line = new StringBuilder(String.format("%-16s", state));
        String header = TABLE.get(0);
        OPTIONS.forEach((name, option) -> {
            if (name.equals("ACK_TIMEOUT")) {
                server.listen(0);
            }
            // A new identifier for each, since an option changes what it meets.
            CmId id = states.get(state).get();
            int column = header.indexOf(name + " ", line.length());
            assertThat(line).as(name).hasSize(column);
            int width = nextColumn(header, column + name.length()) - column;
            line.append(String.format("%-" + width + "s", outcome(option, id)));
            world.passMillis(1);
            while (client.hasEvent()) {
                client.poll().acknowledge();
            }
        });
        assertThat(line.toString()).isIn(TABLE);
        asserted();
    }

    private static int nextColumn(String header, int from) {
        int at = from;
        while (at < header.length() && header.charAt(at) == ' ') {
            at++;
        }
        return at;
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 19, 19", "11, 0, 11, 15", "0, 11, 19, 11", "14, 20, 14, 20", "20, 14, 20, 14", "31, 31, 31, 31"})
    @Rule({"CM-12", "CM-18"})
    void queuePairHasItsOwnAckTimeoutExactly(int asked, int answered, int active, int passive) {
        server.listen(0);
        CmId id = client.channel.createId();
        if (asked > 0) {
            id.ackTimeout(asked);
        }
        resolving(id);
        client.expect(CmEventType.ADDR_RESOLVED);
        client.createQp(id);
        id.resolveRoute(CmWorld.SECOND);
        client.expect(CmEventType.ROUTE_RESOLVED);
        id.connect(USUAL);
        CmId request = server.expect(CmEventType.CONNECT_REQUEST).id();
        server.createQp(request);
        if (answered > 0) {
            request.ackTimeout(answered);
        }
        assertThat(request.initQpAttributes(QpState.RTS).timeout()).isEqualTo(passive);
        request.accept(USUAL);
        client.expect(CmEventType.ESTABLISHED);
        server.expect(CmEventType.ESTABLISHED);
        assertThat(id.qp()).isNotNull();
        assertThat(request.qp()).isNotNull();
        assertThat(id.qp().query().timeout()).isEqualTo(active);
        assertThat(request.qp().query().timeout()).isEqualTo(passive);
    }

    /** Linux takes the option and fails where the queue pair does not. */
    @Test
    @Rule({"CM-12", "CM-18"})
    void ackTimeoutThatNoQueuePairHasFailsTheConnection() {
        server.listen(0);
        CmId id = client.resolved(server.address(CmWorld.PORT));
        id.ackTimeout(32);
        id.connect(USUAL);
        CmId request = server.expect(CmEventType.CONNECT_REQUEST).id();
        server.createQp(request);
        request.accept(USUAL);
        assertThat(client.expect(CmEventType.CONNECT_ERROR).status()).isEqualTo(-Errno.EINVAL.number());
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    @Rule("CM-28")
    void portIsSharedIfBothMayAndNobodyListensAtASharedOne(boolean first, boolean second) {
        BiFunction<Boolean, Integer, CmId> made = (shares, port) -> {
            CmId id = client.channel.createId();
            if (shares) {
                id.reuseAddress(true);
            }
            return id;
        };
        CmId one = bound(made.apply(first, 7), 7);
        CmId other = made.apply(second, 7);
        boolean both = first && second;
        assertThat(outcome(id -> bound(id, 7), other)).isEqualTo(both ? "taken" : "EADDRINUSE");
        if (both) {
            assertThat(outcome(id -> id.listen(0), one)).isEqualTo("EADDRINUSE");
            other.close();
        }
        assertThat(outcome(id -> id.listen(0), one)).isEqualTo("taken");
        CmId late = made.apply(true, 7);
        assertThat(outcome(id -> bound(id, 7), late)).isEqualTo(first ? "taken" : "EADDRINUSE");
        asserted();
    }

    @Test
    @Rule("CM-28")
    void wildcardsOfBothFamiliesHaveTheSamePortIfEachIsOfItsOwn() throws UnknownHostException {
        InetAddress six = InetAddress.getByAddress(new byte[16]);
        InetAddress four = InetAddress.getByAddress(new byte[4]);
        CmId both = client.channel.createId();
        both.bindAddress(new InetSocketAddress(six, 7));
        CmId second = client.channel.createId();
        assertThat(outcome(id -> id.bindAddress(new InetSocketAddress(four, 7)), second))
                .isEqualTo("EADDRINUSE");
        both.oneFamily(true);
        assertThat(outcome(id -> id.bindAddress(new InetSocketAddress(four, 7)), second))
                .isEqualTo("taken");
        both.listen(0);
        second.listen(0);
        both.close();
        CmId asking = server.resolved(client.address(7));
        asking.connect(USUAL);
        assertThat(client.expect(CmEventType.CONNECT_REQUEST).listenId()).isSameAs(second);
    }
}
