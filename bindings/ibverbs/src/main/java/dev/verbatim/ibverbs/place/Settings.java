// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.place;

import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.LinkLayer;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the environment asks for. {@code verbatim exec} sets it from its options. */
public record Settings(Map<String, String> environment) {

    /** Those of this process. */
    public static Settings ofProcess() {
        return new Settings(System.getenv());
    }

    /** The value of a variable; null if it is not set, or empty. */
    @Nullable
    String value(String name) {
        String value = environment.get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    String value(String name, String otherwise) {
        String value = value(name);
        return value == null ? otherwise : value;
    }

    /**
     * The addresses of the devices, in the order of their ports; none for some of this host that are free.
     *
     * @throws IllegalArgumentException if one is none
     */
    public List<InetAddress> addresses() {
        String addresses = value("VERBATIM_ADDRESS");
        return addresses == null
                ? List.of()
                : Stream.of(addresses.split(",", -1)).map(Settings::addressOf).toList();
    }

    /** The address of a port; null if none is named for it. */
    public @Nullable InetAddress address(int port) {
        List<InetAddress> addresses = addresses();
        return port <= addresses.size() ? addresses.get(port - 1) : null;
    }

    /** How many ports each device has. */
    public int ports() {
        return Integer.parseInt(value("VERBATIM_PORTS", "1"));
    }

    static InetAddress addressOf(String address) {
        try {
            return InetAddress.getByName(address);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("VERBATIM_ADDRESS=" + address + " is no address", e);
        }
    }

    /** The profile; LINUX_LIKE if none is named. Where mistakes are looked for, each region has a local key and another remote one. */
    public DeviceProfile profile() {
        DeviceProfile named = DeviceProfile.named(value("VERBATIM_PROFILE", DeviceProfile.LINUX_LIKE.name()));
        DeviceLimits limits = named.limits().toBuilder().physicalPorts(ports()).build();
        DeviceProfile profile = named.toBuilder()
                .limits(limits)
                .privilegedQkeys(Privileges.mayUseRawPackets())
                .build();
        return value("VERBATIM_SANITIZE") == null
                ? profile
                : profile.toBuilder()
                        .lkeyEqualsRkey(false)
                        .rkeyWithoutRights(true)
                        .build();
    }

    /** Whether packets are datagrams of RoCEv2, and not frames over TCP. */
    public boolean isRoce() {
        return value("VERBATIM_FABRIC", "tcp").equals("roce");
    }

    /** What ports say of their link layer: with InfiniBand programs use LIDs. */
    public LinkLayer linkLayer() {
        return value("VERBATIM_LINK", "ethernet").equals("ib") ? LinkLayer.INFINIBAND : LinkLayer.ETHERNET;
    }

    /** The file with the secret that peers must know; null for none. */
    public @Nullable Path secretFile() {
        return file("VERBATIM_SECRET_FILE");
    }

    /** A file of TLS, by the last word of its variable: TRUST, CERT or KEY; null for none. */
    @Nullable
    Path tlsFile(String word) {
        return file("VERBATIM_TLS_" + word);
    }

    /** Whether every peer is let in at any address. */
    boolean isOpen() {
        return value("VERBATIM_OPEN", "no").equals("yes");
    }

    /** Whether peers tell each other why they refuse requests, so that explanations of both have it. */
    boolean tellsReasons() {
        return value("VERBATIM_EXPLAIN") != null
                || value("VERBATIM_SANITIZE") != null
                || value("VERBATIM_VERBOSE") != null;
    }

    /** Where what the device does is written, as JSON lines; null for nowhere. */
    public @Nullable Path traceFile() {
        return file("VERBATIM_TRACE");
    }

    /** Where the run is drawn when the program ends; null for nowhere. */
    public @Nullable Path pageFile() {
        return file("VERBATIM_HTML");
    }

    /** Where packets are written, as pcapng; null for nowhere. */
    public @Nullable Path captureFile() {
        return file("VERBATIM_CAPTURE");
    }

    /** {@code %p} stands for the process ID, so that several processes write several files. */
    private @Nullable Path file(String name) {
        String value = value(name);
        return value == null
                ? null
                : Path.of(value.replace(
                        "%p", String.valueOf(ProcessHandle.current().pid())));
    }

    /** The names of the devices, as programs see them: the environment has the names, or how many there are. */
    public List<String> devices() {
        return devicesOf(value("VERBATIM_DEVICES", "1"));
    }

    /** The forms of the GID table; empty for the device's own GID alone. */
    List<GidTable.Form> gids() {
        String wanted = value("VERBATIM_GIDS");
        return wanted == null ? List.of() : GidTable.parse(wanted);
    }

    /**
     * Whether that is the list of a GID table; null is one.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static void requireGids(@Nullable String wanted) {
        List<GidTable.Form> unused = wanted == null ? List.of() : GidTable.parse(wanted);
    }

    /** The index of the GID table that a program is told which asked for none. */
    public int usualGidIndex() {
        return GidTable.usualIndex(gids());
    }

    /** The names that a number of devices have, or those of a list with commas. */
    public static List<String> devicesOf(String wanted) {
        return wanted.matches("\\d{1,4}")
                ? IntStream.range(0, Integer.parseInt(wanted))
                        .mapToObj(index -> "verbatim" + index)
                        .toList()
                : List.of(wanted.split(",", -1));
    }
}
