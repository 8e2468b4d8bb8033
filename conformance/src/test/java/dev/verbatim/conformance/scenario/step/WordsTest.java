// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.conformance.scenario.StepWords;
import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Problems;
import dev.verbatim.conformance.scenario.form.Schema;
import dev.verbatim.conformance.scenario.form.YamlReader;
import dev.verbatim.conformance.scenario.spec.CompletionSwitchSpec;
import dev.verbatim.conformance.scenario.spec.FlagWords;
import dev.verbatim.conformance.scenario.spec.LimitSpec;
import dev.verbatim.conformance.scenario.spec.PostingSwitchSpec;
import dev.verbatim.conformance.scenario.spec.ProfileSpec;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.conformance.scenario.spec.WindowSwitchSpec;
import dev.verbatim.conformance.scenario.step.await.CompletionField;
import dev.verbatim.conformance.scenario.step.await.WantedCompletion;
import dev.verbatim.conformance.scenario.step.object.Attribute;
import dev.verbatim.conformance.scenario.step.object.QueryDevice;
import dev.verbatim.conformance.scenario.step.object.QueryPort;
import dev.verbatim.conformance.scenario.step.object.QuerySrq;
import dev.verbatim.conformance.scenario.step.post.Post;
import dev.verbatim.profile.CompletionSwitches;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.profile.PostingSwitches;
import dev.verbatim.profile.WindowSwitches;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AtomicCapability;
import dev.verbatim.verbs.DeviceAttributes;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.LinkLayer;
import dev.verbatim.verbs.LinkSpeed;
import dev.verbatim.verbs.LinkWidth;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.PortAttributes;
import dev.verbatim.verbs.PortState;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SrqAttributes;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.WrOpcode;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever adds something to the device adds its word; this says where it is missing. */
class WordsTest {

