// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class DeviceProfileTest {

    @Test
    void presetsAreFoundByTheirNames() {
        assertThat(DeviceProfile.presets())
                .containsExactly(
                        DeviceProfile.STRICT_IBTA,
                        DeviceProfile.RXE_LIKE,
                        DeviceProfile.MLX5_LIKE,
                        DeviceProfile.IRDMA_LIKE,
                        DeviceProfile.LINUX_LIKE)
                .allSatisfy(
                        preset -> assertThat(DeviceProfile.named(preset.name())).isSameAs(preset));
    }

    @Test
    void unknownNameIsRefusedWithAllThatThereAre() {
        assertThatThrownBy(() -> DeviceProfile.named("MLX4_LIKE"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("profile=MLX4_LIKE is none of STRICT_IBTA, RXE_LIKE, MLX5_LIKE, IRDMA_LIKE, LINUX_LIKE");
    }

    @Test
    void nobodyHasChosenTheKeysOfAPresetAndWhoDoesIsHeard() {
        assertThat(DeviceProfile.presets()).noneMatch(DeviceProfile::isKeyOrderChosen);
        DeviceProfile random = DeviceProfile.RXE_LIKE.toBuilder().randomKeys(7).build().toBuilder()
                .build();
        assertThat(random.isKeyOrderChosen()).isTrue();
        assertThat(random.keySeed()).isEqualTo(OptionalLong.of(7));
        DeviceProfile readable = random.toBuilder().sequentialKeys().build();
        assertThat(readable.isKeyOrderChosen()).isTrue();
        assertThat(readable.keySeed()).isEmpty();
    }
}
