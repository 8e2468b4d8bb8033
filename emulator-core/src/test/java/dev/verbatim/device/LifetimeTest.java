// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.verbatim.RcConnection;
import dev.verbatim.Verbatim;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.XrcDomain;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Protection domains and the order in which things can be given back (section A.1). */
class LifetimeTest {

    @AutoClose
    private final Verbatim rdma = Verbatim.inProcess().tap(new RecordingTap());

    private final Device device = rdma.open("device");

    private QueuePair queuePair(ProtectionDomain pd, CompletionQueue sendCq, CompletionQueue recvCq) {
        return pd.createQp(QpInitAttributes.rc(sendCq, recvCq, QpCapabilities.USUAL));
    }

    @Test
    @Rule("PD-01")
    void domainWithChildrenCannotBeFreedAndStaysUsable() {
        ProtectionDomain pd = device.allocatePd();
        CompletionQueue cq = device.createCq(4);
        MemoryRegion region = pd.register(Memory.allocate(8), 0);
        QueuePair qp = queuePair(pd, cq, cq);

        assertRefused(Errno.EBUSY, "PD-01", pd::close, "regions=1", "queue pairs=1", "close them first");
        MemoryRegion another = pd.register(Memory.allocate(8), 0);
        region.close();
        assertRefused(Errno.EBUSY, "PD-01", pd::close, "regions=1", "queue pairs=1");
        another.close();
        assertRefused(Errno.EBUSY, "PD-01", pd::close, "regions=0", "queue pairs=1");
        qp.close();
        pd.close();
    }

    @Test
    @Rule({"PD-02", "MR-09"})
    void nothingCanBeMadeInDomainThatWasFreed() {
        ProtectionDomain pd = device.allocatePd();
        CompletionQueue cq = device.createCq(4);
        pd.close();
        assertRefused(Errno.ENOENT, "PD-02", () -> pd.register(Memory.allocate(8), 0), "memory region", "was freed");
        assertRefused(Errno.ENOENT, "PD-02", () -> queuePair(pd, cq, cq), "queue pair", "was freed");
        cq.close();
        device.close();
    }

    @Test
    @Rule("PD-03")
    void freeingDomainTwiceIsDetectedAndHarmsNoOther() {
        ProtectionDomain first = device.allocatePd();
        first.close();
        ProtectionDomain second = device.allocatePd();
        assertRefused(Errno.ENOENT, "PD-03", first::close, first.toString());
        second.register(Memory.allocate(8), 0).close();
        second.close();
        assertRefused(Errno.ENOENT, "PD-03", second::close);
    }

    @Test
    @Rule("PD-04")
    void completionQueueInUseCannotBeDestroyed() {
        ProtectionDomain pd = device.allocatePd();
        CompletionQueue sendCq = device.createCq(4);
        CompletionQueue recvCq = device.createCq(4);
        CompletionQueue bothCq = device.createCq(4);
        QueuePair qp = queuePair(pd, sendCq, recvCq);
        QueuePair selfish = queuePair(pd, bothCq, bothCq);

        assertRefused(Errno.EBUSY, "PD-04", sendCq::close, "1 queue pairs");
        assertRefused(Errno.EBUSY, "PD-04", recvCq::close, "1 queue pairs");
        assertRefused(Errno.EBUSY, "PD-04", bothCq::close, "1 queue pairs");
        qp.close();
        sendCq.close();
        recvCq.close();
        assertRefused(Errno.EBUSY, "PD-04", bothCq::close);
        selfish.close();
        bothCq.close();
    }

    @Test
    @Rule("PD-05")
    void channelInUseCannotBeDestroyed() {
        CompletionChannel channel = device.createCompletionChannel();
        CompletionQueue one = device.createCq(4, null, channel, 0);
        CompletionQueue two = device.createCq(4, null, channel, 0);
        assertRefused(Errno.EBUSY, "PD-05", channel::close, "2 completion queues");
        one.close();
        assertRefused(Errno.EBUSY, "PD-05", channel::close, "1 completion queues");
        two.close();
        channel.close();
    }

    @Test
    @Rule("PD-07")
    void deviceWithChildrenCannotBeClosed() {
        ProtectionDomain pd = device.allocatePd();
        CompletionChannel channel = device.createCompletionChannel();
        CompletionQueue cq = device.createCq(4, null, channel, 0);
        assertRefused(
                Errno.EBUSY,
                "PD-07",
                device::close,
                "protection domains=1 completion queues=1 channels=1",
                "close them first");
        pd.close();
        assertRefused(Errno.EBUSY, "PD-07", device::close, "protection domains=0");
        cq.close();
        assertRefused(Errno.EBUSY, "PD-07", device::close, "completion queues=0 channels=1");
        channel.close();
        device.close();
        assertRefused(Errno.EINVAL, "PD-07", device::allocatePd, "was closed");
        assertRefused(Errno.ENOENT, "PD-07", device::close);
    }

