// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that the library would not reach are refused with the reason. */
class ReachTest {

    private static final int OTHER_USER = 4711;

    @TempDir
    private Path directory;

    private static Reach reach(int user, boolean capabilities) {
        return new Reach(new Standing(user, user, capabilities), Reach.machineOfHost());
    }

    private record Standing(int user, int group, boolean capable) implements Reach.Privileges {
        @Override
        public boolean hasCapabilities(Path file) {
            return capable;
        }
    }

    private Path compiled(String name, String... options) throws IOException, InterruptedException {
        assumeTrue(Files.exists(Path.of("/usr/bin/cc")), "cc is needed for this test");
        Path source = Files.writeString(directory.resolve(name + ".c"), "int main(void) { return 0; }\n");
        Path program = directory.resolve(name);
        List<String> words = new ArrayList<>(List.of("cc", "-o", program.toString(), source.toString()));
        words.addAll(List.of(options));
        assertThat(new ProcessBuilder(words).inheritIO().start().waitFor()).isZero();
        return program;
    }

    private static void assertReached(Path program) {
        assertThatCode(() -> reach(OTHER_USER, false).require(program)).doesNotThrowAnyException();
    }

    private static void assertRefused(Reach reach, Path program, String reason) {
        assertThatThrownBy(() -> reach.require(program))
                .isInstanceOf(Unreachable.class)
                .hasMessageStartingWith(program.toString())
                .hasMessageContaining(reason);
    }

    @Test
    void dynamicProgramIsReached() throws Exception {
        Path program = compiled("dynamic");

        assertReached(program);
        assertThat(ElfFile.read(program).needed()).anyMatch(name -> name.startsWith("libc.so"));
    }

    @Test
    void staticProgramAndOneOfMuslAreRefused() throws Exception {
        Reach reach = reach(OTHER_USER, false);
        assertRefused(reach, compiled("static", "-static"), "statically");
        assertRefused(reach, compiled("static-pie", "-static-pie"), "statically");
        assertRefused(reach, compiled("musl", "-Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1"), "musl");
    }

    @Test
    void programOfAnotherArchitectureIsRefused() throws Exception {
        int other = ElfFile.AARCH64 + ElfFile.X86_64 - Reach.machineOfHost();

        assertRefused(new Reach(new Standing(0, 0, false), other), compiled("here"), "another architecture");
    }

    @Test
    void programThatGainsRightsIsRefusedUnlessTheUserHasThem() throws Exception {
        Path program = compiled("privileged");
        int owner = (int) Files.getAttribute(program, "unix:uid");
        int group = (int) Files.getAttribute(program, "unix:gid");
        Reach stranger = reach(OTHER_USER, false);

        Files.setAttribute(program, "unix:mode", 0104755);
        assertRefused(stranger, program, "is setuid");
        assertThatCode(() -> reach(owner, false).require(program)).doesNotThrowAnyException();

        Files.setAttribute(program, "unix:mode", 0102755);
        assertRefused(stranger, program, "is setgid");
        assertThatCode(() -> reach(group, false).require(program)).doesNotThrowAnyException();

        Files.setAttribute(program, "unix:mode", 0100755);
        assertReached(program);
        assertRefused(reach(OTHER_USER, true), program, "has file capabilities");
        assertThatCode(() -> reach(0, true).require(program)).doesNotThrowAnyException();
    }

    @Test
    void rpathWithAnotherLibraryIsRefusedAndRunpathIsNot() throws Exception {
        Files.createFile(directory.resolve("libibverbs.so.1"));
        Path program = compiled("rpath", "-Wl,--disable-new-dtags", "-Wl,-rpath,/no/such:$ORIGIN");

        assertRefused(reach(OTHER_USER, false), program, "DT_RPATH");
        assertReached(compiled("runpath", "-Wl,--enable-new-dtags", "-Wl,-rpath,$ORIGIN"));
        assertReached(compiled("empty", "-Wl,--disable-new-dtags", "-Wl,-rpath,/no/such"));
    }

    @Test
    void rpathOfALibraryOfTheProgramCountsToo() throws Exception {
        Path own = Files.createDirectory(directory.resolve("own"));
        Files.createFile(own.resolve("librdmacm.so.1"));
        Path library = compiled(
                "libinner.so", "-shared", "-fPIC", "-Dmain=inner", "-Wl,--disable-new-dtags", "-Wl,-rpath,$ORIGIN/own");
        Path program = compiled(
                "outer", "-Wl,--no-as-needed", library.toString(), "-Wl,--enable-new-dtags", "-Wl,-rpath,$ORIGIN");

        assertThatThrownBy(() -> reach(OTHER_USER, false).require(program))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("libinner.so")
                .hasMessageContaining("for " + program);
    }

    @Test
    void malformedFileIsRefusedWithWhatIsWrong() throws Exception {
        Path file = directory.resolve("malformed");

        assertRefused(reach(0, false), Files.write(file, new byte[] {0x7f, 'E', 'L', 'F', 2, 1}), "cut off");
        assertRefused(reach(0, false), Files.write(file, ElfFiles.with(header -> header.put(4, (byte) 1))), "64 bits");
        assertRefused(
                reach(0, false),
                Files.write(file, ElfFiles.with(header -> header.putShort(16, (short) 1))),
                "e_type=1");
    }
}
