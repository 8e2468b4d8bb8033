// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Octets;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;

/**
 * Queue pair 1 of a device: sends and receives management datagrams (MADs) of {@value #MAD_BYTES} bytes for one agent. Datagrams may
 * be lost, duplicated and reordered; their sender repeats them when no answer arrives.
 *
 * <p>The port checks queue key, partition key and length. It does not interpret datagrams, except that it answers queries of its
 * class information.
 */
public interface ManagementPort {

    /** Length of every datagram. */
    int MAD_BYTES = 256;

    /** The number of the queue pair, here and at every peer. */
    int QP_NUMBER = 1;

    /** The lane on which the device, and its agent, run. */
    Lane lane();

    /** The GID of the port, which peers see as the source. */
    Gid gid();

    /** The number of the port, from 1. */
    int portNumber();

    /** The node GUID of the device. */
    long guid();

    /**
     * What numbers follow from that strangers should not guess: drawn afresh where strangers can reach the device, else its GUID and which
     * life of it this is, so that runs repeat.
     */
    long seed();

    /**
     * Gives a number in place of another one, from which strangers who have seen many cannot tell the seed; the number itself where none
     * was drawn, so that runs repeat.
     */
    LongUnaryOperator disguise();

    /** The name of the device, for messages and traces. */
    String deviceName();

    /**
     * Sends a datagram to queue pair 1 of the device with that GID, which may be this one. Delivery is not reported. On the
     * lane.
     *
     * @return false if it was dropped at once: too much is waiting to be sent, there is no way there, or the
     *     device is closed or failed
     * @throws IllegalArgumentException if it is not {@value #MAD_BYTES} bytes long
     */
    boolean send(Gid destination, Octets mad);

    /** Reports to the tap of the device that a rule decided something. On the lane. */
    void decided(Rule rule);

    /** A program has an event of the agent. From any thread. */
    default void heard() {}

    /** A step of the agent threw something: the device fails, and says so (AE-12). On the lane. */
    void failed(Throwable thrown);

    /** How many datagrams were dropped for that cause so far. From any thread. */
    long dropped(ManagementDrop cause);

    /**
     * The one agent of the port, which {@code maker} makes when there is none yet. From any thread; the maker runs on the lane.
     *
     * @throws dev.verbatim.verbs.VerbsException EINVAL if the device is closed, EIO if it has failed
     */
    ManagementAgent agent(Function<ManagementPort, ManagementAgent> maker);

    /**
     * Makes the agent when a datagram comes and there is none yet. From any thread; the maker runs on the lane.
     *
     * @throws dev.verbatim.verbs.VerbsException as {@link #agent}
     */
    void standIn(Function<ManagementPort, ManagementAgent> maker);

    /** Tells the agent, if there is one, that the {@linkplain ManagementAgent#programEnds program ends}. From any thread. */
    default void programEnds() {}

    /**
     * Finds the device at an address, as {@link FabricPort#resolve} does. On the lane; so is the outcome, perhaps before this
     * returns.
     *
     * @param timeoutNanos how long it may take at most
     */
    void resolve(InetSocketAddress address, long timeoutNanos, Resolution outcome);

    /**
     * Takes an address at which peers are to find the device, as {@link FabricPort#bind} does. Not on the lane.
     *
     * @return the address with its port
     */
    InetSocketAddress bind(InetSocketAddress address);

    /** Lets peers find the device there, as {@link FabricPort#listen} does. From any thread. */
    default void listen(InetSocketAddress address) {}

    /** Undoes {@link #bind}, as {@link FabricPort#unbind} does. From any thread. */
    default void unbind(InetSocketAddress address) {}

    /** Whether a program may give the address as its own: it is the wildcard, or the device's. */
    default boolean isOwn(InetAddress host) {
        return host.isAnyLocalAddress() || Gid.of(host).equals(gid());
    }
}
