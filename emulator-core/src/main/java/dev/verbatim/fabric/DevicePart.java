// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

/** What of a device programs look at or change without a packet or a work request that tells of it; see {@link Lane#touched}. */
public enum DevicePart {
    /** The completion queues with their channels. */
    COMPLETIONS("completions"),
    /** The asynchronous events that wait to be read. */
    EVENTS("events"),
    /** The keys, and what regions and windows say of themselves. */
    KEYS("keys"),
    /** The shared receive queues. */
    SHARED_RECEIVES("shared receives"),
    /** How many bytes that were placed programs do not see yet. */
    HELD_BYTES("held bytes"),
    /** Bytes that become visible by themselves, by address. */
    SHOWN("bytes shown"),
    /** Bytes that are made visible as something else needs it, by address. */
    SHOWN_EARLY("bytes shown early"),
    /** Bytes that become visible by themselves, unless an event {@linkplain Lane#forces forces} them: by queue pair and piece, and by device and address. */
    PLACEMENTS("placements"),
    /** The responses that fenced requests wait for: by queue pair, and number of the request that has one. */
    RESPONSES("responses"),
    /** Slots of send queues that become free when completions are polled: by queue pair, and number of the request that had one. */
    SEND_ROOM("room of send queues"),
    /** The port's state and counters. */
    PORT("port"),
    /** The connection manager: its connections, identifiers, events and datagrams. */
    CONNECTIONS("connections"),
    /** What an observer may see of memory, by address; the observer is named instead of the device. */
    VIEW("view"),
    /** What an adapter holds for each memory domain of its node, by the number of the domain. */
    PATHS("paths"),
    /** The objects of NetworkDirect that were made of it: their queues of results, requests under way, tokens and connections. */
    NETWORK_DIRECT("objects of NetworkDirect");

    private final String label;

    DevicePart(String label) {
        this.label = label;
    }

    /** Its name behind that of a device, as in {@code a completions}. */
    public String of(String device) {
        return device + " " + label;
    }
}
