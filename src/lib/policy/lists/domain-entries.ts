/** Collects the domains of a list, and its mistakes. */
import {isObfuscated, isPlainDomain, notDomainText, readDomain, unmask} from '../../operations/domains.js';
import {blocked, commentOf, type DomainFacts, type Severity, severityOf} from '../model/domain-facts.js';
import type {DomainFormat, DomainList, ListedDomain} from './list.js';
import {Mistakes, mistakesFailure, quotedWord} from '../source/mistakes.js';

const [yes, no] = [new Set(['true', 't', 'yes', 'y', '1']), new Set(['false', 'f', 'no', 'n', '0', ''])];

export function booleanIn(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (yes.has(word)) return true;
  return no.has(word) ? false : undefined;
}

/** The beginning of a web page, which a server or a proxy may send after the rows of a list, or in place of them. */
const page = /^\s*<(?:!--|(?:!doctype|html|head|body|title|meta|link|script|\?xml)\b)/i;

/** @throws Failure `usage` for the beginning of a web page, even if invalid rows are allowed: the rest of the list is missing */
export function refusePage(text: string, file: string, line: number): void {
  if (page.test(text)) throw mistakesFailure(file, [{file, line, message: 'a web page, not a list'}]);
}

/** How many facts are remembered, because the next entries of a list often have the same ones. */
const maxShared = 1000;

interface EntryDetails {
  /** Without them, the entry only names its domain. */
  readonly facts?: DomainFacts | undefined;
  /** Whether a digest in the list shows that the real domain is another one. */
  readonly isMasked?: boolean;
  /** The number of the item, if several items may be on one line. */
  readonly row?: number;
}

/** Whether a text may be a whole top-level domain: one with a capital letter is an ordinary word. */
const isWritten = (text: string): boolean => text === text.toLowerCase() && !isObfuscated(text);

export class DomainEntries {
  readonly #name: string;
  readonly #format: DomainFormat;
  readonly #entries: ListedDomain[] = [];
  #obfuscated = 0;
  readonly mistakes = new Mistakes();
  /** Facts by what the list says. Entries that say the same share one object, to save memory and time. */
  readonly #facts = new Map<string, DomainFacts>();

  constructor(name: string, format: DomainFormat) {
    this.#name = name;
    this.#format = format;
  }

  /** @param row the number of the item, if several are on one line */
  complain(line: number, message: () => string, row?: number): void {
    this.mistakes.add({file: this.#name, line}, message, row);
  }

  /** The severity that a text names. Any other text is a mistake of the list. */
  severityIn(text: string, line: number, row?: number): Severity | undefined {
    const severity = severityOf(text);
    if (severity === undefined) this.complain(line, () => `the severity is ${quotedWord(text)}; allowed: noop, silence, suspend`, row);
    return severity;
  }

  /**
   * The facts of an entry, which are read only once for all entries that say the same.
   * @param said what the entry says besides its domain @param read undefined: they have a mistake
   */
  factsFor(said: string, read: () => DomainFacts | undefined): DomainFacts | undefined {
    const known = this.#facts.get(said);
    if (known !== undefined) return known;
    const found = read();
    if (found === undefined) return undefined;
    const facts = {...found, public_comment: commentOf(found.public_comment), private_comment: commentOf(found.private_comment)};
    if (this.#facts.size >= maxShared) this.#facts.clear();
    this.#facts.set(said, facts);
    return facts;
  }

  /** The same for facts that are read already. */
  factsOf(facts: DomainFacts): DomainFacts {
    return this.factsFor(JSON.stringify(facts), () => facts) ?? facts;
  }

  add(text: string, line: number, {facts = blocked, isMasked = false, row = line}: EntryDetails = {}): void {
    // Most entries are plain domains, which need no reading.
    if (!isMasked && isPlainDomain(text)) {
      this.#entries.push({domain: text, line, facts});
      return;
    }
    if (/\s/.test(text.trim())) return this.complain(line, () => `${quotedWord(text)} is not a domain: more than one word`, row);
    const isHidden = isMasked || isObfuscated(text);
    const read = readDomain(isHidden ? unmask(text) : text, isWritten(text));
    if (!('domain' in read)) return this.complain(line, () => notDomainText(text, read, quotedWord), row);
    if (isHidden) this.#obfuscated += 1;
    else this.#entries.push({domain: read.domain, line, facts});
  }

  list(): DomainList {
    return {
      kind: 'domains',
      format: this.#format,
      name: this.#name,
      entries: this.#entries,
      obfuscated: this.#obfuscated,
      mistakes: this.mistakes,
    };
  }
}
