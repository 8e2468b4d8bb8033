// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.verbs.AccessFlags;
import org.jspecify.annotations.Nullable;

/** Whether memory may be touched by a key: it is valid, and if it is a window's, that permits it. */
final class KeyUse {

    private final String device;
    private final MemoryModel memory;
    private final WindowLedger windows;
    private final Findings findings;

    KeyUse(String device, MemoryModel memory, WindowLedger windows, Findings findings) {
        this.device = device;
        this.memory = memory;
        this.windows = windows;
        this.findings = findings;
    }

    void touched(Touch touch) {
        findings.checked(Check.REVOKED);
        KeyLife life = touch.life();
        if (life == null) {
            return;
        }
        if (life.isRevoked()) {
            findings.violated(
                    checkOf(life),
                    Text.of("%s, which was revoked", described(touch, life)),
                    life.revokedAt,
                    touch.position());
        } else if (life.window != null) {
            ofWindow(touch, life, life.window);
        } else if (!life.isKnown()) {
            ofUnknown(touch, life);
        }
    }

    private static String described(Touch touch, KeyLife life) {
        return Text.of(
                "%s touches memory at 0x%x (%s) by %s",
                touch.queuePair(), touch.event().address(), touch.effect(), life);
    }

    private static Check checkOf(KeyLife life) {
        WindowModel window = life.window;
        if (window == null) {
            return Check.REVOKED;
        }
        return window.gone ? Check.WINDOW_GONE : Check.WINDOW_REVOKED;
    }

    private void ofUnknown(Touch touch, KeyLife life) {
        if (windows.has(life.key)) {
            findings.violated(
                    Check.WINDOW_UNBOUND,
                    Text.of("%s, which its window is not bound with", described(touch, life)),
                    touch.position());
        }
    }

    /** Whether a window that was bound over the one is used through the other: itself, or what it was reset to where that counts. */
    private boolean isOf(QueuePairState owner, QueuePairState user) {
        boolean isNext = owner.device().equals(user.device()) && owner.number() == user.number();
        return owner.equals(user) || (findings.windowsOutliveReset && isNext);
    }

    private void ofWindow(Touch touch, KeyLife life, WindowModel window) {
        findings.checked(Check.WINDOW_REVOKED);
        findings.checked(Check.WINDOW_UNBOUND);
        findings.checked(Check.WINDOW_KEY_AS_LOCAL);
        int right = rightFor(touch.effect());
        if (right == 0) {
            violated(Check.WINDOW_KEY_AS_LOCAL, touch, life, "which is a window's");
            return;
        }
        findings.checked(Check.WINDOW_OF_ANOTHER);
        QueuePairState owner = life.owner;
        if (owner != null && !isOf(owner, touch.queuePair().life())) {
            violated(Check.WINDOW_OF_ANOTHER, touch, life, "whose window was bound over " + owner);
        }
        findings.checked(Check.WINDOW_RIGHTS);
        if ((life.access & right) == 0) {
            violated(
                    Check.WINDOW_RIGHTS,
                    touch,
                    life,
                    "whose " + window + " has access=" + AccessFlags.describe(life.access));
        }
        checkRegion(touch, life, life.region);
    }

    /** Bytes of a message are placed by the key of a receive's element, which no window's can be. */
    void asLocal(Touch touch) {
        KeyLife life = touch.life();
        if (life != null && life.window != null) {
            violated(Check.WINDOW_KEY_AS_LOCAL, touch, life, "which is a window's");
        }
    }

    private void checkRegion(Touch touch, KeyLife life, @Nullable KeyLife region) {
        if (region == null) {
            return;
        }
        findings.checked(Check.WINDOW_ORPHANED);
        findings.checked(Check.WINDOW_IN_REGION);
        if (region.isRevoked()) {
            findings.violated(
                    Check.WINDOW_ORPHANED,
                    Text.of("%s, whose region was deregistered", described(touch, life)),
                    region.revokedAt,
                    touch.position());
        } else if (!region.contains(touch.event().address(), touch.lengthBytes())) {
            violated(Check.WINDOW_IN_REGION, touch, life, "and leaves the region with local " + region);
        }
    }

    private void violated(Check check, Touch touch, KeyLife life, String why) {
        findings.violated(check, Text.of("%s, %s", described(touch, life), why), life.since, touch.position());
    }

    /** The right of a window that it takes; 0 if a window's key cannot be used for it. */
    private static int rightFor(MemoryEffect effect) {
        return switch (effect) {
            case FETCHED -> AccessFlags.REMOTE_READ;
            case PLACED -> AccessFlags.REMOTE_WRITE;
            case ATOMIC -> AccessFlags.REMOTE_ATOMIC;
            case GATHERED, RETURNED -> 0;
        };
    }

    /** The bytes of a piece are shown to programs. */
    void shown(Piece piece, QueuePairState by, long address, long position) {
        findings.checked(Check.REVOKED);
        KeyLife life = piece.life();
        if (life == null) {
            return;
        }
        if (life.closedAt >= 0) {
            late(checkOf(life), piece, by, address, life, position);
        } else if (life.region != null && life.region.isRevoked()) {
            late(Check.REVOKED, piece, by, address, life.region, position);
        }
    }

    private void late(Check check, Piece piece, QueuePairState by, long address, KeyLife life, long position) {
        findings.violated(
                check,
                Text.of("%s shows bytes at 0x%x after %s was revoked", by, address, life),
                piece.position(),
                life.revokedAt,
                position);
    }

    /** A revocation has completed: programs see all that was placed by the key, and nothing comes after that. */
    void closed(KeyLife life, Object by, long position) {
        findings.checked(Check.WINDOW_REVOKED);
        for (Piece piece : memory.held()) {
            if (life.equals(piece.life())) {
                findings.violated(
                        Check.WINDOW_REVOKED,
                        Text.of(
                                "%s: %s completes, but programs do not see %d bytes at 0x%x yet that were placed by %s",
                                device, by, piece.lengthBytes(), piece.address(), life),
                        piece.position(),
                        life.revokedAt,
                        position);
            }
        }
        life.close(position);
    }
}
