// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.interop.walk.Walk;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class WalkTest {

    private final List<String> wrong = new ArrayList<>();
    private int ended;

    private int walk(DeviceProfile profile, String names) {
        try (Verbatim rdma = Verbatim.inProcess().profile(profile)) {
            Walk walk = Walk.between(() -> rdma.open("near"), () -> rdma.open("far"), Await.LIMIT);
            return walk.run(Pattern.compile(names), (name, outcome, detail) -> {
                ended++;
                if (!outcome.equals("ok")) {
                    wrong.add(name + ": " + detail);
                }
            });
        }
    }

    @Test
    void allCasesEndAsTheSpecificationSays() {
        int failures = walk(DeviceProfile.STRICT_IBTA, "");
        assertThat(wrong).isEmpty();
        assertThat(failures).isZero();
        assertThat(ended).isEqualTo(62);
    }

    @Test
    void aDeviceThatDiffersFailsTheCase() {
        assertThat(walk(DeviceProfile.RXE_LIKE, "^receive-too-small, peer answers"))
                .isEqualTo(1);
        assertThat(wrong)
                .containsExactly("receive-too-small, peer answers: expected REM_INV_REQ_ERR and found REM_OP_ERR");
    }
}
