// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdConnector;
import dev.verbatim.networkdirect.NdMemoryWindow;
import dev.verbatim.networkdirect.NdOpFlags;
import dev.verbatim.networkdirect.NdProfile;
import dev.verbatim.networkdirect.NdQueuePair;
import dev.verbatim.networkdirect.NdRequestType;
import dev.verbatim.networkdirect.NdResult;
import dev.verbatim.networkdirect.NdSge;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.testing.RcPair;
import dev.verbatim.verbs.QpCapabilities;
import java.util.List;

/**
 * Two sides in the words of NetworkDirect on a fabric, connected: the peer reaches for memory of the owner. Beside them the devices have the
 * sides of verbs, for those who want to speak to one.
 */
final class NdPair implements AutoCloseable {

    static final int READ = NdOpFlags.ALLOW_READ;
    static final int WRITE = NdOpFlags.ALLOW_WRITE;

    final RcPair verbs;
    final NdSide peer;
    final NdSide owner;

    private NdPair(RcPair verbs, NdProfile profile, NdSide.Sizes sizes) {
        this.verbs = verbs;
        this.peer = new NdSide(verbs.left.device, profile, sizes);
        this.owner = new NdSide(verbs.right.device, profile, sizes);
        for (int i = 0; i < NdSide.BYTES; i++) {
            owner.bytes().put(i, (byte) (i % 127 + 1));
            peer.bytes().put(i, (byte) -(i % 113 + 1));
        }
    }

    static NdPair open(FabricKind fabric) {
        return open(fabric, NdProfile.REFERENCE);
    }

    static NdPair open(FabricKind fabric, NdProfile profile) {
        return open(fabric, profile, NdSide.Sizes.USUAL);
    }

    static NdPair open(FabricKind fabric, NdProfile profile, NdSide.Sizes sizes) {
        NdPair pair = unconnected(fabric, profile, sizes);
        List<NdConnector> unused = NdSide.meet(pair.peer, pair.owner);
        return pair;
    }

    static NdPair unconnected(FabricKind fabric, NdProfile profile, NdSide.Sizes sizes) {
        return new NdPair(fabric.open(QpCapabilities.USUAL), profile, sizes);
    }

    /** Binds a window over the owner's first queue pair and waits for it; returns its token. */
    int bind(NdMemoryWindow window, int offset, long lengthBytes, int rights) {
        return bind(owner.qp, window, offset, lengthBytes, rights);
    }

    int bind(NdQueuePair queuePair, NdMemoryWindow window, int offset, long lengthBytes, int rights) {
        assertThat(queuePair.bind(window, owner.mr, window, owner.address(offset), lengthBytes, rights))
                .isEqualTo(NdStatus.SUCCESS);
        owner.succeeds(NdRequestType.BIND, window);
        return window.getRemoteToken();
    }

    void invalidate(NdMemoryWindow window) {
        assertThat(owner.qp.invalidate(window, window, 0)).isEqualTo(NdStatus.SUCCESS);
        owner.succeeds(NdRequestType.INVALIDATE, window);
    }

    /** The owner's receive that shows when its queue pair dies. */
    void setTripwire() {
        assertThat(owner.qp.receive("tripwire", NdSge.NONE)).isEqualTo(NdStatus.SUCCESS);
    }

    /** The owner's queue pair has died of what its peer did. */
    void tripwireGoes() {
        owner.expect(NdStatus.CANCELED, NdRequestType.RECEIVE, "tripwire");
    }

    /** The peer writes bytes of its own to the owner's; how that ends. */
    NdResult write(NdQueuePair queuePair, int token, long address, int lengthBytes) {
        assertThat(queuePair.write("write", peer.sge(0, lengthBytes), address, token, 0))
                .isEqualTo(NdStatus.SUCCESS);
        return ended(NdRequestType.WRITE, "write");
    }

    NdResult write(int token, long address, int lengthBytes) {
        return write(peer.qp, token, address, lengthBytes);
    }

    /** The peer reads bytes of the owner; how that ends. */
    NdResult read(int token, long address, int lengthBytes) {
        assertThat(peer.qp.read("read", peer.sge(0, lengthBytes), address, token, 0))
                .isEqualTo(NdStatus.SUCCESS);
        return ended(NdRequestType.READ, "read");
    }

    private NdResult ended(NdRequestType type, Object context) {
        NdResult result = peer.result();
        assertThat(result.requestType()).as("%s", result).isEqualTo(type);
        assertThat(result.requestContext()).as("%s", result).isEqualTo(context);
        return result;
    }

    /** Some of the owner's bytes. */
    byte[] ownersBytes(int offset, int lengthBytes) {
        byte[] bytes = new byte[lengthBytes];
        owner.bytes().get(offset, bytes);
        return bytes;
    }

    byte[] peersBytes(int offset, int lengthBytes) {
        byte[] bytes = new byte[lengthBytes];
        peer.bytes().get(offset, bytes);
        return bytes;
    }

    @Override
    public void close() {
        verbs.close();
    }
}
