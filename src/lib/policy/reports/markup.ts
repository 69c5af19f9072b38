/** Text for XML and HTML; interpolated values are escaped and inert. */
import {inert} from '../../print/inert.js';

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

export function escaped(text: string): string {
  return inert(text).replaceAll(special, (found) => entities[found] ?? '\ufffd');
}

/** Template tag: what is interpolated is escaped, unless it is markup. */
export function markup(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return new Markup(strings.map((part, index) => part + contentText(values[index])).join(''));
}

function contentText(content: Content): string {
  if (content === undefined) return '';
  if (content instanceof Markup) return content.text;
  return typeof content === 'object' ? content.map(({text}) => text).join('') : escaped(String(content));
}
