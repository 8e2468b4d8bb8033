// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.place;

import dev.verbatim.ibverbs.call.Messages;
import dev.verbatim.page.RunRecorder;
import dev.verbatim.page.TracePage;
import dev.verbatim.trace.JsonLinesTap;
import dev.verbatim.trace.PcapngTap;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the devices of a process do, as the settings want it: a trace and a capture, which are complete up to the last event however the
 * program ends, and a page, which is written when it ends by exit.
 */
final class Records implements Tap {

    /** Events on a page; the rest of a longer run is left out, and said so. */
    static final int MOST_DRAWN = 20_000;

    private final List<Tap> taps = new ArrayList<>();
    private final List<Runnable> closings = new ArrayList<>();
    private final @Nullable Path page;
    private final RunRecorder run = new RunRecorder();
    private long seen;

    Records(Settings settings) {
        page = settings.pageFile();
        open(settings.traceFile(), file -> {
            JsonLinesTap tap = new JsonLinesTap(new FileOutputStream(file.toFile()));
            closings.add(tap::close);
            return tap;
        });
        open(settings.captureFile(), file -> {
            PcapngTap tap = PcapngTap.ofBothDirections(new FileOutputStream(file.toFile()));
            closings.add(tap::close);
            return tap;
        });
    }

    private interface Opening {
        Tap open(Path file) throws IOException;
    }

    private void open(@Nullable Path file, Opening opening) {
        if (file != null) {
            try {
                make(file);
                taps.add(opening.open(file));
            } catch (IOException e) {
                Messages.say(
                        "%s cannot be written, and the program runs without it: %s",
                        file, String.valueOf(e.getMessage()));
            }
        }
    }

    /** All data of the program are in it, in clear text, so a new one is nobody else's. */
    private static void make(Path file) throws IOException {
        try {
            Path unused = Files.createFile(
                    file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (FileAlreadyExistsException e) {
            // Its rights are what its owner wants.
        }
    }

    /** Where devices are to tell what they do; null if nobody wants to know. */
    @Nullable
    Tap tap() {
        return taps.isEmpty() && page == null ? null : this;
    }

    @Override
    public void on(TraceEvent event) {
        for (Tap tap : taps) {
            tap.on(event);
        }
        if (page != null) {
            draw(event);
        }
    }

    private synchronized void draw(TraceEvent event) {
        if (seen++ < MOST_DRAWN) {
            run.on(event);
        }
    }

    /** The program ends, and the devices are closed. */
    synchronized void close() {
        closings.forEach(Runnable::run);
        if (page != null && seen > 0) {
            if (seen > MOST_DRAWN) {
                run.caption(
                        (seen - MOST_DRAWN) + " further events are not drawn", "The trace of --trace has all of them.");
            }
            try {
                make(page);
                new TracePage("Run of process " + ProcessHandle.current().pid())
                        .add(run)
                        .write(page);
            } catch (IOException e) {
                Messages.say("%s cannot be written: %s", page, String.valueOf(e.getMessage()));
            }
        }
    }
}
