/** Finds the changes in a file of `--save` that are not restored yet. */
import type {Members} from '../../api/schema.js';
import {Failure} from '../../client/failure.js';
import {textAt} from '../../json/path.js';
import {countNoun} from '../../json/text.js';
import type {NamedTarget, Restoring, FoundTarget} from '../../operations/found-target.js';
import {readSaved, restored} from '../../run/index.js';
import {Mistakes, type Place, type Target, type Targets} from './targets.js';

/** The actions of lines about people whom a run was about to delete. */
const deletes: ReadonlySet<string> = new Set(['delete', 'delete-account']);

/** The changes of one target that are not restored yet. */
interface OpenChange extends Target {
  open: Members[];
}

/** The changes in the file that were made on one server. */
export class KeptChanges {
  readonly #path: string;
  /** Keys are the account ids of people, else the names of targets. */
  readonly #known = new Map<string, OpenChange>();
  /** The account ids of people who were to be deleted. */
  readonly #deleted = new Set<string>();
  /** By target, the account id of a person. */
  readonly #profiles = new Map<string, string>();
  readonly #mistakes = new Mistakes();

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * @param origin of the server
   * @throws Failure `usage` for a file of anything else, `local` when it cannot be read
   */
  static async read(path: string, {action, namedIn}: Restoring, origin: string, warn: (text: string) => void): Promise<KeptChanges> {
    const {lines, unreadable} = await readSaved(path);
    if (unreadable > 0) warn(`${path}: ${countNoun(unreadable, 'line')} passed over: cut short or damaged`);
    const changes = new KeptChanges(path);
    for (const {number, line} of lines) {
      const deleted = textAt(line, ['user', 'profile_id']) ?? textAt(line, ['account', 'id']);
      if (deletes.has(line.action) && line.server === origin && deleted !== undefined) changes.#deleted.add(deleted);
      if (line.action !== action && line.action !== restored) continue;
      const place: Place = {unit: 'Line', number, source: path};
      const named = namedIn(line);
      if (line.server !== origin) changes.#mistakes.add(place, {mistake: `is of ${line.server}, not of ${origin}`});
      else if (named === undefined) changes.#mistakes.add(place, {mistake: 'does not say what was changed'});
      else changes.#add(line, named, place);
    }
    return changes;
  }

  /** Whether the file says that the person of a target of {@link targets} was to be deleted. */
  wasDeleted(target: string | undefined): boolean {
    return this.#deleted.has(this.#profiles.get(target ?? '') ?? '');
  }

  get targets(): Targets {
    return {targets: [...this.#known.values()], mistakes: this.#mistakes, isSingle: false};
  }

  /** The changes of a target that are not restored yet, the oldest first; undefined if it is not in {@link targets}. */
  openAt(target: string | undefined): readonly Members[] | undefined {
    const value = target ?? '';
    return this.#known.get(this.#profiles.get(value) ?? value)?.open;
  }

  /** The changes that are not restored yet, the oldest first. @throws Failure `usage` for a target that the file does not record */
  openOf({id, name, accountId}: FoundTarget): readonly Members[] {
    const change = this.#known.get(accountId ?? id);
    if (change === undefined) throw new Failure('usage', `${this.#path} does not say what was changed of ${name}`);
    return change.open;
  }

  #add(line: Members, {value, profile}: NamedTarget, place: Place): void {
    const key = profile ?? value;
    const change = this.#known.get(key) ?? {value, profile, place, open: []};
    this.#known.set(key, change);
    if (profile !== undefined) this.#profiles.set(value, profile);
    if (line['action'] === restored) change.open = [];
    else change.open.push(line);
  }
}