    @Test
    @Rule("PD-07")
    void forcedCloseEndsUsersBeforeWhatTheyUse() {
        RecordingTap tap = new RecordingTap();
        Device crowded = rdma.tap(tap).open("crowded");
        ProtectionDomain pd = crowded.allocatePd();
        CompletionChannel channel = crowded.createCompletionChannel();
        CompletionQueue cq = crowded.createCq(4, null, channel, 0);
        QueuePair qp = queuePair(pd, cq, cq);
        qp.modify(new QpAttributes().state(QpState.ERR));
        MemoryRegion region = pd.register(Memory.allocate(8), AccessFlags.REMOTE_READ);
        tap.clear();

        crowded.closeAll();

        List<TraceEvent> ends = tap.events();
        assertThat(ends.indexOf(first(ends, TraceEvent.StateChanged.class)))
                .as("the queue pair ends before the keys in %s", ends)
                .isNotNegative()
                .isLessThan(ends.indexOf(first(ends, TraceEvent.KeyChanged.class)));
        assertThat(tap.events(TraceEvent.KeyChanged.class))
                .extracting(TraceEvent.KeyChanged::key, TraceEvent.KeyChanged::valid)
                .containsExactly(tuple(region.lkey(), false), tuple(region.rkey(), false));
        assertThat(qp.state()).isEqualTo(QpState.RESET);
        assertRefused(Errno.EINVAL, "PD-07", () -> pd.register(Memory.allocate(8), 0), "was closed");
        assertRefused(Errno.ENOENT, "PD-03", pd::close, "was freed before");
        assertRefused(Errno.ENOENT, "MR-56", region::close);
        crowded.closeAll();
    }

    /** One of each kind of thing, some with users among the others. */
    private static List<AutoCloseable> oneOfEach(Device crowded) {
        ProtectionDomain pd = crowded.allocatePd();
        CompletionChannel channel = crowded.createCompletionChannel();
        CompletionQueue cq = crowded.createCq(8, null, channel, 0);
        SharedReceiveQueue srq = pd.createSrq(SrqInitAttributes.basic(4));
        XrcDomain xrcDomain = crowded.openXrcDomain();
        SharedReceiveQueue xrcSrq = pd.createSrq(SrqInitAttributes.xrc(4, xrcDomain, cq));
        MemoryRegion region = pd.register(Memory.allocate(8), AccessFlags.LOCAL_WRITE | AccessFlags.MW_BIND);
        MemoryWindow window = pd.allocateWindow(MemoryWindowType.TYPE_1);
        QueuePair qp = pd.createQp(QpInitAttributes.rc(cq).withSrq(srq));
        RcConnection.USUAL.join(qp, qp);
        qp.bindWindow(window, WindowBind.signaled(1, BindInfo.of(region, AccessFlags.REMOTE_READ)));
        QueuePair target = xrcDomain.createQp(QpInitAttributes.xrcReceive());
        AddressHandle handle = pd.createAddressHandle(AddressVector.to(crowded.gid()));
        return List.of(qp, target, srq, xrcSrq, window, region, cq, channel, xrcDomain, handle, pd);
    }

    @Test
    @Rule("PD-07")
    void refusalToCloseCountsEveryKindOfThing() throws Exception {
        List<AutoCloseable> things = oneOfEach(device);
        String[] counts = {
            "queue pairs=2",
            "shared receive queues=2",
            "windows=1",
            "regions=1",
            "completion queues=1",
            "channels=1",
            "xrc domains=1",
            "address handles=1",
            "protection domains=1"
        };
        assertRefused(Errno.EBUSY, "PD-07", device::close, counts);
        for (AutoCloseable thing : things) {
            assertRefused(Errno.EBUSY, "PD-07", device::close);
            thing.close();
        }
        device.close();
    }

    @Test
    @Rule("PD-07")
    void forcedCloseEndsEveryKindOfThingInOrder() {
        RecordingTap tap = new RecordingTap();
        Device crowded = rdma.tap(tap).open("crowded");
        List<AutoCloseable> things = oneOfEach(crowded);
        int windowKey = ((MemoryWindow) things.get(4)).rkey();
        int regionKey = ((MemoryRegion) things.get(5)).lkey();
        tap.clear();

        crowded.closeAll();

        assertThat(tap.events(TraceEvent.KeyChanged.class))
                .extracting(TraceEvent.KeyChanged::key, TraceEvent.KeyChanged::valid)
                .as("windows before regions")
                .containsSubsequence(tuple(windowKey, false), tuple(regionKey, false));
        for (AutoCloseable thing : things) {
            VerbsException refused = catchThrowableOfType(VerbsException.class, thing::close);
            assertThat(refused).as("a second end of %s", thing).isNotNull();
            assertThat(refused.errno()).as("a second end of %s", thing).isEqualTo(Errno.ENOENT);
        }
        assertRefused(Errno.ENOENT, "PD-07", crowded::close);
    }

    private static TraceEvent first(List<TraceEvent> events, Class<? extends TraceEvent> kind) {
        return events.stream().filter(kind::isInstance).findFirst().orElseThrow();
    }
}
