// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

// One drawn run: the drawing in a scroller, of which only what is near the eye is in the document.

import { drawHead, Drawing, svg } from './draw.mjs';
import { layOut, rowAt, rowAtHeight } from './layout.mjs';
import { rowsOf } from './model.mjs';
import { fit } from './measure.mjs';
import { captionText, safe, sentence } from './words.mjs';

/** Up to so many events are in the document as a whole. */
export const WHOLE_MOST = 2000;

/** Rows of a piece. A large drawing is made in pieces, each once while it is near the eye: so a frame makes few nodes. */
const PIECE_ROWS = 12;

/** Pieces that are kept above and below what is in sight. */
const KEPT_PIECES = 3;

export class View {
  /** Draws into `parent`; `choose` is called with an event that the user chooses. */
  constructor(parent, model, measure, options, choose) {
    this.model = model;
    this.measure = measure;
    this.options = options;
    this.choose = choose;
    this.at = -1;
    this.way = null;
    this.differs = -1;
    this.printing = null;
    this.removed = false;
    this.element = document.createElement('section');
    this.element.className = 'view';
    this.element.setAttribute('aria-label', 'Drawing');
    if (options.title) {
      const title = document.createElement('h2');
      title.textContent = safe(options.title, 200);
      this.element.append(title);
    }
    this.scroller = document.createElement('div');
    this.scroller.className = 'scroller';
    this.headBox = document.createElement('div');
    this.headBox.className = 'head-box';
    this.headBox.setAttribute('aria-hidden', 'true');
    this.head = svg('svg');
    this.headBox.append(this.head);
    this.drawing = document.createElement('div');
    this.drawing.className = 'drawing';
    this.drawing.setAttribute('role', 'listbox');
    this.drawing.setAttribute('aria-label', 'Events');
    this.drawing.tabIndex = 0;
    this.canvas = document.createElement('div');
    this.canvas.setAttribute('aria-hidden', 'true');
    this.pieces = new Map();
    this.list = document.createElement('div');
    this.list.setAttribute('role', 'presentation');
    this.drawing.append(this.list, this.canvas);
    this.scroller.append(this.headBox, this.drawing);
    this.element.append(this.scroller);
    parent.append(this.element);
    this.scroller.addEventListener('scroll', () => this.schedule());
    this.list.addEventListener('click', (click) => {
      const row = click.target.closest('.row');
      if (row) {
        this.choose(Number(row.dataset.event), true);
      }
    });
    this.layOut();
  }

  /** Computes the layout anew: another width, another filter. */
  layOut() {
    this.rows = rowsOf(this.model, this.options.filter);
    const width = Math.max(480, this.scroller.clientWidth - 2);
    const tracks = this.options.tracks();
    this.layout = layOut(this.model, this.rows, { width, measure: this.measure, filter: this.options.filter, keys: tracks.keys, queues: tracks.queues });
    this.artist = new Drawing(this.model, this.layout, this.measure, this.differs);
    this.headHeight = drawHead(this.head, this.model, this.layout, this.measure);
    this.headBox.style.width = this.layout.width + 'px';
    this.drawing.style.width = this.layout.width + 'px';
    this.drawing.style.height = Math.max(this.layout.height, 1) + 'px';
    this.clear();
    this.render();
  }

  schedule() {
    if (!this.waiting) {
      this.waiting = true;
      requestAnimationFrame(() => {
        this.waiting = false;
        this.render();
      });
    }
  }

  /** The rows that have to be in the document, and how many make a piece. */
  window() {
    const all = this.rows.length;
    const [first, end] = this.printing ?? [0, all];
    if (this.printing || this.model.events.length <= WHOLE_MOST) {
      return { from: first, to: end, size: Math.max(1, end - first) };
    }
    const from = rowAtHeight(this.layout, this.scroller.scrollTop - this.headHeight);
    const to = rowAtHeight(this.layout, this.scroller.scrollTop + this.scroller.clientHeight) + 1;
    return { from: from - (from % PIECE_ROWS), to: Math.min(all, to), size: PIECE_ROWS };
  }

  /** Makes the pieces that are in sight. If they are there, it makes one beside them, and goes on in the next frame. */
  render() {
    if (this.removed) {
      return;
    }
    const { from, to, size } = this.window();
    const margin = KEPT_PIECES * size;
    let changed = false;
    for (const [row, piece] of this.pieces) {
      if (row < from - margin || row >= to + margin) {
        this.pieces.delete(row);
        piece.remove();
        changed = true;
      }
    }
    for (let row = from; row < to; row += size) {
      changed = this.need(row, size) || changed;
    }
    const end = from + Math.ceil((to - from) / size) * size;
    if (changed || [end, from - size].some((row) => size === PIECE_ROWS && this.need(row, size))) {
      this.showAt();
      if (size === PIECE_ROWS) {
        this.schedule();
      }
    }
  }

