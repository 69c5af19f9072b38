/** Text for XML and HTML; interpolated values are escaped and inert. */
import {inert} from './inert.js';

/** Text that is markup already. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Content = Markup | number | string | undefined | readonly Markup[];

/** Characters with a meaning in markup, and two that XML 1.0 forbids and `inert` keeps. */
const special = /[&<>"'\ufffe\uffff]/g;
const entities: Readonly<Record<string, string>> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'};

function escapeInert(inertText: string): string {
  return inertText.replaceAll(special, (found) => entities[found] ?? '\ufffd');
}

export function escapeMarkup(text: string): string {
  return escapeInert(inert(text));
}

/** Marks of direction and isolates, which right-to-left texts need, and which end with the element that they are in. */
const directions = /([\u061c\u200e\u200f\u2066-\u2069])/;

/** The text of a person, for an element of its own: with its lines, and with its marks of direction. Overrides are shown as escapes. */
export function markupText(text: string): Markup {
  const pieces = text.split(directions).map((piece) => (directions.test(piece) ? piece : escapeInert(inert(piece, {keepLines: true}))));
  return new Markup(pieces.join(''));
}

/** Template tag: what is interpolated is escaped, unless it is markup. */
export function markup(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(strings.map((part, index) => part + contentText(values[index])).join(''));
}

function contentText(content: Content): string {
  if (content === undefined) return '';
  if (content instanceof Markup) return content.text;
  return typeof content === 'object' ? content.map(({text}) => text).join('') : escapeMarkup(String(content));
}
