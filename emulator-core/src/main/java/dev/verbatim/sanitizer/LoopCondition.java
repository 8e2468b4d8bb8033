// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.StackWalker.StackFrame;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether a call is the condition of a loop that makes this call again, as in {@code while (node.load(word) == 0)}. How often it was made
 * does not tell: the first look may end the loop. So the instructions of the method are read: what is called is compared before anything else
 * is decided, and one outcome leads back to the call without a variable being set. A loop over several words sets one, and is none.
 * What cannot be read, as it was made or changed while the program runs, is no loop.
 */
final class LoopCondition {

    private static final int MAGIC = 0xCAFEBABE;
    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final String CODE = "Code";

    // Instructions, by their numbers in the specification of the JVM.
    private static final int BIPUSH = 16;
    private static final int LDC = 18;
    private static final int ILOAD = 21;
    private static final int ALOAD = 25;
    private static final int ISTORE = 54;
    private static final int ASTORE = 58;
    private static final int ASTORE_3 = 78;
    private static final int SASTORE = 86;
    private static final int IINC = 132;
    private static final int IFEQ = 153;
    private static final int IF_ACMPNE = 166;
    private static final int GOTO = 167;
    private static final int RETURN = 177;
    private static final int PUTSTATIC = 179;
    private static final int PUTFIELD = 181;
    private static final int INVOKEVIRTUAL = 182;
    private static final int INVOKEINTERFACE = 185;
    private static final int INVOKEDYNAMIC = 186;
    private static final int NEWARRAY = 188;
    private static final int ARRAYLENGTH = 190;
    private static final int ATHROW = 191;
    private static final int MONITORENTER = 194;
    private static final int MONITOREXIT = 195;
    private static final int WIDE = 196;
    private static final int IFNULL = 198;
    private static final int IFNONNULL = 199;
    private static final int BRANCH_BYTES = 3;

    private record Call(String method, String descriptor, int at) {}

