/** Looks up targets before anything is asked or sent, leaves out duplicates, and checks how many may be deleted. */
import {asFailure, Failure, guardFailure, isInterruption} from '../../client/failure.js';
import {countNoun, firstOf} from '../../json/text.js';
import {isId} from '../../operations/handle.js';
import type {Finality, FindingOperation, FoundTarget} from '../../operations/found-target.js';
import {runInOrder} from '../../run/index.js';
import type {PreparedTarget, Sending} from './command-input.js';

/** How many targets are looked up at the same time. */
const atOnce = 4;

const maxNamed = 3;

export const listFound = (items: readonly PreparedTarget[]): FoundTarget[] =>
  items.flatMap(({found}) => (found === undefined || found instanceof Failure ? [] : found));

/** The object of a target. @throws Failure if it was not found */
export function requireFound({found}: PreparedTarget): FoundTarget {
  if (found === undefined) throw new Failure('internal', 'a target was not looked up');
  if (found instanceof Failure) throw found;
  return found;
}

/** The failure of a look-up. It is thrown if all other look-ups would fail in the same way, or somebody ended the run. */
function failureOfTarget(error: unknown): Failure {
  const failure = asFailure(error);
  if (failure.code === 'auth' || failure.code === 'internal' || isInterruption(failure)) throw failure;
  return failure;
}

async function inParallel<Item, Made>(items: readonly Item[], work: (item: Item) => Promise<Made | undefined>): Promise<Made[]> {
  return Array.fromAsync(runInOrder(items, work, {concurrency: atOnce, stop: new AbortController().signal}));
}

/** Looks up one target. @throws Failure `usage` for a plain number that is nobody's id, with `--yes` */
async function findTarget(
  {value, profile, told, input}: PreparedTarget,
  acts: FindingOperation,
  {connection, saved}: Sending,
): Promise<FoundTarget> {
  const named = {value: String(value), profile, told: async (id: string) => told ?? saved?.postBefore(id)};
  const found = await acts.find(named, input(), connection.client);
  if (found.unnamed !== undefined && connection.session.assumeYes && isId(String(value))) throw found.unnamed;
  if (found.accountId === undefined || found.mayBeOneself === true) return found;
  const own = await connection.ownAccount();
  if (own?.id === found.accountId) throw guardFailure(`${found.name} is your own account: nothing was sent`, 'leave it out');
  return found;
}

const isBare = ({profile, value}: PreparedTarget, {needsNames}: FindingOperation): boolean =>
  needsNames === true && profile === undefined && isId(String(value));

const needsName = ({value}: PreparedTarget): Failure =>
  new Failure('usage', `${String(value)} is a plain number, which could be the id of something else`, {
    hint: 'with --yes, use @name, or what `users list` prints as JSON or CSV',
  });

/**
 * Looks up the targets. Each object is returned once, in the order in which the targets were given.
 * @throws Failure `usage` for targets that cannot be found, unless they are listed and skipped; `refused` if more would be deleted than allowed
 */
export async function findTargets(acts: FindingOperation, sending: Sending): Promise<readonly PreparedTarget[]> {
  const {connection, flags, items, session, input} = sending;
  const {common, kept} = input;
  const final = acts.final?.(common);
  const {assumeYes} = session;
  const allowed = flags['allow-deletions'];
  if (final !== undefined && assumeYes && allowed === undefined) throw tooMany(items.length, undefined, final);
  let deleted = 0;
  // Targets of the file whose changes were restored before are skipped.
  const open = items.map((item, slot) => ({...item, slot})).filter(({isListed, target}) => !isListed || kept?.openAt(target)?.length !== 0);
  const known = await inParallel(open, async (item) => {
    const find = async () => {
      const found = await findTarget(item, acts, sending);
      kept?.openOf(found);
      return found;
    };
    const found: Failure | FoundTarget = assumeYes && isBare(item, acts) ? needsName(item) : await find().catch(failureOfTarget);
    // The file records a deletion before it is sent. Only the server knows whether it was carried out.
    const isDeleted = found instanceof Failure && found.details.gone === true && kept?.wasDeleted(item.target) === true;
    if (isDeleted) deleted += 1;
    return isDeleted ? undefined : {...item, found};
  });
  if (deleted > 0) session.warn(`passed over: ${countNoun(deleted, 'person', 'people')} whom the same file records as deleted`);
  const once = dropDuplicates(withoutMistakes(known, sending));
  const {length} = listFound(once);
  if (final !== undefined && allowed !== undefined && length > allowed) throw tooMany(length, allowed, final);
  const {ready} = acts;
  if (ready === undefined) return once;
  return inParallel(once, async (item) => {
    const [found] = listFound([item]);
    return found === undefined ? item : {...item, found: await ready(found, connection.client).catch(failureOfTarget)};
  });
}

/** Leaves out targets that cannot be found, with --skip-invalid. @throws Failure `usage` for them otherwise */
function withoutMistakes(all: readonly PreparedTarget[], {flags, session}: Sending): readonly PreparedTarget[] {
  const mistakes = all.flatMap((item) => (item.found instanceof Failure && item.found.code === 'usage' ? {item, failure: item.found} : []));
  if (mistakes.length === 0) return all;
  const messages = firstOf([...new Set(mistakes.map(({failure}) => failure.message))], maxNamed, {all: mistakes.length, between: '; '});
  const isAllListed = mistakes.every(({item}) => item.isListed);
  if (flags['skip-invalid'] !== true || !isAllListed) {
    const [first] = mistakes;
    const hint = [first?.failure.details.hint, isAllListed && 'or skip them with --skip-invalid'].filter(Boolean).join('; ');
    throw new Failure('usage', `${messages}: nothing was sent`, hint === '' ? {} : {hint});
  }
  session.warn(`skipped: ${countNoun(mistakes.length, 'target')}: ${messages}`);
  const wrong = new Set(mistakes.map(({item}) => item));
  return all.filter((item) => !wrong.has(item));
}

function dropDuplicates(items: readonly PreparedTarget[]): readonly PreparedTarget[] {
  const known = new Set<string>();
  return items.filter(({found}) => {
    if (found === undefined || found instanceof Failure) return true;
    const isNew = !known.has(found.id);
    known.add(found.id);
    return isNew;
  });
}

function tooMany(count: number, allowed: number | undefined, {noun: [one, several]}: Finality): Failure {
  const what = `${countNoun(count, one, several)} would be deleted or changed permanently`;
  const allowing = allowed === undefined ? 'needs --allow-deletions' : `is more than --allow-deletions ${allowed}`;
  return guardFailure(`${what}, which ${allowing}: nothing was sent`, `if this is intended, pass --allow-deletions ${count}`);
}
