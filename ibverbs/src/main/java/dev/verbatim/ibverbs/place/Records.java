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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is written of a run. Each event is in its file when it has happened, so the files are complete up to the end of a program that
 * dies; the page is drawn when it ends by exit.
 */
final class Records implements Tap {

    private final List<Tap> taps = new ArrayList<>();
    private final @Nullable JsonLinesTap trace;
    private final @Nullable PcapngTap capture;
    private final @Nullable RunRecorder run;
    private final @Nullable Path page;
    private final String title;

    private Records(Settings settings, String title) throws IOException {
        Path traceFile = settings.traceFile();
        Path captureFile = settings.captureFile();
        this.title = title;
        page = settings.pageFile();
        trace = traceFile == null ? null : new JsonLinesTap(new FileOutputStream(traceFile.toFile()));
        capture = captureFile == null ? null : new PcapngTap(new FileOutputStream(captureFile.toFile()));
        run = page == null ? null : new RunRecorder();
        add(trace);
        add(capture);
        add(run);
    }

    /** What the settings ask for; null if nothing. A file that cannot be written is said, and the program runs without. */
    static @Nullable Records of(Settings settings, String title) {
        try {
            Records records = new Records(settings, title);
            return records.taps.isEmpty() ? null : records;
        } catch (IOException e) {
            Messages.say("nothing is recorded: %s", e.getMessage());
            return null;
        }
    }

    private void add(@Nullable Tap tap) {
        if (tap != null) {
            taps.add(tap);
        }
    }

    @Override
    public void on(TraceEvent event) {
        taps.forEach(tap -> tap.on(event));
        if (trace != null) {
            trace.flush();
        }
        if (capture != null) {
            capture.flush();
        }
    }

    /** The program ends. */
    void close() {
        if (trace != null) {
            trace.close();
        }
        if (capture != null) {
            capture.close();
        }
        if (page != null && run != null) {
            try {
                new TracePage(title).add(run).write(page);
            } catch (IOException e) {
                Messages.say("the page %s could not be written: %s", page, e.getMessage());
            }
        }
    }
}
