// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.sanitizer.Sanitizer;

/** Adds at the end what a sanitizer found, also when devices were closed. With an error of the sanitizer a demo has not ended well. */
public final class SanitizedReport extends PassingReport {

    private final Sanitizer sanitizer;

    /** What {@code sanitizer} finds is told to {@code next}. */
    public SanitizedReport(Sanitizer sanitizer, DemoReport next) {
        super(next);
        this.sanitizer = sanitizer;
    }

    @Override
    public void finished(DemoEnding ending) {
        found(sanitizer.findings());
        super.finished(ending.isGood() && !sanitizer.errors().isEmpty() ? DemoEnding.MISTAKE_FOUND : ending);
    }
}
