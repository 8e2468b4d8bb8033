// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/** Path MTU ({@code enum ibv_mtu}): the maximum payload of a packet in bytes. */
public enum PathMtu {
    MTU_256(1),
    MTU_512(2),
    MTU_1024(3),
    MTU_2048(4),
    MTU_4096(5);

    private final int number;

    PathMtu(int number) {
        this.number = number;
    }

    /** The value in the C binary interface. */
    public int number() {
        return number;
    }

    /**
     * The MTU of that many bytes.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static PathMtu ofBytes(int bytes) {
        for (PathMtu mtu : values()) {
            if (mtu.bytes() == bytes) {
                return mtu;
            }
        }
        throw new IllegalArgumentException("path MTU bytes=" + bytes + " is not 256, 512, 1024, 2048 or 4096");
    }

    /** Payload bytes of a full packet. */
    public int bytes() {
        return 128 << number;
    }
}
