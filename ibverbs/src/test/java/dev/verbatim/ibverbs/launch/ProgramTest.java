// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that the library would not reach are refused with the reason. */
class ProgramTest {

    @TempDir
    private Path directory;

    private static int machine() {
        return System.getProperty("os.arch").equals("amd64") ? ElfFile.X86_64 : ElfFile.AARCH64;
    }

    private Path compiled(String... options) throws IOException, InterruptedException {
        assumeTrue(Files.exists(Path.of("/usr/bin/cc")), "cc is needed for this test");
        Path source = Files.writeString(directory.resolve("empty.c"), "int main(void) { return 0; }\n");
        Path program = directory.resolve("program" + options.length);
        List<String> words = new ArrayList<>(List.of("cc", "-o", program.toString(), source.toString()));
        words.addAll(List.of(options));
        assertThat(new ProcessBuilder(words).inheritIO().start().waitFor()).isZero();
        return program;
    }

    private static void assertRefused(Path program, int machine, String reason) {
        assertThatThrownBy(() -> new Program(program).requireReachable(machine))
                .isInstanceOf(Program.Unreachable.class)
                .hasMessageContaining(reason);
    }

    @Test
    void dynamicProgramAndScriptAreReachable() throws Exception {
        Path program = compiled();
        Path script = Files.writeString(directory.resolve("script"), "#!" + program + " -x\necho\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();

        new Program(program).requireReachable(machine());
        new Program(script).requireReachable(machine());
        assertThat(ElfFile.read(program).needed()).anyMatch(name -> name.startsWith("libc.so"));
    }

    @Test
    void staticProgramAndOneOfAnotherMachineAreRefused() throws Exception {
        assertRefused(compiled("-static"), machine(), "statically");
        assertRefused(compiled(), ElfFile.AARCH64 + ElfFile.X86_64 - machine(), "another architecture");
    }

    @Test
    void setuidProgramIsRefused() throws Exception {
        Path program = compiled();
        Files.setAttribute(program, "unix:mode", 0104755);

        assertRefused(program, machine(), "setuid");
    }

    @Test
    void rpathWithLibraryOfItsOwnIsRefusedAndRunpathIsNot() throws Exception {
        Files.createFile(directory.resolve("libibverbs.so.1"));

        assertRefused(compiled("-Wl,--disable-new-dtags", "-Wl,-rpath,$ORIGIN"), machine(), "DT_RPATH");
        new Program(compiled("-Wl,--enable-new-dtags", "-Wl,-rpath," + directory, "-g")).requireReachable(machine());
    }

    @Test
    void programOfMuslIsRefused() throws Exception {
        assertRefused(compiled("-Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1"), machine(), "musl");
    }

    @Test
    void whatIsMissingOrNotExecutableIsSaid() throws Exception {
        Path text = Files.writeString(directory.resolve("text"), "no program");

        assertThatThrownBy(() -> Program.find("no-such-program", Map.of("PATH", "/usr/bin")))
                .hasMessageContaining("not on the PATH");
        assertThatThrownBy(() -> Program.find(text.toString(), Map.of())).hasMessageContaining("not executable");
        assertThat(text.toFile().setExecutable(true)).isTrue();
        assertRefused(text, machine(), "no program of 64-bit Linux");
    }

    /** Each byte of the headers of a small file is set to each of a few values: whatever it says, it is read to an end. */
    @Test
    void malformedFilesAreReadToAnEnd() throws Exception {
        byte[] file = new byte[256];
        ByteBuffer elf = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        elf.putInt(0, 0x464c457f).put(4, (byte) 2).put(5, (byte) 1).putShort(18, (short) 62);
        elf.putLong(32, 64).putShort(56, (short) 3);
        elf.putInt(64, 1).putLong(72, 0).putLong(80, 0).putLong(96, 256);
        elf.putInt(120, 2).putLong(128, 232).putLong(152, 24);
        elf.putLong(232, 5).putLong(240, 200);
        Path at = directory.resolve("elf");
        for (int i = 6; i < file.length; i++) {
            for (int value : new int[] {0, 1, 0x7f, 0xff}) {
                byte[] broken = file.clone();
                broken[i] = (byte) value;
                Files.write(at, broken);
                assertThat(ElfFile.read(at)).isNotNull();
            }
        }
    }
}
