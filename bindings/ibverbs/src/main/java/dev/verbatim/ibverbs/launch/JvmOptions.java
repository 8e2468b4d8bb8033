// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import java.util.List;

/**
 * Writes for the launchers with which options of the JVM {@code exec} starts: a row of words with a blank between, as the command line has
 * them for its commands. No option of {@code exec} changes them, so that the second and third word are {@code - 0}.
 */
public final class JvmOptions {

    /**
     * Nothing of this JVM is to be seen in the program that it becomes: no handlers of signals, no higher limit of open files, and no
     * socket, which with {@code -Xrs} alone is opened for tools that attach. It collects garbage as the JVMs of programs do, whose cache of
     * classes it shares.
     */
    private static final List<String> OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-Xmx64m",
            "-XX:CompressedClassSpaceSize=16m",
            "-XX:ReservedCodeCacheSize=16m",
            "-Xrs",
            "-XX:+DisableAttachMechanism",
            "-XX:-MaxFDLimit",
            "-XX:-UsePerfData");

    private JvmOptions() {}

    /** Prints the row. */
    public static void main(String... arguments) {
        System.out.println("exec - 0 -XX:TieredStopAtLevel=1 " + String.join(" ", OPTIONS));
    }
}
