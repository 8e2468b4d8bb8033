// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

/**
 * Bits as sums, modulo 2, of other bits and 1, found from examples by elimination. Examples that contradict earlier ones do not
 * count.
 */
final class XorFit {

    /** Of the reduced examples the inputs, at the place of their leading bit; 0 if there is none. */
    private final long[] inputs = new long[Long.SIZE];

    private final int[] outputs = new int[Long.SIZE];
    private boolean begun;
    private long firstInput;
    private int firstOutput;

    /** Learns from an example; the constant term falls out of differences to the first one. */
    void add(long input, int output) {
        if (!begun) {
            begun = true;
            firstInput = input;
            firstOutput = output;
            return;
        }
        long restInput = input ^ firstInput;
        int restOutput = output ^ firstOutput;
        while (restInput != 0) {
            int lead = leadOf(restInput);
            if (inputs[lead] == 0) {
                inputs[lead] = restInput;
                outputs[lead] = restOutput;
                return;
            }
            restInput ^= inputs[lead];
            restOutput ^= outputs[lead];
        }
    }

    /** What follows for an input. */
    int apply(long input) {
        return firstOutput ^ effectOf(input ^ firstInput);
    }

    private int effectOf(long difference) {
        int effect = 0;
        long rest = difference;
        while (rest != 0) {
            int lead = leadOf(rest);
            effect ^= inputs[lead] != 0 ? outputs[lead] : effectOfUnknown(lead);
            rest ^= inputs[lead] != 0 ? inputs[lead] : 1L << lead;
        }
        return effect;
    }

    /** Of a bit that no example told anything of: that of the bit below, one place higher. */
    private int effectOfUnknown(int bit) {
        return bit == 0 ? 0 : effectOf(1L << bit - 1) << 1;
    }

    private static int leadOf(long value) {
        return Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
    }
}
