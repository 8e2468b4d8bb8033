// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import static dev.verbatim.conformance.oracle.Story.KEY;
import static dev.verbatim.conformance.oracle.Story.LEFT;
import static dev.verbatim.conformance.oracle.Story.RIGHT;

import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import org.junit.jupiter.api.BeforeEach;

/** A story with two windows, one of each type. */
abstract class WindowKeyFixture {

    static final byte[] ONE = {1};
    static final int FIRST = 0x80000001;
    static final int BOUND = 0x80000041;
    static final int OTHER = 0x80000042;
    static final int RIGHTS = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;
    static final StoryRegion REGION = new StoryRegion(RIGHT);
    static final BindInfo HALF = new BindInfo(REGION, RIGHT, 128, RIGHTS);

    final Story story = Story.connected();
    final StoryWindow window = new StoryWindow(1, MemoryWindowType.TYPE_2, FIRST);
    final StoryWindow ofTypeOne = new StoryWindow(2, MemoryWindowType.TYPE_1, 0x80000101);
    int requests;

    @BeforeEach
    void windowsAreThere() {
        story.right.allocates(window).right.allocates(ofTypeOne);
    }

    /** The right side binds the window, in its turn. */
    Story binds(StoryWindow bound, int key, BindInfo info) {
        starts(bound.bind(++requests, key, info));
        return story.right.binds(bound, bound.bind(requests, key, info));
    }

    void starts(SendWorkRequest local) {
        story.right.posts(local).right.starts(local.id(), 1, 0);
    }

    Story invalidates(int key) {
        starts(SendWorkRequest.localInvalidate(++requests, key));
        return story.right.invalidates(window, key);
    }

    /** A WRITE of one byte of the left side, to that address of that key; its number is its id. */
    void sendsWrite(int id, long address, int key) {
        story.left.posts(SendWorkRequest.write(id, address, key, new Sge(LEFT + id, 1, KEY)));
        story.left.starts(id, id, 1).left.gathers(id, LEFT + id, ONE);
    }
}
