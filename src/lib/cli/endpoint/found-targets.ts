/** Targets that are looked up before anything is asked or sent: what they stand for, each once, and how many may be deleted. */
import {asFailure, Failure, guarded, isInterruption} from '../../client/failure.js';
import {counted, firstOf} from '../../json/text.js';
import {isId} from '../../operations/handle.js';
import type {Finality, OnSubjects, Subject} from '../../operations/subjects.js';
import type {SavedChanges} from '../../run/index.js';
import type {Connection} from '../connection.js';
import type {Job, PreparedTarget} from './job.js';
import type {EndpointFlags} from './spec.js';
import type {Origin} from './target-list.js';

/** Look-ups at the same time. */
const atOnce = 4;

/** Mistakes that a message names. */
const maxNamed = 3;

/** A target that was looked up. */
interface Found {
  readonly item: PreparedTarget;
  /** Its place among the targets as they were given, by which a journal knows it. */
  readonly slot: number;
  /** What it stands for, or why nothing is done about it. */
  outcome: Failure | Subject;
}

/** How targets are looked up. */
interface Finding {
  readonly acts: OnSubjects;
  readonly connection: Connection;
  readonly flags: EndpointFlags;
  /** The record of earlier changes. */
  readonly saved?: SavedChanges | undefined;
}

const isSubject = (outcome: Failure | Subject): outcome is Subject => !(outcome instanceof Failure);

/** The failure of a look-up; thrown where all others would fail like it, or somebody ended the run. */
function ofTarget(error: unknown): Failure {
  const failure = asFailure(error);
  if (failure.code === 'auth' || failure.code === 'internal' || isInterruption(failure)) throw failure;
  return failure;
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({length: atOnce}, async () => {
      for (const item of left) await work(item);
    }),
  );
}

/** What one target stands for. @throws Failure `usage` for a number that names nobody, where nobody is asked */
async function subjectOf(
  {target = '', value, input}: PreparedTarget,
  origin: Origin,
  {acts, connection, saved}: Finding,
): Promise<Subject> {
  const told = async (id: string): Promise<unknown> => origin.told.get(target) ?? saved?.postBefore(id);
  const subject = await acts.find({value: String(value), profile: origin.profiles.get(target), told}, input, connection.client);
  if (subject.unnamed !== undefined && connection.session.assumeYes && isId(String(value))) throw subject.unnamed;
  if (subject.refused !== undefined || subject.accountId === undefined || subject.mayBeOneself === true) return subject;
  const own = await connection.ownAccount();
  return own?.id === subject.accountId
    ? {...subject, refused: guarded(`${subject.name} is your own account: nothing was sent`, 'leave it out')}
    : subject;
}

const isBare = ({target = '', value}: PreparedTarget, {profiles}: Origin, {needsNames}: OnSubjects): boolean =>
  needsNames === true && !profiles.has(target) && isId(String(value));

const needsName = ({value}: PreparedTarget): Failure =>
  new Failure('usage', `${String(value)} is a plain number, which could be the id of something else`, {
    hint: 'with --yes, use @name, or what `users list` prints as JSON or CSV',
  });

/**
 * What the targets of a job stand for, each once.
 * @throws Failure `usage` for what is not meant, unless it is listed and skipped; `refused` for more than may be deleted
 */
export class FoundTargets {
  readonly #found: ReadonlyMap<PreparedTarget, Found>;

  private constructor(found: readonly Found[]) {
    this.#found = new Map(found.map((one) => [one.item, one]));
  }

