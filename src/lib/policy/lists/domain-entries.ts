/** Collects the domains of a list, and its mistakes. */
import {Failure} from '../../client/failure.js';
import {hostOf, isObfuscated} from '../../operations/domains.js';
import type {DomainFormat, DomainList, ListedDomain} from './list.js';
import type {Location} from '../location.js';
import {type Mistake, quotedWord} from '../mistakes.js';

export type DomainFacts = Omit<ListedDomain, 'domain' | 'location'>;

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

export class DomainEntries {
  readonly #name: string;
  readonly #format: DomainFormat;
  readonly #entries: ListedDomain[] = [];
  readonly #obfuscated: Location[] = [];
  readonly #mistakes: Mistake[] = [];

  constructor(name: string, format: DomainFormat) {
    this.#name = name;
    this.#format = format;
  }

  complain(line: number, message: string): void {
    this.#mistakes.push({file: this.#name, line, message});
  }

  add(text: string, line: number, facts: DomainFacts = {severity: 'suspend'}): void {
    const location = {file: this.#name, line};
    if (/\s/.test(text.trim())) {
      this.complain(line, `${quotedWord(text)} is not a domain: more than one word`);
      return;
    }
    if (isObfuscated(text)) {
      this.#obfuscated.push(location);
      return;
    }
    try {
      this.#entries.push({domain: hostOf(text, quotedWord), location, ...facts});
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
      obfuscated: this.#obfuscated,
      mistakes: this.#mistakes,
    };
  }
}
