/** Lists of domains, accounts and filters, as they are read. */
import {isObfuscated, isPlainDomain, notDomainText, readDomain, unmask} from '../../operations/domains.js';
import {blocked, commentOf, type DomainFacts, type Severity, severityOf} from '../model/domain-facts.js';
import type {ListReference, WantedFilter} from '../model/policy.js';
import {Mistakes, quotedWord} from '../source/mistakes.js';

export interface ListedDomain {
  readonly domain: string;
  readonly line: number;
  readonly facts: DomainFacts;
}

export type DomainFormat =
  | 'fediblockhole'
  | 'json'
  | 'mastodon-admin-csv'
  | 'mastodon-csv'
  | 'pixelfed-instances'
  | 'plain'
  | 'rapidblock-json';

interface Read {
  readonly name: string;
  /** The first mistake of each invalid row, in the order of the list. */
  readonly mistakes: Mistakes;
}

export interface AccountList extends Read {
  readonly kind: 'accounts';
  readonly format: 'mastodon-blocks-csv' | 'mastodon-mutes-csv';
  readonly entries: readonly string[];
}

export interface FilterList extends Read {
  readonly kind: 'filters';
  readonly entries: readonly Pick<WantedFilter, 'filter' | 'value'>[];
}

export type List = AccountList | DomainList | FilterList;

export interface UsedList {
  readonly reference: ListReference;
  readonly list: DomainList;
}

/** How many facts are remembered, because the next entries of a list often have the same ones. */
const maxShared = 1000;

/** Whether a text may be a whole top-level domain: one with a capital letter is an ordinary word. */
const isWritten = (text: string): boolean => text === text.toLowerCase() && !isObfuscated(text);

/** Entries do not name their list, to save memory: there may be millions. */
export class DomainList implements Read {
  readonly kind = 'domains';
  readonly entries: ListedDomain[] = [];
  /** How many entries have masked letters, such as `b*d.example` or `*.bad.example`: which domains they mean is unknown. */
  obfuscated = 0;
  readonly mistakes = new Mistakes();
  /** Facts by what the list says. Entries that say the same share one object, to save memory and time. */
  readonly #facts = new Map<string, DomainFacts>();

  constructor(
    readonly name: string,
    readonly format: DomainFormat,
  ) {}

  complain(line: number, message: () => string): void {
    this.mistakes.add({file: this.name, line}, message);
  }

  /** The severity that a text names. Any other text is a mistake of the list. */
  severityIn(text: string, line: number): Severity | undefined {
    const severity = severityOf(text);
    if (severity === undefined) this.complain(line, () => `the severity is ${quotedWord(text)}; allowed: noop, silence, suspend`);
    return severity;
  }

  /**
   * The facts of an entry, which are read only once for all entries that say the same.
   * @param said what the entry says besides its domain @param read undefined: the entry is invalid
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

  /** @param isMasked whether a digest in the list shows that the real domain is another one */
  add(text: string, line: number, facts: DomainFacts = blocked, isMasked = false): void {
    // Most entries are plain domains, which need no reading.
    if (!isMasked && isPlainDomain(text)) {
      this.entries.push({domain: text, line, facts});
      return;
    }
    if (/\s/.test(text.trim())) return this.complain(line, () => `${quotedWord(text)} is not a domain: more than one word`);
    const isHidden = isMasked || isObfuscated(text);
    const read = readDomain(isHidden ? unmask(text) : text, isWritten(text));
    if (!('domain' in read)) return this.complain(line, () => notDomainText(text, read, quotedWord));
    if (isHidden) this.obfuscated += 1;
    else this.entries.push({domain: read.domain, line, facts});
  }
}
