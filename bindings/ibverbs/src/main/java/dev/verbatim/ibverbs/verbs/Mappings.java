// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The mappings of this process, as {@code /proc/self/maps} lists them. */
final class Mappings {

    private static final int HEXADECIMAL = 16, HEXADECIMAL_BITS = 4;

    private Mappings() {}

    private record Mapping(long from, long to, boolean isRead, boolean isWritten, boolean isShared, boolean isOfFile) {

        boolean has(long address) {
            return Long.compareUnsigned(from, address) <= 0 && Long.compareUnsigned(address, to) < 0;
        }
    }

    /** Takes lines like {@code 7f0000000000-7f0000001000 rw-p 00000000 00:00 0 NAME} apart. */
    private static final class Lines {

        private final byte[] text;
        private int at;

        Lines(byte[] text) {
            this.text = text;
        }

        boolean hasNext() {
            return at < text.length;
        }

        Mapping next() {
            long from = number();
            long to = number();
            int rights = at;
            word();
            word();
            word();
            boolean isOfFile = text[at] != '0';
            while (at < text.length && text[at++] != '\n') {}
            return new Mapping(
                    from, to, text[rights] == 'r', text[rights + 1] == 'w', text[rights + 3] == 's', isOfFile);
        }

        /** A hexadecimal one, and the character behind it. */
        private long number() {
            long number = 0;
            for (int digit = Character.digit(text[at++], HEXADECIMAL);
                    digit >= 0;
                    digit = Character.digit(text[at++], HEXADECIMAL)) {
                number = number << HEXADECIMAL_BITS | digit;
            }
            return number;
        }

        private void word() {
            while (text[at++] != ' ') {}
        }
    }

    /** In ascending order; none where there is no /proc. */
    private static List<Mapping> all() {
        List<Mapping> all = new ArrayList<>();
        try {
            Lines lines = new Lines(Files.readAllBytes(Path.of("/proc/self/maps")));
            while (lines.hasNext()) {
                all.add(lines.next());
            }
        } catch (IOException e) {
            return List.of();
        }
        return all;
    }

    /** Whether a range lies in one shared mapping of a file, so that what is written there can be made persistent. */
    static boolean areOfFile(long address, long lengthBytes) {
        for (Mapping each : all()) {
            if (each.has(address)) {
                return each.isShared && each.isOfFile && lengthBytes <= each.to - address;
            }
        }
        return false;
    }

    /** The first address from one to another where nothing is mapped, or that cannot be read, or written; -1 if none is known. */
    static long firstUnusable(long address, long last, boolean isWritten) {
        long next = address;
        List<Mapping> all = all();
        for (Mapping each : all) {
            if (each.has(next) && each.isRead && (each.isWritten || !isWritten)) {
                next = each.to;
            }
        }
        return all.isEmpty() || next > last ? -1 : next;
    }
}
