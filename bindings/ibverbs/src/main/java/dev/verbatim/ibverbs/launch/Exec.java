// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import dev.verbatim.ibverbs.call.JsonText;
import dev.verbatim.ibverbs.cause.Silence;
import dev.verbatim.ibverbs.lab.BadFault;
import dev.verbatim.ibverbs.lab.Fault;
import dev.verbatim.ibverbs.lab.FaultFile;
import dev.verbatim.ibverbs.place.Protection;
import dev.verbatim.ibverbs.place.Settings;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.verbs.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code verbatim exec}: becomes the program, with an environment in which it finds the library. */
@Command(
        name = "verbatim exec",
        mixinStandardHelpOptions = true,
        description = "Runs an unmodified C program on an emulated RDMA device.",
        footer = {
            "",
            "The program keeps its standard streams, its signals and its exit status. See docs/c-programs.md.",
            "",
            "Examples:",
            "  verbatim exec -- ibv_devinfo",
            "  verbatim exec -- ib_write_bw            (server; in another terminal:)",
            "  verbatim exec -- ib_write_bw 127.0.0.1",
            "  eval \"$(verbatim exec --print-env)\"     (for all programs of this shell)"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "2:the command line is invalid",
            "126:the program cannot be run, or the library would not reach it; otherwise the exit code is the program's"
        },
        sortOptions = false)
