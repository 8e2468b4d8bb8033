// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.verbs.Device;
import java.lang.reflect.Field;

/** Numbers of queue pairs, which a device gives out one after the other until it comes round. */
public final class QpNumbers {

    private QpNumbers() {}

    /** The device gives out this free number next, as if it had made and destroyed 16 million queue pairs since. */
    public static void comeRoundTo(Device device, int number) {
        ((EmulatedDevice) device).lane().call(() -> {
            try {
                Object table = field(EmulatedDevice.class, "queuePairs").get(device);
                field(table.getClass(), "next").setInt(table, number);
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("the table of queue pairs is not what it was", e);
            }
        });
    }

    private static Field field(Class<?> owner, String name) throws NoSuchFieldException {
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
