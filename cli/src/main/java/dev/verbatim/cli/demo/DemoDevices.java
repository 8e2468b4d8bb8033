// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.Verbatim;
import dev.verbatim.sanitizer.Sanitizer;
import dev.verbatim.sanitizer.SanitizerError;
import dev.verbatim.trace.Tap;
import dev.verbatim.verbs.Device;
import org.jspecify.annotations.Nullable;

/** Devices of a demo. Errors of the sanitizer that was given for them are not thrown at close: {@link SanitizedReport} tells them. */
final class DemoDevices implements AutoCloseable {

    private final Verbatim rdma;
    private final boolean isSanitized;

    /** @param sanitizer watches the devices; null for none */
    DemoDevices(Verbatim rdma, Tap tap, @Nullable Sanitizer sanitizer) {
        this.rdma = rdma.tap(tap);
        this.isSanitized = sanitizer != null;
        if (sanitizer != null) {
            rdma.sanitize(sanitizer);
        }
    }

    Device open(String name) {
        return rdma.open(name);
    }

    @Override
    public void close() {
        try {
            rdma.close();
        } catch (SanitizerError e) {
            if (!isSanitized) {
                throw e;
            }
        }
    }
}
