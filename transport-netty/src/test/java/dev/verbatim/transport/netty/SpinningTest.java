// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.Await;
import dev.verbatim.transport.netty.link.NettyLink;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcStatus;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The thread that opens a fabric drives it, and nothing waits for any other. */
@Timeout(600)
class SpinningTest {

    @ParameterizedTest
    @EnumSource(SocketTransport.class)
    void ownerPostsPollsWaitsAndCloses(SocketTransport transport) {
        Assumptions.assumeTrue(transport.isAvailable(), transport + " is not available here");
        NettyOptions spinning = NettyOptions.defaults().withTransport(transport).withSpinning(true);
        try (NettyFabric server = NettyFabric.open();
                NettyFabric client = NettyFabric.open(spinning);
                Verbatim left = Verbatim.over(client);
                Verbatim right = Verbatim.over(server)) {
            Device near = left.open("near");
            Device far = right.open("far");
            assertThat(client.dial(server.listen(Node.loopback(0)))).isEqualTo(far.gid());
            writeAndWait(near, far);
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("verbatim-tcp"));
    }

    private static void writeAndWait(Device near, Device far) {
        ProtectionDomain nearPd = near.allocatePd();
        ProtectionDomain farPd = far.allocatePd();
        CompletionChannel channel = near.createCompletionChannel();
        CompletionQueue done = near.createCq(16, null, channel, 0);
        QueuePair qp = nearPd.createQp(QpInitAttributes.rc(done));
        QueuePair farQp = farPd.createQp(QpInitAttributes.rc(far.createCq(16)));
        RcConnection.connect(qp, farQp);
        MemoryRegion target = farPd.register(Memory.allocate(4096), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
        MemoryRegion source = nearPd.register(Memory.allocate(4096), AccessFlags.LOCAL_WRITE);
        for (int i = 1; i <= 3; i++) {
            source.memory().buffer().putLong(0, i);
            qp.postSend(SendWorkRequest.write(i, target.address(), target.rkey(), source.sge(0, 8)));
            assertThat(done.awaitCompletion(Await.LIMIT).status()).isEqualTo(WcStatus.SUCCESS);
            assertThat(target.memory().buffer().getLong(0)).isEqualTo(i);
        }
        done.requestNotify(false);
        qp.postSend(SendWorkRequest.write(4, target.address(), target.rkey(), source.sge(0, 8)));
        assertThat(channel.getEvent(Await.LIMIT)).isNotNull();
        near.closeAll();
        far.closeAll();
    }

    @Test
    void otherThreadsAreServedWhenTheOwnerPolls() throws Exception {
        try (NettyFabric fabric = NettyFabric.open(NettyOptions.defaults().withSpinning(true));
                Verbatim rdma = Verbatim.over(fabric)) {
            Device device = rdma.open("device");
            CompletionQueue cq = device.createCq(1);
            CompletableFuture<ProtectionDomain> other = CompletableFuture.supplyAsync(device::allocatePd);
            while (!other.isDone()) {
                cq.poll(1);
            }
            other.get().close();
            cq.close();
        }
    }

    /** The socket is read without asking the loop, which alone hears that there will be no more. */
    @ParameterizedTest
    @EnumSource(SocketTransport.class)
    void ownerHearsThatAConnectionHasEnded(SocketTransport transport) {
        Assumptions.assumeTrue(transport.isAvailable(), transport + " is not available here");
        NettyOptions spinning = NettyOptions.defaults().withTransport(transport).withSpinning(true);
        try (NettyFabric client = NettyFabric.open(spinning)) {
            NettyPort port = (NettyPort) client.attach(Gid.ofGuid(2), (link, packet) -> {});
            for (long peer = 3; peer <= 4; peer++) {
                Gid gid = Gid.ofGuid(peer);
                try (NettyFabric server = NettyFabric.open()) {
                    server.attach(gid, (link, packet) -> {});
                    assertThat(client.dial(server.listen(Node.loopback(0)))).isEqualTo(gid);
                }
                NettyLink link = (NettyLink) port.linkTo(gid);
                assertThat(port.lane().spin(() -> link.connection() == null, Await.LIMIT.toNanos()))
                        .isTrue();
            }
        }
    }

    @Test
    void ownerCannotWaitWithinAStepOfItsOwn() {
        try (NettyFabric fabric = NettyFabric.open(NettyOptions.defaults().withSpinning(true))) {
            NettyPort port = (NettyPort) fabric.attach(Gid.ofGuid(1), (link, packet) -> {});
            port.lane()
                    .call(() -> assertThatThrownBy(() -> fabric.dial(Node.loopback(1)))
                            .isInstanceOf(VerbsException.class)
                            .hasMessageContaining("this thread is the lane itself"));
        }
    }
}
