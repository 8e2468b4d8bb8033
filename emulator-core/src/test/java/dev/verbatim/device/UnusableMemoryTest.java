// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.SparseMemory;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Memory that its owner took away while it was registered: the request ends, and nothing else (MR-08). */
class UnusableMemoryTest {

    private static final int BYTES = 1 << 16;
    private static final int RIGHTS = AccessFlags.LOCAL_WRITE
            | AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.FLUSH_GLOBAL;

    @TempDir
    private Path directory;

    private SparseMemory source;
    private Verbatim rdma;
    private RcPeer left;
    private RcPeer right;

    /** What a request does to memory, at the end that has the memory. */
    private enum Use {
        WRITE(true) {
            @Override
            SendWorkRequest request(long remote, int rkey, Sge local) {
                return SendWorkRequest.write(1, remote, rkey, local);
            }
        },
        READ(false) {
            @Override
            SendWorkRequest request(long remote, int rkey, Sge local) {
                return SendWorkRequest.read(1, remote, rkey, local);
            }
        },
        FETCH_ADD(true) {
            @Override
            SendWorkRequest request(long remote, int rkey, Sge local) {
                return SendWorkRequest.fetchAndAdd(1, remote, rkey, 1, local);
            }
        },
        COMPARE_SWAP(true) {
            @Override
            SendWorkRequest request(long remote, int rkey, Sge local) {
                return SendWorkRequest.compareAndSwap(1, remote, rkey, 0, 1, local);
            }
        },
        ATOMIC_WRITE(true) {
            @Override
            SendWorkRequest request(long remote, int rkey, Sge local) {
                return SendWorkRequest.atomicWrite(1, remote, rkey, local);
            }
        },
        FLUSH(false) {
            @Override
            SendWorkRequest request(long remote, int rkey, Sge local) {
                return SendWorkRequest.flush(
                        1, remote, rkey, new FlushTarget(FlushTarget.GLOBAL, FlushTarget.RANGE, 8));
            }
        };

        /** Whether the memory at the peer is written. */
        final boolean writes;

        Use(boolean writes) {
            this.writes = writes;
        }

        abstract SendWorkRequest request(long remote, int rkey, Sge local);

        /** Whether the memory of the requester is written and not read. */
        boolean returns() {
            return this == READ || this == FETCH_ADD || this == COMPARE_SWAP;
        }
    }

    /** Each use with and without the fast path. */
    static Stream<Arguments> uses() {
        return Stream.of(Use.values()).flatMap(use -> Stream.of(Arguments.of(use, true), Arguments.of(use, false)));
    }

    static Stream<Arguments> paths() {
        return Stream.of(Arguments.of(true), Arguments.of(false));
    }

    private void open(boolean fast) {
        source = new SparseMemory(directory);
        rdma = Verbatim.inProcess();
        if (!fast) {
            rdma.tap(new RecordingTap());
        }
        RcPair pair = RcPair.connect(rdma.open("left"), rdma.open("right"));
        left = pair.left();
        right = pair.right();
    }

    @AfterEach
    void close() {
        rdma.close();
        source.close();
    }

    private WorkCompletion post(SendWorkRequest request) {
        left.qp().postSend(request);
        List<WorkCompletion> done = left.sent().poll(2);
        assertThat(done).hasSize(1);
        return done.get(0);
    }

    private static void assertSays(String sentence, long offset, boolean written) {
        long from = SparseMemory.ADDRESS + offset;
        assertThat(sentence)
                .contains(
                        String.format("the memory [0x%x,0x%x) of region", from, from + 8),
                        "cannot be " + (written ? "written" : "read"),
                        "the program has unmapped it, or its protection forbids that");
    }

    @ParameterizedTest
    @MethodSource("uses")
    @Rule("MR-08")
    void peersUseOfItIsARemoteOperationalError(Use use, boolean fast) {
        open(fast);
        MemoryRegion region = right.pd().register(source.memory(BYTES), RIGHTS);
        Sge local = left.sge(0, 8);
        assertThat(post(use.request(region.address() + 64, region.rkey(), local))
                        .status())
                .isEqualTo(WcStatus.SUCCESS);
        assertThat(source.asked).isEqualTo((use.writes ? "write" : "read") + " 8 at 64");
        source.usable = false;
        WorkCompletion done = post(use.request(region.address() + 64, region.rkey(), local));
        assertThat(done.status()).isEqualTo(WcStatus.REM_OP_ERR);
        assertThat(left.qp().query().state()).isEqualTo(QpState.ERR);
        assertSays(done.toString(), 64, use.writes);
    }

    @ParameterizedTest
    @MethodSource("uses")
    @Rule("MR-08")
    void ownElementInItIsALocalProtectionError(Use use, boolean fast) {
        open(fast);
        if (use == Use.FLUSH) {
            return;
        }
        MemoryRegion region = left.pd().register(source.memory(BYTES), RIGHTS);
        Sge local = region.sge(128, 8);
        assertThat(post(use.request(right.address(64), right.rkey(), local)).status())
                .isEqualTo(WcStatus.SUCCESS);
        assertThat(source.asked).isEqualTo((use.returns() ? "write" : "read") + " 8 at 128");
        source.usable = false;
        WorkCompletion done = post(use.request(right.address(64), right.rkey(), local));
        assertThat(done.status()).isEqualTo(WcStatus.LOC_PROT_ERR);
        assertSays(done.toString(), 128, use.returns());
    }

    @ParameterizedTest
    @MethodSource("paths")
    @Rule("MR-08")
    void receiveInItEndsBothRequests(boolean fast) {
        open(fast);
        MemoryRegion region = right.pd().register(source.memory(BYTES), RIGHTS);
        right.qp().postRecv(ReceiveWorkRequest.of(9, region.sge(256, 8)));
        source.usable = false;
        assertThat(post(SendWorkRequest.send(1, left.sge(0, 8))).status()).isEqualTo(WcStatus.REM_OP_ERR);
        WorkCompletion received = right.received().poll(2).get(0);
        assertThat(received.status()).isEqualTo(WcStatus.LOC_PROT_ERR);
        assertSays(received.toString(), 256, true);
    }

    /** What the virtual machine throws for a fault in mapped memory is an InternalError, if it throws. */
    @ParameterizedTest
    @MethodSource("uses")
    @Rule("MR-08")
    void faultEndsTheRequestOfThePeer(Use use, boolean fast) {
        open(fast);
        if (use == Use.FLUSH) {
            return;
        }
        MemoryRegion region = right.pd().register(source.memory(BYTES), RIGHTS);
        source.faulty = true;
        WorkCompletion done = post(use.request(region.address() + 64, region.rkey(), left.sge(0, 8)));
        assertThat(done.status()).isEqualTo(WcStatus.REM_OP_ERR);
        assertThat(done.toString()).contains("cannot be used", "a fault occurred");
    }

    @ParameterizedTest
    @MethodSource("uses")
    @Rule("MR-08")
    void faultOfAnElementEndsTheRequest(Use use, boolean fast) {
        open(fast);
        if (use == Use.FLUSH) {
            return;
        }
        MemoryRegion region = left.pd().register(source.memory(BYTES), RIGHTS);
        source.faulty = true;
        WorkCompletion done = post(use.request(right.address(64), right.rkey(), region.sge(64, 8)));
        assertThat(done.status()).isEqualTo(WcStatus.LOC_PROT_ERR);
    }
}
