// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.Await;
import dev.verbatim.verbs.SendWorkRequest;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** In real time programs are threads, of whose synchronisation the sanitizer knows what it is told. */
class ThreadsTest {

    private final Sanitizer sanitizer = Sanitizer.withSites();

    private static void write(RcPeer from, RcPeer to, long offset) {
        from.qp().postSend(SendWorkRequest.write(1, to.address(0) + offset, to.rkey(), from.sge(64, 8)));
        assertThat(from.sent().awaitCompletion(Await.LIMIT).isSuccess()).isTrue();
    }

    /** A second thread writes the same bytes over a queue pair of its own, behind a latch. */
    private void writeByTwoThreads(Verbatim rdma, boolean told) throws InterruptedException {
        RcPair one = RcPair.connect(rdma.open("one"), rdma.open("owner"));
        RcPeer owner = one.right();
        RcPair two = RcPair.connect(rdma.open("two"), owner.device());
        RcPeer second = new RcPeer(
                owner.device(),
                owner.pd(),
                two.right().sent(),
                two.right().received(),
                two.right().qp(),
                owner.region());
        CountDownLatch done = new CountDownLatch(1);
        Thread other = new Thread(
                () -> {
                    try {
                        done.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        return;
                    }
                    if (told) {
                        sanitizer.acquired(done);
                    }
                    // Its queue pair has a domain of its own, so it goes through a region there, of the same memory.
                    int key = two.right()
                            .pd()
                            .register(
                                    owner.memory(),
                                    dev.verbatim.verbs.AccessFlags.LOCAL_WRITE
                                            | dev.verbatim.verbs.AccessFlags.REMOTE_WRITE)
                            .rkey();
                    two.left()
                            .qp()
                            .postSend(SendWorkRequest.write(
                                    2,
                                    second.memory().address(),
                                    key,
                                    two.left().sge(64, 8)));
                    assertThat(two.left().sent().awaitCompletion(Await.LIMIT).isSuccess())
                            .isTrue();
                },
                "second writer");
        other.start();
        write(one.left(), owner, 0);
        if (told) {
            sanitizer.released(done);
        }
        done.countDown();
        other.join();
    }

    @Test
    void latchThatNobodyToldOfOrdersNothing() throws InterruptedException {
        Verbatim rdma = Verbatim.inProcess().sanitize(sanitizer);
        writeByTwoThreads(rdma, false);
        assertThatThrownBy(rdma::close)
                .isInstanceOf(SanitizerError.class)
                .hasMessageStartingWith("S4 accesses that nothing orders: RDMA_WRITE wr_id=1 of qp ")
                .hasMessageContaining("RDMA_WRITE wr_id=2 of qp ")
                .hasMessageContaining("ThreadsTest.java:")
                .hasMessageContaining("if a lock or a latch does, tell it");
        assertThat(sanitizer.errors()).hasSize(1);
    }

    @Test
    void latchThatWasToldOfOrders() throws InterruptedException {
        try (Verbatim rdma = Verbatim.inProcess().sanitize(sanitizer)) {
            writeByTwoThreads(rdma, true);
        }
        assertThat(sanitizer.errors()).isEmpty();
    }
}
