// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import java.io.OutputStream;

/**
 * Writes events as JSON lines: one object per event, in UTF-8.
 *
 * <p>Each object has {@code kind} (posted, connected, started, sent, received, dropped, fault, memory, shown, program,
 * completed, polled, state, event, key, window or decided), {@code timeNanos}, {@code device}, {@code qp}, and the event's
 * other fields under their names in {@link TraceEvent}. Numbers and times are JSON numbers. Addresses, keys, immediate
 * data and the operands of atomics are hexadecimal strings, because many JSON readers round numbers above 2^53. Absent
 * values are {@code null}. A packet is an object with the fields of its BTH, one object for each extended header, and,
 * if the opcode has one, the payload: its first bytes in hexadecimal, up to a limit, with {@code payloadBytes} in total
 * and {@code payloadOmittedBytes} beyond the limit.
 *
 * <p>The same events give the same bytes. Every event is written immediately, on the device's lane, which blocks on the
 * stream; a file is therefore complete however the program ends. If the stream fails, the tap logs it once and stops
 * writing. Can be shared by several devices.
 */
public final class JsonLinesTap implements Tap, AutoCloseable {

    /** Default number of payload bytes that are written. */
    public static final int USUAL_PAYLOAD_BYTES = 256;

    private final TraceOutput output;
    private final EventJson events;
    private final JsonLine line = new JsonLine();

    /** Writes to a stream, which is closed with the tap; writes {@link #USUAL_PAYLOAD_BYTES} of each payload. */
    public JsonLinesTap(OutputStream stream) {
        this(stream, USUAL_PAYLOAD_BYTES);
    }

    /**
     * Writes to a stream, which is closed with this.
     *
     * @param mostPayloadBytes maximum number of bytes of each payload to write, from 0
     * @throws IllegalArgumentException if the number is negative
     */
    public JsonLinesTap(OutputStream stream, int mostPayloadBytes) {
        if (mostPayloadBytes < 0) {
            throw new IllegalArgumentException(
                    "mostPayloadBytes=" + mostPayloadBytes + " < 0; 0 shows nothing of a payload but its length");
        }
        output = new TraceOutput(stream, "trace in JSON lines");
        events = new EventJson(mostPayloadBytes);
    }

    @Override
    public synchronized void on(TraceEvent event) {
        if (output.isStopped()) {
            return;
        }
        line.begin();
        events.put(event, line);
        output.write(line.end());
    }

    /** Flushes the stream. */
    public synchronized void flush() {
        output.flush();
    }

    /** Closes the stream; later events are not written. */
    @Override
    public synchronized void close() {
        output.close();
    }

    @Override
    public String toString() {
        return "JSON lines to " + output;
    }
}
