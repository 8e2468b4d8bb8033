// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.abi;

/** A field of a C struct: where it is, and its size. Of the byte orders it knows only that of the machine. */
public sealed interface Field {

    /** From the start of the struct, in bytes. */
    int offset();

    /** In bytes. */
    int sizeBytes();

    /** A {@code uint8_t}, or another type of one byte. */
    record U8(int offset) implements Field {

        public int get(long struct) {
            return Native.getByte(struct + offset) & 0xff;
        }

        public void set(long struct, int value) {
            Native.putByte(struct + offset, value);
        }

        @Override
        public int sizeBytes() {
            return Byte.BYTES;
        }
    }

    /** A {@code uint16_t}. */
    record U16(int offset) implements Field {

        public int get(long struct) {
            return Native.getShort(struct + offset) & 0xffff;
        }

        public void set(long struct, int value) {
            Native.putShort(struct + offset, value);
        }

        /** Of a big-endian field. */
        public int getBigEndian(long struct) {
            return Short.toUnsignedInt(Short.reverseBytes(Native.getShort(struct + offset)));
        }

        public void setBigEndian(long struct, int value) {
            Native.putShort(struct + offset, Short.reverseBytes((short) value));
        }

        @Override
        public int sizeBytes() {
            return Short.BYTES;
        }
    }

    /** An {@code int}, {@code unsigned int} or enum. */
    record I32(int offset) implements Field {

        public int get(long struct) {
            return Native.getInt(struct + offset);
        }

        public void set(long struct, int value) {
            Native.putInt(struct + offset, value);
        }

        /** Of a big-endian field, such as {@code imm_data}. */
        public int getBigEndian(long struct) {
            return Integer.reverseBytes(Native.getInt(struct + offset));
        }

        public void setBigEndian(long struct, int value) {
            Native.putInt(struct + offset, Integer.reverseBytes(value));
        }

        @Override
        public int sizeBytes() {
            return Integer.BYTES;
        }
    }

    /** A {@code uint64_t}, {@code size_t} or pointer. */
    record I64(int offset) implements Field {

        public long get(long struct) {
            return Native.getLong(struct + offset);
        }

        public void set(long struct, long value) {
            Native.putLong(struct + offset, value);
        }

        public void setBigEndian(long struct, long value) {
            Native.putLong(struct + offset, Long.reverseBytes(value));
        }

        @Override
        public int sizeBytes() {
            return Long.BYTES;
        }
    }

    /** A struct, union or array within a struct. */
    record Part(int offset, int sizeBytes) implements Field {

        /** Its address. */
        public long of(long struct) {
            return struct + offset;
        }
    }
}
