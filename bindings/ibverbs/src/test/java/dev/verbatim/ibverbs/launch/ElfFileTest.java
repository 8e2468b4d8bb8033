// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a file holds, it is read to an end, and no further than it should. */
class ElfFileTest {

    @TempDir
    private Path directory;

    @Test
    void partsOfAFileAreRead() throws Exception {
        Path file = Files.write(directory.resolve("elf"), ElfFiles.with(elf -> {}));

        ElfFile read = ElfFile.read(file);

        assertThat(read.machine()).isEqualTo(Reach.machineOfHost());
        assertThat(read.interpreter()).isEqualTo("/ld.so");
        assertThat(read.needed()).containsExactly("libx.so");
        assertThat(read.rpath()).isEqualTo("/own");
        assertThat(read.runpath()).isNull();
    }

    /** Each byte is set to each of a few values, and the file is cut at many places. */
    @Test
    void malformedFilesAreReadOrRefused() throws IOException {
        Path file = directory.resolve("elf");
        byte[] whole = ElfFiles.with(elf -> {});
        int refused = 0;
        for (int i = 0; i < whole.length; i++) {
            for (int value : new int[] {0, 0xff}) {
                byte[] broken = whole.clone();
                broken[i] = (byte) value;
                refused += whole[i] == broken[i] ? 0 : refusals(Files.write(file, broken));
            }
            refused += i % 16 == 0 ? refusals(Files.write(file, Arrays.copyOf(whole, i))) : 0;
        }
        assertThat(refused).isGreaterThan(60);
    }

    private static int refusals(Path file) throws IOException {
        try {
            assertThat(ElfFile.read(file).needed()).hasSizeLessThan(5);
            return 0;
        } catch (BadElf e) {
            assertThat(e.getMessage()).isNotEmpty();
            return 1;
        }
    }
}
