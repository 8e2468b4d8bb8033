// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

/** Who owns bytes between post and completion: finds S3 by intervals, and S1 and S2 by hashes where programs touch memory unseen. */
final class Ownership {

    private final Sanitizer sanitizer;

    Ownership(Sanitizer sanitizer) {
        this.sanitizer = sanitizer;
    }

    /** Its elements are the device's from now on. */
    void posted(Request request) {}

    /** The device is about to place bytes in its elements, or gathers them. */
    void touched(Access.Kind kind, Range range, Request request) {}

    /** The device is done with its elements. */
    void completed(Request request, boolean succeeded) {}

    /** Its elements are the program's again. */
    void released(Request request) {}
}
