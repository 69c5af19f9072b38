/** Everything that the command line of an endpoint command asks for, read and checked before anything is sent. */
import {kinds} from '../../api/kinds.js';
import {isWrite, type Endpoint} from '../../api/endpoint.js';
import {Failure} from '../../client/failure.js';
import {isAccountName, requestFor} from '../../client/request.js';
import type {FullInput} from '../../operations/operation.js';
import type {FoundTarget} from '../../operations/found-target.js';
import {exclusionsOf, listedTopLevel, refuseListedId} from '../../operations/domain-targets.js';
import type {Connection} from '../connection.js';
import type {KeptChanges} from './kept-changes.js';
import {inputFields, type InputField} from './fields.js';
import {refuseFileName} from './file-names.js';
import type {Io} from '../io.js';
import {
  commonInput,
  convertCommon,
  TargetInputs,
  targetField,
  typedValue,
  wantedKindOf,
  warnOfUnknownValues,
  type Given,
} from './request-input.js';
import {fieldLayoutOf, type CommandSpec} from './spec.js';
import {TargetMistakes} from './mistakes.js';
import {collectTargets, joinedOrigins, noOrigin, ownAccountIn, prepareTargets, tellOrigin, type Targets} from './targets.js';
import type {Origin} from './target-list.js';

/** One target, checked and converted. Only ids that the server must look up are missing. */
export interface PreparedTarget {
  /** As it was typed; undefined where the command takes none. */
  readonly target: string | undefined;
  /** The value that is sent. */
  readonly value: unknown;
  /** Whether a list names it, and no argument. */
  readonly isListed: boolean;
  /** Made when it is needed. */
  readonly input: () => FullInput;
  /** Why it is not sent, where that is no failure of the run. */
  readonly heldBack?: Failure;
  /** Its place among the targets as they were given, by which a journal knows it, where some of these are left out. */
  readonly slot?: number;
  /** What it stands for, or why nothing is done about it, where that was looked up. */
  readonly found?: Failure | FoundTarget;
}

export interface Job {
  /** What all targets share. */
  readonly common: FullInput;
  readonly items: readonly PreparedTarget[];
  /** What the input lists say. */
  readonly origin: Origin;
  /** Whether the answer is printed as it is, not as a result. */
  readonly isSingle: boolean;
  /** What is set back. */
  readonly kept?: KeptChanges | undefined;
}

/** What a job is read from. */
export interface JobSources {
  readonly spec: CommandSpec<Endpoint>;
  /** The words of the command. */
  readonly words: string;
  readonly given: Given & {readonly withFlags: (input: FullInput) => FullInput};
  readonly io: Io;
  readonly warn: (text: string) => void;
  /** Whether people read what is printed. */
  readonly hasNotes: boolean;
}

/** @throws Failure `usage` for what is wrong, `local` for a file that cannot be read */
export async function readJob({spec, words, given, io, warn, hasNotes}: JobSources): Promise<Job> {
  const {flags, withFlags} = given;
  const {input, origin, defaulted} = await commonInput(spec, given, io);
  for (const {facts, name, part} of inputFields(spec.endpoint)) {
    const value = input[part][name];
    if (facts?.of === kinds.domain && typeof value === 'string') refuseFileName(value, false);
  }
  const advised = advising(spec, given, io);
  const common = convertCommon(
    spec,
    advised(() => withFlags(input)),
  );
  const collected = await targetsOf(spec, given, io);
  spec.endpoint.refuseList?.(collected.origin, defaulted);
  advised(() => new TargetInputs(spec, common).refuseMissing(collected.targets, words));
  if (hasNotes) await warnOfUnknownValues(spec, common, warn);
  const items = prepareInputs(collected, common, {spec, given, warn});
  // A journal records results, also for a single target.
  return {common, items, origin: joinedOrigins(origin, collected.origin), isSingle: collected.isSingle && flags.journal === undefined};
}

