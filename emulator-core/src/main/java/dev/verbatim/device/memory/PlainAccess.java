// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.device.context.Decision;
import dev.verbatim.device.context.Denial;
import dev.verbatim.device.context.QpIdentity;
import dev.verbatim.wire.MemoryFault;
import dev.verbatim.wire.PlainAnswer;
import dev.verbatim.wire.PlainRequest;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What requests on the fast path do to memory, where nothing is held back from programs. Whether they may is asked of
 * {@link AccessDecision}, as on the usual path; where they may not, or where the memory cannot be used, nothing was done, and the usual
 * path says why.
 */
public final class PlainAccess {

    private PlainAccess() {}

    /** What the key of a request leads to, if that grants it (H3-4, H3-7); null otherwise. */
    public static @Nullable RemoteTarget allowed(
            KeyTable keys, int grantedByQp, QpIdentity user, AccessOperation operation, PlainRequest request) {
        if (AccessDecision.queuePairRight(grantedByQp, operation) != null) {
            return null;
        }
        int key = request.remoteKey;
        RemoteTarget target = keys.target(key);
        Decision decision = AccessDecision.remoteKey(
                keys, target, user, operation, request.remoteAddress, request.lengthBytes, key);
        return decision instanceof Denial ? null : target;
    }

    /** Where a message of that length goes in a receive of one element, if all of it has room and may be written; null otherwise. */
    public static @Nullable RemoteTarget room(KeyTable keys, SgeList elements, int lengthBytes) {
        if (elements.count != 1 || elements.lengths[0] < lengthBytes) {
            return null;
        }
        int lkey = elements.lkeys[0];
        EmulatedMemoryRegion region = keys.byLocalKey(lkey);
        Decision decision = AccessDecision.local(
                keys, region, elements.pd, AccessOperation.LOCAL_WRITE, elements.addresses[0], lengthBytes, lkey);
        return decision instanceof Denial ? null : region;
    }

    /** Copies the bytes of a WRITE; false if the memory cannot be used. */
    public static boolean place(RemoteTarget target, PlainRequest request) {
        return place(target, request.remoteAddress, request);
    }

    /** Copies the bytes of a SEND to the first element of a receive; false if the memory cannot be used. */
    public static boolean place(RemoteTarget room, SgeList elements, PlainRequest request) {
        return place(room, elements.addresses[0], request);
    }

    private static boolean place(RemoteTarget target, long address, PlainRequest request) {
        EmulatedMemoryRegion region = target.region();
        long index = target.indexOf(address);
        try {
            if (!region.isUsable(index, request.lengthBytes, true)) {
                return false;
            }
            Placement.write(
                    region.bufferAt(index), region.at(index), request.buffer, request.index, request.lengthBytes);
            return true;
        } catch (RuntimeException | InternalError e) {
            return false;
        }
    }

    /** Has the request name the bytes that it reads; false if the memory cannot be used. */
    public static boolean show(RemoteTarget target, PlainRequest request) {
        return show(target.region(), target.indexOf(request.remoteAddress), request);
    }

    /** Has the answer name the bytes that a READ asked for; false if the memory cannot be used. */
    public static boolean show(RemoteTarget target, long address, PlainAnswer answer) {
        EmulatedMemoryRegion region = target.region();
        long index = target.indexOf(address);
        if (!isReadable(region, index, answer.lengthBytes)) {
            return false;
        }
        answer.buffer = region.bufferAt(index);
        answer.index = region.at(index);
        return true;
    }

    /** Whether the word of an atomic can be changed, as far as the owner of the memory says. */
    public static boolean isUsableWord(RemoteTarget target, PlainRequest request) {
        return target.region().isUsable(target.indexOf(request.remoteAddress), Long.BYTES, true);
    }

    static boolean show(EmulatedMemoryRegion region, long index, PlainRequest request) {
        if (!isReadable(region, index, request.lengthBytes)) {
            return false;
        }
        request.buffer = region.bufferAt(index);
        request.index = region.at(index);
        return true;
    }

    /** One byte is read first, as on the usual path: memory that was closed under the device is found out here. */
    private static boolean isReadable(EmulatedMemoryRegion region, long index, int count) {
        try {
            if (!region.isUsable(index, count, false)) {
                return false;
            }
            region.bufferAt(index).get(region.at(index));
            MemoryFault.raise();
            return true;
        } catch (RuntimeException | InternalError e) {
            return false;
        }
    }

    /** Copies what a READ or an atomic brought to its only element; null if that was allowed and could be done (MR-40). */
    public static @Nullable Denial returned(
            KeyTable keys, SgeList elements, ByteBuffer from, int index, int lengthBytes) {
        int lkey = elements.lkeys[0];
        long address = elements.addresses[0];
        EmulatedMemoryRegion region = keys.byLocalKey(lkey);
        Decision decision = AccessDecision.local(
                keys, region, elements.pd, AccessOperation.LOCAL_WRITE, address, lengthBytes, lkey);
        if (decision instanceof Denial denial) {
            return denial;
        }
        if (region == null) {
            return null;
        }
        long to = region.indexOf(address);
        try {
            if (!region.isUsable(to, lengthBytes, true)) {
                return region.isNull() ? null : SgeAccess.unusable(region, to, lengthBytes, true);
            }
            Placement.write(region.bufferAt(to), region.at(to), from, index, lengthBytes);
            return null;
        } catch (RuntimeException | InternalError e) {
            return SgeAccess.unusable(region, to, lengthBytes, true, e);
        }
    }
}
