// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * The address of the peer of a queue pair ({@code struct ibv_ah_attr}). Packets are routed by the GID only; the other
 * fields are checked and stored. Flow label, hop limit and traffic class of an address handle arrive with each
 * datagram, in the {@link Grh} at the start of the receive buffer (UD-01).
 *
 * @param destination GID of the peer's port
 * @param global whether a GRH is used; ports here require it (QV-10)
 * @param portNumber local port, from 1
 * @param sourceGidIndex index of the local GID
 * @param flowLabel flow label of the GRH, 20 bits
 * @param hopLimit hop limit of the GRH, 0 to 255
 * @param trafficClass traffic class of the GRH, 0 to 255
 * @param serviceLevel service level, 0 to 15
 */
public record AddressVector(
        Gid destination,
        boolean global,
        int portNumber,
        int sourceGidIndex,
        int flowLabel,
        int hopLimit,
        int trafficClass,
        int serviceLevel) {

    private static final int USUAL_HOP_LIMIT = 64;
    private static final int MOST_HOPS = 255;

    /**
     * The address of the sender of a datagram ({@code ibv_init_ah_from_wc}), with the traffic class and the flow label
     * of the datagram and the maximum hop limit.
     *
     * @param completion of the receive that took the datagram
     * @param grh the header at the start of the receive buffer
     * @param portNumber local port, from 1
     * @throws VerbsException EINVAL if the completion says that there is no GRH, or the datagram was for another
     *     GID than the port's
     */
    public static AddressVector toAnswer(Device device, WorkCompletion completion, Grh grh, int portNumber) {
        VerbsException.requireNonNull(device, "device");
        VerbsException.requireNonNull(completion, "completion");
        VerbsException.requireNonNull(grh, "grh");
        if (!completion.isSuccess() || !completion.has(WcFlags.GRH)) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.WC_02,
                    "%s has no GRH, which alone says where the datagram came from",
                    completion);
        }
        Gid own = device.queryGid(portNumber, 0);
        if (!own.equals(grh.destination())) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.UD_01, "the datagram was for gid=%s and not for gid=%s", grh.destination(), own);
        }
        return new AddressVector(grh.source(), true, portNumber, 0, grh.flowLabel(), MOST_HOPS, grh.trafficClass(), 0);
    }

    /** The default address vector: port 1, GID index 0, hop limit 64, and zero otherwise. */
    public static AddressVector to(Gid destination) {
        return new AddressVector(destination, true, 1, 0, 0, USUAL_HOP_LIMIT, 0, 0);
    }

    /**
     * Returns a copy for another local port.
     *
     * @param newPortNumber from 1; checked when the address vector is used (QV-06)
     */
    public AddressVector withPort(int newPortNumber) {
        return new AddressVector(
                destination, global, newPortNumber, sourceGidIndex, flowLabel, hopLimit, trafficClass, serviceLevel);
    }

    /**
     * Returns a copy with other GRH fields. Their ranges are checked when the address vector is used.
     *
     * @param newTrafficClass 0 to 255
     * @param newFlowLabel 20 bits
     * @param newHopLimit 0 to 255
     */
    public AddressVector withGrh(int newTrafficClass, int newFlowLabel, int newHopLimit) {
        return new AddressVector(
                destination,
                global,
                portNumber,
                sourceGidIndex,
                newFlowLabel,
                newHopLimit,
                newTrafficClass,
                serviceLevel);
    }
}
