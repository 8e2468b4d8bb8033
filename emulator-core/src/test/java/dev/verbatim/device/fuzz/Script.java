// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.fuzz;

/**
 * What happens in a trial, as bytes: a byte of settings, then steps of {@value #STEP_BYTES} bytes each, the first of which says what
 * the step does. Every sequence of bytes is a script, and a change of one byte changes one thing. A step that is cut off ends it.
 */
final class Script {

    static final int STEP_BYTES = 8;

    /** So that a trial ends, and a longer script is no better than a shorter one. */
    static final int MOST_STEPS = 256;

    private final byte[] bytes;
    private int step = 1 - STEP_BYTES;
    private int at;
    private int steps;

    Script(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Whether this bit of the settings is set. */
    boolean setting(int bit) {
        return bytes.length > 0 && (bytes[0] >> bit & 1) != 0;
    }

    /** Goes on to the next step; false if there is none. */
    boolean next() {
        step += STEP_BYTES;
        at = step;
        steps++;
        return steps <= MOST_STEPS && step + STEP_BYTES <= bytes.length;
    }

    /** The next byte of the step, unsigned; 0 behind its end. */
    int value() {
        return at < step + STEP_BYTES ? bytes[at++] & 0xff : 0;
    }

    /** One of the first {@code count} numbers. */
    int pick(int count) {
        return value() % count;
    }

    /** One of these. */
    int pick(int... alternatives) {
        return alternatives[pick(alternatives.length)];
    }

    /** One of these. */
    <T> T pick(T[] alternatives) {
        return alternatives[pick(alternatives.length)];
    }

    /** The usual value two times in three; otherwise one of these. */
    int mostly(int usual, int... others) {
        int value = value();
        return value < 172 ? usual : others[value % others.length];
    }
}
