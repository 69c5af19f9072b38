/** Which domains, accounts and filters are meant: by name, or by a pattern with `*`. */
import {Failure} from '../../client/failure.js';
import {isHandle} from '../../operations/handle.js';
import {comparedName, sectionOf} from '../sections/index.js';
import {andMore} from '../../json/text.js';

/** A domain, an account or a filter of a policy or a server. */
export interface Selectable {
  readonly kind: string;
  /** A domain, a handle or a title. */
  readonly subject: string;
  /** Of a filter. */
  readonly id?: string | undefined;
}

/** Whether a text is a name or a pattern of something, in the form that its kind is compared in. */
type Test = (one: Selectable, host: string) => boolean;

const hasIds = ({kind}: Selectable): boolean => sectionOf(kind)?.holding?.hasIds === true;

/** Whether a text is like a pattern in which `*` stands for anything. A regular expression would take long for long titles. */
function isLike(text: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop() ?? '';
  const end = text.length - last.length;
  let at = first.length;
  if (end < at || !text.startsWith(first) || !text.endsWith(last)) return false;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= end;
}

function testOf(text: string): Test {
  if (!text.includes('*')) {
    return (one, host) =>
      comparedName(one, host) === comparedName({kind: one.kind, subject: text}, host) || (hasIds(one) && one.id === text.trim());
  }
  const [exact, lower] = [text.trim(), text.trim().replace(/^@/, '').toLowerCase()];
  return (one, host) => isLike(comparedName(one, host), hasIds(one) ? exact : lower);
}

/** Names and patterns, and which of them nothing matched so far. */
export class NameSelection {
  readonly #tests: ReadonlyMap<string, Test>;
  readonly #host: string;
  readonly #unmatched: Set<string>;

  /** @param host of the accounts that are named without one */
  constructor(texts: readonly string[], host: string) {
    this.#tests = new Map(texts.map((text) => [text, testOf(text)]));
    this.#host = host;
    this.#unmatched = new Set(texts);
  }

  matches(one: Selectable): boolean {
    let isMatch = false;
    for (const [text, test] of this.#tests) {
      if (!test(one, this.#host)) continue;
      this.#unmatched.delete(text);
      isMatch = true;
    }
    return isMatch;
  }

  get unmatched(): readonly string[] {
    return [...this.#unmatched];
  }

  /** @throws Failure `not_found` when a name or a pattern matched nothing */
  refuseUnmatched(why: string, hint: string): void {
    const [first, ...others] = this.#unmatched;
    if (first === undefined) return;
    const more = others.length === 0 ? '' : ` (${andMore(others.length)})`;
    throw new Failure('not_found', `${isHandle(first) || first.includes('.') ? first : JSON.stringify(first)}${more}: ${why}`, {hint});
  }
}
