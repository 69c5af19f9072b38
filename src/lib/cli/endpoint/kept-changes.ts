/** Finds the changes in a file of `--save` that are not restored yet. */
import type {Members} from '../../api/schema.js';
import {Failure} from '../../client/failure.js';
import {textAt} from '../../json/path.js';
import {countNoun} from '../../json/text.js';
import type {FoundTarget, Restoring} from '../../operations/found-target.js';
import {readSaved, restored} from '../../run/index.js';
import {Mistakes, type Place, type Target, type Targets} from './targets.js';

/** The actions of lines about people whom a run was about to delete. */
const deletes: ReadonlySet<string> = new Set(['delete', 'delete-account']);

/** The changes of one target that are not restored yet, the oldest first. */
interface OpenChange extends Target {
  open: Members[];
}

/** The changes in the file that were made on one server. */
export interface KeptChanges {
  readonly targets: Targets;
  /** Whether the file says that the person of one of the targets was to be deleted. */
  wasDeleted(target: string | undefined): boolean;
  /** The changes of a target that are not restored yet, the oldest first; undefined if it is not one of the targets. */
  openAt(target: string | undefined): readonly Members[] | undefined;
  /** As {@link openAt}. @throws Failure `usage` for a target that the file does not record */
  openOf(found: FoundTarget): readonly Members[];
}

/**
 * @param origin of the server
 * @throws Failure `usage` for a file of anything else, `local` when it cannot be read
 */
export async function readKeptChanges(
  path: string,
  {action, namedIn}: Restoring,
  origin: string,
  warn: (text: string) => void,
): Promise<KeptChanges> {
  const {lines, unreadable} = await readSaved(path);
  if (unreadable > 0) warn(`${path}: ${countNoun(unreadable, 'line')} passed over: cut short or damaged`);
  const mistakes = new Mistakes();
  /** By account ids of people, else by names of targets. */
  const known = new Map<string, OpenChange>();
  /** By target, the account id of a person. */
  const profiles = new Map<string, string>();
  const deleted = new Set<string>();
  for (const {number, line} of lines) {
    const person = textAt(line, ['user', 'profile_id']) ?? textAt(line, ['account', 'id']);
    if (deletes.has(line.action) && line.server === origin && person !== undefined) deleted.add(person);
    if (line.action !== action && line.action !== restored) continue;
    const place: Place = {unit: 'Line', number, source: path};
    const named = namedIn(line);
    if (line.server !== origin) mistakes.add(place, {mistake: `is of ${line.server}, not of ${origin}`});
    else if (named === undefined) mistakes.add(place, {mistake: 'does not say what was changed'});
    else {
      const {value, profile} = named;
      const change = known.get(profile ?? value) ?? {value, profile, place, open: []};
      known.set(profile ?? value, change);
      if (profile !== undefined) profiles.set(value, profile);
      if (line.action === restored) change.open = [];
      else change.open.push(line);
    }
  }
  return {
    targets: {targets: [...known.values()], mistakes, isSingle: false},
    wasDeleted: (target = '') => deleted.has(profiles.get(target) ?? ''),
    openAt: (target = '') => known.get(profiles.get(target) ?? target)?.open,
    openOf({id, name, accountId}) {
      const change = known.get(accountId ?? id);
      if (change === undefined) throw new Failure('usage', `${path} does not say what was changed of ${name}`);
      return change.open;
    },
  };
}
