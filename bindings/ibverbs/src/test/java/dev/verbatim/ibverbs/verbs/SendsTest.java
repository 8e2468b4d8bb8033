// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.verbatim.RcPair;
import dev.verbatim.Verbatim;
import dev.verbatim.ibverbs.abi.Layouts.ibv_send_wr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_sge;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.WrOpcode;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Chains of {@code struct ibv_send_wr}, posted from raw memory. */
class SendsTest {

    private static final int WARM_UP = 300;
    private static final int MEASURED = 100;

    private final Verbatim verbatim = Verbatim.inProcess();
    private final RcPair pair = RcPair.connect(verbatim.open("left"), verbatim.open("right"));
    private final QueuePair queue = pair.left().qp();
    private final MemoryRegion region =
            pair.right().pd().register(Memory.allocate(64), AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE);
    private final MemoryRegion own = pair.left().pd().register(Memory.allocate(64), AccessFlags.LOCAL_WRITE);
    private final Sends sends = new Sends(queue);
    private final long element = Native.allocate(ibv_sge.SIZE);
    private final long[] chain = {request(0), request(1), request(2)};
    private final long bad = Native.allocate(Long.BYTES);
    private final WorkCompletion[] holder = {new WorkCompletion()};

    private long request(int id) {
        long at = Native.allocate(ibv_send_wr.SIZE);
        ibv_sge.addr.set(element, own.address());
        ibv_sge.length.set(element, 8);
        ibv_sge.lkey.set(element, own.lkey());
        ibv_send_wr.wr_id.set(at, id);
        ibv_send_wr.sg_list.set(at, element);
        ibv_send_wr.num_sge.set(at, 1);
        ibv_send_wr.opcode.set(at, WrOpcode.RDMA_WRITE.number());
        ibv_send_wr.send_flags.set(at, SendFlags.SIGNALED);
        ibv_send_wr.wr$rdma$remote_addr.set(at, region.address());
        ibv_send_wr.wr$rdma$rkey.set(at, region.rkey());
        return at;
    }

    @AfterEach
    void free() {
        verbatim.close();
        Native.free(element);
        Native.free(bad);
        for (long each : chain) {
            Native.free(each);
        }
    }

    private WorkCompletion completion() {
        while (pair.left().sent().poll(holder) == 0) {
            Thread.onSpinWait();
        }
        return holder[0];
    }

    @Test
    void postedChainCompletesInItsOrder() {
        ibv_send_wr.next.set(chain[0], chain[1]);
        ibv_send_wr.next.set(chain[1], chain[2]);

        sends.post(chain[0], bad);

        for (int i = 0; i < chain.length; i++) {
            assertThat(completion().id()).isEqualTo(i);
            assertThat(holder[0].isSuccess()).as(holder[0].toString()).isTrue();
        }
    }

    /** As by soft-RoCE's library, which looks only for the flags that it knows. */
    @Test
    void unknownFlagsAreIgnored() {
        int known = SendFlags.SIGNALED | SendFlags.FENCE | SendFlags.SOLICITED | SendFlags.INLINE | SendFlags.IP_CSUM;
        ibv_send_wr.send_flags.set(chain[0], ~known | SendFlags.SIGNALED);

        sends.post(chain[0], bad);

        assertThat(completion().id()).isZero();
        assertThat(holder[0].isSuccess()).as(holder[0].toString()).isTrue();
    }

    @Test
    void unknownOpcodeStopsChainAndIsPointedTo() {
        ibv_send_wr.next.set(chain[0], chain[1]);
        ibv_send_wr.next.set(chain[1], chain[2]);
        ibv_send_wr.opcode.set(chain[1], 99);

        assertThatThrownBy(() -> sends.post(chain[0], bad)).isInstanceOf(Refused.class);

        assertThat(Native.getLong(bad)).isEqualTo(chain[1]);
        assertThat(completion().id()).isZero();
        assertThat(pair.left().sent().poll(holder)).isZero();
    }

    @Test
    void listOfSenselessLengthIsNotRead() {
        ibv_send_wr.num_sge.set(chain[0], -1);

        assertThatThrownBy(() -> sends.post(chain[0], bad)).hasMessageContaining("num_sge=-1");

        assertThat(Native.getLong(bad)).isEqualTo(chain[0]);
    }

    @Test
    void postingDoesNotAllocate() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = 0;
        for (int i = 0; i < WARM_UP + MEASURED; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            sends.post(chain[0], bad);
            if (i >= WARM_UP) {
                allocated += threads.getCurrentThreadAllocatedBytes() - before;
            }
            completion();
        }

        assertThat(allocated).isLessThan(MEASURED);
    }
}
