// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import java.util.List;

/** What the drawn demo says about each step of {@link DemoScript}, for readers who have never seen RDMA. */
public final class DemoCaptions {

    /** What the whole demo is. */
    public static final String ABOUT =
            "Two RDMA devices, left and right, and the programs that use them. Time runs down."
                    + " A program posts a work request to its queue pair; the device turns it into packets, and reports a"
                    + " completion when it is done.";

    /** Before the first step. */
    static final String CONNECTING =
            "Each side registers a region of its memory, and gets keys for it: a peer that wants"
                    + " to read or write the memory must name the remote key, rkey. Then the queue pairs are connected. A queue"
                    + " pair in RTS is ready to send.";

    private static final List<String> TEXTS = List.of(
            "A SEND needs a receive at the other side: right's program posts one that names a piece of right's memory."
                    + " Left's message goes there, and both programs get a completion.",
            "An RDMA WRITE places bytes in the memory of the other side. Left names an address of right's memory and its"
                    + " rkey; right's device checks the key and places the bytes. Right's program does nothing and gets"
                    + " no completion. Left's request completes when right's device has acknowledged it.",
            "An RDMA READ fetches bytes from the memory of the other side. Right's device answers the one request with"
                    + " two packets, because 5000 bytes do not fit in one. Right's program does nothing.",
            "An atomic operation reads a word of 8 bytes in right's memory and changes it in one step, so that no other"
                    + " atomic comes in between. The old value returns in the answer.",
            "The word is read, 42 is added, and the old value returns in the answer.",
            "This WRITE fails because no memory of right belongs to the key that left names. Right's device refuses it: no"
                    + " byte changes, and the answer is a NAK, remote access error. Both queue pairs enter ERR, the"
                    + " error state. Left's request completes with REM_ACCESS_ERR.",
            "A queue pair in ERR carries nothing any more. The way on is a new connection with new queue pairs.",
            "A memory window grants a peer access to a part of a region: here the right to write 64 bytes. Binding gives"
                    + " the window a key of its own. Right's device does it alone, without a packet. The grant can be"
                    + " taken back without touching the region.",
            "Left does not know the key of the window yet. Right sends it, together with the address, in an ordinary"
                    + " message.",
            "Left writes with the window's key. It permits remote writes to these 64 bytes, and to nothing else.",
            "A SEND_WITH_INV is a message that also invalidates a key at the receiver. Left has finished, and returns"
                    + " the grant: from here on the window's key is revoked.",
            "The key is the one that worked two steps ago. Left's own SEND_WITH_INV revoked it, so right's device refuses"
                    + " the WRITE and says what the key was, and what revoked it.");

    private DemoCaptions() {}

    /** The text for a step of the script; empty for a step that is none of its. */
    static String of(DemoStep step) {
        int number = step.number();
        boolean isOfScript = number <= TEXTS.size()
                && DemoScript.steps().get(number - 1).title().equals(step.title());
        return isOfScript ? TEXTS.get(number - 1) : "";
    }
}