    private static Set<String> constants(Class<?> type) {
        return Arrays.stream(type.getFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()) && field.getType() == int.class)
                .map(Field::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String schema(Form<?> form) {
        return form.schema(new Schema.Definitions()).json().toString();
    }

    @Test
    void everyAccessFlagCanBeSaid() {
        assertThat(constants(AccessFlags.class))
                .isNotEmpty()
                .allSatisfy(flag -> assertThat(schema(FlagWords.ACCESS)).contains(flag));
    }

    @Test
    void everySendFlagCanBeSaid() {
        assertThat(constants(SendFlags.class))
                .isNotEmpty()
                .allSatisfy(flag -> assertThat(schema(FlagWords.SEND)).contains(flag));
    }

    @Test
    void everyCompletionFlagCanBeSaid() {
        assertThat(constants(WcFlags.class))
                .isNotEmpty()
                .allSatisfy(flag -> assertThat(schema(FlagWords.COMPLETION)).contains(flag));
    }

    @Test
    void everySwitchOfAProfileCanBeSaid() {
        Set<String> switches = Arrays.stream(DeviceProfile.Builder.class.getMethods())
                .filter(method -> Arrays.equals(method.getParameterTypes(), new Class<?>[] {boolean.class}))
                .map(Method::getName)
                .map(name -> name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(ProfileSpec.SWITCHES.keySet()).isNotEmpty().containsExactlyInAnyOrderElementsOf(switches);
    }

    @Test
    void everySwitchOfTheWindowsOfAProfileCanBeSaid() {
        Set<String> switches = Arrays.stream(WindowSwitches.Builder.class.getMethods())
                .filter(method -> method.getReturnType() == WindowSwitches.Builder.class)
                .map(Method::getName)
                .map(name -> name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(WindowSwitchSpec.SWITCHES.words()).isNotEmpty().containsExactlyInAnyOrderElementsOf(switches);
    }

    @Test
    void switchOfWindowsSetsItselfAndNothingElse() throws ReflectiveOperationException {
        for (String word : WindowSwitchSpec.SWITCHES.words()) {
            Object usual = switchOf(WindowSwitches.STRICT, word);
            Object other = usual instanceof Boolean flag ? (Object) !flag : other(usual);
            WindowSwitches changed = new WindowSwitchSpec(Map.of(word, other)).over(WindowSwitches.STRICT);
            for (String each : WindowSwitchSpec.SWITCHES.words()) {
                assertThat(switchOf(changed, each))
                        .as(word + " and " + each)
                        .isEqualTo(each.equals(word) ? other : switchOf(WindowSwitches.STRICT, each));
            }
        }
    }

    @Test
    void everySwitchOfTheCompletionsOfAProfileCanBeSaid() {
        Set<String> switches = Arrays.stream(CompletionSwitches.Builder.class.getMethods())
                .filter(method -> method.getReturnType() == CompletionSwitches.Builder.class)
                .map(Method::getName)
                .map(name -> name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(CompletionSwitchSpec.SWITCHES.words()).isNotEmpty().containsExactlyInAnyOrderElementsOf(switches);
    }

    @Test
    void switchOfCompletionsSetsItselfAndNothingElse() throws ReflectiveOperationException {
        for (String word : CompletionSwitchSpec.SWITCHES.words()) {
            Object usual = switchOf(CompletionSwitches.STRICT, word);
            Object other = usual instanceof Boolean flag ? (Object) !flag : other(usual);
            CompletionSwitches changed = new CompletionSwitchSpec(Map.of(word, other)).over(CompletionSwitches.STRICT);
            for (String each : CompletionSwitchSpec.SWITCHES.words()) {
                assertThat(switchOf(changed, each))
                        .as(word + " and " + each)
                        .isEqualTo(each.equals(word) ? other : switchOf(CompletionSwitches.STRICT, each));
            }
        }
    }

    @Test
    void everySwitchOfThePostingOfAProfileCanBeSaid() {
        Set<String> switches = Arrays.stream(PostingSwitches.Builder.class.getMethods())
                .filter(method -> method.getReturnType() == PostingSwitches.Builder.class)
                .map(Method::getName)
                .map(name -> name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(PostingSwitchSpec.SWITCHES.words()).isNotEmpty().containsExactlyInAnyOrderElementsOf(switches);
    }

    @Test
    void switchOfPostingSetsItselfAndNothingElse() throws ReflectiveOperationException {
        for (String word : PostingSwitchSpec.SWITCHES.words()) {
            Object usual = switchOf(PostingSwitches.STRICT, word);
            Object other = usual instanceof Boolean flag ? (Object) !flag : other(usual);
            PostingSwitches changed = new PostingSwitchSpec(Map.of(word, other)).over(PostingSwitches.STRICT);
            for (String each : PostingSwitchSpec.SWITCHES.words()) {
                assertThat(switchOf(changed, each))
                        .as(word + " and " + each)
                        .isEqualTo(each.equals(word) ? other : switchOf(PostingSwitches.STRICT, each));
            }
        }
    }

    private static Object other(Object usual) {
        Object[] constants = usual.getClass().getEnumConstants();
        return constants[constants[0].equals(usual) ? 1 : 0];
    }

    private static Object switchOf(Object switches, String word) throws ReflectiveOperationException {
        String name = Pattern.compile("_(.)")
                .matcher(word)
                .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
        return switches.getClass().getMethod(name).invoke(switches);
    }

    @Test
    void everyLimitOfADeviceCanBeSaidAndSetsItself() throws ReflectiveOperationException {
        // Regions of files are smaller than any device's largest.
        RecordComponent[] components = Arrays.stream(DeviceLimits.class.getRecordComponents())
                .filter(limit -> !limit.getName().equals("maxMrSizeBytes"))
                .toArray(RecordComponent[]::new);
        assertThat(LimitSpec.LIMITS).hasSameSizeAs(components);
        int i = 0;
        for (String word : LimitSpec.LIMITS.keySet()) {
            DeviceLimits changed = new LimitSpec(Map.of(word, 3)).over(DeviceLimits.DEFAULT);
            for (RecordComponent each : components) {
                Object usual = each.getAccessor().invoke(DeviceLimits.DEFAULT);
                assertThat(each.getAccessor().invoke(changed))
                        .as(word + " sets " + each.getName())
                        .isEqualTo(each.getName().equals(components[i].getName()) ? 3 : usual);
            }
            i++;
        }
    }

    private static <T extends Record> void allComponentsCanBeAskedFor(QueriedAttributes<T> facts, T record)
            throws Exception {
        RecordComponent[] components = record.getClass().getRecordComponents();
        assertThat(facts.words()).hasSameSizeAs(components);
        for (int i = 0; i < components.length; i++) {
            Object value = components[i].getAccessor().invoke(record);
            assertThat(facts.text(facts.words().get(i), record)).isEqualTo(String.valueOf(said(value)));
        }
    }

    private static Object said(Object value) {
        if (value instanceof LinkWidth width) {
            return width.number();
        }
        if (value instanceof LinkSpeed speed) {
            return speed.number();
        }
        return value instanceof PathMtu mtu ? mtu.bytes() : value;
    }

    @Test
    void everyAttributeOfADeviceCanBeAskedFor() throws Exception {
        allComponentsCanBeAskedFor(
                QueryDevice.FACTS,
                new DeviceAttributes(
                        "0.1",
                        1,
                        2,
                        3,
                        4,
                        5,
                        6,
                        7,
                        8,
                        9,
                        10,
                        11,
                        12,
                        13,
                        14,
                        15,
                        16,
                        17,
                        18,
                        19,
                        20,
                        21,
                        22,
                        23,
                        24,
                        25,
                        AtomicCapability.HCA,
                        26,
                        27,
                        28,
                        29,
                        30));
    }

    @Test
    void everyAttributeOfAPortCanBeAskedFor() throws Exception {
        allComponentsCanBeAskedFor(
                QueryPort.FACTS,
                new PortAttributes(
                        PortState.DOWN,
                        PathMtu.MTU_1024,
                        PathMtu.MTU_2048,
                        1L << 33,
                        2,
                        3,
                        4,
                        5,
                        6,
                        7,
                        8,
                        9,
                        10,
                        11,
                        12,
                        LinkWidth.X8,
                        LinkSpeed.HDR,
                        15,
                        LinkLayer.INFINIBAND,
                        16));
    }

    @Test
    void everyAttributeOfASharedReceiveQueueCanBeAskedFor() throws Exception {
        allComponentsCanBeAskedFor(QuerySrq.FACTS, new SrqAttributes(1, 2, 3));
    }

    private static Set<String> names(Enum<?>[] constants) {
        return Arrays.stream(constants).map(Enum::name).collect(Collectors.toCollection(TreeSet::new));
    }

    private static void allCanBeSaid(Set<String> names, Form<?> form) {
        Set<String> words =
                Arrays.stream(fullSchema(form).split("[^A-Za-z0-9_]+")).collect(Collectors.toCollection(TreeSet::new));
        assertThat(words).containsAll(names);
    }

    private static String fullSchema(Form<?> form) {
        Schema.Definitions definitions = new Schema.Definitions();
        return form.schema(definitions).json() + " " + definitions.json();
    }

    @Test
    void everyOpcodeStatusEventTypeAndStateCanBeSaid() {
        allCanBeSaid(names(WrOpcode.values()), StepWords.FORM);
        allCanBeSaid(names(WcOpcode.values()), WantedCompletion.FORM);
        allCanBeSaid(names(WcStatus.values()), WantedCompletion.FORM);
        allCanBeSaid(names(EventType.values()), StepWords.FORM);
        allCanBeSaid(names(QpState.values()), StepWords.FORM);
        allCanBeSaid(names(QpType.values()), QpSpec.FORM);
    }

    /** What the device can do has a step: every opcode that any type of queue pair takes is read, and posted as itself. */
    @ParameterizedTest
    @EnumSource
    void postOfAnyOpcodeIsReadAsItself(WrOpcode opcode) {
        String more = switch (opcode) {
            case BIND_MW -> ", mw: w";
            case LOCAL_INV, SEND_WITH_INV -> ", invalidate_rkey: 0x100";
            default -> "";
        };
        Step step = YamlReader.read("{post: " + opcode + more + "}", StepWords.FORM, new Problems());
        assertThat(step)
                .isInstanceOfSatisfying(
                        Post.class, post -> assertThat(post.opcode()).isEqualTo(opcode));
    }

    /** Every field of a completion that a receiver may look at is one that a register can take. */
    @Test
    void everyFieldOfACompletionCanBeTaken() {
        Set<String> notSaid = Set.of(
                "vendorError",
                "requestNumber",
                "explanation",
                "refusal",
                "isSuccess",
                "spoil",
                "timestampNanos",
                "toString",
                "hashCode");
        long fields = Arrays.stream(WorkCompletion.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers())
                        && method.getParameterCount() == 0
                        && !notSaid.contains(method.getName()))
                .count();
        assertThat(CompletionField.values()).hasSize((int) fields);
    }

    @Test
    void everyProfileCanBeSaid() {
        Set<String> profiles = Arrays.stream(DeviceProfile.class.getFields())
                .filter(field -> field.getType() == DeviceProfile.class)
                .map(Field::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(ProfileSpec.PROFILES.keySet()).isNotEmpty().containsExactlyInAnyOrderElementsOf(profiles);
    }

    @Test
    void everyAttributeOfAQueuePairCanBeSaid() {
        Set<String> unsupported = Set.of("ALT_PATH", "PATH_MIG_STATE", "CAP");
        // The address vector is said as the peer, together with the number of its queue pair.
        assertThat(Attribute.ALL).hasSize(constants(QpAttributeMask.class).size() - unsupported.size());
    }
}
