// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command as a user meets it: its errors, the environment that it makes, and the program that it becomes. */
class ExecTest {

    @TempDir
    private Path directory;

    private record Outcome(int status, String out, String err) {}

    /** The command in this process, as far as it does not become a program. */
    private static Outcome run(String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Exec.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int status = line.execute(words);
        return new Outcome(status, out.toString(), err.toString());
    }

    private static void assertWrong(String reason, String... words) {
        Outcome outcome = run(words);
        assertThat(outcome.err()).startsWith("verbatim: ").contains(reason).endsWith("see verbatim exec --help\n");
        assertThat(outcome.err().lines()).hasSize(1);
        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
    }

    /** The command in a process of its own. */
    private Outcome become(String input, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "/usr/bin/env",
                "--default-signal=INT",
                "--block-signal=FPE",
                "--block-signal=TERM",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-MaxFDLimit",
                "-Xrs",
                "-XX:+DisableAttachMechanism",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Exec.class.getName()));
        command.addAll(List.of(words));
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Files.writeString(directory.resolve("in"), input).toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("VERBATIM_LINK", "of before");
        int status = builder.start().waitFor();
        return new Outcome(status, Files.readString(out), Files.readString(err));
    }

    @Test
    void wrongCommandLinesAreRefusedInOneLine() {
        assertWrong("which program?");
        assertWrong("--print-env runs no program", "--print-env", "true");
        assertWrong("--fabric=udp is neither", "--fabric", "udp", "--", "true");
        assertWrong("--link=token-ring is neither", "--link=token-ring", "true");
        assertWrong("--devices=17 is not in 1..16", "--devices=17", "true");
        assertWrong("is neither a number in 1..16 nor such names", "--devices=mlx5_0,", "true");
        assertWrong("has a name twice", "--devices=mlx5_0,mlx5_0", "true");
        assertWrong("leave out --gids", "--gids=ipv4", "--with-paths", "true");
        assertWrong("'ipv6' is none of mlx5, none, ipv4-v1", "--gids=ipv4,ipv6", "true");
        assertWrong("no entry that leads to the device", "--gids=none,none", "true");
        assertWrong("names no device; they are verbatim0", "--fault=event type=PORT_ERR device=mlx5_0", "true");
        assertWrong("NO_SUCH", "--profile=NO_SUCH", "true");
        assertWrong("cannot write to /no/such/place", "--trace=/no/such/place", "true");
        assertWrong("no address of this machine", "--address=203.0.113.9", "true");
        assertWrong("--tls-trust", "--tls-host=peer", "true");
        assertWrong("/no/such/secret", "--secret=/no/such/secret", "true");
        assertWrong("status 'RETRY' is not known", "--fault=complete status=RETRY", "true");
        assertWrong("is of packets, which TCP never loses; specify --fabric roce", "--fault=drop nth=3", "true");
        assertWrong("/no/such/faults does not exist", "--faults=/no/such/faults", "true");
        assertWrong("cannot write to /no/such/place", "--explain-to=/no/such/place", "true");
        assertWrong("--sanitize=hard is not --sanitize=fail", "--sanitize=hard", "true");
        assertWrong("--silence is for --sanitize", "--silence", "S16=it is so", "true");
        assertWrong("'S16' is neither MISTAKE=REASON nor", "--sanitize", "--silence", "S16", "true");
        assertWrong("'S16:libx.so= ' is neither", "--sanitize", "--silence", "S16:libx.so= ", "true");
        assertWrong("S99 is no mistake", "--sanitize", "--silence", "S99=it is so", "true");
        assertWrong("Unknown option: '--no-such'", "--no-such", "true");
    }

    @Test
    void programThatCannotRunIsSaidAsOneObjectWhereJsonIsWanted() {
        Outcome outcome = run("--json", "--", "/no/such/program");

        assertThat(outcome.status()).isEqualTo(126);
        assertThat(outcome.err())
                .isEqualTo("{\"kind\":\"error\",\"text\":\"/no/such/program does not exist; give the path of a"
                        + " program\"}\n");
    }

    @Test
    void printedEnvironmentIsTheSameForAShellAndAsJson() throws IOException, InterruptedException {
        String odd = directory.resolve("it's \"$HOME\".jsonl").toString();
        String[] words = {"--print-env", "--with-paths", "--devices=2", "--link=ib", "--trace", odd};
        Outcome shell = run(words);
        List<String> json = new ArrayList<>(List.of(words));
        json.add("--json");

        Process process =
                new ProcessBuilder("/bin/sh", "-c", shell.out() + "unset LD_PRELOAD; exec /usr/bin/env -0").start();
        List<String> variables =
                List.of(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\0", -1));

        assertThat(process.waitFor()).isZero();
        assertThat(variables).contains("VERBATIM_TRACE=" + odd, "VERBATIM_DEVICES=2", "VERBATIM_LINK=ib");
        assertThat(variables).anyMatch(each -> each.startsWith("VERBATIM_JVM_OPTIONS=") && each.contains("\n-Xrs\n"));
        assertThat(variables).anyMatch(each -> each.startsWith("VERBATIM_PATHS=") && each.endsWith("/ib-2"));
        assertThat(run(json.toArray(String[]::new)).out())
                .startsWith("{\n")
                .contains("\"VERBATIM_DEVICES\": \"2\",\n", "it's \\\"$HOME\\\".jsonl\"", "\\n-Xrs\\n");
    }

    @Test
    void jvmThatCannotStartIsToldOnStandardErrorAlone() throws IOException, InterruptedException {
        assumeTrue(Files.exists(Path.of("/usr/bin/ibv_devinfo")), "ibverbs-utils is needed for this test");
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");

        int status = new ProcessBuilder(
                        "/bin/sh", "-c", run("--print-env").out() + "ulimit -v 500000; exec /usr/bin/ibv_devinfo")
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start()
                .waitFor();

        assertThat(status).isEqualTo(255);
        assertThat(out).isEmptyFile();
        assertThat(err).content().contains("no device", "Could not reserve enough space", "(ulimit -v is 500000)");
    }

    @Test
    void secretThatAllMayReadIsSaidInOneLine() throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "0123456789abcdef0123456789abcdef");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(run("--secret=" + secret, "--print-env").err())
                .isEqualTo("verbatim: " + secret + " may be read by every user of this machine: chmod 600 " + secret
                        + "\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(run("--secret=" + secret, "--print-env").err()).isEmpty();
    }

    @Test
    void sanitizedProgramHasTheLibraryThatSeesMemoryGoBeforeOthers() {
        assertThat(run("--print-env", "--sanitize", "--with-paths").out())
                .contains("export VERBATIM_SANITIZE='yes'\n")
                .containsPattern("export LD_PRELOAD='[^:]*/libverbatim-paths.so:[^:]*/libverbatim-memory.so");
        assertThat(run("--sanitize=fail", "--print-env").out()).contains("export VERBATIM_SANITIZE='fail'\n");
        assertThat(run("--sanitize", "--silence", "S16:libx.so=it is so", "--silence", "S15=it is, too", "--print-env")
                        .out())
                .contains("export VERBATIM_SILENCE='S16:libx.so=it is so\nS15=it is, too'\n");
        assertThat(run("--sanitize", "/no/such/program").err()).contains("/no/such/program does not exist");
    }

    /** The shell that the command becomes says what it finds. */
    @Test
    void programFindsEverythingAsItWasGiven() throws IOException, InterruptedException {
        String script =
                "cat; printf '%s|' \"$0\" \"$@\"; echo $VERBATIM_LINK; for f in /proc/$$/fd/*; do readlink $f; done;"
                        + " ulimit -S -n >&2; exit 7";
        Outcome outcome = become(
                "of standard input\n", "--link=ib", "--", "/bin/sh", "-c", script, "name", "@x", "", "a b", "--");

        assertThat(outcome.status()).isEqualTo(7);
        assertThat(outcome.out()).startsWith("of standard input\nname|@x||a b|--|ib\n");
        assertThat(outcome.out()).doesNotContain(System.getProperty("java.home"), ".jar", "socket:");
        Process shell = new ProcessBuilder("/bin/sh", "-c", "ulimit -S -n").start();
        assertThat(outcome.err()).isEqualTo(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    }

    @Test
    void quietProgramIsNotToldForWhatItWaits() throws IOException, InterruptedException {
        String[] shown = {"--", "/bin/sh", "-c", "echo \"quiet=$VERBATIM_QUIET\""};
        assertThat(become(
                                "",
                                Stream.concat(Stream.of("--quiet"), Stream.of(shown))
                                        .toArray(String[]::new))
                        .out())
                .isEqualTo("quiet=yes\n");
        assertThat(become("", shown).out()).isEqualTo("quiet=\n");
    }

    @Test
    void pathsOfDevicesWithNamesOfTheirOwnAreAnswered() throws IOException, InterruptedException {
        Outcome outcome = become(
                "",
                "--devices=mlx5_0,mlx5_bond",
                "--with-paths",
                "--",
                "cat",
                "/sys/class/infiniband/mlx5_bond/ports/1/state",
                "/sys/class/infiniband/mlx5_bond/device/infiniband/mlx5_bond/../../vendor");

        assertThat(outcome).isEqualTo(new Outcome(0, "4: ACTIVE\n0x0\n", ""));
    }

    /** A JVM allows SIGFPE in its threads; SIGFPE is bit 7 and SIGTERM bit 14 of what the command was started with. */
    @Test
    void blockedSignalsStayBlocked() throws IOException, InterruptedException {
        Outcome outcome = become("", "--", "grep", "SigBlk", "/proc/self/status");

        assertThat(outcome).isEqualTo(new Outcome(0, "SigBlk:\t0000000000004080\n", ""));
    }

    @Test
    void signalThatEndsTheProgramIsSeenByTheShell() throws IOException, InterruptedException {
        for (Map.Entry<String, Integer> signal : Map.of("INT", 130, "SEGV", 139).entrySet()) {
            Outcome outcome = become("", "--", "/bin/sh", "-c", "kill -" + signal.getKey() + " $$");

            assertThat(outcome).isEqualTo(new Outcome(signal.getValue(), "", ""));
        }
    }

    @Test
    void variablesKeepTheirBytesUnlessTheCommandSetsThem() {
        byte[] odd = {'X', '=', (byte) 0xff};
        List<byte[]> merged = Self.merge(
                Self.split("A=1\0VERBATIM_X=old\0".getBytes(StandardCharsets.UTF_8)), Map.of("VERBATIM_X", "new"));

        assertThat(merged).containsExactly(bytes("A=1"), bytes("VERBATIM_X=new"));
        assertThat(Self.merge(List.of(odd), Map.of("Y", "1"))).containsExactly(odd, bytes("Y=1"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
