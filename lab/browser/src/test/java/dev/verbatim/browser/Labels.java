// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.browser;

/** Looks at the labels that are in sight. */
final class Labels {

    /** Returns what overlaps, what is cut, and what sticks out of its box. */
    static final String PROBLEMS = """
            const problems = [];
            for (const view of document.querySelectorAll('.view')) {
              const scroller = view.querySelector('.scroller').getBoundingClientRect();
              const head = view.querySelector('.head-box').getBoundingClientRect();
              if (document.elementFromPoint(head.left + 200, head.top + 50)?.closest('.row')) {
                problems.push('a row covers the head');
              }
              // Three devices and more are scrolled sideways.
              if (view.querySelector('.scroller').scrollWidth > view.querySelector('.scroller').clientWidth && document.querySelectorAll('.view').length === 1
                  && tracePage.model().lanes.length <= 2) {
                problems.push('wider than the window');
              }
              const boxes = [];
              for (const text of view.querySelectorAll('svg text, .caption strong, .caption span')) {
                let box = text.getBoundingClientRect();
                if (!text.closest('svg')) {
                  const range = document.createRange();
                  range.selectNodeContents(text);
                  box = range.getBoundingClientRect();
                }
                const inHead = text.closest('.head-box');
                if (box.width === 0 || box.top > scroller.bottom || (!inHead && box.top < head.bottom)) {
                  continue;
                }
                if (box.left < scroller.left - 0.5 || box.right > scroller.left + view.querySelector('.drawing').clientWidth + 0.5) {
                  problems.push('clipped: ' + text.textContent);
                }
                if (text.matches('.label:not(.of-why)') && text.textContent.endsWith('…')) {
                  problems.push('cut: ' + text.textContent);
                }
                if (inHead && (box.top < head.top - 0.5 || box.bottom > head.bottom + 0.5)) {
                  problems.push('out of the head: ' + text.textContent);
                }
                boxes.push({ box, text });
              }
              for (let i = 0; i < boxes.length; i++) {
                for (let k = 0; k < i; k++) {
                  const [a, b] = [boxes[i].box, boxes[k].box];
                  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
                  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                  if (wide > 1 && high > 2) {
                    problems.push('overlap: ' + boxes[i].text.textContent + ' | ' + boxes[k].text.textContent + ' ' + wide.toFixed(1) + 'x' + high.toFixed(1));
                  }
                }
              }
            }
            for (const one of document.querySelectorAll('header *, #outcomes td, #panel *, footer *')) {
              if (one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 && getComputedStyle(one).overflow !== 'visible' && !one.closest('svg')) {
                problems.push('too wide: ' + one.tagName + ' ' + one.textContent.slice(0, 60));
              }
            }
            return problems.slice(0, 12);
            """;

    private Labels() {}
}
