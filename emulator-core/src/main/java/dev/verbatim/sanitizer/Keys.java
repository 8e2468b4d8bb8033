// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import dev.verbatim.verbs.WrOpcode;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How keys are used: local ones as remote ones (S10), for words in another byte order (S13), after their end (S19). */
final class Keys {

    private record KeyOf(DeviceWatch device, int key) {}

    private final Findings findings;
    private final Programs programs;

    /** Remote keys that equal their local ones, and that no program asked for. */
    private final Set<KeyOf> unasked = new HashSet<>();

    private final Set<KeyOf> asked = new HashSet<>();

    Keys(Findings findings, Programs programs) {
        this.findings = findings;
        this.programs = programs;
    }

    void registered(DeviceWatch device, Region region) {
        if (region.rkey != 0) {
            device.begin(region.rkey, region.toString()).region = region;
        }
        KeyOf key = new KeyOf(device, region.lkey);
        if (region.lkey == region.rkey && !asked.contains(key)) {
            unasked.add(key);
        }
    }

    void deregistered(DeviceWatch device, Region region, long nowNanos) {
        KeyLife life = device.keyLife(region.rkey);
        if (life != null && region.rkey != 0) {
            revoked(device, life, region.rkey, null);
            life.endBy(programs.current());
            life.end("deregistered or re-registered", programs.site(programs.current()), nowNanos);
        }
        unasked.remove(new KeyOf(device, region.lkey));
    }

    void asked(DeviceWatch device, int lkey) {
        KeyOf key = new KeyOf(device, lkey);
        asked.add(key);
        unasked.remove(key);
    }

    void windowKey(DeviceWatch device, int rkey, boolean valid, @Nullable QpWatch queuePair, long nowNanos) {
        Request changer = queuePair == null ? null : queuePair.changer(rkey);
        if (valid) {
            boolean isBound = changer != null && changer.opcode == WrOpcode.BIND_MW;
            device.begin(rkey, "a memory window").bind = isBound ? changer : null;
            return;
        }
        KeyLife known = device.keyLife(rkey);
        KeyLife life = known == null ? device.begin(rkey, "a memory window") : known;
        if (queuePair == null || changer != null) {
            revoked(device, life, rkey, changer);
        }
        if (queuePair == null) {
            life.endBy(programs.current());
        } else {
            boolean isOwn = changer != null && changer.queuePair == queuePair;
            life.endBy(changer, isOwn ? null : queuePair.oldestReceive());
        }
        if (changer != null) {
            life.end("revoked by " + changer, changer.site, nowNanos);
        } else {
            life.end(
                    queuePair == null ? "deallocated" : "revoked on " + queuePair,
                    queuePair == null ? programs.site(programs.current()) : CallSite.UNKNOWN,
                    nowNanos);
        }
    }

    private void revoked(DeviceWatch device, KeyLife life, int rkey, @Nullable Request revoker) {
        ProgramClock program = programs.current();
        Request user = life.stillUsing(revoker == null ? program.clock : revoker.clock, revoker);
        if (user == null || !life.isValid || device.isClosing) {
            return;
        }
        CallSite site = revoker == null ? programs.site(program) : revoker.site;
        findings.report(Finding.at(
                Mistake.S19,
                device.toString(),
                List.of(user.site, site),
                (revoker == null ? "program " + program.name + (site.isEmpty() ? "" : " at " + site) : revoker.posted())
                        + String.format(Locale.ROOT, " revokes the key 0x%08x of ", rkey) + life.what + " of " + device
                        + ", and nothing tells that " + user.posted() + ", which uses it, is over"));
    }

    private void used(DeviceWatch device, int key, Request request) {
        KeyLife life = device.keyLife(key);
        Request bind = life == null ? null : life.bind;
        if (life == null || !life.isNewUser(request) || bind == null || life.isKnownTo(request)) {
            return;
        }
        findings.report(Finding.at(
                Mistake.S19,
                device.toString(),
                List.of(request.site, bind.site),
                request.posted() + String.format(Locale.ROOT, " uses the key 0x%08x of ", key) + life.what + " of "
                        + device
                        + ", and nothing tells that " + bind.posted()
                        + " is over, nor came the key by a later message of its"
                        + " queue" + life.confusionOf(request)));
    }

    /** A peer touches memory by a key. */
    void reached(QpWatch responder, Access.Kind kind, Range range, int key, @Nullable Request request) {
        if (request != null) {
            request.grant = responder.grant(kind);
            used(responder.device, key, request);
        }
        if (!unasked.isEmpty() && unasked.remove(new KeyOf(responder.device, key))) {
            findings.report(Finding.at(
                    Mistake.S10,
                    responder.device.toString(),
                    List.of(request == null ? CallSite.UNKNOWN : request.site),
                    (request == null ? "a peer" : request.posted())
                            + String.format(Locale.ROOT, " used the key 0x%08x of ", key)
                            + responder.device.region(key) + " of " + responder.device
                            + ", whose rkey() no program asked for: it is the lkey, which other devices refuse"));
        }
        if (kind == Access.Kind.ATOMIC) {
            requireNativeOrder(responder.device.regionAt(range), range, request);
        }
    }

    /** The result of an atomic is about to be placed. */
    void returned(Request request, Range range) {
        for (int i = 0; i < request.elements.size(); i++) {
            if (request.elements.get(i).overlaps(range)) {
                requireNativeOrder(request.regions.get(i), range, request);
            }
        }
    }

    private void requireNativeOrder(@Nullable Region region, Range range, @Nullable Request request) {
        if (region != null && region.memory.isHeldInOtherOrder()) {
            findings.report(Finding.at(
                    Mistake.S13,
                    region.toString(),
                    List.of(request == null ? CallSite.UNKNOWN : request.site),
                    (request == null ? "an atomic of a peer" : request.posted()) + " touches " + range + " of " + region
                            + ", whose buffer the program has in the other byte order"));
        }
    }

    void refused(QpWatch responder, int rkey, @Nullable Request request, long nowNanos) {
        KeyLife life = responder.device.keyLife(rkey);
        if (life != null && life.isValid) {
            return;
        }
        String user = request == null ? "a peer" : request.posted();
        String key = String.format(Locale.ROOT, " used the key 0x%08x at ", rkey) + responder;
        Region local = responder.device.region(rkey);
        String why;
        if (life != null) {
            why = ", which was of " + life.what + " and " + life.ended()
                    + String.format(Locale.ROOT, " %.3f ms before", (nowNanos - life.revokedNanos) / 1e6);
        } else if (local != null) {
            findings.report(Finding.at(
                    Mistake.S10,
                    responder.toString(),
                    List.of(request == null ? CallSite.UNKNOWN : request.site, local.site),
                    user + key + ", which is the lkey of " + local.registered() + " and no remote key"));
            return;
        } else {
            why = ", which never was a key there";
        }
        findings.report(Finding.at(
                Mistake.S19,
                responder.toString(),
                List.of(request == null ? CallSite.UNKNOWN : request.site, life == null ? CallSite.UNKNOWN : life.site),
                user + key + why));
    }

    /** The device is gone with its keys. */
    void end(DeviceWatch device) {
        unasked.removeIf(key -> key.device() == device);
        asked.removeIf(key -> key.device() == device);
    }
}
