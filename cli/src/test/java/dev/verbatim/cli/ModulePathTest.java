// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.util.JavacTask;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** A program on the module path can name all that the modules export, and what the Javadoc shows compiles there. */
class ModulePathTest {
    /** Methods that are public for another package of their module only, and say so. */
    private static final Set<String> INTERNAL =
            Set.of("dev.verbatim.live.LiveDevices.opened", "dev.verbatim.transport.netty.Sockets.Sockets");

    private static final String RUN =
            "static String run(Schedule s) { return \"\"; } static boolean fails(Schedule s) { return false; }";
    private static final String SOCKETS =
            "static dev.verbatim.transport.netty.ConnectionData mine; static long timeoutNanos;"
                    + "static String host; static NettyFabric fabric;";

    /** What the example of a type takes as given: members of the class around it. */
    private static final Map<String, String> GIVEN = Map.ofEntries(
            Map.entry("dev.verbatim.page.TracePage", ""),
            Map.entry(
                    "dev.verbatim.cm.Endpoint",
                    "static Device device; static InetSocketAddress address; static ProtectionDomain pd; static CompletionQueue cq;"
                            + "static Duration patience;"),
            Map.entry("dev.verbatim.sim.FaultPolicy", "static LossyFabric fabric;"),
            Map.entry("dev.verbatim.sim.package-info", RUN),
            Map.entry("dev.verbatim.sim.Simulation", ""),
            Map.entry("dev.verbatim.sim.Exploration", ""),
            Map.entry("dev.verbatim.Verbatim", ""),
            Map.entry(
                    "dev.verbatim.Processor",
                    "static Verbatim rdma; static void assertEquals(long expected, long actual) {}"),
            Map.entry("dev.verbatim.junit.SimulatedTest", ""),
            Map.entry("dev.verbatim.junit.OnFabric", ""),
            Map.entry("dev.verbatim.transport.netty.OutOfBand", SOCKETS),
            Map.entry(
                    "dev.verbatim.transport.netty.ConnectionData",
                    "static dev.verbatim.verbs.Gid gid; static int qpn; static int psn;"));

    private static final Pattern EXAMPLE = Pattern.compile("<pre>\\{@code\\n(.*?) \\* \\}</pre>", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("\\b[A-Z]\\w*");
    private static final Path SOURCES = Path.of("src", "main", "java");

    @Test
    void exampleOfEveryJavadocCompiles() throws IOException {
        Map<String, List<String>> namesOfWord = new TreeMap<>();
        for (Class<?> type : exportedTypes()) {
            namesOfWord
                    .computeIfAbsent(type.getSimpleName(), word -> new ArrayList<>())
                    .add(type.getCanonicalName());
        }
        List<JavaFileObject> sources = new ArrayList<>();
        for (String module :
                List.of("emulator-core", "simulation/junit", "bindings/networkdirect", "transport-netty")) {
            Path root = Path.of("..", module).resolve(SOURCES);
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                        .sorted()
                        .toList()) {
                    Matcher example = EXAMPLE.matcher(Files.readString(file));
                    while (example.find()) {
                        String type = root.relativize(file)
                                .toString()
                                .replace(".java", "")
                                .replaceAll("[/\\\\]", ".");
                        String code = example.group(1).replaceAll("(?m)^ *\\* ?", "");
                        sources.add(exampleOf(type, code, sources.size(), namesOfWord));
                    }
                }
            }
        }

