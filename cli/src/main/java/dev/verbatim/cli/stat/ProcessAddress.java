// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.stat;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.verbatim.cli.output.CommandFailure;
import dev.verbatim.live.StatServer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Asks a JVM of this machine and user where it shows its counters: it is a system property there. Opens nothing in it. */
final class ProcessAddress {

    private ProcessAddress() {}

    /**
     * The {@code HOST:PORT} of a process.
     *
     * @throws CommandFailure if there is no such JVM, or it shows no counters
     */
    static String of(long pid) {
        String address = property(pid);
        if (address == null) {
            throw new CommandFailure("process " + pid + " shows no counters; start it with -D" + StatServer.PROPERTY
                    + "=0, and let it open a device");
        }
        return address;
    }

    private static @Nullable String property(long pid) {
        if (pid == ProcessHandle.current().pid()) {
            return System.getProperty(StatServer.ADDRESS_PROPERTY);
        }
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            try {
                return machine.getSystemProperties().getProperty(StatServer.ADDRESS_PROPERTY);
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException | IOException e) {
            throw new CommandFailure("cannot ask process " + pid + ": " + e.getMessage()
                    + "; name a running Java process of your own, or its HOST:PORT");
        } catch (NoClassDefFoundError e) {
            throw new CommandFailure(
                    "this Java has no module jdk.attach, so processes cannot be asked; name the HOST:PORT");
        }
    }
}
