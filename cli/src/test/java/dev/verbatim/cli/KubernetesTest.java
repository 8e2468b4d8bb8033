// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import dev.verbatim.testing.LongTest;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The manifest of cluster/kubernetes, read by the model of the API and carried out here: a JVM for each pod. */
@DisabledOnOs(OS.WINDOWS)
class KubernetesTest {

    private static final Path MANIFEST = Path.of("../cluster/kubernetes/explore.yaml");
    private static final int KILLED = 137;

    /** What the control plane does about an index. */
    private enum Action {
        DONE,
        RETRY,
        FAIL_INDEX,
        FAIL_JOB
    }

    @TempDir
    private Path directory;

    /** Its classes would keep fields that they do not know; here such a field is a mistake. */
    private static final class KnownFields extends JacksonAnnotationIntrospector {

        private static final long serialVersionUID = 1;

        @Override
        public Boolean hasAnySetter(Annotated annotated) {
            return false;
        }
    }

    private static JobSpec spec() throws IOException {
        Object yaml = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(MANIFEST));
        return new ObjectMapper()
                .setAnnotationIntrospector(new KnownFields())
                .convertValue(yaml, Job.class)
                .getSpec();
    }

    @Test
    void everyFieldIsKnownAndEveryIndexIsAPart() throws IOException {
        JobSpec spec = spec();

        assertThat(new ObjectMapper().writeValueAsString(spec)).doesNotContain("additionalProperties\":{\"");
        assertThat(spec.getAdditionalProperties()).isEmpty();
        assertThat(container(spec).getAdditionalProperties()).isEmpty();
        assertThat(spec.getCompletionMode()).isEqualTo("Indexed");
        assertThat(container(spec).getEnv())
                .filteredOn(variable -> variable.getName().equals(Shard.COUNT))
                .extracting(EnvVar::getValue)
                .containsExactly(spec.getCompletions().toString());
        assertThat(spec.getTemplate().getSpec().getRestartPolicy()).isEqualTo("Never");
    }

    @Test
    void exitCodesSayWhetherAnIndexRunsAgain() throws IOException {
        JobSpec spec = spec();

        assertThat(List.of(action(spec, 0), action(spec, 1), action(spec, 2), action(spec, KILLED)))
                .containsExactly(Action.DONE, Action.FAIL_INDEX, Action.FAIL_JOB, Action.RETRY);
    }

    /** One pod is killed in the middle and one index runs twice; what they wrote merges into what one process prints. */
    @Test
    @LongTest
    void resultsOfAllIndexesAreThoseOfOneProcess() throws IOException, InterruptedException {
        JobSpec spec = spec();
        spec.setCompletions(3);

        for (int index = 0; index < 3; index++) {
            int tries = 0;
            for (Action action = Action.RETRY; action == Action.RETRY; tries++) {
                assertThat(tries).isLessThanOrEqualTo(spec.getBackoffLimitPerIndex());
                action = action(
                        spec,
                        index == 1 && tries == 0
                                ? killed(pod(spec, index))
                                : pod(spec, index).waitFor());
                assertThat(action).isIn(Action.DONE, Action.RETRY);
            }
            assertThat(tries).isEqualTo(index == 1 ? 2 : 1);
        }
        assertThat(pod(spec, 2).waitFor()).isZero();

        List<String> words = new ArrayList<>(List.of("merge", "--json"));
        for (int index = 0; index < 3; index++) {
            words.add(directory.resolve(index + ".jsonl").toString());
        }
        Invocation merged = Invocation.of(words.toArray(String[]::new));
        assertThat(merged.exitCode()).as(merged.err()).isZero();
        assertThat(withoutTimes(merged.out()))
                .isEqualTo(withoutTimes(Invocation.of("explore", "--programs", "12", "--seed", "7", "--json")
                        .out()));
    }

    private static String withoutTimes(String lines) {
        return lines.replaceAll("\"seconds\":[0-9.E-]+", "");
    }

    private static Container container(JobSpec spec) {
        return spec.getTemplate().getSpec().getContainers().get(0);
    }

    private static Action action(JobSpec spec, int exitCode) {
        Optional<String> rule = spec.getPodFailurePolicy().getRules().stream()
                .filter(each -> each.getOnExitCodes() != null)
                .filter(each -> each.getOnExitCodes().getOperator().equals("In")
                        && each.getOnExitCodes().getValues().contains(exitCode))
                .map(PodFailurePolicyRule::getAction)
                .findFirst();
        if (exitCode == 0) {
            return Action.DONE;
        }
        return rule.map(name -> name.equals("FailIndex") ? Action.FAIL_INDEX : Action.FAIL_JOB)
                .orElse(Action.RETRY);
    }

    /** Runs the container's words here: with its command from the class path, fewer programs, and the volume in a directory. */
    private Process pod(JobSpec spec, int index) throws IOException {
        Path verbatim = directory.resolve("bin/verbatim");
        Files.createDirectories(verbatim.getParent());
        Files.writeString(
                verbatim,
                "#!/bin/sh\nexec '" + System.getProperty("java.home") + "/bin/java' -XX:TieredStopAtLevel=1 -cp '"
                        + System.getProperty("java.class.path") + "' " + Main.class.getName() + " \"$@\"\n");
        Files.setPosixFilePermissions(verbatim, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> words = new ArrayList<>(container(spec).getCommand());
        container(spec).getArgs().stream()
                .map(word -> word.replace("/results", directory.toString()).replace("1000000", "12"))
                .forEach(words::add);
        ProcessBuilder pod = new ProcessBuilder(words);
        pod.environment().merge("PATH", directory.resolve("bin").toString(), (path, first) -> first + ":" + path);
        pod.environment().put(Shard.INDEX, String.valueOf(index));
        pod.environment().put(Shard.COUNT, spec.getCompletions().toString());
        return pod.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    /** As a node that goes away does it; its file has the first line then, or is empty. */
    private static int killed(Process pod) throws InterruptedException {
        pod.destroyForcibly();
        return pod.waitFor();
    }
}
