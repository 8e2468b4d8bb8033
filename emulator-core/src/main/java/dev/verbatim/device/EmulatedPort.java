// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.DevicePort;
import dev.verbatim.device.event.AsyncEventQueue;
import dev.verbatim.fabric.DevicePart;
import dev.verbatim.fabric.FabricPort;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.verbs.DeviceCounter;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.LinkLayer;
import dev.verbatim.verbs.LinkSpeed;
import dev.verbatim.verbs.LinkWidth;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.PortAttributes;
import dev.verbatim.verbs.PortState;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;

/** A port of a device: what it says of itself, whether its carrier is there (AE-11), and its queue pair 1. */
final class EmulatedPort {

    /** The counters have 16 bits and stay there. */
    private static final int MOST_COUNTED = 0xffff;

    private final DeviceContext device;
    private final DevicePort own;
    private final AsyncEventQueue events;
    private final ManagementQueuePair management;

    /** Only the lane counts. */
    private volatile int badPkeys;

    private volatile int badQueueKeys;
    private volatile PortState state = PortState.ACTIVE;
    private volatile LinkWidth width = LinkWidth.X1;
    private volatile LinkSpeed speed = LinkSpeed.SDR;

    EmulatedPort(DeviceContext device, DevicePort own, AsyncEventQueue events, ManagementQueuePair management) {
        this.device = device;
        this.own = own;
        this.events = events;
        this.management = management;
    }

    /** Its number, from 1. */
    int number() {
        return own.number();
    }

    /** What queue pairs know of it. */
    DevicePort own() {
        return own;
    }

    /** Its queue pair 1. */
    ManagementQueuePair management() {
        return management;
    }

    PortAttributes query() {
        PathMtu mtu = PathMtu.ofBytes(own.activeMtuBytes());
        touched();
        PortState now = state;
        FabricPort port = own.attachment();
        LinkLayer layer = port.linkLayer();
        return new PortAttributes(
                now,
                PathMtu.MTU_4096,
                mtu,
                DeviceLimits.MAX_MESSAGE_BYTES,
                1,
                DeviceLimits.MAX_PKEYS,
                badPkeys,
                badQueueKeys,
                port.lid(),
                0,
                0,
                0,
                0,
                0,
                1,
                width,
                speed,
                now == PortState.ACTIVE ? PortAttributes.LINK_UP : PortAttributes.DISABLED,
                layer,
                layer == LinkLayer.ETHERNET ? PortAttributes.GRH_REQUIRED : 0);
    }

    /** A packet came with a partition key that is not in the table. On the lane. */
    void badPkey() {
        badPkeys = Math.min(badPkeys + 1, MOST_COUNTED);
    }

    /** A datagram came with another Q_Key than that of its queue pair. On the lane. */
    void badQueueKey() {
        touched();
        badQueueKeys = Math.min(badQueueKeys + 1, MOST_COUNTED);
    }

    private void touched() {
        device.lane().touched(device.name(), DevicePart.PORT);
    }

    Gid gidOfLid(int lid) {
        Gid gid = own.attachment().gidOfLid(lid);
        if (gid == null) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.QV_10,
                    "lid=0x%04x leads nowhere: the port has lid=0x%04x, and LIDs are in 1..0xbfff; use GIDs",
                    lid,
                    own.attachment().lid());
        }
        return gid;
    }

    Gid gid(int index) {
        requireFirst(index);
        return own.gid();
    }

    int pkey(int index) {
        requireFirst(index);
        return DeviceLimits.DEFAULT_PKEY;
    }

    private void requireFirst(int index) {
        if (index != 0) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.QV_06, "port_num=%d index=%d; there is only index 0", number(), index);
        }
    }

    /** The port says something else of its link from now on. On the lane. */
    void linkChanged(PathMtu mtu, LinkWidth newWidth, LinkSpeed newSpeed) {
        own.boundMtu(mtu);
        width = newWidth;
        speed = newSpeed;
    }

    /** The carrier came or went. Queue pairs are told nothing: what they send is lost meanwhile (QP-29). On the lane. */
    void carrierChanged(boolean present) {
        PortState now = present ? PortState.ACTIVE : PortState.DOWN;
        if (state != now) {
            state = now;
            if (!present) {
                device.counters().count(DeviceCounter.LINK_DOWNED);
            }
            events.raise(present ? EventType.PORT_ACTIVE : EventType.PORT_ERR, number(), null);
        }
    }
}
