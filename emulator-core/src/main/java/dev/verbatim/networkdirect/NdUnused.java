// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;

/**
 * What was released and cannot go yet, because something rests on it: verbs destroy in order, and COM objects are released in any. Each is
 * tried again whenever something else has gone.
 */
final class NdUnused {

    private final List<Runnable> closers = new ArrayList<>();

    /** Goes now, or as soon as it can. */
    synchronized void add(Runnable closer) {
        closers.add(closer);
        sweep();
    }

    /** Something has gone: tries again, until a round changes nothing. */
    synchronized void sweep() {
        boolean changed = !closers.isEmpty();
        while (changed) {
            changed = closers.removeIf(NdUnused::close);
        }
    }

    synchronized boolean isEmpty() {
        return closers.isEmpty();
    }

    private static boolean close(Runnable closer) {
        try {
            closer.run();
            return true;
        } catch (VerbsException refused) {
            // What is destroyed already went with the device.
            return refused.errno() != Errno.EBUSY;
        }
    }
}
