// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbatim.networkdirect.NdAdapter;
import dev.verbatim.networkdirect.NdAdapterFlags;
import dev.verbatim.networkdirect.NdAdapterInfo;
import dev.verbatim.networkdirect.NdException;
import dev.verbatim.networkdirect.NdMemoryRegion;
import dev.verbatim.networkdirect.NdOverlapped;
import dev.verbatim.networkdirect.NdProvider;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdSize;
import dev.verbatim.networkdirect.NdStatus;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What programs ask an adapter before there is a connection: ndcat and ndadapterinfo (5.3), NdLargeQPDepth, NdQpMax (5.2), NdMRInvalidBuffer (5.1). */
@OnOneFabric
class NdAdapterContractTest {

    @Parameter
    FabricKind fabric;

    @Test
    void ndcat_eachAddressOfTheListIsOneThatCanBeOpened() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdProvider provider = NdProvider.of(meeting.verbs.left.device, meeting.verbs.right.device);
            NdSize count = new NdSize();
            assertThat(provider.queryAddressList(null, count)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
            assertThat(count.value()).isPositive();
            InetSocketAddress[] list = new InetSocketAddress[count.value()];
            assertThat(provider.queryAddressList(list, count)).isEqualTo(NdStatus.SUCCESS);
            assertThat(list).doesNotContainNull().doesNotHaveDuplicates();
            for (InetSocketAddress address : list) {
                assertThat(provider.checkAddress(address)).isEqualTo(NdStatus.SUCCESS);
                NdAdapter adapter = provider.openAdapter(provider.resolveAddress(address));
                InetSocketAddress[] own = new InetSocketAddress[1];
                assertThat(adapter.queryAddressList(own, count)).isEqualTo(NdStatus.SUCCESS);
                assertThat(own[0]).isEqualTo(address);
                adapter.release();
            }
        }
    }

    @Test
    void ndadapterinfo_argumentIsCheckedBeforeAnythingIsOpened() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdProvider provider = NdProvider.of(meeting.verbs.left.device);
            InetSocketAddress nobodys = new InetSocketAddress("192.0.2.1", 0);
            assertThat(provider.checkAddress(meeting.client.ownAddress(0))).isEqualTo(NdStatus.SUCCESS);
            assertThat(provider.checkAddress(meeting.server.ownAddress(0))).isEqualTo(NdStatus.INVALID_ADDRESS);
            assertThat(provider.checkAddress(nobodys)).isEqualTo(NdStatus.INVALID_ADDRESS);
            refuses(NdStatus.INVALID_ADDRESS, () -> provider.resolveAddress(nobodys));
        }
    }

    @Test
    void ndadapterinfo_structureSaysWhatTheRecordSays() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdAdapter adapter = meeting.client.adapter;
            NdSize size = new NdSize();
            assertThat(adapter.query(null, size)).isEqualTo(NdStatus.BUFFER_OVERFLOW);
            assertThat(size.value()).isPositive();
            // What is behind the structure is none of its business.
            ByteBuffer buffer = ByteBuffer.allocate(size.value() + 8).order(ByteOrder.nativeOrder());
            buffer.putInt(0, NdAdapterInfo.VERSION_2).putLong(size.value(), 4711);
            assertThat(adapter.query(buffer, size)).isEqualTo(NdStatus.SUCCESS);
            assertThat(buffer.getInt(size.value() - 4))
                    .isEqualTo(adapter.query().adapterFlags());
            assertThat(buffer.getLong(size.value())).isEqualTo(4711);
        }
    }

    @Test
    void ndadapterinfo_flagsAreToldByTheirNamesAndOthersByTheirBits() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            assertThat(NdAdapterFlags.toString(meeting.client.adapter.query().adapterFlags()))
                    .isEqualTo("IN_ORDER_DMA_SUPPORTED|CQ_RESIZE_SUPPORTED|LOOPBACK_CONNECTIONS_SUPPORTED");
            assertThat(NdAdapterFlags.toString(0x40000002)).isEqualTo("0x40000002");
            assertThat(NdAdapterFlags.toString(0x80000104))
                    .isEqualTo("CQ_INTERRUPT_MODERATION_SUPPORTED|CQ_RESIZE_SUPPORTED|0x80000000");
            assertThat(NdAdapterFlags.toString(8)).isEqualTo("MULTI_ENGINE_SUPPORTED");
            assertThat(NdAdapterFlags.toString(0)).isEqualTo("0");
        }
    }

    /** Microsoft's helper gives the number of elements as the depth of receives, and so tries neither. */
    @ParameterizedTest
    @CsvSource({
        // which of the five goes beyond its maximum, and the number of the parameter
        "0, 5",
        "1, 6",
        "2, 7",
        "3, 8",
        "4, 9",
    })
    void ndLargeQpDepth_oneMoreThanAMaximumIsRefusedByItsNumber(int which, int number) {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            int[] most = maxima(meeting.client);
            int[] sizes = {1, 1, 1, 1, 0};
            sizes[which] = most[which];
            create(meeting.client, sizes);
            sizes[which]++;
            refuses(NdStatus.invalidParameter(number), () -> create(meeting.client, sizes));
        }
    }

    @Test
    void ndQpMax_allMaximaTogetherAreGranted() {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            create(meeting.client, maxima(meeting.client));
        }
    }

    private static int[] maxima(NdSide side) {
        NdAdapterInfo info = side.adapter.query();
        return new int[] {
            info.maxReceiveQueueDepth(),
            info.maxInitiatorQueueDepth(),
            info.maxReceiveSge(),
            info.maxInitiatorSge(),
            info.maxInlineDataSize()
        };
    }

    private static void create(NdSide side, int[] sizes) {
        side.adapter
                .createQueuePair(side.cq, side.cq, null, sizes[0], sizes[1], sizes[2], sizes[3], sizes[4])
                .release();
    }

    private static void refuses(NdStatus status, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        NdException.class,
                        refused -> assertThat(refused.status()).isEqualTo(status));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ndMrInvalidBuffer_nothingIsNotRegistered(boolean isThere) {
        try (NdMeeting meeting = new NdMeeting(fabric)) {
            NdMemoryRegion region = meeting.client.adapter.createMemoryRegion(meeting.client.file);
            NdOverlapped overlapped = new NdOverlapped();
            assertThat(region.register(isThere ? meeting.client.memory : null, 0, 0, 0, overlapped))
                    .isEqualTo(isThere ? NdStatus.INVALID_BUFFER_SIZE : NdStatus.INVALID_PARAMETER);
            region.release();
        }
    }
}
