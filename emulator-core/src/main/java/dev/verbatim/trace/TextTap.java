// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Writes what happens for a person to read, one line an event, in UTF-8: microseconds since the first event, device, number
 * of the queue pair in hexadecimal as packets name it, and the event. The first line says which {@code timeNanos} the
 * microseconds count from.
 *
 * <p>Which rules the device decided by is left out unless asked for, since that is most of the lines. Every event is written
 * to the stream as it happens, on the device's lane, which waits for it. A stream that fails is left alone from then on,
 * and the log says so once. May serve several devices at once.
 */
public final class TextTap implements Tap, AutoCloseable {

    private static final int NANOS_PER_MICROSECOND = 1000;

    private final TraceOutput output;
    private final boolean rules;
    private boolean begun;
    private long firstNanos;
    private int deviceChars = "device".length();

    /** Writes to a stream, which is closed with this. */
    public TextTap(OutputStream stream) {
        this(stream, false);
    }

    private TextTap(OutputStream stream, boolean rules) {
        output = new TraceOutput(stream, "trace in text");
        this.rules = rules;
    }

    /** One that also has a line for each rule by which the device decides. */
    public static TextTap withRules(OutputStream stream) {
        return new TextTap(stream, true);
    }

    @Override
    public synchronized void on(TraceEvent event) {
        if (output.isStopped() || (event instanceof TraceEvent.Decided && !rules)) {
            return;
        }
        deviceChars = Math.max(deviceChars, event.device().length());
        if (!begun) {
            begun = true;
            firstNanos = event.timeNanos();
            write("          us", "device", "qp", "event; 0.000 us is timeNanos=" + firstNanos);
        }
        String queuePair = event.qp() == 0 ? "-" : "0x" + Integer.toHexString(event.qp());
        write(micros(event.timeNanos() - firstNanos), event.device(), queuePair, event.toString());
    }

    private void write(String micros, String device, String queuePair, String event) {
        String line =
                String.format(Locale.ROOT, "%12s  %-" + deviceChars + "s  %-8s  %s", micros, device, queuePair, event);
        output.write((line.replaceAll("\\R", " ") + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static String micros(long nanos) {
        // Posts come from any thread, so one may be older than what was seen before it.
        String sign = nanos < 0 ? "-" : "";
        long distance = Math.abs(nanos);
        return String.format(
                Locale.ROOT, "%s%d.%03d", sign, distance / NANOS_PER_MICROSECOND, distance % NANOS_PER_MICROSECOND);
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
        return "text to " + output;
    }
}
