// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.lab;

import dev.verbatim.ibverbs.call.Messages;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.LinkSpeed;
import dev.verbatim.verbs.LinkWidth;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.PortAttributes;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.VerbsException;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Does to devices and queue pairs what faults say whose time or step has come. */
final class DeviceFaults {

    private final CreatedQueuePairs queuePairs;
    private final Links links;

    DeviceFaults(CreatedQueuePairs queuePairs, Links links) {
        this.queuePairs = queuePairs;
        this.links = links;
    }

    /** It happens to a device, or to queue pairs that it names; if it cannot, a line on standard error says why. */
    void happen(Fault fault, Device device) {
        try {
            switch (fault.kind()) {
                case LINK -> forPorts(fault, device, port -> changeLink(fault, device, port));
                case RNR ->
                    forQueuePairs(fault, queuePair -> queuePair.holdReceives(Duration.ofNanos(fault.lastsNanos())));
                default -> raise(fault, device);
            }
        } catch (VerbsException e) {
            did(fault, String.valueOf(e.getMessage()));
        }
    }

    private static void did(Fault fault, String whyNot) {
        Messages.say("fault '%s' did not happen: %s", fault, whyNot);
    }

    private void raise(Fault fault, Device device) {
        String type = String.valueOf(fault.value("type"));
        if (type.equals(Fault.LAST_WQE)) {
            forQueuePairs(fault, queuePair -> reachLastWqe(fault, queuePair));
            return;
        }
        EventType event = EventType.valueOf(type);
        if (event == EventType.DEVICE_FATAL) {
            device.inject(event);
        } else {
            forPorts(fault, device, port -> device.inject(event, port));
        }
    }

    /** For the port that the fault names, or for each if it names none. */
    private static void forPorts(Fault fault, Device device, IntConsumer deed) {
        if (fault.port() > device.gids().size()) {
            did(fault, "device " + device.name() + " has ports=" + device.gids().size());
        } else if (fault.port() > 0) {
            deed.accept(fault.port());
        } else {
            IntStream.rangeClosed(1, device.gids().size()).forEach(deed);
        }
    }

    /** In ERR a queue pair with a shared receive queue has taken its last request of that, which the event says (AE-07). */
    private static void reachLastWqe(Fault fault, QueuePair queuePair) {
        if (queuePair.initAttributes().srq() == null) {
            did(
                    fault,
                    "queue pair " + queuePair.number() + " has no shared receive queue, so nothing raises the event");
            return;
        }
        queuePair.modify(new QpAttributes().state(QpState.ERR).reason(fault.reason()));
    }

    private interface Deed {
        void doTo(QueuePair queuePair);
    }

    private void forQueuePairs(Fault fault, Deed deed) {
        boolean any = false;
        for (CreatedQueuePairs.Created created : queuePairs.namedBy(fault)) {
            deed.doTo(created.queuePair());
            any = true;
        }
        if (!any) {
            did(fault, "there is no such queue pair at present");
        }
    }

    private void changeLink(Fault fault, Device device, int port) {
        PortAttributes now = device.queryPort(port);
        String mtu = fault.value("mtu");
        String width = fault.value("width");
        String speed = fault.value("speed");
        PathMtu active = mtu == null ? now.activeMtu() : PathMtu.ofBytes(Integer.parseInt(mtu));
        device.changeLink(
                port,
                active,
                width == null ? now.activeWidth() : widthOf(Integer.parseInt(width)),
                speed == null ? now.activeSpeed() : LinkSpeed.valueOf(speed));
        links.mtu(device.queryGid(port, 0), active.bytes());
    }

    private static LinkWidth widthOf(int lanes) {
        return Arrays.stream(LinkWidth.values())
                .filter(width -> width.lanes() == lanes)
                .findFirst()
                .orElseThrow();
    }
}