  /** Makes the piece that begins with a row, if there is such a row and the piece is missing. */
  need(from, size) {
    if (from < 0 || from >= this.rows.length || this.pieces.has(from)) {
      return false;
    }
    const next = [...this.pieces.keys()].filter((row) => row > from).sort((a, b) => a - b)[0];
    const piece = this.piece(from, Math.min(this.rows.length, from + size));
    const after = this.pieces.get(next);
    this.pieces.set(from, piece);
    this.list.insertBefore(piece.rows, after?.rows ?? null);
    this.canvas.insertBefore(piece.drawing, after?.drawing ?? null);
    return true;
  }

  /** The rows from one to another, in nodes of their own. */
  piece(from, to) {
    const { top } = this.layout;
    const offset = this.printing ? top[from] : 0;
    const drawing = svg('svg', { width: this.layout.width, height: Math.max(1, top[to] - top[from]) });
    drawing.style.top = top[from] - offset + 'px';
    this.artist.draw(drawing, from, to, this.model.events.length <= WHOLE_MOST);
    const rows = document.createElement('div');
    rows.setAttribute('role', 'presentation');
    for (let row = from; row < to; row++) {
      rows.append(this.row(row, offset));
    }
    const remove = () => {
      drawing.remove();
      rows.remove();
    };
    const piece = { drawing, rows, nodes: this.artist.nodes, lit: [], remove };
    this.lightPiece(piece);
    return piece;
  }

  clear() {
    this.pieces.forEach((piece) => piece.remove());
    this.pieces.clear();
  }

  row(row, offset) {
    const index = this.rows[row];
    const event = this.model.events[index];
    const element = document.createElement('div');
    element.className = 'row' + (event.kind === 'caption' ? ' caption' : '') + (this.differs === index ? ' differs' : '');
    element.id = this.options.id + '-' + index;
    element.dataset.event = index;
    element.setAttribute('role', 'option');
    element.setAttribute('aria-selected', 'false');
    element.setAttribute('aria-posinset', row + 1);
    element.setAttribute('aria-setsize', this.rows.length);
    element.style.top = this.layout.top[row] - offset + 'px';
    element.style.height = this.layout.top[row + 1] - this.layout.top[row] + 'px';
    if (event.kind === 'caption') {
      element.style.right = this.layout.width - this.layout.textEnd + 'px';
      const title = document.createElement('strong');
      title.textContent = fit(safe(captionText(event, this.model), 300), this.layout.textEnd - 120, (text) => this.measure(text, 14.6));
      element.append(title, ...(this.layout.captions.get(index) ?? []).map((line) => {
        const span = document.createElement('span');
        span.textContent = line;
        return span;
      }));
    } else {
      element.setAttribute('aria-label', sentence(event, this.model));
    }
    return element;
  }

  /** Makes an event the current one, and brings it into view. */
  go(event, scroll) {
    this.at = event;
    if (scroll) {
      this.scrollTo(event);
    }
    this.showAt();
  }

  scrollTo(event) {
    const row = rowAt(this.layout, event);
    const top = this.layout.top[row];
    const space = this.scroller.clientHeight - this.headHeight;
    const shown = this.scroller.scrollTop;
    if (top < shown + 30 || top > shown + space - 70) {
      this.scroller.scrollTop = Math.max(0, top - space / 2);
    }
    this.render();
  }

  /** Scrolls to the caption at which the run opens. */
  open() {
    const opening = this.model.events.findIndex((event) => event.kind === 'caption' && event.opens);
    if (opening >= 0 && this.layout.rowOf[opening] >= 0) {
      this.scroller.scrollTop = this.layout.top[this.layout.rowOf[opening]];
      this.render();
    }
  }

  showAt() {
    const row = this.at >= 0 ? document.getElementById(this.options.id + '-' + this.at) : null;
    if (this.marked && this.marked !== row) {
      this.marked.classList.remove('at');
      this.marked.setAttribute('aria-selected', 'false');
    }
    this.marked = row;
    if (row) {
      row.classList.add('at');
      row.setAttribute('aria-selected', 'true');
      this.drawing.setAttribute('aria-activedescendant', row.id);
    } else {
      this.drawing.removeAttribute('aria-activedescendant');
    }
  }

  /** Lights these events; null lights none, and dims none. */
  light(way) {
    this.way = way ? new Set(way) : null;
    this.canvas.classList.toggle('way', way !== null);
    this.pieces.forEach((piece) => this.lightPiece(piece));
  }

  lightPiece(piece) {
    piece.lit.forEach((node) => node.classList.remove('lit'));
    piece.lit = [];
    if (this.way) {
      for (const [event, nodes] of piece.nodes) {
        piece.lit.push(...(this.way.has(event) ? nodes : []));
      }
      piece.lit.forEach((node) => node.classList.add('lit'));
    }
  }

  /** Marks the event at which this run differs from another. */
  mark(event) {
    this.differs = event;
    this.layOut();
  }

  /** Draws these rows for the printer; null goes back to the screen. */
  print(range) {
    this.printing = range;
    this.clear();
    this.drawing.style.height = (range ? this.layout.top[range[1]] - this.layout.top[range[0]] : Math.max(1, this.layout.height)) + 'px';
    this.render();
  }

  /** Takes the drawing out of the page. A frame that is scheduled draws nothing any more. */
  remove() {
    this.removed = true;
    this.element.remove();
  }
}
