// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sanitizer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Requests of a send queue in a sentence, those together that were posted at one place. */
final class SendsInWords {

    private static final int MOST_PLACES = 6;

    private record Place(boolean isSignaled, String opcode, String site) {}

    private SendsInWords() {}

    /** As {@code 62 unsignaled RDMA_WRITE wr_id=1 to 62 posted at File.java:17, 2 signaled SEND ...}; unsignaled ones first. */
    static String of(Collection<Request> sends) {
        Map<Place, List<Request>> byPlace = new LinkedHashMap<>();
        for (boolean isSignaled : new boolean[] {false, true}) {
            for (Request request : sends) {
                if (request.isSignaled == isSignaled) {
                    Place place = new Place(isSignaled, String.valueOf(request.opcode), request.site.toString());
                    byPlace.computeIfAbsent(place, first -> new ArrayList<>()).add(request);
                }
            }
        }
        List<String> texts = new ArrayList<>();
        byPlace.forEach((place, requests) -> texts.add(text(place, requests)));
        String more = texts.size() > MOST_PLACES ? ", and others" : "";
        return String.join(", ", texts.subList(0, Math.min(MOST_PLACES, texts.size()))) + more;
    }

    private static String text(Place place, List<Request> requests) {
        long first = requests.get(0).id;
        long last = requests.get(requests.size() - 1).id;
        return requests.size() + (place.isSignaled ? " signaled " : " unsignaled ") + place.opcode + " wr_id=" + first
                + (first == last ? "" : " to " + last)
                + (place.site.isEmpty() ? "" : " posted at " + place.site);
    }
}
