// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * What a device can do with regions that were registered with {@link AccessFlags#ON_DEMAND} ({@code struct ibv_odp_caps}).
 *
 * @param general {@link #SUPPORTED} and {@link #IMPLICIT}
 * @param rc {@link #SEND} to {@link #SRQ_RECEIVE} over reliable connections
 * @param uc the same over unreliable connections
 * @param ud the same for datagrams
 * @param xrc the same over XRC
 */
public record OnDemandCapabilities(int general, int rc, int uc, int ud, int xrc) {

    /** Of {@link #general}: on-demand paging is supported ({@code IBV_ODP_SUPPORT}). */
    public static final int SUPPORTED = 1;

    /** Of {@link #general}: one region can be the whole address space ({@code IBV_ODP_SUPPORT_IMPLICIT}). */
    public static final int IMPLICIT = 1 << 1;

    /** Of a transport: elements of SENDs. */
    public static final int SEND = 1;

    /** Of a transport: elements of receives. */
    public static final int RECEIVE = 1 << 1;

    /** Of a transport: both ends of WRITEs. */
    public static final int WRITE = 1 << 2;

    /** Of a transport: both ends of READs. */
    public static final int READ = 1 << 3;

    /** Of a transport: both ends of atomics. */
    public static final int ATOMIC = 1 << 4;

    /** Of a transport: elements of receives in shared receive queues. */
    public static final int SRQ_RECEIVE = 1 << 5;

    /** Those of a device without on-demand paging. */
    public static final OnDemandCapabilities NONE = new OnDemandCapabilities(0, 0, 0, 0, 0);
}
