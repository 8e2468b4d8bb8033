// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
import { beginOfLine, completionsOf, fileNameOf, linkOf, piecesOf, placeOf, textOf, wordBefore } from './text.mjs';

const LINE_PIXELS = 19;
const PADDING_PIXELS = 8;
const CHECK_MILLIS = 300;
const LOOK_MILLIS = 500;

const byId = (id) => document.getElementById(id);
const text = byId('text');
const gutter = byId('gutter');
const colours = byId('colours');
const completions = byId('completions');
const progress = byId('progress');
const drawing = byId('drawing');
const kinds = ['run', 'litmus', 'explore'];

const lessonTexts = new Map();

let words = [];
let wrongLines = new Set();
let checking = 0;
let checks = 0;
let job = 0;
let leaving = false;

async function ask(path, options) {
  const response = await fetch(path, { cache: 'no-store', ...options });
  if (response.headers.get('Content-Type')?.startsWith('application/json')) {
    return response.json();
  }
  const said = await response.text();
  return response.ok ? { text: said } : { error: said.trim() };
}

const post = (path, body) => ask(path, { method: 'POST', body });

function say(sentence, bad) {
  progress.textContent = sentence;
  progress.classList.toggle('bad', Boolean(bad));
}

function drawGutter() {
  const lines = text.value.split('\n').length;
  gutter.replaceChildren();
  for (let line = 1; line <= lines; line++) {
    const number = document.createElement('span');
    number.textContent = (wrongLines.has(line) ? '✗ ' : '') + line + '\n';
    number.className = wrongLines.has(line) ? 'wrong' : '';
    gutter.append(number);
  }
  followScroll();
}

/** The text area shows its caret and selection, and this the letters. */
function drawColours() {
  colours.replaceChildren();
  for (const [kind, piece] of piecesOf(text.value)) {
    const part = document.createElement('span');
    part.className = kind;
    part.textContent = piece;
    colours.append(part);
  }
  colours.append('\n');
  followScroll();
}

function showProblems(problems) {
  wrongLines = new Set(problems.map((problem) => problem.line));
  const list = byId('problems');
  list.replaceChildren();
  for (const problem of problems) {
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset.line = problem.line;
    button.textContent = `${problem.line}:${problem.column} ${problem.path ? problem.path + ': ' : ''}${problem.message}`;
    button.addEventListener('click', () => goTo(problem.line, problem.column));
    list.append(button);
  }
  drawGutter();
}

function goTo(line, column) {
  const at = Math.min(beginOfLine(text.value, line) + column - 1, text.value.length);
  text.focus();
  text.setSelectionRange(at, at);
  text.scrollTop = Math.max(0, (line - 4) * LINE_PIXELS);
}

async function check() {
  const number = ++checks;
  document.documentElement.dataset.checked = 'false';
  const answer = await post('/api/check', text.value);
  if (number === checks) {
    showProblems(answer.problems ?? [{ line: 1, column: 1, path: '', message: answer.error }]);
    document.documentElement.dataset.checked = 'true';
  }
}

function followScroll() {
  gutter.scrollTop = text.scrollTop;
  colours.scrollTop = text.scrollTop;
  colours.scrollLeft = text.scrollLeft;
}

function changed() {
  markLesson();
  drawGutter();
  drawColours();
  clearTimeout(checking);
  document.documentElement.dataset.checked = 'false';
  checking = setTimeout(check, CHECK_MILLIS);
}

function replaceAll(value) {
  text.value = value;
  text.setSelectionRange(0, 0);
  text.scrollTop = 0;
  hideCompletions();
  changed();
}

/** The text is no shipped scenario any more. */
function edited() {
  byId('scenario').selectedIndex = 0;
  changed();
}

// Completions.

function hideCompletions() {
  completions.hidden = true;
  text.removeAttribute('aria-activedescendant');
}