  static async of({items, common, origin, kept}: Job, finding: Finding, warn: (text: string) => void): Promise<FoundTargets> {
    const {acts, connection, flags} = finding;
    const final = acts.final?.(common);
    const {assumeYes} = connection.session;
    if (final !== undefined && assumeYes && flags['allow-deletions'] === undefined) throw tooMany(items.length, undefined, final);
    const found: Found[] = [];
    let deleted = 0;
    // Of all in a record, those are left whose changes are restored.
    const open = [...items.entries()].filter(([, {isListed, target}]) => !isListed || kept?.openAt(target)?.length !== 0);
    await inParallel(open, async ([slot, item]) => {
      const find = async () => {
        const subject = await subjectOf(item, origin, finding);
        kept?.openOf(subject);
        return subject;
      };
      const outcome: Failure | Subject = assumeYes && isBare(item, origin, acts) ? needsName(item) : await find().catch(ofTarget);
      // That they were to be deleted is written before it is done: only the server knows whether it was.
      if (outcome instanceof Failure && outcome.details.gone === true && kept?.wasDeleted(item.target) === true) deleted += 1;
      else found[slot] = {item, slot, outcome};
    });
    if (deleted > 0) warn(`passed over: ${counted(deleted, 'person', 'people')} whom the same file records as deleted`);
    const known = found.filter((one) => one !== undefined);
    const valid = withoutMistakes(known, flags['skip-invalid'] === true, warn);
    const once = new FoundTargets(eachOnce(valid));
    const {length} = once.subjects;
    const allowed = flags['allow-deletions'];
    if (final !== undefined && allowed !== undefined && length > allowed) throw tooMany(length, allowed, final);
    const {ready} = acts;
    if (ready !== undefined) {
      await inParallel([...once.#found.values()], async (one) => {
        if (isSubject(one.outcome) && one.outcome.refused === undefined)
          one.outcome = await ready(one.outcome, connection.client).catch(ofTarget);
      });
    }
    return once;
  }

  /** In the order in which they were given. */
  get items(): readonly PreparedTarget[] {
    return [...this.#found.keys()];
  }

  /** What is going to be acted on. */
  get subjects(): readonly Subject[] {
    return [...this.#found.values()].flatMap(({outcome}) => (isSubject(outcome) && outcome.refused === undefined ? outcome : []));
  }

  slotOf(item: PreparedTarget): number | undefined {
    return this.#found.get(item)?.slot;
  }

  /** @throws Failure where nothing is done about it */
  subjectOf(item: PreparedTarget): Subject | undefined {
    const outcome = this.#found.get(item)?.outcome;
    if (outcome instanceof Failure) throw outcome;
    if (outcome?.refused !== undefined) throw outcome.refused;
    return outcome;
  }
}

/** @throws Failure `usage` for what is not meant */
function withoutMistakes(found: readonly Found[], skipsInvalid: boolean, warn: (text: string) => void): readonly Found[] {
  const mistakes = found.flatMap(({item, outcome}) =>
    outcome instanceof Failure && outcome.code === 'usage' ? {item, failure: outcome} : [],
  );
  if (mistakes.length === 0) return found;
  const messages = firstOf([...new Set(mistakes.map(({failure}) => failure.message))], maxNamed, {all: mistakes.length, between: '; '});
  const isAllListed = mistakes.every(({item}) => item.isListed);
  if (!skipsInvalid || !isAllListed) {
    const [first] = mistakes;
    const hint = [first?.failure.details.hint, isAllListed && 'or skip them with --skip-invalid'].filter(Boolean).join('; ');
    throw new Failure('usage', `${messages}: nothing was sent`, hint === '' ? {} : {hint});
  }
  warn(`skipped: ${counted(mistakes.length, 'target')}: ${messages}`);
  const wrong = new Set(mistakes.map(({item}) => item));
  return found.filter(({item}) => !wrong.has(item));
}

/** The first of those that stand for the same. */
function eachOnce(found: readonly Found[]): readonly Found[] {
  const known = new Set<string>();
  return found.filter(({outcome}) => {
    if (!isSubject(outcome)) return true;
    const isNew = !known.has(outcome.id);
    known.add(outcome.id);
    return isNew;
  });
}

function tooMany(count: number, allowed: number | undefined, {noun: [one, several]}: Finality): Failure {
  const what = `${counted(count, one, several)} would be deleted or changed permanently`;
  const allowing = allowed === undefined ? 'needs --allow-deletions' : `is more than --allow-deletions ${allowed}`;
  return guarded(`${what}, which ${allowing}: nothing was sent`, `if this is intended, pass --allow-deletions ${count}`);
}