        assertThat(sources).hasSizeGreaterThanOrEqualTo(GIVEN.size());
        assertThat(compile(sources)).isEmpty();
    }

    @Test
    void everyExportedMethodCanBeCalled() throws IOException {
        List<JavaFileObject> sources = new ArrayList<>();
        for (Class<?> type : exportedTypes()) {
            StringBuilder calls = new StringBuilder();
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                if (isVisible(constructor)
                        && !INTERNAL.contains(type.getName() + "." + type.getSimpleName())
                        && !Modifier.isAbstract(type.getModifiers())
                        && !type.isEnum()) {
                    calls.append(method(constructor, calls.length(), "", "new " + type.getCanonicalName()));
                }
            }
            for (Method method : type.getDeclaredMethods()) {
                if (isVisible(method) && !INTERNAL.contains(type.getName() + "." + method.getName())) {
                    boolean isStatic = Modifier.isStatic(method.getModifiers());
                    String target = isStatic ? type.getCanonicalName() : "self";
                    String result = method.getReturnType() == void.class
                            ? ""
                            : method.getReturnType().getCanonicalName() + " result = ";
                    calls.append(method(method, calls.length(), result, target + "." + method.getName()));
                }
            }
            String name = "Use" + sources.size();
            sources.add(
                    source(name, "package uses; @SuppressWarnings(\"all\") class " + name + " {\n" + calls + "}\n"));
        }

        assertThat(sources).hasSizeGreaterThan(200);
        assertThat(compile(sources)).isEmpty();
    }

    private static boolean isVisible(Executable executable) {
        return Modifier.isPublic(executable.getModifiers()) && !executable.isSynthetic();
    }

    /** A method that has what a call needs as parameters, and does nothing but that call. */
    private static String method(Executable called, int number, String result, String target) {
        List<String> parameters = new ArrayList<>();
        List<String> arguments = new ArrayList<>();
        parameters.add(called.getDeclaringClass().getCanonicalName() + " self");
        for (Class<?> type : called.getParameterTypes()) {
            arguments.add("p" + arguments.size());
            parameters.add(type.getCanonicalName() + " p" + (arguments.size() - 1));
        }
        return "static void use" + number + "(" + String.join(", ", parameters) + ") throws Throwable { " + result
                + target + "(" + String.join(", ", arguments) + "); }\n";
    }

    private static JavaFileObject exampleOf(
            String type, String code, int number, Map<String, List<String>> namesOfWord) {
        String given = GIVEN.get(type);
        assertThat(given)
                .as("what the example of %s takes as given; add it to GIVEN of this test", type)
                .isNotNull();
        String name = "Example" + number;
        boolean isMember = code.startsWith("@");
        String body = isMember ? code : "static void example() throws Exception {\n" + code + "}\n";
        String own = type.substring(0, type.lastIndexOf('.') + 1);
        String imports = WORD.matcher(given + code)
                .results()
                .map(word -> namesOfWord.getOrDefault(word.group(), List.of()))
                .filter(names -> !names.isEmpty())
                .map(names -> names.stream()
                        .filter(each -> each.startsWith(own))
                        .findFirst()
                        .orElse(names.get(0)))
                .distinct()
                .map(each -> "import " + each + ";\n")
                .collect(Collectors.joining());
        return source(
                name,
                "package uses; import java.util.*; import java.net.*; import java.nio.file.*; import java.time.*;"
                        + "import org.junit.jupiter.api.Test;\n" + imports + "class " + name + " {\n" + given + "\n"
                        + body
                        + "}\n");
    }

    /** The errors that a compiler finds in a module which requires ours, as text. Nothing is written. */
    private static String compile(List<JavaFileObject> sources) throws IOException {
        List<JavaFileObject> all = new ArrayList<>(sources);
        all.add(source(
                "module-info",
                "module uses { requires dev.verbatim.networkdirect; requires dev.verbatim.transport.netty;"
                        + " requires dev.verbatim.junit; }"));
        String path = modules().keySet().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        List<String> options = List.of("-p", path, "-proc:none", "-nowarn", "-Xlint:none", "-Xmaxerrs", "1000");
        StringWriter errors = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        ((JavacTask) compiler.getTask(errors, null, found, options, null, all)).analyze();
        found.getDiagnostics().stream()
                .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .forEach(each -> errors.append(each.toString()).append('\n'));
        return errors.toString();
    }

    /** The modules of the class path of this test. */
    private static Map<Path, ModuleDescriptor> modules() {
        Map<Path, ModuleDescriptor> modules = new TreeMap<>();
        for (String element : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path place = Path.of(element);
            if (element.endsWith(".jar") || Files.exists(place.resolve("module-info.class"))) {
                for (ModuleReference each : ModuleFinder.of(place).findAll()) {
                    if (!each.descriptor().isAutomatic()) {
                        modules.put(place, each.descriptor());
                    }
                }
            }
        }
        return modules;
    }

    /** The public types of the packages that our modules export to everybody, nested ones too. */
    private static List<Class<?>> exportedTypes() throws IOException {
        List<Class<?>> types = new ArrayList<>();
        for (Map.Entry<Path, ModuleDescriptor> module : modules().entrySet()) {
            if (module.getValue().name().startsWith("dev.verbatim.")) {
                for (ModuleDescriptor.Exports exports : module.getValue().exports()) {
                    if (!exports.isQualified()) {
                        types.addAll(typesOf(module.getKey(), exports.source()));
                    }
                }
            }
        }
        types.sort(Comparator.comparing(Class::getName));
        return types;
    }

    private static List<Class<?>> typesOf(Path module, String inPackage) throws IOException {
        List<Class<?>> types = new ArrayList<>();
        if (Files.isDirectory(module)) {
            addTypes(module, inPackage, types);
        } else {
            try (FileSystem jar = FileSystems.newFileSystem(module)) {
                addTypes(jar.getPath("/"), inPackage, types);
            }
        }
        return types;
    }

    private static void addTypes(Path root, String inPackage, List<Class<?>> types) throws IOException {
        try (Stream<Path> files = Files.list(root.resolve(inPackage.replace('.', '/')))) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".class") && !name.contains("-info")) {
                    Class<?> type = type(inPackage + "." + name.substring(0, name.length() - ".class".length()));
                    if (isPublic(type)) {
                        types.add(type);
                    }
                }
            }
        }
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(name, false, ModulePathTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError("a class file without a class", e);
        }
    }

    private static boolean isPublic(Class<?> type) {
        Class<?> around = type.getEnclosingClass();
        return Modifier.isPublic(type.getModifiers())
                && type.getCanonicalName() != null
                && (around == null || isPublic(around));
    }

    private static JavaFileObject source(String name, String text) {
        return new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
    }
}
