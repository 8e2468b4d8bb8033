// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Which memory of the program is of files, as proc(5) tells. */
final class MappedFiles {

    private MappedFiles() {}

    /** Whether a range lies in one shared mapping of a file, so that what is written there can be made persistent. */
    static boolean hold(long address, long lengthBytes) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
                String[] words = line.split(" +", 6);
                int dash = words[0].indexOf('-');
                long from = Long.parseUnsignedLong(words[0], 0, dash, 16);
                long to = Long.parseUnsignedLong(words[0], dash + 1, words[0].length(), 16);
                if (Long.compareUnsigned(from, address) <= 0 && Long.compareUnsigned(address, to) < 0) {
                    return words[1].endsWith("s") && !words[4].equals("0") && lengthBytes <= to - address;
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
