// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

// The outcomes of an exploration as a table: which are allowed, which were seen, which are forbidden and by which rule.

import { html } from './panel.mjs';
import { safe } from './words.mjs';

/** Fills the section; `show` is called with the run to draw, `beside` with the run to draw beside it. */
export function fillOutcomes(section, page, show, beside) {
  const rows = page.outcomes.map((outcome) => {
    const cells = [
      html('td', {}, safe(outcome.values)),
      html('td', outcome.bad ? { class: 'not' } : {}, safe(outcome.verdict)),
      html('td', { class: 'number' }, outcome.executions === undefined ? '' : String(outcome.executions)),
    ];
    const last = html('td', {});
    if (outcome.run !== undefined) {
      const draw = html('button', { type: 'button', 'data-show': outcome.run }, 'Draw');
      draw.addEventListener('click', () => show(outcome.run));
      const compare = html('button', { type: 'button', 'data-beside': outcome.run }, 'Beside');
      compare.addEventListener('click', () => beside(outcome.run));
      draw.setAttribute('aria-label', 'Draw an execution with ' + safe(outcome.values, 80));
      compare.setAttribute('aria-label', 'Draw beside: an execution with ' + safe(outcome.values, 80));
      last.append(draw, compare);
    } else if (outcome.rule) {
      last.append(safe(outcome.rule, 20) + (page.rules[outcome.rule] ? ': ' + safe(page.rules[outcome.rule]) : ''));
    }
    return html('tr', outcome.run !== undefined ? { 'data-run': outcome.run } : {}, ...cells, last);
  });
  const head = ['Outcome', 'Verdict', 'Executions', 'Execution, or the rule that forbids it'].map((words) => html('th', { scope: 'col' }, words));
  section.replaceChildren(html('table', {},
    html('caption', {}, safe(page.figures ?? '', 300)), html('thead', {}, html('tr', {}, ...head)), html('tbody', {}, ...rows)));
  section.hidden = false;
}

/** Marks the rows of the runs that are drawn. */
export function markShown(section, runs) {
  section.querySelectorAll('tr[data-run]').forEach((row) => row.classList.toggle('shown', runs.includes(Number(row.dataset.run))));
}
