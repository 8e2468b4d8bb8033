// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.socket;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** A socket that takes as many bytes as it is told, and keeps them; nothing comes from it. */
public final class TakingSocket implements RawSocket {

    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private long room;

    /** It takes so many bytes from now on, of which none has been taken. */
    public void room(long bytes) {
        room = bytes;
    }

    /** Returns what was taken since this was asked last. */
    public byte[] taken() {
        byte[] bytes = taken.toByteArray();
        taken.reset();
        return bytes;
    }

    @Override
    public int read(ByteBuffer buffer, int from, int to, ByteBuffer next, int nextFrom, int nextTo) {
        return 0;
    }

    @Override
    public long write(PendingBytes pieces) {
        ByteBuffer[] views = pieces.views();
        long written = 0;
        for (int i = 0; i < pieces.count(); i++) {
            ByteBuffer view = views[pieces.firstView() + i];
            byte[] part = new byte[(int) Math.min(room - written, view.remaining())];
            view.duplicate().get(part);
            taken.writeBytes(part);
            written += part.length;
        }
        room -= written;
        pieces.written(written);
        return written;
    }

    @Override
    public boolean isOf(Object identity) {
        return equals(identity);
    }
}
