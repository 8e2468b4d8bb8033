// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;

/**
 * Verbs objects that were released and cannot be destroyed yet, because others use them: verbs are destroyed in order, and COM objects are
 * released in any. Each is tried again whenever another one was destroyed.
 */
final class DeferredDestruction {

    private final List<Runnable> closers = new ArrayList<>();

    /**
     * Destroys something now, or as soon as that is possible.
     *
     * @param closer throws EBUSY as long as it is not
     */
    public synchronized void add(Runnable closer) {
        closers.add(closer);
        sweep();
    }

    /** Something was destroyed: tries the others again, until a round changes nothing. */
    public synchronized void sweep() {
        boolean changed = !closers.isEmpty();
        while (changed) {
            changed = closers.removeIf(DeferredDestruction::close);
        }
    }

    /** Whether nothing waits. */
    public synchronized boolean isEmpty() {
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
