/** Collects the domains of a list, and its mistakes. */
import {Failure} from '../../client/failure.js';
import {hostOf, isObfuscated, unmasked, wildcardBase} from '../../operations/domains.js';
import {areSame, blocked, commentOf, type DomainFacts} from '../domain-facts.js';
import type {DomainFormat, DomainList, ListedDomain} from './list.js';
import type {Location} from '../location.js';
import {type Mistake, mistakesFailure, quotedWord} from '../mistakes.js';

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  t: true,
  yes: true,
  y: true,
  1: true,
  false: false,
  f: false,
  no: false,
  n: false,
  0: false,
  '': false,
};

export function booleanOf(text: string): boolean | undefined {
  return booleans[text.trim().toLowerCase()];
}

/** The beginning of a page that a server or a proxy returned, after the rows of a list or in place of them. */
const page = /^\s*<(?:!doctype|!--|html|head|body|title|meta|link|script|\?xml)\b/i;

/** @throws Failure `usage` for the beginning of a web page: the rest of the list is missing, even where invalid rows may be */
export function refusePage(text: string, file: string, line: number): void {
  if (page.test(text)) throw mistakesFailure(file, [{file, line, message: 'a web page, not a list'}]);
}

export class DomainEntries {
  readonly #name: string;
  readonly #format: DomainFormat;
  readonly #entries: ListedDomain[] = [];
  readonly #wildcards: ListedDomain[] = [];
  readonly #obfuscated: Location[] = [];
  readonly #mistakes: Mistake[] = [];
  /** Facts that neighbours share are in memory once: the last ones with each public comment. */
  readonly #facts = new Map<string, DomainFacts>();

  constructor(name: string, format: DomainFormat) {
    this.#name = name;
    this.#format = format;
  }

  complain(line: number, message: string): void {
    this.#mistakes.push({file: this.#name, line, message});
  }

  #shared(facts: DomainFacts): DomainFacts {
    if (facts === blocked) return facts;
    const last = this.#facts.get(facts.public_comment ?? '');
    if (last !== undefined && areSame(last, facts)) return last;
    const kept = {...facts, public_comment: commentOf(facts.public_comment), private_comment: commentOf(facts.private_comment)};
    this.#facts.set(kept.public_comment ?? '', kept);
    return kept;
  }

  /** @param isMasked whether the domain is known to be another one */
  add(text: string, line: number, facts: DomainFacts = blocked, isMasked = false): void {
    const location = {file: this.#name, line};
    if (/\s/.test(text.trim())) {
      this.complain(line, `${quotedWord(text)} is not a domain: more than one word`);
      return;
    }
    const base = wildcardBase(text);
    try {
      if (base !== undefined && !isMasked) this.#wildcards.push({domain: base, location, facts: this.#shared(facts)});
      else if (!isObfuscated(text) && !isMasked)
        this.#entries.push({domain: hostOf(text, quotedWord), location, facts: this.#shared(facts)});
      else {
        hostOf(unmasked(text), () => quotedWord(text));
        this.#obfuscated.push(location);
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.complain(line, error.message);
    }
  }

  list(): DomainList {
    return {
      kind: 'domains',
      format: this.#format,
      name: this.#name,
      entries: this.#entries,
      wildcards: this.#wildcards,
      obfuscated: this.#obfuscated,
      mistakes: this.#mistakes,
    };
  }
}
