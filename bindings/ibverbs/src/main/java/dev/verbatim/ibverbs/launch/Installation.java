// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the parts are: the jars, the library of C, the JVM that it starts, and the cache of classes.
 *
 * @param classPath the jars, the module's own first
 * @param library directory of libibverbs.so.1 and librdmacm.so.1
 * @param cache the cache of classes; null if there is none
 */
record Installation(
        List<Path> classPath, Path library, @Nullable Path cache) {

    /**
     * Two programs that poll leave none of so many to the optimizing compiler, which then takes the first seconds of both; many
     * programs take no more.
     */
    private static final int FEW_PROCESSORS = 4;

    /** Name of the cache beside the jars. */
    static final String CACHE = "classes.aot";

    /** Names the module's own jar where the cache of classes was made elsewhere, so that this class does not know its place. */
    private static final String JAR = "verbatim.jar";

    private static Path ownPath() throws IOException {
        String jar = System.getProperty(JAR);
        if (jar != null) {
            return Path.of(jar);
        }
        try {
            return Path.of(Installation.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    /** That of this class. */
    static Installation here() throws IOException {
        Path own = ownPath();
        String architecture = System.getProperty("os.arch").equals("amd64") ? "x86_64" : "aarch64";
        if (Files.isDirectory(own)) {
            // Classes in a directory, as in a build: the class path is that of this JVM.
            List<Path> paths = new ArrayList<>(List.of(own));
            for (String element : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                if (!element.isEmpty() && !Path.of(element).equals(own)) {
                    paths.add(Path.of(element));
                }
            }
            return new Installation(paths, own.resolveSibling("native").resolve(architecture), null);
        }
        Path directory = own.resolveSibling("");
        List<Path> paths = new ArrayList<>(List.of(own));
        try (Stream<Path> beside = Files.list(directory)) {
            beside.filter(file -> file.toString().endsWith(".jar") && !file.equals(own))
                    .sorted()
                    .forEach(paths::add);
        }
        Path cache = directory.resolve(CACHE);
        return new Installation(
                paths, directory.resolve("native").resolve(architecture), Files.isReadable(cache) ? cache : null);
    }

    /** What stands for /sys and /dev where a program looks for so many devices. */
    Path paths(String link, int devices) {
        return library.resolveSibling("paths").resolve(link + "-" + devices);
    }

    /**
     * Options by which the sanitizers of compilers find the mistakes of a program, and say nothing of the JVM: variable and options,
     * before those that the program has.
     *
     * @param library the directory of libibverbs.so.1
     */
    static Map<String, String> sanitizerOptions(Path library) {
        Path suppressions = library.resolveSibling("suppressions");
        return Map.of(
                // Libraries of LD_PRELOAD come first; and it reads sizes of blocks where this C library has none.
                "ASAN_OPTIONS", "verify_asan_link_order=0:intercept_tls_get_addr=0",
                "LSAN_OPTIONS",
                        "suppressions=" + suppressions.resolve("leak")
                                + ":print_suppressions=0:intercept_tls_get_addr=0",
                "TSAN_OPTIONS", "suppressions=" + suppressions.resolve("thread") + ":print_suppressions=0");
    }

    /** Elements joined as the JVM takes them. */
    String joinedClassPath() {
        return String.join(
                File.pathSeparator, classPath.stream().map(Path::toString).toList());
    }

    /** The JVM that programs start: that of this process. */
    static Path jvm() {
        return Path.of(System.getProperty("java.home"), "lib", "server", "libjvm.so");
    }

    /** Files and directories of which the JVM of this process may have files open. */
    List<Path> opened() {
        List<Path> opened = new ArrayList<>(classPath);
        opened.add(Path.of(System.getProperty("java.home")));
        if (cache != null) {
            opened.add(cache);
        }
        return opened;
    }

    /** Options of the JVM in a program: small, quick to start, silent on standard output, and without handlers of SIGINT and the like. */
    List<String> jvmOptions() {
        List<String> options = new ArrayList<>(List.of(
                "-Djava.class.path=" + joinedClassPath(),
                "-XX:+UseSerialGC",
                "-Xms16m",
                "-Xmx256m",
                "-XX:CompressedClassSpaceSize=64m",
                "-XX:ReservedCodeCacheSize=48m",
                "-Xss512k",
                "-Xrs",
                // With -Xrs its socket in /tmp is there from the start, and stays when a signal ends the program.
                "-XX:+DisableAttachMechanism",
                "-XX:-MaxFDLimit",
                "-XX:-UsePerfData",
                "-Xlog:disable",
                "-Xlog:all=error:stderr",
                "-XX:+DisplayVMOutputToStderr",
                // What is logged is a line, as what the library says itself.
                "-Djava.util.logging.SimpleFormatter.format=verbatim: %5$s%n",
                // Nor files with what it knows of errors in the directory of the program.
                "-XX:+SuppressFatalErrorMessage",
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "-Dio.netty.tryReflectionSetAccessible=true"));
        if (Runtime.getRuntime().availableProcessors() <= FEW_PROCESSORS) {
            // It inlines little by default, as if its code were to be compiled again: a packet passes through many
            // short methods.
            options.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:C1MaxInlineSize=70", "-XX:C1MaxInlineLevel=15"));
        }
        if (cache != null) {
            options.add("-XX:AOTCache=" + cache);
            options.add("-Xlog:aot*=off"); // a cache that does not fit is not used
        }
        return options;
    }
}
