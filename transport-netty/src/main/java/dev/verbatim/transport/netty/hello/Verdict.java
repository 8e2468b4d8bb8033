// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.hello;

import dev.verbatim.verbs.Errno;
import org.jspecify.annotations.Nullable;

/** What an acceptor answers to a dialler. */
public enum Verdict {
    /** The connection is open. */
    WELCOME(0, Errno.EIO, Hope.SOON, "welcome"),
    /** A connection to this life of the dialler is open already, and the dialler did not prove that it is its own. */
    ALREADY_CONNECTED(
            1,
            Errno.EBUSY,
            Hope.IN_TIME,
            "the two are connected already, by a connection that this end does not know any more"),
    /** A connection to another life of the dialler's GID is open. */
    OTHER_LIFE_CONNECTED(
            2,
            Errno.EBUSY,
            Hope.SOON,
            "another device of the same GID is connected; give one of them another GUID, or close the other first"),
    /** The dialler has the acceptor's own GID. */
    OWN_GID(3, Errno.EINVAL, Hope.NONE, "both ends have this GID; give one of them another GUID"),
    /** The dialler wants to prove that it knows a secret, and the acceptor has none. */
    NO_SECRET(
            4,
            Errno.EACCES,
            Hope.NONE,
            "the dialing side has a shared secret and the listener has none; give both the same by NettyOptions.withSecret, or"
                    + " neither"),
    /** The dialler's proof is not that of the acceptor's secret. */
    OTHER_SECRET(
            5,
            Errno.EACCES,
            Hope.NONE,
            "the dialler's shared secret is not that of the listener; give both the same by NettyOptions.withSecret"),
    /** The maximum number of connections is open; the hello has the number. */
    FULL(
            6,
            Errno.EBUSY,
            Hope.SOON,
            "the listener has as many connections as it may; raise its NettyOptions.withMaxConnections, or close some");

    /** What may become of a dial that was refused, if it is tried again. */
    public enum Hope {
        /** The same, whenever that is. */
        NONE,
        /**
         * The same, unless what is in the way is ending just now: the acceptor has not looked yet at the end of the connection of
         * a process that was killed. That takes it no time to speak of, so a few tries find out.
         */
        SOON,
        /** Something else: the acceptor will notice. */
        IN_TIME
    }

    private final int number;
    private final Errno errno;
    private final Hope hope;
    private final String sentence;

    Verdict(int number, Errno errno, Hope hope, String sentence) {
        this.number = number;
        this.errno = errno;
        this.hope = hope;
        this.sentence = sentence;
    }

    static @Nullable Verdict of(int number) {
        for (Verdict verdict : values()) {
            if (verdict.number == number) {
                return verdict;
            }
        }
        return null;
    }

    int number() {
        return number;
    }

    /** What a dial fails with that meets it. */
    public Errno errno() {
        return errno;
    }

    /** Whether another try may meet another verdict. */
    public Hope hope() {
        return hope;
    }

    /** The acceptor's reason, for both ends' logs. */
    public String sentence() {
        return sentence;
    }
}
