// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Seeds;
import dev.verbatim.wire.Opcode;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A device keeps its memory, its books and its head, whatever peers send and programs do; see {@link Trial}. */
@Tag("smoke")
class DeviceFuzzTest {

    private static final int REQUEST = 0;
    private static final int MESSAGE = 3;
    private static final int RESPOND = 5;
    private static final int RESPOND_TO_ALL = 7;
    private static final int POST_RECEIVE = 8;
    private static final int POST_SEND = 9;
    private static final int BIND = 11;
    private static final int TOGGLE_REGION = 12;
    private static final int PASS_TIME = 13;
    private static final int CHANGE = 14;
    private static final int OTHER_SIDE = 192;

    /** Places of a {@link Target}: its begin, its end so that the request just fits, and one byte further. */
    private static final int BEGIN = 0;

    private static final int FIT = 2;
    private static final int TOO_FAR = 3;

    private static final int FIRST_WINDOW = 8;

    /** Of the settings. */
    private static final int WATCHED = 1 << 2;

    @FuzzTest
    void deviceIsSafe(byte[] script) {
        Trial.run(script);
    }

    @Test
    void seedsAreConversations() throws IOException {
        Map<String, byte[]> seeds = new TreeMap<>();
        for (int settings : new int[] {0, 0x80 | 8}) {
            String suffix = settings == 0 ? "" : "-in-runs";
            seeds.put("requests-within-and-beyond" + suffix, script(settings, requests()));
            seeds.put("window-rebound-within-a-message" + suffix, script(settings, window()));
            seeds.put("rights-of-window-and-queue-pair" + suffix, script(settings, rights()));
            seeds.put("messages-and-receives" + suffix, script(settings, messages()));
            seeds.put("answers-right-and-wrong" + suffix, script(settings, answers()));
            seeds.put("lost-and-late" + suffix, script(settings, losses()));
        }
        for (int preset = 0; preset < Estate.PRESETS; preset++) {
            String suffix = "-" + DeviceProfile.presets().get(preset).name().toLowerCase(Locale.ROOT);
            seeds.put("posted-before-the-connection" + suffix, script(preset, early(true)));
            seeds.put("posted-in-reset-at-the-end" + suffix, script(preset, early(false)));
        }
        Seeds.assertKept(DeviceFuzzTest.class, "deviceIsSafe", seeds);
    }

    @Test
    void requestsTakeTheFastPath() {
        assertThat(Trial.run(script(0, requests()))).as("requests of the peer").isPositive();
        assertThat(Trial.run(script(0, new int[][] {{POST_SEND, 2, 0, 0, 2}})))
                .as("a WRITE of the device")
                .isPositive();
        assertThat(Trial.run(script(WATCHED, requests())))
                .as("requests of a watched device")
                .isZero();
    }

    private static int[][] requests() {
        return new int[][] {
            request(Opcode.RDMA_WRITE_ONLY, 256, 0, BEGIN),
            request(Opcode.RDMA_WRITE_ONLY, 256, 0, FIT),
            request(Opcode.RDMA_READ_REQUEST, 1024, 0, FIT),
            request(Opcode.FETCH_ADD, 8, 0, FIT),
            request(Opcode.COMPARE_SWAP, 8, 5, BEGIN),
            request(Opcode.RDMA_WRITE_ONLY, 9, 3, FIT),
            request(Opcode.RDMA_READ_REQUEST, 3584, 0, BEGIN),
            request(Opcode.RDMA_WRITE_ONLY, 256, 3, TOO_FAR),
            fromStranger(request(Opcode.RDMA_WRITE_ONLY, 256, 0, FIT)),
            other(request(Opcode.RDMA_READ_REQUEST, 1024, 2, FIT)),
            other(request(Opcode.RDMA_READ_REQUEST, 256, 2, TOO_FAR)),
        };
    }

    private static int[][] window() {
        return new int[][] {
            bind(0, 0, 1024, 0),
            request(Opcode.RDMA_WRITE_FIRST, 1024, FIRST_WINDOW, BEGIN),
            {POST_SEND, 8, 0, 0, 0, 0},
            bind(0, 0, 256, 200),
            request(Opcode.RDMA_WRITE_MIDDLE, 256, FIRST_WINDOW, BEGIN),
            {CHANGE, 2, 1, 0},
            bind(0, 0, 512, 0),
            request(Opcode.RDMA_READ_REQUEST, 512, FIRST_WINDOW, BEGIN),
            other(request(Opcode.RDMA_WRITE_ONLY, 8, FIRST_WINDOW, BEGIN)),
            {CHANGE, 0, 0},
            request(Opcode.RDMA_WRITE_ONLY, 8, FIRST_WINDOW, BEGIN),
        };
    }

    private static int[][] rights() {
        return new int[][] {
            bind(0, 1, 256, 0),
            request(Opcode.RDMA_WRITE_ONLY, 8, FIRST_WINDOW, BEGIN),
            {CHANGE, 2, 1, 0},
            bind(1, 2, 256, 0),
            request(Opcode.RDMA_READ_REQUEST, 256, FIRST_WINDOW + 1, BEGIN),
            {CHANGE, 2, 1, 0},
            {CHANGE, 2, 6, 4},
            request(Opcode.RDMA_READ_REQUEST, 256, 0, BEGIN),
            request(Opcode.RDMA_WRITE_ONLY, 256, 0, BEGIN),
            other(new int[] {CHANGE, 2, 6, 2}),
            other(request(Opcode.RDMA_WRITE_ONLY, 256, 0, BEGIN)),
            other(request(Opcode.FETCH_ADD, 8, 0, BEGIN)),
        };
    }

