// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import java.io.OutputStream;

/**
 * Writes what happens as JSON lines: one object for each event, in UTF-8.
 *
 * <p>Each object has {@code kind} (posted, connected, started, sent, received, dropped, fault, memory, shown, program, completed,
 * state, event, key, window or decided),
 * {@code timeNanos}, {@code device}, {@code qp}, and the event's other fields under their names in {@link TraceEvent}. Numbers
 * are numbers, times among them. Addresses, keys, immediate data and the operands of atomics are text in hexadecimal, since
 * many readers of JSON round numbers beyond 2^53. What is absent is {@code null}. A packet is an object with the fields of
 * its BTH, one object for each header behind it, and, where its opcode carries one, the payload: its first bytes in
 * hexadecimal, up to a bound, with {@code payloadBytes} in all and {@code payloadOmittedBytes} behind the bound.
 *
 * <p>The same events give the same bytes. Every event is written to the stream as it happens, on the device's lane, which
 * waits for it: a file is quick enough, and holds all that happened however the program ends. A stream that fails is left
 * alone from then on, and the log says so once. May serve several devices at once.
 */
public final class JsonLinesTap implements Tap, AutoCloseable {

    /** How many bytes of a payload are shown unless one says otherwise. */
    public static final int USUAL_PAYLOAD_BYTES = 256;

    private final TraceOutput output;
    private final EventJson events;
    private final JsonLine line = new JsonLine();

    /** Writes to a stream, which is closed with this; {@link #USUAL_PAYLOAD_BYTES} of each payload are shown. */
    public JsonLinesTap(OutputStream stream) {
        this(stream, USUAL_PAYLOAD_BYTES);
    }

    /**
     * Writes to a stream, which is closed with this.
     *
     * @param mostPayloadBytes how many bytes of each payload are shown, from 0
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

    /** Closes the stream; what happens afterwards is not written. */
    @Override
    public synchronized void close() {
        output.close();
    }

    @Override
    public String toString() {
        return "JSON lines to " + output;
    }
}
