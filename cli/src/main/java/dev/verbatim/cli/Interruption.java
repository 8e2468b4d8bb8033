// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets a command that Ctrl-C ends print what it has found so far: it looks at {@link #isAsked}, prints, and closes this. */
final class Interruption implements AutoCloseable {

    /** How long the process waits for the command, which may be minimizing a failure or closing devices. */
    private static final long PATIENCE_SECONDS = 30;

    private final CountDownLatch printed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::ask, "verbatim-interrupt");
    private volatile boolean asked;

    private Interruption() {}

    /** Begins to wait for the end of the process. */
    static Interruption watch() {
        Interruption interruption = new Interruption();
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    /** Whether the command is to end. */
    boolean isAsked() {
        return asked;
    }

    /** Asks the command to end, and waits until it has printed its result. */
    void ask() {
        asked = true;
        try {
            if (!printed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The result has been printed. */
    @Override
    public void close() {
        printed.countDown();
        if (!asked) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The process is ending; nothing is left to wait for.
            }
        }
    }
}