/** @throws Failure `usage` with all that is wrong, unless that is left out */
function prepareInputs(collected: Targets, common: FullInput, {spec, given: {flags}, warn}: Pick<JobSources, 'given' | 'spec' | 'warn'>) {
  const inputs = new TargetInputs(spec, common);
  const field = targetField(spec);
  return prepareTargets(collected, {
    prepare({value: target, location}) {
      const isListed = location !== undefined;
      const isListedDomain = isListed && field?.facts?.of === kinds.domain;
      if (!isListed && field?.facts?.of === kinds.domain && target !== undefined) refuseFileName(target, true);
      const value = (isListedDomain ? listedTopLevel(target ?? '') : undefined) ?? inputs.valueOf(target);
      const item: PreparedTarget = {target, value, isListed, input: () => inputs.inputFor(value)};
      if (isListedDomain && field.facts?.isId !== undefined) refuseListedId(String(value), target ?? '');
      // Refuses what cannot be sent.
      requestFor(spec.endpoint, item.input());
      return item;
    },
    // The value that is sent, so that a target written in two ways is sent once.
    keyOf({value = ''}) {
      const sent = String(value);
      // Handles are case-insensitive.
      return sent.startsWith('@') ? sent.toLowerCase() : sent;
    },
    skipInvalid: flags['skip-invalid'] === true,
    warn,
  });
}

/** Tells somebody who pipes something in how to have it read, where that is what is missing. */
function advising(spec: CommandSpec<Endpoint>, {args, flags}: Given, io: Io) {
  return <Made>(make: () => Made): Made => {
    try {
      return make();
    } catch (error) {
      const labels: Readonly<Record<string, string | undefined>> = spec.arguments ?? {};
      const lists = inputFields(spec.endpoint).flatMap(({kind, name}) => (kind === 'list' ? name : []));
      const readable = [...(flags.from === undefined ? [spec.targets?.field ?? []] : []), ...lists, ...(spec.piped ?? [])].flat();
      const unread = readable.map((name) => labels[name]).find((label) => label !== undefined && args[label] === undefined);
      const hint = unread === undefined ? undefined : io.pipeHint(unread);
      if (!(error instanceof Failure) || error.code !== 'usage' || hint === undefined) throw error;
      throw new Failure(error.code, error.message, {...error.details, hint});
    }
  };
}

/** What the command line names as targets: undefined where it leaves that to a record of changes. */
function findTypedTargets(spec: CommandSpec<Endpoint>, given: Given) {
  const field = targetField(spec);
  const typed = field && typedValue(field, fieldLayoutOf(spec), given);
  const {from, restore} = given.flags;
  const isNamed = Array.isArray(typed) || from !== undefined;
  return isNamed || restore === undefined ? {field, isNamed, typed: Array.isArray(typed) ? typed.map(String) : [], from} : undefined;
}

async function targetsOf(spec: CommandSpec<Endpoint>, given: Given, io: Io): Promise<Targets> {
  const named = findTypedTargets(spec, given);
  // All that the record is about: only the server says which lines are of it.
  if (named === undefined) return {targets: [], origin: noOrigin, mistakes: new TargetMistakes(), isSingle: false};
  const {field, isNamed, typed, from} = named;
  if (field === undefined || !isNamed)
    return {targets: [{value: undefined, location: undefined}], origin: noOrigin, mistakes: new TargetMistakes(), isSingle: true};
  return collectTargets(typed, {wanted: wantedKindOf(field, spec, given.flags), from, io});
}

/**
 * The job on the account of a connection, without what only that account shows to be wrong.
 * @throws Failure `usage` for items of another account, and for one's own account, unless that is skipped
 */
