// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import java.io.IOException;
import java.io.OutputStream;

/**
 * The output stream of a tap. If the stream fails, one line is logged, and nothing more is written; the device is not
 * affected. Each write goes to the stream immediately, so that the trace is complete however the program ends.
 */
final class TraceOutput {

    private static final System.Logger LOGGER = System.getLogger(TraceOutput.class.getName());

    private final OutputStream stream;
    private final String what;
    private long written;
    private boolean stopped;

    /**
     * Begins.
     *
     * @param what the sink's name in the log
     */
    TraceOutput(OutputStream stream, String what) {
        this.stream = stream;
        this.what = what;
    }

    /** Whether everything written from now on is lost. */
    boolean isStopped() {
        return stopped;
    }

    void write(byte... bytes) {
        attempt(() -> {
            stream.write(bytes);
            written += bytes.length;
        });
    }

    void flush() {
        attempt(stream::flush);
    }

    /** Closes the stream; another time does nothing. */
    void close() {
        attempt(stream::close);
        stopped = true;
    }

    private void attempt(Attempt attempt) {
        if (stopped) {
            return;
        }
        try {
            attempt.run();
        } catch (IOException | RuntimeException e) {
            stopped = true;
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "the {0} ends after {1} bytes, because writing failed: {2}; pass a stream that stays open",
                    what,
                    Long.toString(written),
                    e);
            closeQuietly();
        }
    }

    private void closeQuietly() {
        try {
            stream.close();
        } catch (IOException | RuntimeException alsoBroken) {
            // That it is broken was said already.
        }
    }

    private interface Attempt {
        void run() throws IOException;
    }

    @Override
    public String toString() {
        return what;
    }
}
