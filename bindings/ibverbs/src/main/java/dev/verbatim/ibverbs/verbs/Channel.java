// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Field;
import dev.verbatim.ibverbs.abi.Layouts.ibv_comp_channel;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.ibverbs.wait.Signal;
import dev.verbatim.verbs.CompletionChannel;

/** A {@code struct ibv_comp_channel}, whose descriptor is readable while events wait. */
public final class Channel extends Struct {

    /** All channels; the struct has no handle, so one is behind it. */
    public static final Table<Channel> TABLE = new Table<>(new Field.I32(ibv_comp_channel.SIZE), "ibv_comp_channel");

    private final CompletionChannel channel;
    private final Signal signal = new Signal();

    /** A channel of a context. */
    public Channel(Context context) {
        super(ibv_comp_channel.SIZE + Long.BYTES);
        channel = context.device().createCompletionChannel();
        channel.onReady(signal::raise, signal::lower);
        ibv_comp_channel.context.set(address(), context.address());
        ibv_comp_channel.fd.set(address(), signal.descriptor());
        TABLE.add(this);
    }

    CompletionChannel channel() {
        return channel;
    }

    /** Destroys it; refused while completion queues use it. */
    public void close() {
        channel.close();
        signal.close();
        TABLE.remove(this);
    }
}
