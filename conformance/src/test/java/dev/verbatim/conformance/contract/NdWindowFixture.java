// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdRequestType;
import dev.verbatim.networkdirect.NdResult;
import dev.verbatim.networkdirect.NdSge;
import dev.verbatim.networkdirect.NdSide;
import dev.verbatim.networkdirect.NdStatus;
import dev.verbatim.verbs.WcStatus;
import org.junit.jupiter.params.Parameter;

/** An owner of memory and a peer, in the words of NetworkDirect. */
abstract class NdWindowFixture {

    static final int WINDOW_BYTES = 4096;
    static final int AT = 8192;

    /** A receive of this many bytes brings a token and an address. */
    static final int INVITATION_BYTES = Integer.BYTES + Long.BYTES;

    @Parameter
    FabricKind fabric;

    /** The request fails at the peer, the owner's queue pair dies, and no byte has changed on either side. */
    static void assertRefused(NdPair pair, int token, long address, int lengthBytes, boolean reads) {
        pair.setTripwire();
        byte[] owners = pair.ownersBytes(0, NdSide.BYTES);
        byte[] peers = pair.peersBytes(0, NdSide.BYTES);
        NdResult result = reads ? pair.read(token, address, lengthBytes) : pair.write(token, address, lengthBytes);
        assertThat(result.status()).as("%s", result).isEqualTo(NdStatus.ACCESS_VIOLATION);
        assertThat(result.vendorStatus()).isEqualTo(WcStatus.REM_ACCESS_ERR);
        pair.tripwireGoes();
        assertThat(pair.ownersBytes(0, NdSide.BYTES)).isEqualTo(owners);
        assertThat(pair.peersBytes(0, NdSide.BYTES)).isEqualTo(peers);
        assertThat(pair.peer.qp.send("late", NdSge.NONE, 0)).isEqualTo(NdStatus.SUCCESS);
        pair.peer.expect(NdStatus.CANCELED, NdRequestType.SEND, "late");
    }

    static void invite(NdPair pair, int token, long address) {
        pair.owner.bytes().putInt(0, token).putLong(Integer.BYTES, address);
        assertThat(pair.owner.qp.send("invitation", pair.owner.sge(0, INVITATION_BYTES), 0))
                .isEqualTo(NdStatus.SUCCESS);
    }
}
