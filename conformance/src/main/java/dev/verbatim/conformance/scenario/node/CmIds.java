// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.node;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmEventType;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.verbs.Device;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A node's identifiers of the connection manager, and the channel of their events. There is none before the first is asked for. */
public final class CmIds {

    private final Device device;
    private final List<CmId> all = new ArrayList<>();
    private final Map<String, CmId> byQp = new HashMap<>();
    private @Nullable EventChannel channel;
    private @Nullable CmId requested;

    CmIds(Device device) {
        this.device = device;
    }

    /** A new one, which listens. */
    public CmId listener() {
        return fresh();
    }

    /** A new one, which connects the queue pair of that name. */
    public CmId connecting(String qp) {
        CmId id = fresh();
        byQp.put(qp, id);
        return id;
    }

    private CmId fresh() {
        EventChannel events = channel;
        if (events == null) {
            events = EventChannel.open(device);
            channel = events;
        }
        CmId id = events.createId();
        all.add(id);
        return id;
    }

    /** That of the oldest request that was fetched and not answered; null if there is none. */
    @Nullable
    public CmId requested() {
        return requested;
    }

    /** The request is answered; the connection, if there is one, is that of the queue pair. */
    public void answered(CmId id, @Nullable String qp) {
        requested = null;
        if (qp != null) {
            byQp.put(qp, id);
        }
    }

    /** The one that connects the queue pair, or has; null if there is none. */
    @Nullable
    public CmId of(String qp) {
        return byQp.get(qp);
    }

    /** Whether an event waits. */
    public boolean hasEvent() {
        return channel != null && channel.hasEvent();
    }

    /** Fetches the event that waits, and acknowledges it. */
    public CmEvent fetch() {
        CmEvent event = channel == null ? null : channel.pollEvent();
        if (event == null) {
            throw new IllegalStateException("no event of connections is there; ask hasEvent first");
        }
        if (event.type() == CmEventType.CONNECT_REQUEST) {
            requested = event.id();
            all.add(event.id());
        }
        event.acknowledge();
        return event;
    }

    void closeAll() {
        all.forEach(CmId::close);
        if (channel != null) {
            channel.close();
        }
    }
}