function offer(always) {
  const { begin, word } = wordBefore(text.value, text.selectionStart);
  const found = word.length > 1 || always ? completionsOf(words, word) : [];
  completions.replaceChildren();
  found.forEach((each, index) => {
    const option = document.createElement('li');
    option.id = 'completion-' + index;
    option.setAttribute('role', 'option');
    option.textContent = each;
    option.addEventListener('mousedown', (event) => {
      event.preventDefault();
      accept(each);
    });
    completions.append(option);
  });
  completions.hidden = found.length === 0;
  if (found.length > 0) {
    const { line, column } = placeOf(text.value, begin);
    const top = (line + 1) * LINE_PIXELS + PADDING_PIXELS - text.scrollTop;
    const fits = top + 170 < byId('editor').clientHeight;
    completions.style.top = (fits ? top : Math.max(0, top - LINE_PIXELS - Math.min(168, found.length * 20 + 8))) + 'px';
    completions.style.left = Math.min(46 + PADDING_PIXELS + column * 7.8 - text.scrollLeft, byId('editor').clientWidth - 220) + 'px';
    choose(0);
  } else {
    hideCompletions();
  }
}

function chosen() {
  return [...completions.children].findIndex((each) => each.getAttribute('aria-selected') === 'true');
}

function choose(index) {
  const all = [...completions.children];
  const wanted = (index + all.length) % all.length;
  all.forEach((each, at) => each.setAttribute('aria-selected', String(at === wanted)));
  all[wanted].scrollIntoView({ block: 'nearest' });
  text.setAttribute('aria-activedescendant', all[wanted].id);
}

function accept(word) {
  const at = text.selectionStart;
  text.setRangeText(word, wordBefore(text.value, at).begin, at, 'end');
  hideCompletions();
  edited();
}

function keyInList(event) {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    choose(chosen() + (event.key === 'ArrowDown' ? 1 : -1));
  } else if (event.key === 'Enter' || event.key === 'Tab') {
    accept(completions.children[chosen()].textContent);
  } else if (event.key === 'Escape') {
    hideCompletions();
  } else {
    return;
  }
  event.preventDefault();
}

function key(event) {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    hideCompletions();
    start('run');
  } else if (event.key === ' ' && event.ctrlKey) {
    event.preventDefault();
    offer(true);
  } else if (!completions.hidden) {
    keyInList(event);
  } else if (event.key === 'Escape') {
    leaving = true;
  } else if (event.key === 'Tab' && !event.shiftKey && !leaving) {
    event.preventDefault();
    text.setRangeText('  ', text.selectionStart, text.selectionEnd, 'end');
    edited();
  } else if (event.key !== 'Shift') {
    leaving = false;
  }
}

// Jobs.

function busy(is) {
  for (const kind of kinds) {
    byId(kind).disabled = is;
  }
  byId('stop').disabled = !is;
}

async function start(kind) {
  if (byId(kind).disabled) {
    return;
  }
  busy(true);
  drawing.classList.add('old');
  say('begins');
  document.documentElement.dataset.job = 'RUNNING';
  const query = new URLSearchParams({ kind, seed: byId('seed').value, profile: byId('profile').value, freedom: byId('freedom').value });
  try {
    follow(await post('/api/job?' + query, text.value));
  } catch {
    ended('FAILED', 'the studio does not answer; start it again');
  }
}

function ended(state, sentence) {
  busy(false);
  say(sentence, state === 'FAILED' || sentence.startsWith('Not as expected'));
  document.documentElement.dataset.job = state;
}

function follow(state) {
  if (state.problems) {
    showProblems(state.problems);
    ended('FAILED', 'The scenario has problems; they are listed above.');
  } else if (state.error) {
    ended('FAILED', state.error);
  } else if (state.state === 'RUNNING') {
    job = state.id;
    say(state.sentence);
    setTimeout(look, LOOK_MILLIS);
  } else {
    if (state.page) {
      byId('empty').hidden = true;
      drawing.hidden = false;
      drawing.classList.remove('old');
      drawing.src = '/api/page?id=' + state.id + '#theme=' + (document.documentElement.dataset.theme ?? 'light');
    }
    ended(state.state, state.sentence);
  }
}

