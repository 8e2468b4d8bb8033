// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.footprint;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/** Loads a copy of everything of ours, in which calls of some methods ask {@link Reports} first. */
final class ReportLoader extends ClassLoader {

    private static final String OURS = "dev.verbatim.";
    private static final String SWITCH = Reports.class.getName();
    private static final Handle LINK = new Handle(
            Opcodes.H_INVOKESTATIC,
            SWITCH.replace('.', '/'),
            "link",
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;"
                    + "Ljava/lang/invoke/MethodHandle;I)Ljava/lang/invoke/CallSite;",
            false);

    private final Predicate<Call> isMeant;
    private final Map<String, byte[]> rewritten = new HashMap<>();
    private final List<String> reports = new ArrayList<>();
    private final List<String> classes = new ArrayList<>();

    /**
     * A call that returns nothing, the object that it is of, or a boolean.
     *
     * @param place class and method that it stands in, with slashes between packages
     * @param owner the class of the method that is called
     */
    record Call(String place, String owner, String name, String descriptor) {

        Type returned() {
            return Type.getReturnType(descriptor);
        }
    }

    /**
     * Of those calls that are meant.
     *
     * @param homes classes of which each names the place of a module's classes
     */
    ReportLoader(Predicate<Call> isMeant, Class<?>... homes) {
        super(ReportLoader.class.getClassLoader());
        this.isMeant = isMeant;
        Stream.of(homes).map(ReportLoader::placeOf).distinct().forEach(this::rewriteAll);
    }

    /** All places that report something: class, method, what is reported, and line. */
    List<String> reports() {
        return List.copyOf(reports);
    }

    /** Whether the class with that report was used so far; a directory of classes may keep some that are no more. */
    boolean isUsed(int report) {
        return findLoadedClass(classes.get(report)) != null;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS) || name.equals(SWITCH)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                byte[] bytes = bytesOf(name);
                loaded = defineClass(name, bytes, 0, bytes.length);
            }
            return loaded;
        }
    }

    private byte[] bytesOf(String name) throws ClassNotFoundException {
        byte[] bytes = rewritten.get(name);
        if (bytes != null) {
            return bytes;
        }
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path placeOf(Class<?> home) {
        try {
            return Path.of(
                    home.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The place is a directory, or a jar. */
    private void rewriteAll(Path place) {
        try {
            if (Files.isDirectory(place)) {
                rewriteBelow(place);
            } else {
                try (FileSystem jar = FileSystems.newFileSystem(place)) {
                    rewriteBelow(jar.getPath("/"));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void rewriteBelow(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            List<Path> classes = files.filter(file -> file.toString().endsWith(".class"))
                    .sorted()
                    .toList();
            for (Path file : classes) {
                rewrite(Files.readAllBytes(file));
            }
        }
    }

    private void rewrite(byte[] original) {
        ClassReader reader = new ClassReader(original);
        int before = reports.size();
        ClassWriter writer = new ClassWriter(reader, 0);
        String name = reader.getClassName();
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String method, String descriptor, String signature, String[] exceptions) {
                        return new Rewriter(
                                name + "." + method,
                                super.visitMethod(access, method, descriptor, signature, exceptions));
                    }
                },
                0);
        if (reports.size() > before) {
            rewritten.put(name.replace('/', '.'), writer.toByteArray());
        }
    }

    private boolean isReport(Call call) {
        Type returned = call.returned();
        boolean canBeLeftOut = returned.equals(Type.VOID_TYPE)
                || returned.equals(Type.BOOLEAN_TYPE)
                || returned.getInternalName().equals(call.owner());
        return canBeLeftOut && !call.name().startsWith("<") && isMeant.test(call);
    }

    /** Exchanges each call that is meant for one that {@link Reports} links. */
    private final class Rewriter extends MethodVisitor {

        private final String place;
        private int line;

        Rewriter(String place, MethodVisitor writer) {
            super(Opcodes.ASM9, writer);
            this.place = place;
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
            super.visitLineNumber(number, start);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (!isReport(new Call(place, owner, name, descriptor))) {
                super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
                return;
            }
            int tag = switch (opcode) {
                case Opcodes.INVOKEINTERFACE -> Opcodes.H_INVOKEINTERFACE;
                case Opcodes.INVOKESPECIAL -> Opcodes.H_INVOKESPECIAL;
                case Opcodes.INVOKESTATIC -> Opcodes.H_INVOKESTATIC;
                default -> Opcodes.H_INVOKEVIRTUAL;
            };
            boolean isStatic = opcode == Opcodes.INVOKESTATIC;
            super.visitInvokeDynamicInsn(
                    name,
                    isStatic ? descriptor : "(L" + owner + ";" + descriptor.substring(1),
                    LINK,
                    new Handle(tag, owner, name, descriptor, isInterface),
                    reports.size());
            classes.add(place.substring(0, place.lastIndexOf('.')).replace('/', '.'));
            reports.add(place.replace("dev/verbatim/", "") + " line " + line + ": " + name);
        }
    }

    @Override
    public String toString() {
        return "copy with " + reports.size() + " reports";
    }
}