public final class Exec implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    private static final int USAGE = 2, CANNOT_RUN = 126;
    private static final int MOST_DEVICES = 16;

    @Option(
            names = "--address",
            paramLabel = "A",
            description =
                    "Address of the device, or of each of its ports, with commas. Default: one of 127.1.0.0/16 that is free, for"
                            + " programs of this machine.")
    private @Nullable String address;

    @Option(
            names = "--fabric",
            paramLabel = "F",
            defaultValue = "tcp",
            description =
                    "What carries packets: tcp, or roce for peers with soft-RoCE or adapters. Default: ${DEFAULT-VALUE}.")
    private String fabric = "tcp";

    @Option(
            names = "--link",
            paramLabel = "L",
            defaultValue = "ethernet",
            description =
                    "Link layer of the port: ethernet, or ib for programs that use LIDs. Default: ${DEFAULT-VALUE}.")
    private String link = "ethernet";

    @Option(
            names = "--profile",
            paramLabel = "P",
            defaultValue = "LINUX_LIKE",
            description = "Behaviour of the device, see docs/profiles.md. Default: ${DEFAULT-VALUE}.")
    private String profile = "LINUX_LIKE";

    @Option(
            names = "--devices",
            paramLabel = "N|NAMES",
            defaultValue = "1",
            description = {
                "Number of devices, verbatim0 and so on, or their names with commas between them: mlx5_0,mlx5_1.",
                "Default: ${DEFAULT-VALUE}."
            })
    private String devices = "1";

    @Option(
            names = "--ports",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Number of ports of each device, 1 to 4, each with an address of its own. Default: ${DEFAULT-VALUE}.")
    private String ports = "1";

    @Option(
            names = "--gids",
            paramLabel = "LIST",
            description = {
                "GID table of each port, with commas: ipv4, ipv4-v1, link-local, link-local-v1 and none, an empty entry,",
                "or mlx5, as ConnectX has it: link-local-v1,link-local,ipv4-v1,ipv4. Default: the device's own GID alone."
            })
    private @Nullable String gids;

    @Mixin
    private ProtectionOptions protection = new ProtectionOptions();

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Write what the device does, as JSON lines. %%p is the process ID.")
    private @Nullable Path trace;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Draw the run when the program ends by exit, or by Ctrl-C. %%p is the process ID.")
    private @Nullable Path html;

    @Option(
            names = "--capture",
            paramLabel = "FILE",
            description = "Write packets for Wireshark (pcapng). %%p is the process ID.")
    private @Nullable Path capture;

    @Option(
            names = "--explain",
            description = {
                "Say on standard error why calls and requests fail, with the lines of the source.",
                "'verbatim explain N' tells more of a vendor_err."
            })
    private boolean explain;

    @Option(
            names = "--quiet",
            description =
                    "Do not say what the program waits for when nothing happens for two seconds (docs/waiting.md).")
    private boolean quiet;

    @Option(
            names = "--explain-to",
            paramLabel = "FILE",
            description = "Say so in a file; as JSON lines if its name ends in .jsonl. %%p is the process ID.")
    private @Nullable Path explainTo;

    @Option(
            names = "--sanitize",
            paramLabel = "fail",
            arity = "0..1",
            preprocessor = AttachedValue.class,
            description = {
                "Find mistakes that a device does not refuse, and tell them as --explain tells failures (docs/c-programs.md).",
                "With --sanitize=fail a program with errors that exits with status 0 exits with 66."
            })
    private @Nullable String sanitize;

    @Option(
            names = "--silence",
            paramLabel = "MISTAKE[:LIBRARY]=REASON",
            description = {
                "Tell no mistake of this kind, or none whose places are in that library or program, for example: --silence"
                        + " 'S16:libgpi.so=it never reads wr_id'. What was silenced is said at the end.",
                "Repeat the option for several."
            })
    private List<String> silences = List.of();

    @Option(
            names = "--faults",
            paramLabel = "FILE",
            description =
                    "Let calls, requests and packets fail as the list 'faults' of a YAML file says (docs/c-programs.md).")
    private @Nullable Path faultFile;

    @Option(
            names = "--fault",
            paramLabel = "LINE",
            description = {
                "Let something fail, for example: --fault 'refuse call=ibv_reg_mr error=ENOMEM nth=3'.",
                "Repeat the option for several."
            })
    private List<String> faultLines = List.of();

    @Option(
            names = "--control",
            description = "Let 'verbatim stat PID' and 'verbatim inject PID FAULT' of this user reach the program.")
    private boolean control;

    @Option(
            names = "--with-paths",
            description = {
                "Answer also the paths in /sys and /dev that UCX and pyverbs look at, and programs that ask for adapters by"
                        + " netlink (by LD_PRELOAD)."
            })
    private boolean withPaths;

    @Option(names = "--verbose", description = "Say on standard error why verbs were refused.")
    private boolean verbose;

    @Option(names = "--print-env", description = "Run nothing; print the environment for a shell.")
    private boolean printEnvironment;

    @Option(names = "--json", description = "Print errors, and what --print-env prints, as a JSON object.")
    private boolean json;

    @Parameters(
            paramLabel = "PROGRAM [ARGS]",
            arity = "0..*",
            description = "The program, and its arguments, after --.")
    private List<String> words = List.of();

    private Exec() {}

    /** Runs the command; does not return if it becomes the program. */
    public static void main(String... arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Exec())
                .setStopAtPositional(true)
                .setExpandAtFiles(false)
                .setParameterExceptionHandler((e, given) -> {
                    boolean json = List.of(given).contains("--json");
                    return failed(e.getCommandLine(), e.getMessage() + "; see verbatim exec --help", json, USAGE);
                })
                .setExecutionExceptionHandler((e, line, parsed) -> {
                    boolean foreseen = e instanceof Unreachable || e instanceof InvalidPathException;
                    String text =
                            foreseen ? e.getMessage() : "defect: " + e + "; please report it with the command line";
                    return failed(line, String.valueOf(text), parsed.hasMatchedOption("--json"), CANNOT_RUN);
                });
    }

    /** Does all that the command does before it becomes a program. */
    static void rehearse() throws IOException {
        Exec exec = new Exec();
        CommandLine unused = new CommandLine(exec);
        unused.parseArgs("--devices=1", "--profile=LINUX_LIKE", "--", "env");
        String wrong = exec.wrongOption();
        Executable executable = Executable.find("env", System.getenv("PATH"));
        new Reach(new Self(), Reach.machineOfHost()).require(executable.binary());
        List<byte[]> variables = Self.merge(Self.variables(), exec.variables(Installation.here(), executable));
        if (wrong != null || variables.isEmpty() || Self.words().isEmpty()) {
            throw new IllegalStateException(wrong);
        }
    }

    /** Says in one line what went wrong, as the other commands do. */
    private static int failed(CommandLine line, String message, boolean json, int status) {
        String text = message.replaceAll("\\s*\\R\\s*", " ");
        line.getErr()
                .println(json ? "{\"kind\":\"error\",\"text\":" + JsonText.quoted(text) + "}" : "verbatim: " + text);
        line.getErr().flush();
        return status;
    }

    @Override
    public Integer call() throws IOException {
        String wrong = wrongOption();
        if (wrong != null) {
            throw new ParameterException(spec.commandLine(), wrong);
        }
        String caution = protection.caution();
        if (caution != null) {
            spec.commandLine().getErr().println("verbatim: " + caution);
            spec.commandLine().getErr().flush();
        }
        Installation installation = Installation.here();
        if (!Files.isReadable(installation.library().resolve("libibverbs.so.1"))) {
            throw new Unreachable(installation.library()
                    + " has no libibverbs.so.1 for this machine; rebuild it where a C compiler is installed");
        }
        if (printEnvironment) {
            Map<String, String> variables = variables(installation, null);
            spec.commandLine().getOut().print(json ? asJson(variables) : asShell(variables));
            spec.commandLine().getOut().flush();
            return 0;
        }
        Executable executable = Executable.find(words.get(0), System.getenv("PATH"));
        new Reach(new Self(), Reach.machineOfHost()).require(executable.binary());
        List<byte[]> all = Self.words();
        Self.become(
                executable.file(),
                all.subList(all.size() - words.size(), all.size()),
                Self.merge(Self.variables(), variables(installation, executable)),
                installation.opened());
        throw new IllegalStateException("execve returned");
    }

    /** Whether a sanitizer of the compiler is in it, which wants to be the first that allocates, and finds what is freed too early. */
    private static boolean hasSanitizer(Executable executable) throws IOException {
        try {
            return ElfFile.read(executable.binary()).needed().stream()
                    .anyMatch(library -> library.matches("lib[a-z]+san\\.so.*"));
        } catch (BadElf e) {
            return false;
        }
    }

    private @Nullable String wrongOption() {
        if (words.isEmpty() != printEnvironment) {
            return printEnvironment
                    ? "--print-env runs no program: leave it out, or the option"
                    : "which program? For example: verbatim exec -- ibv_devinfo";
        }
        if (!List.of("tcp", "roce").contains(fabric)) {
            return "--fabric=" + fabric + " is neither tcp nor roce";
        }
        if (!List.of("ethernet", "ib").contains(link)) {
            return "--link=" + link + " is neither ethernet nor ib";
        }
        if (sanitize != null && !List.of("yes", "fail").contains(sanitize)) {
            return "--sanitize=" + sanitize + " is not --sanitize=fail; specify that, or --sanitize alone";
        }
        String wrongSilence = wrongSilence();
        if (wrongSilence != null) {
            return wrongSilence;
        }
        if (devices.matches("-?\\d+") && !devices.matches("[1-9]|1[0-6]")) {
            return "--devices=" + devices + " is not in 1..16";
        }
        List<String> names = Settings.devicesOf(devices);
        if (names.size() > MOST_DEVICES || names.stream().anyMatch(name -> !name.matches("[A-Za-z]\\w{0,62}"))) {
            return "--devices=" + devices + " is neither a number in 1..16 nor such names, of letters, digits and _,"
                    + " with commas between them";
        }
        if (Set.copyOf(names).size() < names.size()) {
            return "--devices=" + devices + " has a name twice; give each device its own";
        }
        if (!ports.matches("[1-4]")) {
            return "--ports=" + ports + " is not in 1..4";
        }
        if (withPaths && gids != null) {
            return "--with-paths shows one GID of each port; leave out --gids";
        }
        for (Path file : Arrays.asList(trace, html, capture, explainTo)) {
            Path directory = file == null ? null : file.toAbsolutePath().getParent();
            if (directory != null && !Files.isWritable(directory)) {
                return "cannot write to " + file + "; specify a file in an existing, writable directory";
            }
        }
        try {
            DeviceProfile unused = DeviceProfile.named(profile);
            Settings.requireGids(gids);
            for (Fault fault : faults()) {
                if (fault.isOfPackets() && !fabric.equals("roce")) {
                    return "fault '" + fault + "' is of packets, which TCP never loses; specify --fabric roce";
                }
                if (fault.port() > Integer.parseInt(ports)) {
                    return "fault '" + fault + "' names no port; specify --ports " + fault.port();
                }
                if (fault.device() != null && !names.contains(fault.device())) {
                    return "fault '" + fault + "' names no device; they are " + String.join(", ", names);
                }
            }
            return wrongAddress();
        } catch (IllegalArgumentException | VerbsException | BadFault e) {
            return e.getMessage();
        }
    }

    private List<Fault> faults() {
        List<Fault> all = new ArrayList<>(faultFile == null ? List.of() : FaultFile.read(faultFile));
        faultLines.forEach(line -> all.add(Fault.parse(line)));
        return all;
    }

    private @Nullable String wrongAddress() {
        Map<String, String> protections = protection.variables();
        if (address == null && protections.isEmpty()) {
            return null;
        }
        NettyOptions options = Protection.of(new Settings(protections));
        String[] each = address == null ? new String[] {"127.0.0.1"} : address.split(",", -1);
        if (Set.of(each).size() < each.length || each.length > Integer.parseInt(ports)) {
            return "--address=" + address + " names more addresses than --ports=" + ports + ", or one twice";
        }
        if (address != null && fabric.equals("roce") && each.length < Integer.parseInt(ports)) {
            return "--address=" + address + " has no address for each of --ports=" + ports + ", as --fabric roce needs";
        }
        for (String one : each) {
            String wrong = wrongAddress(one, options);
            if (wrong != null) {
                return wrong;
            }
        }
        return null;
    }

    private @Nullable String wrongAddress(String one, NettyOptions options) {
        try {
            InetAddress at = InetAddress.getByName(one);
            if (!at.isLoopbackAddress() && NetworkInterface.getByInetAddress(at) == null) {
                return "--address=" + one + " is no address of this machine; specify one of its interfaces";
            }
            return fabric.equals("roce") || options.mayListen(new InetSocketAddress(at, 0))
                    ? null
                    : "--address=" + one
                            + " would accept peers without authentication; specify --secret, or --tls-trust"
                            + " with --tls-cert and --tls-key, or --open if every peer is trusted";
        } catch (UnknownHostException | SocketException e) {
            return "--address=" + one + " cannot be resolved; specify an address of this machine";
        }
    }

    /** What the environment of a program has so that it runs on the library. */
    private Map<String, String> variables(Installation installation, @Nullable Executable executable)
            throws IOException {
        Map<String, String> variables = new LinkedHashMap<>();
        String before = System.getenv("LD_LIBRARY_PATH");
        variables.put(
                "LD_LIBRARY_PATH", installation.library() + (before == null || before.isEmpty() ? "" : ":" + before));
        List<String> preloaded = new ArrayList<>();
        if (withPaths || (executable != null && executable.speaksNetlink())) {
            preloaded.add(installation.library().resolve("libverbatim-paths.so").toString());
        }
        if (withPaths) {
            variables.put(
                    "VERBATIM_PATHS",
                    installation.paths(link, Settings.devicesOf(devices).size()).toString());
        }
        if (sanitize != null && (executable == null || !hasSanitizer(executable))) {
            preloaded.add(
                    installation.library().resolve("libverbatim-memory.so").toString());
        }
        put(variables, "VERBATIM_SANITIZE", sanitize);
        put(variables, "VERBATIM_SILENCE", silences.isEmpty() ? null : String.join("\n", silences));
        if (!preloaded.isEmpty()) {
            preloaded.add(System.getenv("LD_PRELOAD"));
            variables.put(
                    "LD_PRELOAD",
                    preloaded.stream()
                            .filter(file -> file != null && !file.isEmpty())
                            .collect(Collectors.joining(":")));
        }
        variables.put("VERBATIM_JVM", Installation.jvm().toString());
        variables.put("VERBATIM_CLASS_PATH", installation.joinedClassPath());
        List<String> options = new ArrayList<>(installation.jvmOptions());
        String more = System.getenv("VERBATIM_EXTRA_JVM_OPTIONS");
        if (more != null) {
            options.addAll(List.of(more.strip().split("\\s+", -1)));
        }
        variables.put("VERBATIM_JVM_OPTIONS", String.join("\n", options));
        Installation.sanitizerOptions(installation.library()).forEach((name, own) -> {
            String programs = System.getenv(name);
            variables.put(name, programs == null || programs.isEmpty() ? own : own + ":" + programs);
        });
        // The JVM would take SIGUSR2, which is the program's.
        variables.put("_JAVA_SR_SIGNUM", "60");
        put(variables, "VERBATIM_ADDRESS", address);
        variables.put("VERBATIM_FABRIC", fabric);
        variables.put("VERBATIM_LINK", link);
        variables.put("VERBATIM_PROFILE", profile);
        variables.put("VERBATIM_DEVICES", devices);
        variables.put("VERBATIM_PORTS", ports);
        put(variables, "VERBATIM_GIDS", gids);
        variables.putAll(protection.variables());
        put(variables, "VERBATIM_TRACE", absolute(trace));
        put(variables, "VERBATIM_HTML", absolute(html));
        put(variables, "VERBATIM_CAPTURE", absolute(capture));
        List<String> lines = faults().stream().map(Fault::toString).toList();
        put(variables, "VERBATIM_FAULTS", lines.isEmpty() ? null : String.join("\n", lines));
        put(variables, "VERBATIM_QUIET", quiet ? "yes" : null);
        put(variables, "VERBATIM_CONTROL", control ? "yes" : null);
        put(variables, "VERBATIM_EXPLAIN", explainTo != null ? absolute(explainTo) : explain ? "yes" : null);
        put(variables, "VERBATIM_VERBOSE", verbose ? "1" : null);
        return variables;
    }

    private @Nullable String wrongSilence() {
        if (sanitize == null && !silences.isEmpty()) {
            return "--silence is for --sanitize: specify that, too";
        }
        for (String each : silences) {
            try {
                Silence unused = Silence.parse(each);
            } catch (IllegalArgumentException e) {
                return "--silence=" + e.getMessage();
            }
        }
        return null;
    }

    private static @Nullable String absolute(@Nullable Path file) {
        return file == null ? null : file.toAbsolutePath().toString();
    }

    private static void put(Map<String, String> variables, String name, @Nullable String value) {
        if (value != null) {
            variables.put(name, value);
        }
    }

    private static String asShell(Map<String, String> variables) {
        StringBuilder text = new StringBuilder();
        variables.forEach((name, value) -> text.append("export ")
                .append(name)
                .append("='")
                .append(value.replace("'", "'\\''"))
                .append("'\n"));
        return text.toString();
    }

    private static String asJson(Map<String, String> variables) {
        List<String> members = new ArrayList<>();
        variables.forEach((name, value) -> members.add("  " + JsonText.quoted(name) + ": " + JsonText.quoted(value)));
        return "{\n" + String.join(",\n", members) + "\n}\n";
    }
}
