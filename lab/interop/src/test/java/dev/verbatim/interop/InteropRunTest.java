// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Await;
import dev.verbatim.testing.LongTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What {@code lab/interop/run} makes of failing rows, with a stand-in for the guest. */
@Timeout(600)
@EnabledOnOs(OS.LINUX)
@LongTest
class InteropRunTest {

    /** Answers of the Java side of each try, then of all further ones: a line and an exit code. */
    private static final String STAND_IN = """
            #!/usr/bin/env bash
            here=$(dirname "$0")
            echo "$*" >>"$here/calls"
            case $1 in
                host)
                    echo listening
                    tries=$(cat "$here/tries" 2>/dev/null || echo 0)
                    echo $((tries + 1)) >"$here/tries"
                    answer=$(sed -n "$((tries + 1))p" "$here/answers")
                    [ -n "$answer" ] || answer=$(tail -n 1 "$here/answers")
                    [[ $answer != *hang* ]] || exec sleep 50
                    echo "${answer#* }"
                    exit "${answer%% *}" ;;
                run)
                    case $4 in
                        kill*) touch "$here/killed" ;;
                        *guest-listens*)
                            rm -f "$here/killed"
                            echo guest-listens
                            for try in {1..500}; do [ ! -e "$here/killed" ] || exit 143; sleep 0.1; done ;;
                        *) echo 1 ;;
                    esac ;;
                pauses) cat "$here/pauses" ;;
                address) echo 10.78.0.1 ;;
                crashed) [ -e "$here/crash" ] ;;
            esac
            """;

    private static final String QUIET = "24 21";
    private static final String STOPPED = "1700 25";
    private static final String LATE = "1 verbatim: the client's ping did not complete within 60 s";
    private static final String WRONG = "1 verbatim: ping 3 failed: REM_ACCESS_ERR";

    @TempDir
    private Path directory;

    private record Ended(int code, String output) {}

    private Ended run(String pauses, List<String> answers, String... options) throws Exception {
        Process process = start(pauses, answers, options);
        process.waitFor();
        return ended(process);
    }

    private Process start(String pauses, List<String> answers, String... options) throws IOException {
        Path guest = directory.resolve("guest");
        Files.writeString(guest, STAND_IN);
        assertThat(guest.toFile().setExecutable(true)).isTrue();
        Files.writeString(directory.resolve("pauses"), pauses + "\n");
        Files.write(directory.resolve("answers"), answers);
        ProcessBuilder builder = new ProcessBuilder("bash", interop("run"), "--only", "^rping-ipv4-java-serves-64$")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile());
        builder.command().addAll(List.of(options));
        builder.environment().put("VERBATIM_INTEROP_GUEST", guest.toString());
        builder.environment().put("VERBATIM_COMMAND", guest.toString());
        return builder.start();
    }

    private Ended ended(Process process) throws IOException {
        return new Ended(process.exitValue(), Files.readString(directory.resolve("output")));
    }

    @Test
    void rowThatFailsOnceIsTriedAgain() throws Exception {
        Ended ended = run(QUIET, List.of(LATE, "0 done"));

        assertThat(ended.output())
                .contains("rping-ipv4-java-serves-64 ", " ok ", "at the second try")
                .contains("1 passed, 0 failed, 0 slow");
        assertThat(ended.code()).isZero();
    }

    @Test
    void rowThatIsLateTwiceOnMachineThatRunsFails() throws Exception {
        Ended ended = run(QUIET, List.of(LATE));

        assertThat(ended.output()).contains(" FAILED ", "twice", "0 passed, 1 failed");
        assertThat(ended.code()).isEqualTo(1);
    }

    @Test
    void rowThatIsLateTwiceOnMachineThatStopsIsSlow() throws Exception {
        Ended ended = run(STOPPED, List.of(LATE));

        assertThat(ended.output())
                .contains(" slow ", "sleeps of 20 ms took up to 1700 ms", "0 failed, 1 slow")
                .doesNotContain("FAILED");
        assertThat(ended.code()).isZero();
    }

    @Test
    void wrongStatusFailsHoweverSlowTheMachineIs() throws Exception {
        Ended ended = run(STOPPED, List.of(LATE, WRONG));

        assertThat(ended.output()).contains(" FAILED ", "REM_ACCESS_ERR", "1 failed, 0 slow");
        assertThat(ended.code()).isEqualTo(1);
    }

    @Test
    void rowThatLeavesSomethingOpenFails() throws Exception {
        Ended ended = run(STOPPED, List.of("0 left open: EBUSY: device roce has protection domains=1"));

        assertThat(ended.output()).contains(" FAILED ", "left open: EBUSY", "1 failed");
        assertThat(ended.code()).isEqualTo(1);
    }

    @Test
    void guestWhoseKernelCrashesTwiceFailsTheRow() throws Exception {
        Files.createFile(directory.resolve("crash"));

        Ended ended = run(STOPPED, List.of(LATE));

        assertThat(ended.output()).contains(" FAILED ", "the guest's kernel crashed");
        assertThat(ended.code()).isEqualTo(1);
    }

    @Test
    void crashOfEachOfTwoGuestsFailsTheRow() throws Exception {
        Files.createFile(directory.resolve("crash"));

        Ended ended = run(QUIET, List.of("0 done"), "--guests", "2", "--only", "^two-guests-cmtime$");

        assertThat(ended.output())
                .contains(" FAILED ", "the guest's kernel crashed: guest 1", "the guest's kernel crashed: guest 2");
    }

    @Test
    @LongTest
    void guestThatServesIsEndedWhenJavaFailsEarly() throws Exception {
        Ended ended = run(QUIET, List.of(WRONG), "--only", "^guest-pause-goes-on-guest-serves$");

        assertThat(ended.output()).contains(" FAILED ", "REM_ACCESS_ERR");
        assertThat(calls()).contains("run 1 30 kill -s TERM $(pidof rping)").doesNotContain("pause 1");
    }

    @Test
    void guestThatMayBeStoppedGoesOnInTheEnd() throws Exception {
        run(QUIET, List.of("0 done"), "--keep");

        assertThat(calls()).last().isEqualTo("resume 1");
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(directory.resolve("calls"));
    }

    @Test
    void programThatHasPrintedNothingHasSeenNoPings() throws Exception {
        String script = "work=$1; . \"$2\"; sleep 0.5 & java_process=$!; await_pings";
        Process process = new ProcessBuilder("bash", "-c", script, "bash", directory.toString(), interop("gone.sh"))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();

        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(ended(process).output()).isEmpty();
    }

    private static String interop(String name) {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("lab/interop/run"))) {
            root = root.getParent();
        }
        return root.resolve("lab/interop").resolve(name).toString();
    }

    @Test
    void endBySignalFailsNothing() throws Exception {
        Process process = start(QUIET, List.of("hang"));
        Path tries = directory.resolve("tries");
        Await.until("first try", () -> Files.exists(tries));
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        children.forEach(ProcessHandle::destroy);
        process.waitFor();

        assertThat(ended(process).output()).contains("0 passed, 0 failed");
        assertThat(ended(process).code()).isEqualTo(4);
    }
}
