// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.key;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.trace.TraceEvent.KeyChanged;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys of one device: which are valid, which are revoked, and that each was given out as it should be. */
public final class KeyLedger {

    private static final int MOST_REVOKED = 1 << 16;

    private final String device;
    private final Findings findings;
    private final KeyVariants variants;
    /** The newest life of each key. */
    private final Map<Integer, KeyLife> lives = new HashMap<>();

    private final ArrayDeque<KeyLife> revoked = new ArrayDeque<>();
    private @Nullable KeyLife last;
    private int valid;

    public KeyLedger(String device, Findings findings, KeyVariants variants) {
        this.device = device;
        this.findings = findings;
        this.variants = variants;
    }

    /** A key began or ceased to be valid; whether it is of a window is told otherwise. */
    public void changed(KeyChanged event, boolean ofWindow, long position) {
        last = null;
        if (event.valid()) {
            begins(event, ofWindow, position);
        } else {
            KeyLife life = life(event.key());
            valid = life.isKnown() && !life.isRevoked() ? valid - 1 : valid;
            life.revoke(position);
            revoked.add(life);
            if (revoked.size() > MOST_REVOKED) {
                KeyLife oldest = revoked.remove();
                lives.remove(oldest.key, oldest);
            }
        }
    }

    private void begins(KeyChanged event, boolean ofWindow, long position) {
        int key = event.key();
        if (valid == 0) {
            // A device that was closed and opened again begins anew, and nothing else tells it from one that lost all
            // keys.
            variants.forget();
        }
        valid++;
        KeyLife before = lives.put(key, new KeyLife(event, position));
        findings.checked(Check.KEYS_UNIQUE);
        if (before != null && before.isKnown() && !before.isRevoked()) {
            findings.violated(
                    Check.KEYS_UNIQUE,
                    Text.of("%s: %s becomes valid, which is valid already", device, Text.key(key)),
                    before.since,
                    position);
        }
        if (!ofWindow) {
            variants.given(key, position);
        }
    }

    /** The newest life of a key; of one that was never seen, one that began before the trace. */
    public KeyLife life(int key) {
        KeyLife life = last;
        if (life == null || life.key != key) {
            life = lives.computeIfAbsent(key, KeyLife::new);
            last = life;
        }
        return life;
    }
}