    private static int[][] messages() {
        return new int[][] {
            {MESSAGE, 0, 2, 0, 50, 0, 0, 0},
            {POST_RECEIVE, 0, 1, 8},
            {POST_RECEIVE, 2, 1, 20, 3, 21},
            {MESSAGE, 0, 2, 0, 50, 0, 0, 0},
            {MESSAGE, 2, 3, 0, 99, 0, 0, 0},
            {MESSAGE, 3, 13, 0, 200, 0, BEGIN, 0},
            {MESSAGE, 7, 9, 0, 20, 0, FIT, 0},
            {TOGGLE_REGION, 1, 1},
            {POST_RECEIVE, 0, 1, 8},
            {MESSAGE, 1, 4, 0, 99, 0, FIT, 0},
            {MESSAGE, 0, 0x21, 0, 99, FIRST_WINDOW, 0, 0},
        };
    }

    private static int[][] answers() {
        return new int[][] {
            {POST_SEND, 4, 0, 1, 10},
            {POST_SEND, 6, 0, 1, 2},
            {POST_SEND, 2, 0, 0, 11},
            {RESPOND_TO_ALL, 9, 0},
            {POST_SEND, 4, 0, 1, 10},
            {RESPOND, 0, 0, 0, 0, 0, 0, 0},
            {RESPOND, 0, 0, 0, 0, 0, 1, 173},
            {POST_SEND, 4, 0, 3, 9},
            {RESPOND_TO_ALL, 9, 255},
            {POST_SEND, 4, 0, 1, 9},
            {TOGGLE_REGION, 1, 1},
            {RESPOND_TO_ALL, 9, 0},
            other(new int[] {POST_SEND, 4, 0, 0, 9}),
            other(new int[] {RESPOND, 0, 0, 0, 0, 185, 0, 0}),
        };
    }

    private static int[][] losses() {
        return new int[][] {
            {POST_SEND, 2, 0, 0, 11},
            {PASS_TIME, 5},
            {PASS_TIME, 5},
            {POST_SEND, 0, 0, 0, 8},
            {RESPOND, 0, 0, 0, 180, 0, 0, 0},
            {MESSAGE, 0, 3, 200, 9, 0, 0, 0},
            {PASS_TIME, 1},
            {PASS_TIME, 5},
            {CHANGE, 1},
            {MESSAGE, 1, 3, 161, 9, 0, 0, 0},
            {CHANGE, 2, 0},
            {CHANGE, 2, 1, 2},
            {MESSAGE, 1, 4, 0, 9, 0, 0, 0},
        };
    }

    /** Requests of all kinds in RESET, of which some connect later; then what the peer sends meets what is there. */
    private static int[][] early(boolean connects) {
        return new int[][] {
            {CHANGE, 2, 3},
            {POST_RECEIVE, 0, 1, 8},
            {POST_SEND, 0, 0, 0, 8},
            {POST_SEND, 2, 0, 0, 11},
            {POST_SEND, 4, 180, 0, 1, 10},
            bind(0, 0, 1024, 0),
            bind(2, 0, 256, 0),
            {CHANGE, 2, connects ? 2 : 3},
            {RESPOND_TO_ALL, 9, 0},
            {MESSAGE, 0, 2, 0, 50, 0, 0, 0},
            {POST_RECEIVE, 0, 1, 8},
            {POST_SEND, 0, 0, 0, 8},
            request(Opcode.RDMA_WRITE_ONLY, 256, FIRST_WINDOW, BEGIN),
            request(Opcode.RDMA_WRITE_ONLY, 8, FIRST_WINDOW + 2, BEGIN),
        };
    }

    private static int[] request(Opcode opcode, int lengthBytes, int object, int where) {
        int length = 0;
        while (Stranger.LENGTHS[length] != lengthBytes) {
            length++;
        }
        return new int[] {REQUEST, Arrays.asList(Stranger.REQUESTS).indexOf(opcode), 0, length, object, where, 0, 0};
    }

    private static int[] bind(int window, int rights, int lengthBytes, int offset) {
        int length = 0;
        while (Owner.LENGTHS[length] != lengthBytes) {
            length++;
        }
        return new int[] {BIND, window, 0, 0, rights, length, offset, 0};
    }

    private static int[] fromStranger(int[] step) {
        int[] changed = step.clone();
        changed[2] = 0xfe;
        return changed;
    }

    private static int[] other(int[] step) {
        int[] moved = step.clone();
        moved[0] += OTHER_SIDE;
        return moved;
    }

    private static byte[] script(int settings, int[][] steps) {
        byte[] script = new byte[1 + steps.length * Script.STEP_BYTES];
        script[0] = (byte) settings;
        for (int i = 0; i < steps.length; i++) {
            for (int j = 0; j < steps[i].length; j++) {
                script[1 + i * Script.STEP_BYTES + j] = (byte) steps[i][j];
            }
        }
        return script;
    }
}
