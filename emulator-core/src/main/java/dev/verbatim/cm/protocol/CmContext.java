// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

import dev.verbatim.fabric.DevicePart;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.LaneTimer;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.DeviceAttributes;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Octets;

/** What connection management needs of its device: the port for datagrams, the lane with its clock, numbers, and limits. On the lane. */
public final class CmContext {

    /** For the two depths of a connection: as many as the device can. */
    private static final int MOST_DEPTH = 255;

    private final ManagementPort port;
    private final Lane lane;
    private final Gid gid;
    private final int mostServed;
    private final int mostIssued;
    private final int mostMtu;
    private final UnguessableNumbers numbers;

    CmContext(ManagementPort port, Device device) {
        DeviceAttributes attributes = device.query();
        this.port = port;
        this.lane = port.lane();
        this.gid = port.gid();
        this.mostServed = Math.min(MOST_DEPTH, attributes.maxQpRdAtom());
        this.mostIssued = Math.min(MOST_DEPTH, attributes.maxQpInitRdAtom());
        this.mostMtu = device.queryPort(port.portNumber()).activeMtu().number();
        this.numbers = new UnguessableNumbers(port.seed(), port.disguise());
    }

    /** Queue pair 1. */
    public ManagementPort port() {
        return port;
    }

    /** The number of the port, from 1. */
    public int portNumber() {
        return port.portNumber();
    }

    /** Runs a call of a program on the lane that depends on nothing but what is here and the queue pairs that it changes. */
    public void call(Runnable work) {
        lane.callTold(port.deviceName(), DevicePart.CONNECTIONS, work);
        lane.giveWay();
    }

    /** A program looks whether there are events. From any thread. */
    public void lookedAt() {
        lane.touched(port.deviceName(), DevicePart.CONNECTIONS, 0, 1, false);
    }

    /** What is done next depends on the state of the queue pair. On the lane. */
    public void stateDecides(QueuePair qp) {
        lane.stateDecides(port.deviceName(), qp.number());
    }

    /** Where everything here runs. */
    public Lane lane() {
        return lane;
    }

    /** The device's own GID. */
    public Gid gid() {
        return gid;
    }

    /** Communication IDs, first PSNs. */
    public UnguessableNumbers numbers() {
        return numbers;
    }

    /** READs and atomics that a queue pair serves at most. */
    public int mostServed() {
        return mostServed;
    }

    /** READs and atomics that a queue pair has outstanding at most. */
    public int mostIssued() {
        return mostIssued;
    }

    /** Code of the largest path MTU of the port. */
    public int mostMtu() {
        return mostMtu;
    }

    /** A rule decided something; a tap of the device is told. */
    public void decided(Rule rule) {
        port.decided(rule);
    }

    /** The transaction ID of a connection or question, as Linux makes it of the communication ID. */
    static long transactionId(int localId) {
        return (2L << Integer.SIZE) | Integer.toUnsignedLong(Integer.reverseBytes(localId));
    }

    void send(Gid destination, Octets mad) {
        // A datagram that is dropped here is repeated, as if it had been lost on the way.
        boolean unused = port.send(destination, mad);
    }

    void arm(LaneTimer timer, long nanos) {
        lane.arm(timer, lane.nowNanos() + nanos);
    }

    /** A step of the agent threw something. */
    void failed(Throwable thrown) {
        port.failed(thrown);
    }
}
