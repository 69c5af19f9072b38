/** Which generations a backup has, and how their lists differ. */
import {commandText} from '../files/command-text.js';
import type {SectionKey} from '../policy/index.js';
import {damagedFailure, type BackupGeneration, momentOf} from './generation.js';
import {Generations} from './generations.js';
import {differenceOf, type Entries, listEntries} from './entries.js';
import {filesOf, parts} from './parts.js';
import {Failure} from '../client/failure.js';

interface ListFacts {
  readonly list: SectionKey;
  readonly items: number;
  /** Since the generation before; null where that is not known. */
  readonly added: number | null;
  readonly removed: number | null;
  readonly changed: number | null;
}

/** A generation, for programs. */
export interface BackupFacts {
  readonly generation: string;
  /** ISO 8601. */
  readonly at: string;
  /** Whether `latest` names it. */
  readonly latest: boolean;
  /** Null where that is not known. */
  readonly accepted: boolean | null;
  readonly lists: readonly ListFacts[];
  /** What is wrong with its files. */
  readonly damage: readonly string[];
}

export interface History {
  /** The oldest first. */
  readonly generations: readonly BackupFacts[];
  /** What is damaged; undefined: nothing is. */
  readonly failure: Failure | undefined;
}

const sections = parts.flatMap((part) => part.sections);

/** @param backup its folder @throws Failure `local` when it cannot be read */
export async function historyOf(backup: string): Promise<History> {
  const kept = await Generations.in(backup);
  const anew: string = `to make the lists of the server the latest ones: \`${commandText('backup', {flags: {to: backup, 'accept-loss': true}})}\``;
  const failures: Failure[] = [];
  const latest = await kept.latest().catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'local') throw error;
    failures.push(error.with({hint: anew}));
    return undefined;
  });
  const generations: BackupFacts[] = [];
  let before = new Map<SectionKey, Entries>();
  for (const name of kept.names) {
    const found = await kept.read(name);
    const entries = entriesOf(found);
    const hint = name === latest?.name ? anew : 'move its folder away if you do not need it';
    if (found.damage.length > 0) failures.push(damagedFailure(found).with({hint}));
    generations.push({
      generation: name,
      at: momentOf(name)?.toISOString() ?? name,
      latest: name === latest?.name,
      accepted: found.kept?.accepted ?? null,
      lists: sections.flatMap(({key}) => factsOf(key, found, entries.get(key), before.get(key))),
      damage: found.damage,
    });
    before = entries;
  }
  const [first, ...others] = failures;
  return {generations, failure: first?.saying(others.map(({message}) => `; ${message}`).join(''))};
}

function entriesOf({files}: BackupGeneration): Map<SectionKey, Entries> {
  const texts = sections.map((section) => ({section, text: files.get(filesOf(section).json)}));
  return new Map(texts.flatMap(({section, text}) => (text === undefined ? [] : [[section.key, listEntries(text, section)] as const])));
}

function factsOf(list: SectionKey, {kept}: BackupGeneration, now: Entries | undefined, before: Entries | undefined): ListFacts[] {
  const items = kept?.lists[list]?.items;
  if (items === undefined) return [];
  const {added = null, removed = null, changed = null} = now && before ? differenceOf(before, now) : {};
  return [{list, items, added, removed, changed}];
}
