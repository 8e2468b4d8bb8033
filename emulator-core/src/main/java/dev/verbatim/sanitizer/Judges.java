// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.WcStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All judges, with the devices and programs that they judge. Its monitor guards them. */
final class Judges implements Judge {

    final Programs programs;
    private final Judge[] all;
    private final List<DeviceWatch> devices = new ArrayList<>();

    Judges(Programs programs, List<Judge> all) {
        this.programs = programs;
        this.all = all.toArray(new Judge[0]);
    }

    /** A device is watched. */
    void add(DeviceWatch device) {
        devices.add(device);
    }

    /** All devices that were opened. */
    List<DeviceWatch> devices() {
        return devices;
    }

    /** The watched queue pair of that number at that GID; null if there is none. */
    @Nullable
    QpWatch queuePair(Gid gid, int number) {
        for (int i = devices.size() - 1; i >= 0; i--) {
            if (devices.get(i).device.gid().equals(gid)) {
                return devices.get(i).queuePair(number);
            }
        }
        return null;
    }

    @Override
    public void posted(Request request, ProgramClock program) {
        for (Judge judge : all) {
            judge.posted(request, program);
        }
    }

    @Override
    public void postEnds(QpWatch queuePair) {
        for (Judge judge : all) {
            judge.postEnds(queuePair);
        }
    }

    @Override
    public void taken(Request receive, QpWatch queuePair) {
        for (Judge judge : all) {
            judge.taken(receive, queuePair);
        }
    }

    @Override
    public void touchedLocally(Access.Kind kind, Range range, @Nullable Request request) {
        for (Judge judge : all) {
            judge.touchedLocally(kind, range, request);
        }
    }

    @Override
    public void touchedRemotely(Access.Kind kind, Range range, @Nullable Request request, @Nullable Request receive) {
        for (Judge judge : all) {
            judge.touchedRemotely(kind, range, request, receive);
        }
    }

    @Override
    public void reached(QpWatch responder, Access.Kind kind, Range range, int key, @Nullable Request request) {
        for (Judge judge : all) {
            judge.reached(responder, kind, range, key, request);
        }
    }

    @Override
    public void completed(Request request, WcStatus status) {
        for (Judge judge : all) {
            judge.completed(request, status);
        }
    }

    @Override
    public void released(Request request) {
        for (Judge judge : all) {
            judge.released(request);
        }
    }

    @Override
    public void registered(DeviceWatch device, Region region) {
        for (Judge judge : all) {
            judge.registered(device, region);
        }
    }

    @Override
    public void deregistered(DeviceWatch device, Region region, long nowNanos) {
        for (Judge judge : all) {
            judge.deregistered(device, region, nowNanos);
        }
    }

    @Override
    public void windowKey(DeviceWatch device, int rkey, boolean valid, @Nullable QpWatch queuePair, long nowNanos) {
        for (Judge judge : all) {
            judge.windowKey(device, rkey, valid, queuePair, nowNanos);
        }
    }

    @Override
    public void rkeyAsked(DeviceWatch device, int lkey) {
        for (Judge judge : all) {
            judge.rkeyAsked(device, lkey);
        }
    }

    @Override
    public void keyRefused(QpWatch responder, int rkey, @Nullable Request request, long nowNanos) {
        for (Judge judge : all) {
            judge.keyRefused(responder, rkey, request, nowNanos);
        }
    }

    @Override
    public void receiverNotReady(QpWatch responder, @Nullable Request message, long nowNanos) {
        for (Judge judge : all) {
            judge.receiverNotReady(responder, message, nowNanos);
        }
    }

    @Override
    public void destroyed(QpWatch queuePair) {
        for (Judge judge : all) {
            judge.destroyed(queuePair);
        }
    }

    @Override
    public void made(DeviceWatch device, Object object) {
        for (Judge judge : all) {
            judge.made(device, object);
        }
    }

    @Override
    public void closed(DeviceWatch device, Object object) {
        for (Judge judge : all) {
            judge.closed(device, object);
        }
    }

    @Override
    public void closedAll(DeviceWatch device) {
        for (Judge judge : all) {
            judge.closedAll(device);
        }
    }

    @Override
    public void armed(CqWatch cq, long waiting, String site) {
        for (Judge judge : all) {
            judge.armed(cq, waiting, site);
        }
    }

    @Override
    public void waitsFor(DeviceWatch device, CompletionChannel channel, ProgramClock program) {
        for (Judge judge : all) {
            judge.waitsFor(device, channel, program);
        }
    }

    @Override
    public void eventTaken(DeviceWatch device, CompletionQueue cq) {
        for (Judge judge : all) {
            judge.eventTaken(device, cq);
        }
    }

    @Override
    public void raised(DeviceWatch device, EventType type) {
        for (Judge judge : all) {
            judge.raised(device, type);
        }
    }

    @Override
    public void eventTaken(DeviceWatch device, AsyncEvent event) {
        for (Judge judge : all) {
            judge.eventTaken(device, event);
        }
    }

    @Override
    public void settle(DeviceWatch device) {
        for (Judge judge : all) {
            judge.settle(device);
        }
    }

    @Override
    public void end(DeviceWatch device) {
        for (Judge judge : all) {
            judge.end(device);
        }
    }
}