export async function admitTargets(read: Job, connection: Connection, sources: JobSources): Promise<Job> {
  const {spec, given, warn} = sources;
  const {endpoint, targets} = spec;
  await tellOrigin(read.origin, connection, endpoint.actsOn);
  const whole = await addSaved(read, connection, sources);
  const job = await withoutExcluded(whole, connection, sources);
  const people = inputFields(endpoint).filter(
    ({facts}) => (facts?.names === 'account' && facts.namesWhere === undefined) || facts?.names === 'conversation',
  );
  if (people.length === 0 || !isWrite(endpoint)) return job;
  const isAccount = (value: unknown, {facts}: InputField): value is string =>
    typeof value === 'string' && (facts?.names === 'account' || isAccountName(value));
  const target = people.find(({name}) => name === targets?.field);
  const sharedIn = (field: InputField) => [job.common[field.part][field.name]].flat();
  const namesAccounts =
    people.some((field) => field !== target && sharedIn(field).some((value) => isAccount(value, field))) ||
    (target !== undefined && job.items.some(({value}) => isAccount(value, target)));
  // Whose token it is costs a request, which ids of conversations do not need.
  const isOwnAccount = namesAccounts ? await ownAccountIn(job.origin, connection) : undefined;
  if (isOwnAccount === undefined) return job;
  const isOwn = (value: unknown, field: InputField): boolean => isAccount(value, field) && isOwnAccount(value);
  const shared = people.flatMap((field) => (field === target ? [] : sharedIn(field).filter((value) => isOwn(value, field))));
  if (shared.length > 0) throw ownAccountRefused(String(shared[0]), job);
  const isOwnItem = ({value}: PreparedTarget) => target !== undefined && isOwn(value, target);
  const first = job.items.find(isOwnItem);
  if (first === undefined) return job;
  if (given.flags['skip-invalid'] !== true) throw ownAccountRefused(String(first.value), job);
  warn(`skipped: ${String(first.value)} is your own account`);
  return {...job, items: job.items.filter((item) => !isOwnItem(item))};
}

/** With what a record says of the targets, and all that it is about where none is named. @throws Failure `usage`, `local` */
async function addSaved(job: Job, {server}: Connection, sources: JobSources): Promise<Job> {
  const {spec, given, warn} = sources;
  const {restore} = given.flags;
  const restores = spec.endpoint.finding?.restores;
  if (restore === undefined || restores === undefined) return job;
  const {KeptChanges} = await import('./kept-changes.js');
  const kept = await KeptChanges.read(restore, restores, server.origin, warn);
  if (findTypedTargets(spec, given) !== undefined) return {...job, kept};
  const {targets} = kept;
  return {...job, kept, items: prepareInputs(targets, job.common, sources), origin: targets.origin};
}

/** The job without what its server does not take: a mistake as an argument, and left out of a list. @throws Failure `usage` */
async function withoutExcluded(
  job: Job,
  {client, server, session}: Connection,
  {spec: {endpoint, targets}, warn}: JobSources,
): Promise<Job> {
  const ofDomains = inputFields(endpoint).some(({name, facts}) => name === targets?.field && facts?.of === kinds.domain);
  if (!ofDomains && endpoint.blocksServers === undefined) return job;
  // A dry run asks nothing.
  const sending = {input: job.common, ofDomains, client, hostname: server.hostname, asks: !session.dryRun};
  let {items} = job;
  for (const {find, noteText: told, why} of exclusionsOf(endpoint, sending)) {
    const isExcluded = await find(
      items.flatMap(({value, isListed, heldBack}) => (typeof value === 'string' ? {value, isListed, isHeld: heldBack !== undefined} : [])),
    );
    const names: string[] = [];
    items = items.map((item) => {
      if (typeof item.value !== 'string' || !isExcluded(item.value)) return item;
      names.push(item.value);
      return {...item, heldBack: why};
    });
    if (names.length > 0) warn(told(names));
  }
  return {...job, items};
}

function ownAccountRefused(target: string, {isSingle}: Job): Failure {
  return new Failure('usage', `${target} is your own account: nothing was sent`, {
    hint: isSingle ? 'name another account' : 'leave it out of the list, or skip it with --skip-invalid',
  });
}
