// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import java.util.Arrays;
import java.util.Locale;

/**
 * How a capture is laid out: which kind of file, what stands before each IP header, and how exact times are. The usual one is
 * pcapng, raw IP and nanoseconds.
 *
 * @param container the kind of file
 * @param link what stands before the IP header of each datagram
 * @param resolution the unit of times
 */
public record CaptureFormat(Container container, Link link, Resolution resolution) {

    /** pcapng, raw IP, nanoseconds. */
    public static final CaptureFormat USUAL = new CaptureFormat(Container.PCAPNG, Link.RAW, Resolution.NANOSECONDS);

    /** Kinds of files. */
    public enum Container {
        /** With names of devices, directions and queue pair numbers. */
        PCAPNG,
        /** The classic one: times and bytes, and nothing else. All datagrams are those of one interface. */
        PCAP
    }

    /** What stands before an IP header. */
    public enum Link {
        /** Nothing: link type 101. */
        RAW(101),
        /**
         * An Ethernet header, of link type 1. Devices have no Ethernet address; one is made of the last four bytes of the GID,
         * which is administered locally: {@code 02:00:...}.
         */
        ETHERNET(1),
        /** The header of Linux for captures of any interface, of link type 113. It says the direction. */
        SLL(113),
        /** Its second version, of link type 276. */
        SLL2(276);

        private final int linkType;

        Link(int linkType) {
            this.linkType = linkType;
        }

        int linkType() {
            return linkType;
        }
    }

    /** Units of times. */
    public enum Resolution {
        /** A billionth of a second. */
        NANOSECONDS,
        /** A millionth of a second; what is less is cut off. */
        MICROSECONDS
    }

    /**
     * Reads words that are separated by commas: {@code pcap,ethernet,microseconds}. What is not named is as in {@link #USUAL}.
     *
     * @throws IllegalArgumentException if a word is unknown; the message names those that there are
     */
    public static CaptureFormat parse(String words) {
        CaptureFormat format = USUAL;
        for (String word : words.split(",", -1)) {
            format = format.with(word.strip().toUpperCase(Locale.ROOT));
        }
        return format;
    }

    private CaptureFormat with(String word) {
        for (Container one : Container.values()) {
            if (one.name().equals(word)) {
                return new CaptureFormat(one, link, resolution);
            }
        }
        for (Link one : Link.values()) {
            if (one.name().equals(word)) {
                return new CaptureFormat(container, one, resolution);
            }
        }
        for (Resolution one : Resolution.values()) {
            if (one.name().equals(word)) {
                return new CaptureFormat(container, link, one);
            }
        }
        throw new IllegalArgumentException("'" + word.toLowerCase(Locale.ROOT) + "' is not one of "
                + String.join(", ", words(Container.values()), words(Link.values()), words(Resolution.values())));
    }

    private static String words(Enum<?>... values) {
        return String.join(
                ", ",
                Arrays.stream(values)
                        .map(value -> value.name().toLowerCase(Locale.ROOT))
                        .toList());
    }

    /** The words that {@link #parse} reads. */
    @Override
    public String toString() {
        return words(container, link, resolution).replace(" ", "");
    }
}