async function look() {
  try {
    follow(await ask('/api/job?id=' + job));
  } catch {
    ended('FAILED', 'the studio does not answer; start it again');
  }
}

// Files and links.

function save() {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text.value], { type: 'text/yaml' }));
  link.download = fileNameOf(text.value);
  link.click();
  URL.revokeObjectURL(link.href);
}

async function copyLink() {
  history.replaceState(null, '', '#' + linkOf(text.value));
  try {
    await navigator.clipboard.writeText(location.href);
    say('The link is copied. It holds the scenario; who opens it runs nothing without a click.');
  } catch {
    say('The address is the link. It holds the scenario; who opens it runs nothing without a click.');
  }
}

function readLink() {
  const linked = textOf(location.hash);
  if (linked !== null) {
    replaceAll(linked);
    byId('scenario').selectedIndex = 0;
  }
  return linked !== null;
}

async function chooseScenario(name) {
  const answer = await ask('/api/scenario?name=' + encodeURIComponent(name));
  if (answer.error) {
    say(answer.error, true);
  } else {
    replaceAll(answer.text);
    history.replaceState(null, '', location.pathname);
  }
}

/** Of the studio and of what it shows. The drawing is of an origin of its own, so it is told. */
function theme(name) {
  document.documentElement.dataset.theme = name;
  drawing.contentWindow?.postMessage({ theme: name }, '*');
  byId('theme').textContent = name === 'dark' ? 'Light' : 'Dark';
}

/** In a row, the easiest first; a click shows one and runs it. */
function offerLessons(lessons) {
  byId('lessons').append('Lessons', ...lessons.map(({ title, text: file }) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = title;
    button.addEventListener('click', () => showLesson(file));
    lessonTexts.set(button, file);
    return button;
  }));
}

/** A lesson is pressed while its text is in the editor. */
function markLesson() {
  lessonTexts.forEach((file, button) => button.setAttribute('aria-pressed', String(file === text.value)));
}

function showLesson(file) {
  replaceAll(file);
  byId('scenario').selectedIndex = 0;
  history.replaceState(null, '', location.pathname);
  start('run');
}

function option(value, label) {
  const one = document.createElement('option');
  one.value = value;
  one.textContent = label ?? value;
  return one;
}

async function begin() {
  theme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  const known = await ask('/api/start');
  words = known.words;
  byId('scenario').append(option('', 'your own'), ...known.scenarios.map((name) => option(name)));
  offerLessons(known.lessons);
  byId('profile').append(...known.profiles.map((name) => option(name)));
  text.addEventListener('input', () => {
    edited();
    offer(false);
  });
  text.addEventListener('keydown', key);
  text.addEventListener('blur', hideCompletions);
  text.addEventListener('scroll', () => {
    followScroll();
    hideCompletions();
  });
  byId('scenario').addEventListener('change', (event) => event.target.value && chooseScenario(event.target.value));
  byId('load').addEventListener('change', async (event) => {
    const [file] = event.target.files;
    if (file) {
      replaceAll(await file.text());
      byId('scenario').selectedIndex = 0;
    }
  });
  byId('save').addEventListener('click', save);
  byId('link').addEventListener('click', copyLink);
  byId('theme').addEventListener('click', () => theme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));
  byId('fold').addEventListener('click', () => {
    const folded = document.querySelector('main').classList.toggle('folded');
    byId('fold').textContent = folded ? 'Show editor' : 'Hide editor';
  });
  kinds.forEach((kind) => byId(kind).addEventListener('click', () => start(kind)));
  byId('stop').addEventListener('click', () => post('/api/stop?id=' + job, ''));
  addEventListener('hashchange', readLink);
  if (!readLink()) {
    if (known.last) {
      replaceAll(known.last.text);
      job = known.last.id;
      await look();
    } else {
      document.querySelector('#lessons button').click();
    }
  }
  document.documentElement.dataset.ready = 'true';
}

begin();
