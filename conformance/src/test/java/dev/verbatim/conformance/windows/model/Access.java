// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.model;

import dev.verbatim.conformance.windows.model.Verdict.Kind;
import org.jspecify.annotations.Nullable;

/** The access decision of section L: who may touch what. */
final class Access {

    private static final int WORD_BYTES = 8;

    private Access() {}

    /** A peer of {@code responder} wants to touch {@code lengthBytes} bytes from {@code address} on by {@code key}. */
    static Verdict decide(Qp responder, Operation operation, long address, long lengthBytes, int key) {
        if (!responder.grants(operation)) {
            return Verdict.invalidRequest("MW-100");
        }
        if (operation.isAtomic() && address % WORD_BYTES != 0) {
            return Verdict.invalidRequest("MW-101");
        }
        if (lengthBytes == 0) {
            return Verdict.nothingTouched("MW-109");
        }
        Hca hca = responder.hca();
        Region region = hca.regionByRemoteKey(key);
        if (region != null) {
            return throughRegion(region, responder, operation, address, lengthBytes);
        }
        Window window = hca.windowByIndex(key);
        return window == null
                ? Verdict.remoteAccess("KEY-04")
                : throughWindow(window, responder, operation, address, lengthBytes, key);
    }

    @SuppressWarnings("ReferenceEquality") // Domains are themselves and nothing else.
    private static Verdict throughRegion(
            Region region, Qp responder, Operation operation, long address, long lengthBytes) {
        if (region.pd() != responder.pd()) {
            return Verdict.remoteAccess("MR-41");
        }
        if (!region.grants(operation.right)) {
            return Verdict.remoteAccess("MR-12");
        }
        if (!region.covers(address, lengthBytes)) {
            return Verdict.remoteAccess("MR-22");
        }
        return Verdict.allowed("MR-12", region.space(), region.offsetOf(address));
    }

    private static Verdict throughWindow(
            Window window, Qp responder, Operation operation, long address, long lengthBytes, int key) {
        Binding binding = window.binding;
        String broken = brokenRule(window, binding, responder, operation, address, lengthBytes, key);
        if (broken != null || binding == null) {
            return new Verdict(Kind.REMOTE_ACCESS, broken == null ? "MW-105" : broken, null, 0);
        }
        return Verdict.allowed("MW-106", binding.region().space(), binding.offsetOf(address));
    }

    @SuppressWarnings("ReferenceEquality") // As above.
    private static @Nullable String brokenRule(
            Window window,
            @Nullable Binding binding,
            Qp responder,
            Operation operation,
            long address,
            long lengthBytes,
            int key) {
        if (window.lastKey() != key) {
            return "MW-102";
        }
        boolean comparesPd = window.isType1() || responder.hca().conduct().comparesPd();
        if (comparesPd && window.pd() != responder.pd()) {
            return "MW-103";
        }
        if (binding == null) {
            return "MW-105";
        }
        if (window.isType2() && !binding.isOf(responder)) {
            return "MW-104";
        }
        if (!binding.grants(operation.right)) {
            return "MW-106";
        }
        if (operation.isAtomic() && responder.hca().conduct().has(Deviation.NO_ATOMICS)) {
            return "MW-112";
        }
        if (!binding.covers(address, lengthBytes)) {
            return "MW-107";
        }
        if (!binding.region().isRegistered()) {
            return "MW-108";
        }
        return binding.isInRegion(address, lengthBytes) ? null : "MW-57"; // As it is, unless nobody looked at bind.
    }
}
