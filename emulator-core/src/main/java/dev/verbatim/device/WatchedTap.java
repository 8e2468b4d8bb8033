// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.fabric.EndsRun;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import org.jspecify.annotations.Nullable;

/**
 * A tap whose exceptions do not disturb the device and are not lost: the device goes on, whatever it throws, and closing
 * the devices throws the first of them. For any thread.
 */
public final class WatchedTap implements Tap {

    private static final System.Logger LOGGER = System.getLogger("dev.verbatim.trace");

    private final Tap tap;
    private @Nullable Throwable first;
    private long count;

    private WatchedTap(Tap tap) {
        this.tap = tap;
    }

    /** Watches over a tap; one that is watched already keeps its watch. */
    public static WatchedTap of(Tap tap) {
        return tap instanceof WatchedTap watched ? watched : new WatchedTap(tap);
    }

    /** Whether it is this tap that is watched. */
    @SuppressWarnings("ReferenceEquality") // a tap is its identity
    public boolean isOf(Tap candidate) {
        return tap == candidate;
    }

    @Override
    public void on(TraceEvent event) {
        try {
            tap.on(event);
        } catch (Throwable thrown) {
            if (thrown instanceof EndsRun) {
                throw thrown;
            }
            failed(thrown);
        }
    }

    @Override
    public boolean isListening() {
        return tap.isListening();
    }

    private synchronized void failed(Throwable thrown) {
        count++;
        if (first == null) {
            first = thrown;
            warn(thrown);
        }
    }

    private static void warn(Throwable thrown) {
        try {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "a tap failed; the device goes on, and closing it throws what the tap threw first",
                    thrown);
        } catch (RuntimeException | Error unsaid) {
            thrown.addSuppressed(unsaid);
        }
    }

    /** Throws what the tap threw first, once; nothing if it never failed. How often it did is a suppressed exception of that. */
    public void rethrow() {
        Throwable thrown = take();
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
        if (thrown != null) {
            throw new IllegalStateException("the tap threw " + thrown, thrown);
        }
    }

    private synchronized @Nullable Throwable take() {
        Throwable thrown = first;
        if (thrown != null) {
            thrown.addSuppressed(new IllegalStateException("the tap failed " + count + " times; this was the first"));
        }
        first = null;
        return thrown;
    }

    @Override
    public String toString() {
        return "watched " + tap;
    }
}
