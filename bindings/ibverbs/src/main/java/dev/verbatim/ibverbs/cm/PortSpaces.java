// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.cm.PortSpace;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpType;
import org.jspecify.annotations.Nullable;

/** {@code enum rdma_port_space}: programs may name all of them, and the device has some. */
final class PortSpaces {

    /** Of datagrams of InfiniBand's own IP, which Ethernet has not. */
    static final int IPOIB = 0x0002;

    private PortSpaces() {}

    private static boolean isKnown(int number) {
        return number == IPOIB || find(number) != null;
    }

    private static @Nullable PortSpace find(int number) {
        for (PortSpace space : PortSpace.values()) {
            if (space.number() == number) {
                return space;
            }
        }
        return null;
    }

    /**
     * The number, if it is one.
     *
     * @throws Refused EINVAL if it is none
     */
    static int require(int number) {
        if (!isKnown(number)) {
            throw new Refused(Errno.EINVAL.number(), String.format("port space 0x%04x is not known", number));
        }
        return number;
    }

    /**
     * That of the device.
     *
     * @throws Refused EINVAL if it has none: as a port of Ethernet refuses RDMA_PS_IPOIB
     */
    static PortSpace of(int number) {
        PortSpace space = find(number);
        if (space == null) {
            throw new Refused(
                    Errno.EINVAL.number(), String.format("port space 0x%04x is not for devices of this kind", number));
        }
        return space;
    }

    static boolean isDatagram(int number) {
        return number == IPOIB || number == PortSpace.UDP.number();
    }

    /** The type of the queue pairs of its identifiers. */
    static int qpTypeOf(int number) {
        return (isDatagram(number) ? QpType.UD : QpType.RC).number();
    }
}
