// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.Verbatim;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.DeviceAttributes;
import dev.verbatim.verbs.EventType;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a provider and an adapter say of themselves, and what creators refuse (1.2, 1.3). */
class NdAdapterTest {

    @AutoClose
    private Verbatim rdma;

    private Device device;
    private NdAdapter adapter;
    private NdOverlappedFile file;
    private NdCompletionQueue cq;
    private NdSharedReceiveQueue srq;
    private NdAdapterInfo info;

    @BeforeEach
    void open() {
        rdma = Verbatim.inProcess();
        device = rdma.open("left");
        adapter = open(device);
        file = adapter.createOverlappedFile();
        cq = adapter.createCompletionQueue(file, 16, 0, 0);
        srq = adapter.createSharedReceiveQueue(file, 16, 1, 0, 0, 0);
        info = adapter.query();
    }

    private static NdAdapter open(Device of) {
        return NdProvider.of(of).openAdapter(of.query().guid());
    }

    @Test
    void adapterSaysWhatItsDeviceCan() {
        DeviceAttributes has = device.query();
        assertThat(info.adapterId()).isEqualTo(has.guid());
        assertThat(info.maxRegistrationSize()).isEqualTo(has.maxMrSizeBytes());
        assertThat(info.maxWindowSize()).isEqualTo(-1L);
        assertThat(info.maxInitiatorSge()).isEqualTo(has.maxSge());
        assertThat(info.maxReadSge()).isLessThanOrEqualTo(info.maxInitiatorSge());
        assertThat(Integer.toUnsignedLong(info.maxTransferLength())).isEqualTo(1L << 31);
        assertThat(info.maxInlineDataSize()).isEqualTo(has.maxInlineDataBytes());
        assertThat(info.maxInboundReadLimit()).isEqualTo(has.maxQpRdAtom());
        assertThat(info.maxOutboundReadLimit()).isEqualTo(has.maxQpInitRdAtom());
        assertThat(info.maxReceiveQueueDepth()).isEqualTo(has.maxQpWr());
        assertThat(info.maxSharedReceiveQueueDepth()).isEqualTo(has.maxSrqWr());
        assertThat(info.maxCompletionQueueDepth()).isEqualTo(has.maxCqe());
        assertThat(info.maxCallerData()).isEqualTo(56);
        assertThat(info.maxCalleeData()).isEqualTo(148);
        assertThat(info.adapterFlags()).isEqualTo(0x10101);
        NdAdapter unordered =
                NdProvider.of(NdProfile.REFERENCE.withInOrderDma(false), device).openAdapter(has.guid());
        assertThat(unordered.query().adapterFlags()).isEqualTo(0x10100);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 0x20000})
    void structureIsWrittenInBothVersions(int version) {
        NdSize size = new NdSize();
        assertThat(adapter.query(null, size)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
        assertThat(size.value()).isEqualTo(96);
        ByteBuffer exact =
                ByteBuffer.allocate(96).order(ByteOrder.nativeOrder()).putInt(0, version);
        assertThat(adapter.query(exact, size)).isEqualTo(NdStatus.SUCCESS);
        assertThat(exact.getInt(0)).isEqualTo(version);
        assertThat(exact.getLong(8)).isEqualTo(info.adapterId());
        assertThat(exact.getLong(16)).isEqualTo(info.maxRegistrationSize());
        assertThat(exact.getInt(32)).isEqualTo(info.maxInitiatorSge());
        assertThat(exact.getInt(44)).isEqualTo(info.maxTransferLength());
        assertThat(exact.getInt(72)).isEqualTo(info.maxCompletionQueueDepth());
        assertThat(exact.getInt(84)).isEqualTo(56);
        assertThat(exact.getInt(88)).isEqualTo(148);
        assertThat(exact.getInt(92)).isEqualTo(info.adapterFlags());
    }

    @Test
    void structureOfAnotherVersionOrWithoutRoomIsRefused() {
        ByteBuffer third =
                ByteBuffer.allocate(96).order(ByteOrder.nativeOrder()).putInt(0, 3);
        assertThat(adapter.query(third, new NdSize())).isEqualTo(NdStatus.INVALID_PARAMETER);
        ByteBuffer shorter =
                ByteBuffer.allocate(95).order(ByteOrder.nativeOrder()).putInt(0, 1);
        assertThat(adapter.query(shorter, new NdSize())).isEqualTo(NdStatus.BUFFER_OVERFLOW);
        assertThat(shorter.getInt(72)).isZero();
    }

    @Test
    void addressesAreAskedForInTwoCallsAndResolved() {
        Device other = rdma.open("right");
        NdProvider provider = NdProvider.of(device, other);
        NdSize count = new NdSize();
        assertThat(provider.queryAddressList(null, count)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
        assertThat(count.value()).isEqualTo(2);
        InetSocketAddress[] tooShort = new InetSocketAddress[1];
        assertThat(provider.queryAddressList(tooShort, count)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
        assertThat(tooShort[0]).isNull();
        InetSocketAddress[] list = new InetSocketAddress[2];
        assertThat(provider.queryAddressList(list, count)).isEqualTo(NdStatus.SUCCESS);
        assertThat(provider.resolveAddress(new InetSocketAddress(list[0].getAddress(), 4711)))
                .isEqualTo(device.query().guid());
        assertThat(provider.resolveAddress(list[1])).isEqualTo(other.query().guid());
        assertThat(provider.checkAddress(list[1])).isEqualTo(NdStatus.SUCCESS);
        assertThat(provider.checkAddress(new InetSocketAddress("192.0.2.1", 1))).isEqualTo(NdStatus.INVALID_ADDRESS);
        InetSocketAddress[] own = new InetSocketAddress[1];
        assertThat(adapter.queryAddressList(own, count)).isEqualTo(NdStatus.SUCCESS);
        assertThat(own[0]).isEqualTo(list[0]);
    }

    @Test
    void unknownAdapterIsNotOpened() {
        NdProvider provider = NdProvider.of(device);
        assertRefused(NdStatus.INVALID_PARAMETER, () -> provider.openAdapter(4711));
        provider.release();
        assertRefused(
                NdStatus.INVALID_HANDLE,
                () -> provider.openAdapter(device.query().guid()));
    }

    /** A creator by one of its parameters, which of them it is, and from where to where it goes. */
    private record Parameter(int number, int least, int most, Function<Integer, NdObject> creator) {}

    @Test
    void eachParameterIsAcceptedUpToItsLimitAndRefusedByItsNumberBeyond() {
        Parameter[] parameters = {
            new Parameter(
                    3, 1, info.maxCompletionQueueDepth(), value -> adapter.createCompletionQueue(file, value, 0, 0)),
            new Parameter(3, 1, info.maxSharedReceiveQueueDepth(), value -> srq(value, 1, 0)),
            new Parameter(4, 0, info.maxReceiveSge(), value -> srq(16, value, 0)),
            new Parameter(5, 0, 16, value -> srq(16, 1, value)),
            new Parameter(5, 0, info.maxReceiveQueueDepth(), value -> qp(value, 1, 1, 1, 0)),
            new Parameter(6, 0, info.maxInitiatorQueueDepth(), value -> qp(1, value, 1, 1, 0)),
            new Parameter(7, 0, info.maxReceiveSge(), value -> qp(1, 1, value, 1, 0)),
            new Parameter(8, 0, info.maxInitiatorSge(), value -> qp(1, 1, 1, value, 0)),
            new Parameter(9, 0, info.maxInlineDataSize(), value -> qp(1, 1, 1, 1, value)),
            new Parameter(6, 0, info.maxInitiatorQueueDepth(), value -> qpWithSrq(value, 1, 0)),
            new Parameter(7, 0, info.maxInitiatorSge(), value -> qpWithSrq(1, value, 0)),
            new Parameter(8, 0, info.maxInlineDataSize(), value -> qpWithSrq(1, 1, value)),
        };
        for (Parameter parameter : parameters) {
            NdStatus refusal = NdStatus.invalidParameter(parameter.number());
            parameter.creator().apply(parameter.least()).release();
            parameter.creator().apply(parameter.most()).release();
            assertRefused(refusal, () -> parameter.creator().apply(parameter.least() - 1));
            assertRefused(refusal, () -> parameter.creator().apply(parameter.most() + 1));
        }
    }

    @Test
    void ndQpMax_allMaximaTogetherSucceed() {
        NdQueuePair largest = qp(
                info.maxReceiveQueueDepth(),
                info.maxInitiatorQueueDepth(),
                info.maxReceiveSge(),
                info.maxInitiatorSge(),
                info.maxInlineDataSize());
        assertThat(largest.isReleased()).isFalse();
    }

    @Test
    void queuesOfAnotherInstanceAreRefusedByTheirNumber() {
        NdAdapter other = open(device);
        NdOverlappedFile otherFile = other.createOverlappedFile();
        NdCompletionQueue foreign = other.createCompletionQueue(otherFile, 16, 0, 0);
        NdSharedReceiveQueue foreignSrq = other.createSharedReceiveQueue(otherFile, 16, 1, 0, 0, 0);
        for (@Nullable NdCompletionQueue bad : Arrays.<@Nullable NdCompletionQueue>asList(foreign, null)) {
            assertRefused(NdStatus.INVALID_PARAMETER_2, () -> adapter.createQueuePair(bad, cq, null, 1, 1, 1, 1, 0));
            assertRefused(NdStatus.INVALID_PARAMETER_3, () -> adapter.createQueuePair(cq, bad, null, 1, 1, 1, 1, 0));
            assertRefused(
                    NdStatus.INVALID_PARAMETER_2, () -> adapter.createQueuePairWithSrq(bad, cq, srq, null, 1, 1, 0));
            assertRefused(
                    NdStatus.INVALID_PARAMETER_3, () -> adapter.createQueuePairWithSrq(cq, bad, srq, null, 1, 1, 0));
        }
        for (@Nullable NdSharedReceiveQueue bad : Arrays.<@Nullable NdSharedReceiveQueue>asList(foreignSrq, null)) {
            assertRefused(
                    NdStatus.INVALID_PARAMETER_4, () -> adapter.createQueuePairWithSrq(cq, cq, bad, null, 1, 1, 0));
        }
        assertRefused(NdStatus.INVALID_HANDLE, () -> adapter.createMemoryRegion(otherFile));
    }

    @Test
    void queueMayBeDeeperThanItsCompletionQueue() {
        NdCompletionQueue two = adapter.createCompletionQueue(file, 2, 0, 0);
        assertThat(adapter.createQueuePair(two, two, null, 64, 64, 1, 1, 0).isReleased())
                .isFalse();
    }

    @Test
    void affinityIsRemembered() {
        NdCompletionQueue placed = adapter.createCompletionQueue(file, 2, 3, 0xf0);
        NdSize group = new NdSize();
        NdAffinity mask = new NdAffinity();
        assertThat(placed.getNotifyAffinity(group, mask)).isEqualTo(NdStatus.SUCCESS);
        assertThat(group.value()).isEqualTo(3);
        assertThat(mask.mask()).isEqualTo(0xf0);
    }

    @Test
    void deadDeviceIsRemoved() {
        NdOverlapped pending = new NdOverlapped();
        assertThat(cq.notify(NdNotifyType.ANY, pending)).isEqualTo(NdStatus.PENDING);
        NdOverlapped shared = new NdOverlapped();
        assertThat(srq.notify(shared)).isEqualTo(NdStatus.PENDING);
        device.inject(EventType.DEVICE_FATAL);
        assertThat(cq.getOverlappedResult(pending, true)).isEqualTo(NdStatus.DEVICE_REMOVED);
        assertThat(srq.getOverlappedResult(shared, true)).isEqualTo(NdStatus.DEVICE_REMOVED);
        assertThat(cq.notify(NdNotifyType.ANY, pending)).isEqualTo(NdStatus.DEVICE_REMOVED);
        assertRefused(NdStatus.DEVICE_REMOVED, () -> adapter.createMemoryWindow());
        assertRefused(NdStatus.DEVICE_REMOVED, () -> adapter.createOverlappedFile());
    }

    private NdSharedReceiveQueue srq(int depth, int sge, int threshold) {
        return adapter.createSharedReceiveQueue(file, depth, sge, threshold, 0, 0);
    }

    private NdQueuePair qp(int receiveDepth, int initiatorDepth, int receiveSge, int initiatorSge, int inlineBytes) {
        return adapter.createQueuePair(
                cq, cq, null, receiveDepth, initiatorDepth, receiveSge, initiatorSge, inlineBytes);
    }

    private NdQueuePair qpWithSrq(int initiatorDepth, int initiatorSge, int inlineBytes) {
        return adapter.createQueuePairWithSrq(cq, cq, srq, null, initiatorDepth, initiatorSge, inlineBytes);
    }

    private static void assertRefused(NdStatus status, ThrowingCallable creator) {
        assertThatThrownBy(creator)
                .isInstanceOfSatisfying(
                        NdException.class,
                        refused -> assertThat(refused.status()).isEqualTo(status));
    }
}
