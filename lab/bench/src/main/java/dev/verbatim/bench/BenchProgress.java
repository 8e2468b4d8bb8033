// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench;

import java.io.PrintWriter;

/** Says what is going on while nothing is to be seen. */
public interface BenchProgress {

    /** Reports nothing. */
    BenchProgress NONE = new BenchProgress() {
        @Override
        public void begin(String what) {}

        @Override
        public void end() {}
    };

    /** This is measured now. */
    void begin(String what);

    /** It was, and is about to be shown. */
    void end();

    /** A line for each. */
    static BenchProgress lines(PrintWriter err) {
        return new BenchProgress() {
            @Override
            public void begin(String what) {
                err.println("verbatim: " + what);
                err.flush();
            }

            @Override
            public void end() {}
        };
    }

    /** One line of a terminal, written again and again, and gone when there is something to show. */
    static BenchProgress terminal(PrintWriter err) {
        return new BenchProgress() {
            private static final String ERASE = "\r\033[K";

            @Override
            public void begin(String what) {
                err.print(ERASE + "verbatim: " + what);
                err.flush();
            }

            @Override
            public void end() {
                err.print(ERASE);
                err.flush();
            }
        };
    }
}
