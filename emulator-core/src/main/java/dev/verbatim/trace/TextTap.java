// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Writes events as text, one line per event, in UTF-8: microseconds since the first event, device, queue pair number in
 * hexadecimal, and the event. The first line states the {@code timeNanos} at which the microseconds start.
 *
 * <p>Applied rules are written only by {@link #withRules}, because they make up most of the lines. Every event is
 * written immediately, on the device's lane, which blocks on the stream. If the stream fails, the tap logs it once and
 * stops writing. Can be shared by several devices.
 */
public final class TextTap implements Tap, AutoCloseable {

    private static final int NANOS_PER_MICROSECOND = 1000;

    private final TraceOutput output;
    private final boolean rules;
    private boolean begun;
    private long firstNanos;
    private int deviceChars = "device".length();

    /** Writes to a stream, which is closed with the tap. */
    public TextTap(OutputStream stream) {
        this(stream, false);
    }

    private TextTap(OutputStream stream, boolean rules) {
        output = new TraceOutput(stream, "trace in text");
        this.rules = rules;
    }

    /** A tap that also writes a line for each rule that the device applies. */
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

    /** Closes the stream; later events are not written. */
    @Override
    public synchronized void close() {
        output.close();
    }

    @Override
    public String toString() {
        return "text to " + output;
    }
}
