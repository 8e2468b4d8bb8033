// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.DeviceAttributes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What an adapter can do ({@code ND2_ADAPTER_INFO}).
 *
 * @param infoVersion the requested version
 * @param vendorId of the adapter; 0, since there is no vendor
 * @param deviceId of the adapter; 0
 * @param adapterId what {@link NdProvider#openAdapter} takes
 * @param maxRegistrationSize bytes of one registration
 * @param maxWindowSize bytes of one window: all bits set, as real adapters report
 * @param maxInitiatorSge elements of a Send or Write
 * @param maxReceiveSge elements of a Receive
 * @param maxReadSge elements of a Read
 * @param maxTransferLength bytes of one request, unsigned
 * @param maxInlineDataSize bytes of one inline request
 * @param maxInboundReadLimit Reads that a queue pair serves at a time
 * @param maxOutboundReadLimit Reads that a queue pair has outstanding
 * @param maxReceiveQueueDepth receives of one queue pair
 * @param maxInitiatorQueueDepth initiator requests of one queue pair
 * @param maxSharedReceiveQueueDepth receives of one shared receive queue
 * @param maxCompletionQueueDepth entries of one completion queue
 * @param inlineRequestThreshold requests of up to this many bytes are faster inline
 * @param largeRequestThreshold from so many bytes on a request counts as large
 * @param maxCallerData bytes of private data of a Connect
 * @param maxCalleeData bytes of private data of an Accept or a Reject
 * @param adapterFlags {@link NdAdapterFlags}
 */
public record NdAdapterInfo(
        int infoVersion,
        int vendorId,
        int deviceId,
        long adapterId,
        long maxRegistrationSize,
        long maxWindowSize,
        int maxInitiatorSge,
        int maxReceiveSge,
        int maxReadSge,
        int maxTransferLength,
        int maxInlineDataSize,
        int maxInboundReadLimit,
        int maxOutboundReadLimit,
        int maxReceiveQueueDepth,
        int maxInitiatorQueueDepth,
        int maxSharedReceiveQueueDepth,
        int maxCompletionQueueDepth,
        int inlineRequestThreshold,
        int largeRequestThreshold,
        int maxCallerData,
        int maxCalleeData,
        int adapterFlags) {

    /** The version that the documentation names. */
    public static final int VERSION_1 = 1;

    /** The version that Microsoft's tests ask for: v2. */
    public static final int VERSION_2 = 0x20000;

    /** Private data of a Connect: what is left of a REQ behind its IP header. */
    static final int MAX_CALLER_DATA = 56;

    /** Private data of a Reject, which has less room than an Accept. */
    static final int MAX_CALLEE_DATA = 148;

    /** Size of the structure. */
    static final int BYTES = 96;

    private static final long ALL_ONES = -1L;
    private static final int LARGE_BYTES = 1 << 16;

    static NdAdapterInfo of(Device device, NdProfile profile) {
        DeviceAttributes has = device.query();
        int flags = NdAdapterFlags.CQ_RESIZE_SUPPORTED | NdAdapterFlags.LOOPBACK_CONNECTIONS_SUPPORTED;
        return new NdAdapterInfo(
                VERSION_2,
                0,
                0,
                has.guid(),
                has.maxMrSizeBytes(),
                ALL_ONES,
                has.maxSge(),
                has.maxSge(),
                has.maxSge(),
                (int) device.queryPort(1).maxMessageBytes(),
                has.maxInlineDataBytes(),
                has.maxQpRdAtom(),
                has.maxQpInitRdAtom(),
                has.maxQpWr(),
                has.maxQpWr(),
                has.maxSrqWr(),
                has.maxCqe(),
                has.maxInlineDataBytes(),
                LARGE_BYTES,
                MAX_CALLER_DATA,
                MAX_CALLEE_DATA,
                profile.inOrderDma() ? flags | NdAdapterFlags.IN_ORDER_DMA_SUPPORTED : flags);
    }

    /** Overwrites the structure, whose first field is the requested version; both known versions have the same layout. */
    NdStatus writeTo(ByteBuffer buffer) {
        ByteBuffer out = buffer.slice().order(ByteOrder.nativeOrder());
        int version = out.getInt(0);
        if (version != VERSION_1 && version != VERSION_2) {
            return NdStatus.INVALID_PARAMETER;
        }
        out.putInt(version).putShort((short) vendorId).putShort((short) deviceId);
        out.putLong(adapterId).putLong(maxRegistrationSize).putLong(maxWindowSize);
        out.putInt(maxInitiatorSge).putInt(maxReceiveSge).putInt(maxReadSge);
        out.putInt(maxTransferLength).putInt(maxInlineDataSize);
        out.putInt(maxInboundReadLimit).putInt(maxOutboundReadLimit);
        out.putInt(maxReceiveQueueDepth).putInt(maxInitiatorQueueDepth);
        out.putInt(maxSharedReceiveQueueDepth).putInt(maxCompletionQueueDepth);
        out.putInt(inlineRequestThreshold).putInt(largeRequestThreshold);
        out.putInt(maxCallerData).putInt(maxCalleeData).putInt(adapterFlags);
        return NdStatus.SUCCESS;
    }
}
