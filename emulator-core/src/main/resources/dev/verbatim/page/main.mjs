// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

// The page: reads its trace, draws it, and answers the mouse, the keyboard and the address.

import { rowAt } from './layout.mjs';
import { textMeasure } from './measure.mjs';
import { buildModel, find, firstDifference } from './model.mjs';
import { fillOutcomes, markShown } from './outcomes.mjs';
import { fillPanel, html } from './panel.mjs';
import { wayOf } from './requests.mjs';
import { View } from './view.mjs';
import { captionText, hex, refusalOf, safe, sentence, timeText } from './words.mjs';

const PLAY_MILLIS = 700;
const PRINT_ROWS = 400;
const WIDE = 1000;

const byId = (id) => document.getElementById(id);

class Page {
  constructor(data) {
    this.data = data;
    this.models = data.runs.map(() => null);
    this.run = 0;
    this.other = -1;
    this.at = 0;
    this.request = -1;
    this.views = [];
    this.filter = { kinds: new Set(), devices: new Set(), lanes: new Set() };
    this.tracks = { keys: null, queues: null };
    this.measure = textMeasure(getComputedStyle(document.body).fontFamily);
    byId('title').textContent = safe(data.title, 160);
    byId('about').textContent = safe(data.about ?? '', 600);
    this.chooseTheme(this.fromAddress('theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
    if (data.outcomes?.length > 0) {
      fillOutcomes(byId('outcomes'), data, (run) => this.show(run, -1), (run) => this.show(this.run, run === this.run ? -1 : run));
    }
    this.fillRuns();
    this.listen();
    this.follow();
  }

  model(run = this.run) {
    this.models[run] = this.models[run] ?? buildModel(this.data.runs[run]);
    return this.models[run];
  }

  fillRuns() {
    const several = this.data.runs.length > 1;
    const options = () => this.data.runs.map((run, i) => html('option', { value: i }, safe(run.title, 80)));
    byId('run').replaceChildren(...options());
    byId('other').replaceChildren(html('option', { value: -1 }, 'none'), ...options());
    byId('run-label').hidden = !several;
    byId('other-label').hidden = !several;
  }

  /** Draws a run, and another beside it if there is one. */
  show(run, other, at = -1) {
    this.run = run;
    this.other = other;
    this.request = -1;
    this.views.forEach((view) => view.remove());
    byId('run').value = run;
    byId('other').value = other;
    byId('panel').hidden = other >= 0;
    const draw = (number, id, title) => new View(byId('views'), this.model(number), this.measure, {
      id, title, filter: this.filter, tracks: () => this.shownTracks(),
    }, (event, chosen) => this.go(event, chosen, id === 'e' ? 0 : 1));
    this.views = [];
    const both = other >= 0;
    this.views.push(draw(run, 'e', both ? this.data.runs[run].title : ''));
    if (both) {
      this.views.push(draw(other, 'o', this.data.runs[other].title));
      this.views[0].layOut();
      const difference = firstDifference(this.model(run), this.model(other));
      if (difference) {
        this.views[0].mark(difference.one);
        this.views[1].mark(difference.other);
        this.views[0].scrollTo(Math.max(0, difference.one));
        this.views[1].scrollTo(Math.max(0, difference.other));
      }
      this.say(difference ? 'The first difference is marked in both drawings.' : 'The two executions do not differ.');
    }
    markShown(byId('outcomes'), [run, other]);
    this.fillFilter();
    this.drawOverview();
    const opening = this.model().events.findIndex((event) => event.kind === 'caption' && event.opens);
    if (at < 0 && opening >= 0) {
      this.views.forEach((view) => view.open());
    }
    const { layout, rows } = this.views[0];
    const first = at >= 0 ? rows[rowAt(layout, at)] : -1;
    this.go(first >= 0 ? first : Math.max(opening, this.views[0].rows[0] ?? 0), false, 0, at >= 0);
  }

  shownTracks() {
    const single = this.other < 0;
    const wide = byId('views').clientWidth >= WIDE;
    return { keys: this.tracks.keys ?? single, queues: this.tracks.queues ?? (single && wide) };
  }

  /** Makes an event the current one. If it was chosen, its request lights up. */
  go(event, chosen, view = 0, scroll = true) {
    this.at = event;
    const drawn = this.views[view];
    drawn.go(event, scroll);
    const request = drawn.model.requestOf[event] ?? -1;
    if (chosen && view === 0) {
      this.light(request);
    } else {
      this.fill();
    }
    const row = Math.max(0, drawn.layout.rowOf[event]);
    byId('moment').max = Math.max(0, drawn.rows.length - 1);
    byId('moment').value = row;
    const said = drawn.model.events[event] ? this.words(drawn.model, event) : '';
    byId('moment').setAttribute('aria-valuetext', said);
    byId('where').textContent = `event ${row + 1} of ${drawn.rows.length}` + this.timeOf(drawn.model, event);
    this.say(said);
    if (view === 0) {
      this.toAddress();
    }
  }

  words(model, event) {
    const one = model.events[event];
    return one.kind === 'caption' ? safe(captionText(one, model)) + '. ' + safe(one.text ?? '') : sentence(one, model);
  }

  timeOf(model, event) {
    const nanos = model.events[event]?.timeNanos;
    return nanos === undefined ? '' : ', ' + timeText(nanos - model.firstNanos);
  }

  /** Lights the way of a request; -1 lights none. */
  light(request) {
    this.request = request;
    this.views[0].light(request >= 0 ? wayOf(this.model(), request) : null);
    this.fill();
    this.toAddress();
  }

  fill() {
    if (this.other < 0) {
      fillPanel(byId('panel'), this.model(), this.data.rules ?? {}, this.at, this.request, (event) => this.go(event, false));
    }
  }

  step(by) {
    const view = this.views[0];
    const row = Math.min(view.rows.length - 1, Math.max(0, view.layout.rowOf[this.at] + by));
    this.go(view.rows[row], false);
  }

  alongRequest(by) {
    const request = this.request >= 0 ? this.request : this.model().requestOf[this.at];
    if (request >= 0) {
      this.light(request);
      const way = wayOf(this.model(), request).filter((i) => this.views[0].layout.rowOf[i] >= 0);
      const next = by > 0 ? way.find((i) => i > this.at) : way.findLast((i) => i < this.at);
      this.go(next ?? this.at, false);
    }
  }

  /** The next event for which `wanted` holds, or the first. */
  next(wanted) {
    const { events } = this.model();
    const { rows } = this.views[0];
    const hit = rows.find((i) => i > this.at && wanted(events[i])) ?? rows.find((i) => wanted(events[i]));
    if (hit !== undefined) {
      this.go(hit, true);
    }
  }

  find(direction) {
    const words = byId('find').value.trim();
    if (!words) {
      byId('found').textContent = '';
      return;
    }
    const result = find(this.model(), this.views[0].rows, words, this.at, direction);
    byId('found').textContent = result.of ? result.number + ' of ' + result.of : 'none';
    if (result.hit >= 0) {
      this.go(result.hit, true);
    }
  }

  play(on = !this.playing) {
    clearInterval(this.playing);
    this.playing = on ? setInterval(() => {
      const view = this.views[0];
      if (view.layout.rowOf[this.at] >= view.rows.length - 1) {
        this.play(false);
      } else {
        this.step(1);
      }
    }, PLAY_MILLIS) : null;
    byId('play').textContent = on ? 'Pause' : 'Play';
  }

  say(words) {
    byId('said').textContent = safe(words);
  }

  chooseTheme(theme) {
    this.theme = theme === 'dark' ? 'dark' : 'light';
    document.documentElement.dataset.theme = this.theme;
    byId('theme').textContent = this.theme === 'dark' ? 'Light' : 'Dark';
  }

  /** What the address names after its #. */
  fromAddress(name) {
    return new URLSearchParams(location.hash.slice(1)).get(name);
  }

  toAddress() {
    const parts = new URLSearchParams();
    const put = (name, value, usual) => value !== usual && parts.set(name, value);
    put('run', this.run, 0);
    put('with', this.other, -1);
    put('event', this.at, -1);
    put('request', this.request, -1);
    if (this.fromAddress('theme')) {
      parts.set('theme', this.theme);
    }
    this.address = '#' + parts;
    history.replaceState(null, '', this.address);
  }

  /** The first run of a file, on a page of several; 0 if there is none. */
  firstOf(file) {
    return Math.max(0, this.data.runs.findIndex((run) => file && `/${run.title}`.includes(`/${file}: `)));
  }

  /** Goes to the moment that the address names. */
  follow() {
    const number = (name, usual, below) => {
      const value = Number(this.fromAddress(name) ?? usual);
      return Number.isInteger(value) && value >= 0 && value < below ? value : usual;
    };
    const run = number('run', this.firstOf(this.fromAddress('file')), this.data.runs.length);
    const other = number('with', -1, this.data.runs.length);
    const model = this.model(run);
    const request = number('request', -1, model.requests.length);
    this.show(run, other, number('event', -1, model.events.length));
    if (request >= 0) {
      this.light(request);
    }
  }

  fillFilter() {
    const model = this.model();
    const group = (title, entries) => html('fieldset', {}, html('legend', {}, title), ...entries.map(([words, set, value]) => {
      const box = html('input', { type: 'checkbox' });
      box.checked = !set.has(value);
      box.addEventListener('change', () => {
        set[box.checked ? 'delete' : 'add'](value);
        this.refilter();
      });
      return html('label', {}, box, ' ' + words);
    }));
    const kinds = [...new Set(model.events.map((event) => event.kind))].filter((kind) => !['decided', 'fault', 'caption'].includes(kind));
    const shown = this.shownTracks();
    const track = (words, name) => {
      const box = html('input', { type: 'checkbox', 'data-track': name });
      box.checked = shown[name];
      box.addEventListener('change', () => {
        this.tracks[name] = box.checked;
        this.refilter();
      });
      return html('label', {}, box, ' ' + words);
    };
    byId('filters').replaceChildren(
      html('fieldset', {}, html('legend', {}, 'Columns'), track('keys and windows', 'keys'), track('queue depths', 'queues')),
      group('Devices', model.lanes.map((lane) => [safe(lane.device, 40), this.filter.devices, lane.device])),
      group('Queue pairs', model.lanes.flatMap((lane) => lane.qps.filter((qp) => qp).map((qp) => [safe(lane.device, 30) + ' ' + hex(qp), this.filter.lanes, lane.device + ' ' + qp]))),
      group('Events', kinds.map((kind) => [kind, this.filter.kinds, kind])));
  }

  refilter() {
    this.views.forEach((view) => view.layOut());
    this.drawOverview();
    this.views[0].light(this.request >= 0 ? wayOf(this.model(), this.request) : null);
    byId('moment').max = Math.max(0, this.views[0].rows.length - 1);
  }

  /** A line above the slider: refusals and lost packets tall, choices short. */
  drawOverview() {
    const canvas = byId('overview');
    const model = this.model();
    const { rows } = this.views[0];
    canvas.width = Math.max(1, canvas.clientWidth);
    const context = canvas.getContext('2d');
    const style = getComputedStyle(document.documentElement);
    const refusal = style.getPropertyValue('--refusal');
    const choice = style.getPropertyValue('--choice');
    rows.forEach((index, row) => {
      const event = model.events[index];
      const arrow = event.kind === 'sent' ? model.arrowOf(event) : null;
      const bad = refusalOf(event) || (arrow && (arrow.fault || arrow.fate === 'lost'));
      if (bad || event.kind === 'choice') {
        context.fillStyle = bad ? refusal : choice;
        context.fillRect((row / rows.length) * canvas.width, bad ? 1 : 5, 2, bad ? 11 : 7);
      }
    });
  }

  listen() {
    const click = (id, action) => byId(id).addEventListener('click', action);
    click('first', () => this.step(-Infinity));
    click('back', () => this.step(-1));
    click('play', () => this.play());
    click('next', () => this.step(1));
    click('last', () => this.step(Infinity));
    click('theme', () => {
      this.chooseTheme(this.theme === 'dark' ? 'light' : 'dark');
      this.drawOverview();
    });
    click('print', () => this.askPrint());
    byId('moment').addEventListener('input', () => this.go(this.views[0].rows[Number(byId('moment').value)], false));
    byId('run').addEventListener('change', () => this.show(Number(byId('run').value), -1));
    byId('other').addEventListener('change', () => this.show(this.run, Number(byId('other').value)));
    byId('find').addEventListener('keydown', (key) => {
      if (key.key === 'Enter') {
        this.find(key.shiftKey ? -1 : 1);
      } else if (key.key === 'Escape') {
        byId('find').value = '';
        byId('found').textContent = '';
        this.views[0].drawing.focus();
      }
    });
    document.addEventListener('keydown', (key) => this.key(key));
    if (parent !== window) {
      // The studio has a button for both.
      byId('theme').hidden = true;
      addEventListener('message', (told) => told.source === parent && told.data?.theme && this.chooseTheme(told.data.theme));
    }
    addEventListener('hashchange', () => location.hash !== this.address && this.follow());
    addEventListener('resize', () => this.refilter());
    addEventListener('beforeprint', () => this.beginPrint());
    addEventListener('afterprint', () => this.views.forEach((view) => view.print(null)));
    byId('printing').addEventListener('close', () => byId('printing').returnValue === 'go' && print());
    for (const id of ['print-from', 'print-to']) {
      byId(id).addEventListener('input', () => {
        byId('print-leaves').textContent = this.leaves();
      });
    }
  }

  key(key) {
    if (key.ctrlKey || key.metaKey || key.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(key.target.tagName) || byId('printing').open) {
      return;
    }
    const inPanel = byId('panel').contains(key.target);
    const onButton = /^(BUTTON|SUMMARY)$/.test(key.target.tagName);
    const page = Math.max(1, Math.floor(this.views[0].scroller.clientHeight / 30));
    const actions = {
      ArrowDown: () => this.step(1), ArrowUp: () => this.step(-1), j: () => this.step(1), k: () => this.step(-1),
      PageDown: () => this.step(page), PageUp: () => this.step(-page), Home: () => this.step(-Infinity), End: () => this.step(Infinity),
      n: () => this.alongRequest(1), p: () => this.alongRequest(-1), Enter: () => this.light(this.model().requestOf[this.at] ?? -1),
      Escape: () => this.light(-1), ' ': () => this.play(), '/': () => byId('find').focus(),
      c: () => this.next((event) => event.kind === 'choice'), r: () => this.next((event) => refusalOf(event) !== null),
    };
    const scrolls = ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', ' '].includes(key.key);
    if (actions[key.key] && !(inPanel && scrolls) && !(onButton && [' ', 'Enter'].includes(key.key))) {
      key.preventDefault();
      actions[key.key]();
    }
  }

  askPrint() {
    const [from, to] = this.printRange();
    byId('print-from').value = from + 1;
    byId('print-to').value = to;
    byId('print-from').max = byId('print-to').max = this.views[0].rows.length;
    byId('print-leaves').textContent = this.leaves();
    byId('printing').showModal();
  }

  /** The rows that are printed: those asked for, or as many around the current one as fit a few pages. */
  printRange() {
    const all = this.views[0].rows.length;
    const row = Math.max(0, this.views[0].layout.rowOf[this.at]);
    const from = all <= PRINT_ROWS ? 0 : Math.max(0, Math.min(all - PRINT_ROWS, row - PRINT_ROWS / 2));
    return [from, Math.min(all, from + PRINT_ROWS)];
  }

  askedRange() {
    const all = this.views[0].rows.length;
    const from = Math.min(all - 1, Math.max(0, Math.floor(Number(byId('print-from').value)) - 1));
    return [from, Math.max(from + 1, Math.min(all, Math.floor(Number(byId('print-to').value)) || all))];
  }

  leaves(range = this.askedRange()) {
    const all = this.views[0].rows.length;
    const model = this.model();
    const filtered = model.events.length - all - model.events.filter((event) => event.kind === 'decided' || event.kind === 'fault').length;
    return `Events ${range[0] + 1} to ${range[1]} of ${all}. Left out: ${range[0]} before, ${all - range[1]} after`
      + (filtered > 0 ? `, ${filtered} that the filter hides` : '') + '; the details of single events.';
  }

  beginPrint() {
    const range = byId('print-from').value ? this.askedRange() : this.printRange();
    byId('printed').textContent = this.leaves(range);
    this.views.forEach((view) => view.print([Math.min(range[0], view.rows.length), Math.min(range[1], view.rows.length)]));
  }
}

function begin() {
  try {
    const data = JSON.parse(byId('trace').textContent);
    byId('trace').textContent = '';
    const page = new Page(data);
    globalThis.tracePage = page;
    document.documentElement.dataset.ready = 'true';
    // The first frame is over when the one after it begins.
    requestAnimationFrame(() => requestAnimationFrame((now) => {
      page.usableMillis = now;
    }));
  } catch (e) {
    byId('broken').hidden = false;
    byId('broken').textContent = 'This trace cannot be drawn: ' + safe(e.message);
    throw e;
  }
}

begin();
