// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.rsocket;

import dev.verbatim.ibverbs.call.Answers;

/** Made by SymbolsTest of symbols.txt. */
public final class RsocketAnswers {

    public static final int SYMBOLS = 1379706359;

    private RsocketAnswers() {}

    public static final class OfPolls extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 138 -> Polls.rpoll(a, b, (int) c);
                case 139 -> Polls.rselect((int) a, b, c, d, e);
                case 140 -> Polls.repoll_create((int) a);
                case 141 -> Polls.repoll_ctl((int) a, (int) b, (int) c, d);
                case 142 -> Polls.repoll_wait((int) a, b, (int) c, (int) d);
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }

    public static final class OfSockets extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 113 -> Sockets.rsocket((int) a, (int) b, (int) c);
                case 114 -> Sockets.rbind((int) a, b, (int) c);
                case 115 -> Sockets.rlisten((int) a, (int) b);
                case 116 -> Sockets.raccept((int) a, b, c);
                case 117 -> Sockets.rconnect((int) a, b, (int) c);
                case 118 -> Sockets.rshutdown((int) a, (int) b);
                case 119 -> Sockets.rclose((int) a);
                case 120 -> Sockets.rgetpeername((int) a, b, c);
                case 121 -> Sockets.rgetsockname((int) a, b, c);
                case 122 -> Sockets.rsetsockopt((int) a, (int) b, (int) c, d, (int) e);
                case 123 -> Sockets.rgetsockopt((int) a, (int) b, (int) c, d, e);
                case 124 -> Sockets.rfcntl((int) a, (int) b, (int) c);
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }

    public static final class OfStreams extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 125 -> Streams.rrecv((int) a, b, c, (int) d);
                case 126 -> Streams.rrecvfrom((int) a, b, c, (int) d, e, f);
                case 127 -> Streams.rrecvmsg((int) a, b, (int) c);
                case 128 -> Streams.rsend((int) a, b, c, (int) d);
                case 129 -> Streams.rsendto((int) a, b, c, (int) d, e, (int) f);
                case 130 -> Streams.rsendmsg((int) a, b, (int) c);
                case 131 -> Streams.rread((int) a, b, c);
                case 132 -> Streams.rreadv((int) a, b, (int) c);
                case 133 -> Streams.rwrite((int) a, b, c);
                case 134 -> Streams.rwritev((int) a, b, (int) c);
                case 135 -> Streams.riomap((int) a, b, c, (int) d, (int) e, f);
                case 136 -> Streams.riounmap((int) a, b, c);
                case 137 -> Streams.riowrite((int) a, b, c, d, (int) e);
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }
}
