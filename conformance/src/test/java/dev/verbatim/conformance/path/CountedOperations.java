// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmEventType;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.fabric.InProcessFabric;
import dev.verbatim.testing.Await;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcStatus;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/** The operations whose calls are counted, on two devices in one JVM, after a warm-up. {@link CountingLoader} loads them. */
final class CountedOperations {

    private static final int WARM_UP = 50;

    /** More than a queue has slots: each is made when it is first used. */
    private static final int ALL_SLOTS = 300;

    private CountedOperations() {}

    /** One 8-byte WRITE, from its post to its acknowledgement, at both ends. */
    static final class Write implements Supplier<CallCount.Counted> {

        @Override
        public CallCount.Counted get() {
            return count(Verbatim.inProcess());
        }

        static CallCount.Counted count(Verbatim door) {
            try (Verbatim rdma = door) {
                RcPair rc = RcPair.connect(rdma.open("left"), rdma.open("right"));
                SendWorkRequest write = rc.left().write(1, 0, 8, rc.right());
                for (int i = 0; i < ALL_SLOTS; i++) {
                    rc.left().qp().postSend(write);
                    succeeded(rc.left());
                }
                CallCount.begin();
                rc.left().qp().postSend(write);
                CallCount.Counted counted = CallCount.end();
                succeeded(rc.left());
                return counted;
            }
        }
    }

    /** The same as a packet, off the fast path. */
    static final class WriteAsPacket implements Supplier<CallCount.Counted> {

        @Override
        public CallCount.Counted get() {
            return Write.count(Verbatim.over(InProcessFabric.withoutFastPath()));
        }
    }

    /** One bind of a window of type 2, from its post to its completion. */
    static final class Bind implements Supplier<CallCount.Counted> {

        @Override
        public CallCount.Counted get() {
            try (Verbatim rdma = Verbatim.inProcess()) {
                RcPair rc = RcPair.connect(rdma.open("left"), rdma.open("right"));
                RcPeer owner = rc.left();
                BindInfo part = new BindInfo(owner.region(), owner.region().address(), 64, AccessFlags.REMOTE_WRITE);
                CallCount.Counted counted = null;
                for (int i = 0; i < WARM_UP; i++) {
                    MemoryWindow window = owner.pd().allocateWindow(MemoryWindowType.TYPE_2);
                    SendWorkRequest bind = SendWorkRequest.bindWindow(1, window, 0x41, part);
                    CallCount.begin();
                    owner.qp().postSend(bind);
                    counted = CallCount.end();
                    succeeded(owner);
                }
                return counted;
            }
        }
    }

    /** One connection, from the resolution of an address to ESTABLISHED at both ends, with both queue pairs. */
    static final class Connection implements Supplier<CallCount.Counted> {

        @Override
        public CallCount.Counted get() {
            try (Verbatim rdma = Verbatim.inProcess()) {
                End client = End.open(rdma.open("client"));
                End server = End.open(rdma.open("server"));
                CmId listener = server.channel.createId();
                listener.bindAddress(new InetSocketAddress(7471));
                listener.listen(0);
                InetSocketAddress address =
                        new InetSocketAddress(server.device.gid().toInetAddress(), 7471);
                CallCount.Counted counted = null;
                for (int i = 0; i < WARM_UP; i++) {
                    CallCount.begin();
                    connect(client, server, address);
                    counted = CallCount.end();
                }
                return counted;
            }
        }

        private static void connect(End client, End server, InetSocketAddress address) {
            CmId id = client.channel.createId();
            id.resolveAddress(address, Await.LIMIT);
            client.next(CmEventType.ADDR_RESOLVED);
            id.createQp(client.pd, QpInitAttributes.rc(client.cq));
            id.resolveRoute(Await.LIMIT);
            client.next(CmEventType.ROUTE_RESOLVED);
            id.connect(ConnectionParameters.USUAL);
            CmId accepted = server.next(CmEventType.CONNECT_REQUEST).id();
            accepted.createQp(server.pd, QpInitAttributes.rc(server.cq));
            accepted.accept(ConnectionParameters.USUAL);
            client.next(CmEventType.ESTABLISHED);
            server.next(CmEventType.ESTABLISHED);
        }
    }

    private record End(Device device, EventChannel channel, ProtectionDomain pd, CompletionQueue cq) {

        static End open(Device device) {
            return new End(device, EventChannel.open(device), device.allocatePd(), device.createCq(64));
        }

        CmEvent next(CmEventType type) {
            CmEvent event = channel.pollEvent();
            if (event == null || event.type() != type) {
                throw new AssertionError("expected " + type + ", not " + event);
            }
            return event;
        }
    }

    /** It waits: on a busy machine the thread of timers may just have the lane. */
    private static void succeeded(RcPeer poster) {
        assertThat(poster.sent().awaitCompletion(Await.LIMIT).status()).isEqualTo(WcStatus.SUCCESS);
    }
}
