// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.structure;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The Java files of all modules, as they stand in the checkout. */
final class Sources {

    static final Path PROJECT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    private static final List<String> MODULES = List.of(
            "emulator-core",
            "simulation/junit",
            "bindings/networkdirect",
            "transport-netty",
            "conformance",
            "lab/interop",
            "lab/bench",
            "cli");

    private Sources() {}

    /** The files of {@code kind}, which is {@code main} or {@code test}. */
    static List<JavaFile> ofAllModules(String kind) throws IOException {
        List<JavaFile> files = new ArrayList<>();
        for (String module : MODULES) {
            Path root = PROJECT.resolve(module).resolve("src").resolve(kind).resolve("java");
            try (Stream<Path> found = Files.walk(root)) {
                found.filter(path -> path.toString().endsWith(".java"))
                        .filter(path -> !path.endsWith("module-info.java"))
                        .map(path -> new JavaFile(root, path))
                        .forEach(files::add);
            }
        }
        return files;
    }

    /** @param root the directory of the default package */
    record JavaFile(Path root, Path path) {

        String packageName() {
            Path folder = root.relativize(path).getParent();
            List<String> names = new ArrayList<>();
            folder.forEach(name -> names.add(name.toString()));
            return String.join(".", names);
        }
    }

    /** A line for each of these files that is longer than allowed. */
    static List<String> longFiles(List<JavaFile> files, int most) throws IOException {
        List<String> found = new ArrayList<>();
        for (JavaFile file : files) {
            int lines = Files.readAllLines(file.path()).size();
            if (lines > most) {
                found.add(lines + " lines: " + PROJECT.relativize(file.path()));
            }
        }
        return found;
    }

    /** A line for each method of these files whose body is longer than allowed. */
    static List<String> longMethods(List<JavaFile> files, int most) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> found = new ArrayList<>();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            List<Path> paths = files.stream().map(JavaFile::path).collect(Collectors.toList());
            JavacTask task = (JavacTask)
                    compiler.getTask(null, manager, null, null, null, manager.getJavaFileObjectsFromPaths(paths));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                String name = PROJECT.relativize(Path.of(unit.getSourceFile().toUri()))
                        .toString();
                new TreeScanner<Void, Void>() {
                    @Override
                    public Void visitMethod(MethodTree method, Void none) {
                        Tree body = method.getBody();
                        long length = body == null
                                ? 0
                                : line(positions.getEndPosition(unit, body))
                                        - line(positions.getStartPosition(unit, body))
                                        + 1;
                        if (length > most) {
                            found.add(length + " lines: " + method.getName() + " of " + name);
                        }
                        return super.visitMethod(method, none);
                    }

                    private long line(long position) {
                        return unit.getLineMap().getLineNumber(position);
                    }
                }.scan(unit, null);
            }
        }
        return found;
    }
}
