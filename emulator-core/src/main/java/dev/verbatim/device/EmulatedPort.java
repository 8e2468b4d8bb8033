// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.device.context.DeviceContext;
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

/** The one port of a device: what it says of itself, and whether its carrier is there (AE-11). */
final class EmulatedPort {

    static final int NUMBER = 1;

    /** The counters have 16 bits and stay there. */
    private static final int MOST_COUNTED = 0xffff;

    private final DeviceContext device;
    private final AsyncEventQueue events;
    /** Only the lane counts. */
    private volatile int badPkeys;

    private volatile int badQueueKeys;
    private volatile PortState state = PortState.ACTIVE;
    private volatile LinkWidth width = LinkWidth.X1;
    private volatile LinkSpeed speed = LinkSpeed.SDR;

    EmulatedPort(DeviceContext device, AsyncEventQueue events) {
        this.device = device;
        this.events = events;
    }

    PortAttributes query(int portNumber) {
        check(portNumber, 0);
        PathMtu mtu = PathMtu.ofBytes(device.activeMtuBytes());
        touched();
        PortState now = state;
        FabricPort port = device.port();
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
        Gid gid = device.port().gidOfLid(lid);
        if (gid == null) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.QV_10,
                    "lid=0x%04x leads nowhere: the port has lid=0x%04x, and LIDs are in 1..0xbfff; use GIDs",
                    lid,
                    device.port().lid());
        }
        return gid;
    }

    int pkey(int portNumber, int index) {
        check(portNumber, index);
        return DeviceLimits.DEFAULT_PKEY;
    }

    void check(int portNumber, int index) {
        device.requireAlive();
        if (portNumber != NUMBER || index != 0) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.QV_06, "port_num=%d index=%d; there is only port 1, index 0", portNumber, index);
        }
    }

    /** The port says something else of its link from now on. On the lane. */
    void linkChanged(PathMtu mtu, LinkWidth newWidth, LinkSpeed newSpeed) {
        device.boundMtu(mtu);
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
            events.raise(present ? EventType.PORT_ACTIVE : EventType.PORT_ERR, NUMBER, null);
        }
    }
}
