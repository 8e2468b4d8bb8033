// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.cm.EventChannel;
import dev.verbatim.ibverbs.abi.Field;
import dev.verbatim.ibverbs.abi.Layouts.rdma_event_channel;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.ibverbs.wait.Signal;

/** A {@code struct rdma_event_channel}, whose descriptor is readable while events wait. */
final class EvChannel extends Struct {

    /** The struct has no handle, so one is behind it. */
    static final Table<EvChannel> TABLE = new Table<>(new Field.I32(Long.BYTES), "rdma_event_channel");

    private final EventChannel channel;
    private final Signal signal = new Signal();

    EvChannel() {
        super(2 * Long.BYTES);
        channel = EventChannel.open(Home.get().device());
        channel.onReady(signal::raise);
        rdma_event_channel.fd.set(address(), signal.descriptor());
        TABLE.add(this);
    }

    EventChannel channel() {
        return channel;
    }

    void close() {
        channel.close();
        signal.close();
        TABLE.remove(this);
    }
}
