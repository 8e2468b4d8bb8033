// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.ibverbs.CProgram;
import dev.verbatim.ibverbs.place.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What libverbatim-paths.so tells programs that look for adapters without verbs: in files, and by netlink. */
class PathsTest {

    private static final String LIBRARY = CProgram.library("libverbatim-paths.so");
    private static final Path SHOWN =
            Path.of(LIBRARY).resolveSibling("../paths").normalize();

    /** What a command writes, errors and then its exit status behind it. */
    private static String output(Map<String, String> variables, String... words)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("env", "LD_PRELOAD=" + LIBRARY));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(variables);
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        return status == 0 ? text : text + "status " + status + "\n";
    }

    private static String rdma(Map<String, String> variables, String words) throws IOException, InterruptedException {
        return output(variables, ("rdma " + words).split(" "));
    }

    private static void assumeThereIs(String command) {
        assumeTrue(
                List.of("/bin", "/sbin", "/usr/bin", "/usr/sbin").stream()
                        .anyMatch(directory -> Files.exists(Path.of(directory, command))),
                command + " of iproute2 is needed for this test");
    }

    @ParameterizedTest
    @CsvSource({"1, verbatim0", "2, verbatim1", "16, verbatim15", "'mlx5_0,mlx5_1', mlx5_1", "'ports,device', device"})
    void eachNumberAndNameOfDevicesHasTheFilesOfItsPorts(String devices, String name)
            throws IOException, InterruptedException {
        String port = "/sys/class/infiniband/" + name + "/ports/2/";
        String parent = "/sys/class/infiniband_verbs/uverbs0/device/infiniband/";
        int count = Settings.devicesOf(devices).size();
        Map<String, String> variables = Map.of(
                "VERBATIM_DEVICES",
                devices,
                "VERBATIM_PORTS",
                "2",
                "VERBATIM_PATHS",
                SHOWN.resolve("ethernet-" + count).toString());
        assertThat(output(
                        variables,
                        "cat",
                        port + "state",
                        port.replace("2", "1") + "pkeys/0",
                        port + "gid_attrs/types/0"))
                .isEqualTo("4: ACTIVE\n0xffff\nRoCE v2\n");
        assertThat(output(variables, "ls", parent)).isEqualTo("verbatim0\n");
    }

    @Test
    void commandOfIproute2FindsDevicesAndPorts() throws IOException, InterruptedException {
        assumeThereIs("rdma");
        Map<String, String> usual = Map.of("VERBATIM_LINK", "ethernet");
        assertThat(rdma(usual, "link show -j"))
                .isEqualTo("[{\"ifindex\":0,\"ifname\":\"verbatim0\",\"port\":1,\"state\":\"ACTIVE\","
                        + "\"physical_state\":\"LINK_UP\"}]\n");
        assertThat(rdma(usual, "dev")).isEqualTo("0: verbatim0: node_type ca fw 0 \n");
        assertThat(rdma(usual, "resource")).isEqualTo("0: verbatim0: pd 0 cq 0 qp 0 cm_id 0 mr 0 ctx 0 srq 0 \n");
        assertThat(rdma(usual, "resource show qp")).isEmpty();
        assertThat(rdma(usual, "statistic")).isEqualTo("link verbatim0/1 \n");
        assertThat(rdma(usual, "system")).isEqualTo("netns shared copy-on-fork on\n");
        assertThat(rdma(usual, "dev show other")).contains("status 1");
        assertThat(rdma(usual, "dev set verbatim0 name other")).contains("error: Operation not", "status 1");
        Map<String, String> named =
                Map.of("VERBATIM_DEVICES", "mlx5_0,mlx5_1", "VERBATIM_PORTS", "2", "VERBATIM_LINK", "ib");
        assertThat(rdma(named, "link show").lines())
                .extracting(line -> line.replaceFirst(" subnet_prefix .* lmc 0", ""))
                .containsExactly(
                        "link mlx5_0/1 state ACTIVE physical_state LINK_UP ",
                        "link mlx5_0/2 state ACTIVE physical_state LINK_UP ",
                        "link mlx5_1/1 state ACTIVE physical_state LINK_UP ",
                        "link mlx5_1/2 state ACTIVE physical_state LINK_UP ");
        assertThat(rdma(named, "link show mlx5_1/2").lines()).hasSize(1);
        assertThat(rdma(named, "dev show mlx5_1")).isEqualTo("1: mlx5_1: node_type ca fw 0 \n");
    }

    /** Sockets of other protocols are the kernel's. */
    @Test
    void interfacesOfTheMachineAreFoundAsBefore() throws IOException, InterruptedException {
        assumeThereIs("ip");
        assertThat(output(Map.of(), "ip", "-o", "link", "show", "lo")).contains("lo: <LOOPBACK");
    }

    @Test
    void programThatIsLinkedForNetlinkIsKnown() throws IOException {
        assumeThereIs("rdma");
        assertThat(Executable.find("rdma", "/bin:/usr/bin:/sbin:/usr/sbin").speaksNetlink())
                .isTrue();
        assertThat(Executable.find("ls", "/bin:/usr/bin").speaksNetlink()).isFalse();
    }
}
