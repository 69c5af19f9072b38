/** Lists of domains, as they are read. */
import {hash} from 'node:crypto';
import {isObfuscated, isPlainDomain, notDomainText, readDomain, unmask} from '../../operations/domains.js';
import {blocked, commentFields, commentOf, type DomainFacts, flagFields, type Severity, severityOf} from '../model/domain-facts.js';
import type {ListReference} from '../model/policy.js';
import {Mistakes, quotedWord} from '../source/mistakes.js';

export interface ListedDomain {
  readonly domain: string;
  readonly line: number;
  readonly facts: DomainFacts;
}

/** Entries do not name their list, to save memory: there may be millions. */
export interface DomainList {
  readonly name: string;
  readonly entries: readonly ListedDomain[];
  /** The first mistake of each invalid row, in the order of the list. */
  readonly mistakes: Mistakes;
  /** How many entries have masked letters, such as `b*d.example` or `*.bad.example`: which domains they mean is unknown. */
  readonly obfuscated: number;
}

export interface UsedList {
  readonly reference: ListReference;
  readonly list: DomainList;
}

export interface Row {
  readonly line: number;
  /** What is absent in JSON is undefined, what is empty in a table is an empty text. */
  readonly cells: readonly (string | undefined)[];
  /** The cells behind the first one, where several rows share them. */
  readonly tail?: object | undefined;
}

type Complain = (message: () => string) => undefined;

/** Stands for a cell that is absent, where cells are compared. */
const absent = '\0\0';

/** How many facts are remembered, because the next rows of a list often say the same. */
const maxShared = 1000;

/** @param columns the names of the cells, `domain` among them; `digest` is the SHA-256 of the real domain, where servers mask some */
export function readDomains(name: string, columns: readonly string[], rows: Iterable<Row>): DomainList {
  const entries: ListedDomain[] = [];
  const mistakes = new Mistakes();
  let obfuscated = 0;
  const [domainAt, digestAt] = [columns.indexOf('domain'), columns.indexOf('digest')];
  // Rows that say the same share one object, to save memory and time.
  const known = new Map<object | string, DomainFacts>();
  const saidAt = columns.flatMap((column, at) => (column === 'domain' || column === 'digest' ? [] : at));
  for (const {line, cells, tail} of rows) {
    const complain: Complain = (message) => mistakes.add({file: name, line}, message);
    if (cells.length > columns.length) {
      complain(() => `${cells.length} cells, where ${columns.length === 1 ? '1 is' : `${columns.length} are`} expected`);
      continue;
    }
    const said = domainAt === 0 && tail ? tail : saidAt.map((at) => cells[at] ?? absent).join('\0');
    let facts = cells.length === 1 ? blocked : known.get(said);
    if (facts === undefined) {
      facts = factsIn(columns, cells, complain);
      if (facts === undefined) continue;
      if (known.size >= maxShared) known.clear();
      known.set(said, facts);
    }
    // To read a cell at -1 is slow.
    const domain = domainIn(cells[domainAt], digestAt === -1 ? undefined : cells[digestAt], complain);
    if (domain === null) obfuscated += 1;
    else if (domain !== undefined) entries.push({domain, line, facts});
  }
  return {name, entries, obfuscated, mistakes};
}

/** The domain in a cell; null: its letters are masked, undefined: it is none. */
function domainIn(cell: string | undefined, digest: string | undefined, complain: Complain): string | null | undefined {
  if (cell === undefined || cell === '') return complain(() => 'no domain');
  const isOther = isOfOther(cell, digest);
  // Most entries are plain domains, which need no reading.
  if (!isOther && isPlainDomain(cell)) return cell;
  if (/\s/.test(cell.trim())) return complain(() => `${quotedWord(cell)} is not a domain: more than one word`);
  const isMasked = isObfuscated(cell);
  // A whole top-level domain is in small letters: one with a capital letter is an ordinary word.
  const read = readDomain(isMasked || isOther ? unmask(cell) : cell, cell === cell.toLowerCase() && !isMasked);
  if (!('domain' in read)) return complain(() => notDomainText(cell, read, quotedWord));
  return isMasked || isOther ? null : read.domain;
}

/** Whether a digest is the SHA-256 of another domain. Any other text says nothing about the domain. */
function isOfOther(domain: string, digest: string | undefined): boolean {
  if (digest === undefined || !/^[\da-f]{64}$/i.test(digest)) return false;
  return ![domain, domain.trim().toLowerCase()].some((text) => hash('sha256', text) === digest.toLowerCase());
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', 'yes', 'y', '1'].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n', '0', ''].map((word) => [word, false] as const),
]);

/** What a row says about its domain; undefined after a mistake. An absent severity is a suspension, an empty one none. */
function factsIn(columns: readonly string[], cells: Row['cells'], complain: Complain): DomainFacts | undefined {
  const cellIn = (column: string): string | undefined => cells[columns.indexOf(column)];
  const written = cellIn('severity') ?? 'suspend';
  const severity = severityOf(written);
  if (severity === undefined) return complain(() => `the severity is ${quotedWord(written)}; allowed: noop, silence, suspend`);
  const facts: {-readonly [Name in keyof DomainFacts]: DomainFacts[Name]} & {severity: Severity} = {severity};
  for (const name of commentFields) facts[name] = commentOf(cellIn(name) ?? (name === 'public_comment' ? cellIn('comment') : undefined));
  for (const name of flagFields) {
    const text = cellIn(name);
    if (text === undefined) continue;
    facts[name] = booleans.get(text.trim().toLowerCase());
    if (facts[name] === undefined) return complain(() => `${name} is ${quotedWord(text)}; allowed: true, false`);
  }
  return facts;
}
