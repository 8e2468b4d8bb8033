// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package org.example.consumer;

/** Says which modules of Verbatim it was given. */
public final class Main {
    private Main() {}

    /** Prints each module's name and the packages it lets this one see. */
    public static void main(String[] args) {
        Module self = Main.class.getModule();
        ModuleLayer.boot().modules().stream()
                .filter(module -> module.getName().startsWith("dev.verbatim"))
                .filter(self::canRead)
                .sorted((one, other) -> one.getName().compareTo(other.getName()))
                .forEach(module -> System.out.println(module.getName() + " shows "
                        + module.getPackages().stream()
                                .filter(name -> module.isExported(name, self))
                                .sorted()
                                .toList()));
    }
}
