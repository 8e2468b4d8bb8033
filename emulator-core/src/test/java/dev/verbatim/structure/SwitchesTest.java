// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.structure;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.verbatim.profile.CompletionSwitches;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.profile.PostingSwitches;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.testing.LongTest;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each switch of a profile is read by one class of the device, so that what it changes can be seen there. */
@LongTest
class SwitchesTest {

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("dev.verbatim.profile", "dev.verbatim.device");

    /** What a profile has for messages, and what is no switch but the way to others. */
    private static final Set<String> NO_SWITCHES = Set.of(
            "name",
            "limits",
            "windows",
            "completions",
            "posting",
            "toBuilder",
            "toString",
            "presets",
            "isKeyOrderChosen");

    static List<JavaMethod> switches() {
        return List.of(DeviceProfile.class, WindowSwitches.class, CompletionSwitches.class, PostingSwitches.class)
                .stream()
                .flatMap(type -> CORE.get(type).getMethods().stream())
                .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(method -> method.getRawParameterTypes().isEmpty() && !NO_SWITCHES.contains(method.getName()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("switches")
    void isReadByOneClassOfTheDevice(JavaMethod getter) {
        Set<String> readers = getter.getAccessesToSelf().stream()
                .map(JavaAccess::getOriginOwner)
                .filter(reader -> reader.getPackageName().startsWith("dev.verbatim.device"))
                .map(reader -> reader.getName().replaceAll("\\$.*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(readers).as("who reads %s", getter.getName()).hasSize(1);
    }
}
