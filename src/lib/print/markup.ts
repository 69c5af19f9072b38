/** Builds XML and HTML, in which interpolated values are escaped and inert. */
import {inert} from './inert.js';

/** Text that is not escaped, because it is markup already. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Content = Markup | number | string | undefined | readonly Markup[];

/** Characters with a meaning in markup, and two that XML 1.0 forbids and `inert` lets through. */
const special = /[&<>"'\ufffe\uffff]/g;
const entities: Readonly<Record<string, string>> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'};

function escapeInert(inertText: string): string {
  return inertText.replaceAll(special, (found) => entities[found] ?? '\ufffd');
}

export function escapeMarkup(text: string): string {
  return escapeInert(inert(text));
}

/** Direction marks and isolates, which right-to-left texts need. Their effect ends with the element around them. */
const directions = /([\u061c\u200e\u200f\u2066-\u2069])/;

/** Escapes a person's text for an element of its own. Line breaks and direction marks stay, overrides are shown as escapes. */
export function markupText(text: string): Markup {
  const pieces = text.split(directions).map((piece) => (directions.test(piece) ? piece : escapeInert(inert(piece, {keepLines: true}))));
  return new Markup(pieces.join(''));
}

/** A template tag that escapes interpolated values, unless they are markup. */
export function markup(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(strings.map((part, index) => part + contentText(values[index])).join(''));
}

function contentText(content: Content): string {
  if (content === undefined) return '';
  if (content instanceof Markup) return content.text;
  return typeof content === 'object' ? content.map(({text}) => text).join('') : escapeMarkup(String(content));
}