    /** Of each class the calls that were asked for. */
    private static final ClassValue<Map<Call, Boolean>> KNOWN = new ClassValue<>() {
        @Override
        protected Map<Call, Boolean> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    private final byte[] code;
    private final BitSet seen = new BitSet();

    private LoopCondition(byte[] code) {
        this.code = code;
    }

    /** Whether what the frame calls at the moment is one. */
    static boolean isAt(StackFrame frame) {
        Class<?> type = frame.getDeclaringClass();
        Call asked = new Call(frame.getMethodName(), frame.getDescriptor(), frame.getByteCodeIndex());
        return KNOWN.get(type).computeIfAbsent(asked, call -> isLoop(type, call));
    }

    private static boolean isLoop(Class<?> type, Call call) {
        String name = type.getName();
        try (InputStream in = type.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
            byte[] code = in == null ? null : codeOf(new DataInputStream(in), call.method, call.descriptor);
            return code != null && new LoopCondition(code).isLoop(call.at);
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isLoop(int call) {
        if (!isIn(call) || at(call) < INVOKEVIRTUAL || at(call) > INVOKEDYNAMIC) {
            return false;
        }
        int kept = -1;
        int i = call + lengthAt(call);
        while (isIn(i) && isPlain(at(i)) && !isBranch(at(i))) {
            if (sets(at(i))) {
                if (kept >= 0 || at(i) > ASTORE_3) {
                    return false;
                }
                kept = i;
            }
            if (at(i) == GOTO && (targetOf(i) > call || !isLoadOf(targetOf(i), kept))) {
                return false;
            }
            i = at(i) == GOTO ? targetOf(i) : i + lengthAt(i);
            if (i == call) {
                return false;
            }
        }
        return isIn(i) && isBranch(at(i)) && (leads(i + BRANCH_BYTES, call) || leads(targetOf(i), call));
    }

    /** Whether the variable is read there that the store has set. */
    private boolean isLoadOf(int i, int store) {
        return isIn(i)
                && store >= 0
                && at(store) - ISTORE == at(i) - ILOAD
                && (at(store) > ASTORE || at(store + 1) == at(i + 1));
    }

    /** Whether the call may come next there, before a variable is set. */
    private boolean leads(int from, int call) {
        int i = from;
        while (isIn(i) && isPlain(at(i)) && !sets(at(i)) && !seen.get(i)) {
            if (i == call) {
                return true;
            }
            seen.set(i);
            if (isBranch(at(i)) && leads(targetOf(i), call)) {
                return true;
            }
            i = at(i) == GOTO ? targetOf(i) : i + lengthAt(i);
        }
        return false;
    }

    private boolean isIn(int i) {
        return i >= 0 && i < code.length;
    }

    private int at(int i) {
        return code[i] & 0xFF;
    }

    private int targetOf(int branch) {
        return branch + (short) ((code[branch + 1] << 8) | (code[branch + 2] & 0xFF));
    }

    private static boolean isBranch(int instruction) {
        return (instruction >= IFEQ && instruction <= IF_ACMPNE) || instruction == IFNULL || instruction == IFNONNULL;
    }

    /** Whether it goes on behind the instruction, or where a branch leads. */
    private static boolean isPlain(int instruction) {
        return instruction <= GOTO
                || (instruction > RETURN && instruction < WIDE && instruction != ATHROW)
                || isBranch(instruction);
    }

    private static boolean sets(int instruction) {
        return (instruction >= ISTORE && instruction <= SASTORE)
                || instruction == IINC
                || instruction == PUTSTATIC
                || instruction == PUTFIELD;
    }

    /** Of one that {@link #isPlain}. */
    private int lengthAt(int i) {
        int instruction = at(i);
        if (instruction < IINC) {
            boolean hasByte = instruction == BIPUSH
                    || instruction == LDC
                    || (instruction >= ILOAD && instruction <= ALOAD)
                    || (instruction >= ISTORE && instruction <= ASTORE);
            boolean hasShort = instruction > BIPUSH && instruction < ILOAD && instruction != LDC;
            return hasByte ? 2 : hasShort ? 3 : 1;
        }
        if (instruction == INVOKEINTERFACE || instruction == INVOKEDYNAMIC) {
            return 5;
        }
        if (instruction == NEWARRAY) {
            return 2;
        }
        boolean isAlone = (instruction > IINC && instruction < IFEQ)
                || instruction == ARRAYLENGTH
                || instruction == MONITORENTER
                || instruction == MONITOREXIT;
        return isAlone ? 1 : 3;
    }

    /** The instructions of a method; null if the class has no such method with any. */
    private static byte @Nullable [] codeOf(DataInputStream in, String method, String descriptor) throws IOException {
        if (in.readInt() != MAGIC) {
            return null;
        }
        in.readInt();
        String[] texts = texts(in);
        in.skipNBytes(6);
        in.skipNBytes(2L * in.readUnsignedShort());
        for (int fields = in.readUnsignedShort(); fields > 0; fields--) {
            in.skipNBytes(6);
            codeIn(in, texts);
        }
        for (int methods = in.readUnsignedShort(); methods > 0; methods--) {
            in.skipNBytes(2);
            String name = texts[in.readUnsignedShort()];
            String type = texts[in.readUnsignedShort()];
            byte[] code = codeIn(in, texts);
            if (method.equals(name) && descriptor.equals(type)) {
                return code;
            }
        }
        return null;
    }

    private static String[] texts(DataInputStream in) throws IOException {
        String[] texts = new String[in.readUnsignedShort()];
        for (int i = 1; i < texts.length; i++) {
            int tag = in.readUnsignedByte();
            if (tag == UTF8) {
                texts[i] = in.readUTF();
            } else {
                in.skipNBytes(bytesOf(tag));
            }
            if (tag == LONG || tag == DOUBLE) {
                i++;
            }
        }
        return texts;
    }

    /** Of an entry of the pool of constants. */
    private static int bytesOf(int tag) {
        return switch (tag) {
            case LONG, DOUBLE -> 8;
            case 7, 8, 16, 19, 20 -> 2;
            case 15 -> 3;
            default -> 4;
        };
    }

    /** Reads all attributes. */
    private static byte @Nullable [] codeIn(DataInputStream in, String[] texts) throws IOException {
        byte[] code = null;
        for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
            String name = texts[in.readUnsignedShort()];
            byte[] content = new byte[in.readInt()];
            in.readFully(content);
            if (CODE.equals(name)) {
                DataInputStream of = new DataInputStream(new ByteArrayInputStream(content));
                of.readInt();
                code = new byte[of.readInt()];
                of.readFully(code);
            }
        }
        return code;
    }
}
