// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.queue;

import dev.verbatim.conformance.oracle.key.KeyLife;
import dev.verbatim.conformance.oracle.key.QueuePairState;
import dev.verbatim.conformance.oracle.key.WindowModel;
import dev.verbatim.conformance.oracle.memory.MemoryModel;
import dev.verbatim.conformance.oracle.memory.PendingPlacement;
import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.trace.TraceEvent.MemoryEffect;
import dev.verbatim.verbs.AccessFlags;
import org.jspecify.annotations.Nullable;

/** Whether memory may be touched by a key: it is valid, and if it is a window's, that permits it. */
public final class KeyUse {

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

    public void touched(MemoryAccess access) {
        findings.checked(Check.REVOKED);
        KeyLife life = access.life();
        if (life == null) {
            return;
        }
        if (life.isRevoked()) {
            findings.violated(
                    checkOf(life),
                    Text.of("%s, which was revoked", described(access, life)),
                    life.revokedAt,
                    access.position());
        } else if (life.window != null) {
            ofWindow(access, life, life.window);
        } else if (!life.isKnown()) {
            ofUnknown(access, life);
        }
    }

    private static String described(MemoryAccess access, KeyLife life) {
        return Text.of(
                "%s touches memory at 0x%x (%s) by %s",
                access.queuePair(), access.event().address(), access.effect(), life);
    }

    private static Check checkOf(KeyLife life) {
        WindowModel window = life.window;
        if (window == null) {
            return Check.REVOKED;
        }
        return window.gone ? Check.WINDOW_GONE : Check.WINDOW_REVOKED;
    }

    private void ofUnknown(MemoryAccess access, KeyLife life) {
        if (windows.has(life.key)) {
            findings.violated(
                    Check.WINDOW_UNBOUND,
                    Text.of("%s, which its window is not bound with", described(access, life)),
                    access.position());
        }
    }

    /** Whether a window that was bound over the one is used through the other: itself, or what it was reset to where that counts. */
    private boolean isOf(QueuePairState owner, QueuePairState user) {
        boolean isNext = owner.device().equals(user.device()) && owner.number() == user.number();
        return owner.equals(user) || (findings.windowsOutliveReset && isNext);
    }

    private void ofWindow(MemoryAccess access, KeyLife life, WindowModel window) {
        findings.checked(Check.WINDOW_REVOKED);
        findings.checked(Check.WINDOW_UNBOUND);
        findings.checked(Check.WINDOW_KEY_AS_LOCAL);
        int right = rightFor(access.effect());
        if (right == 0) {
            violated(Check.WINDOW_KEY_AS_LOCAL, access, life, "which is a window's");
            return;
        }
        findings.checked(Check.WINDOW_OF_ANOTHER);
        QueuePairState owner = life.owner;
        if (owner != null && !isOf(owner, access.queuePair().life())) {
            violated(Check.WINDOW_OF_ANOTHER, access, life, "whose window was bound over " + owner);
        }
        findings.checked(Check.WINDOW_RIGHTS);
        if ((life.access & right) == 0) {
            violated(
                    Check.WINDOW_RIGHTS,
                    access,
                    life,
                    "whose " + window + " has access=" + AccessFlags.describe(life.access));
        }
        checkRegion(access, life, life.region);
    }

    /** Bytes of a message are placed by the key of a receive's element, which no window's can be. */
    public void asLocal(MemoryAccess access) {
        KeyLife life = access.life();
        if (life != null && life.window != null) {
            violated(Check.WINDOW_KEY_AS_LOCAL, access, life, "which is a window's");
        }
    }

    private void checkRegion(MemoryAccess access, KeyLife life, @Nullable KeyLife region) {
        if (region == null) {
            return;
        }
        findings.checked(Check.WINDOW_ORPHANED);
        findings.checked(Check.WINDOW_IN_REGION);
        if (region.isRevoked()) {
            findings.violated(
                    Check.WINDOW_ORPHANED,
                    Text.of("%s, whose region was deregistered", described(access, life)),
                    region.revokedAt,
                    access.position());
        } else if (!region.contains(access.event().address(), access.lengthBytes())) {
            violated(Check.WINDOW_IN_REGION, access, life, "and leaves the region with local " + region);
        }
    }

    private void violated(Check check, MemoryAccess access, KeyLife life, String why) {
        findings.violated(check, Text.of("%s, %s", described(access, life), why), life.since, access.position());
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
    public void shown(PendingPlacement piece, QueuePairState by, long address, long position) {
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

    private void late(
            Check check, PendingPlacement piece, QueuePairState by, long address, KeyLife life, long position) {
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
        for (PendingPlacement piece : memory.held()) {
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
