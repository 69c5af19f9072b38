/** Reads and checks all input of an endpoint command before anything is sent. */
import {kinds} from '../../api/kinds.js';
import {isWrite, type Endpoint} from '../../api/endpoint.js';
import {Failure} from '../../client/failure.js';
import {isAccountName, requestFor} from '../../client/request.js';
import {sourceText} from '../../json/exact.js';
import {shorten} from '../../json/text.js';
import {convertInput, type FullInput} from '../../operations/operation.js';
import type {FoundTarget} from '../../operations/found-target.js';
import {holdBack, listedTopLevel, refuseListedId} from '../../operations/domain-targets.js';
import type {Connection} from '../connection.js';
import type {KeptChanges} from './kept-changes.js';
import {inputFields, type InputField} from './input-fields.js';
import type {SavedChanges} from '../../run/index.js';
import {readInputFile} from './input-file.js';
import type {WantedKind} from './piped-item.js';
import type {CommandSpec, EndpointRun} from './spec.js';
import {
  collectTargets,
  ownAccountIn,
  Mistakes,
  prepareTargets,
  refuseFileName,
  refuseOtherAccounts,
  type Target,
  type Targets,
} from './targets.js';

/** One target, checked and converted. Only ids that the server must look up are missing. */
export interface PreparedTarget extends Pick<Target, 'profile' | 'told'> {
  /** The target as it was typed; undefined if the command takes none. */
  readonly target: string | undefined;
  readonly value: unknown;
  readonly isListed: boolean;
  /** The whole input with this target, made only when it is needed, to save memory. */
  readonly input: () => FullInput;
  /** Why it is not sent, although the run does not fail because of that. */
  readonly heldBack?: Failure | undefined;
  /** Its number among all targets that were given, for the journal; set if others were left out. */
  readonly slot?: number;
  /** The object that was looked up, or the failure of the look-up. */
  readonly found?: Failure | FoundTarget;
}

export interface CommandInput {
  /** What all targets share. */
  readonly common: FullInput;
  readonly items: readonly PreparedTarget[];
  /** All targets in lists, and what these say of them. */
  readonly listed: readonly Target[];
  /** Whether the answer is printed as it is, not as a result. */
  readonly isSingle: boolean;
  /** The changes of the file of `--restore`. */
  readonly kept?: KeptChanges | undefined;
}

export interface Sending extends EndpointRun {
  readonly connection: Connection;
  readonly input: CommandInput;
  /** The targets that are left after invalid ones were taken out. */
  readonly items: readonly PreparedTarget[];
  /** The file of `--save`, to which changes are added. */
  readonly saved?: SavedChanges | undefined;
}

const fieldsOf = (spec: CommandSpec<Endpoint>): InputField[] => inputFields(spec.endpoint, spec);

/** @throws Failure `usage` for wrong input, `local` for a file that cannot be read */
export async function readInput(run: EndpointRun): Promise<CommandInput> {
  const {spec, flags, session, own} = run;
  const {endpoint} = spec;
  const inLists: Target[] = [];
  const defaulted: Record<string, string> = {};
  const input = await readCommonInput(run, inLists, defaulted);
  for (const {facts, name, part} of inputFields(endpoint)) {
    const value = input[part][name];
    if (facts?.of === kinds.domain && typeof value === 'string') refuseFileName(value, false);
  }
  const common = adviseToRead(run, () => {
    const whole = own?.apply?.(input, flags) ?? input;
    refuseNothing(run, whole);
    return convertInput(endpoint, whole, targetField(spec)?.name);
  });
  const collected = await readTargets(run);
  const listed = [...inLists, ...(collected?.targets ?? [])];
  endpoint.refuseList?.(
    listed.flatMap(({severity}) => severity ?? []),
    defaulted,
  );
  adviseToRead(run, () => refuseMissing(run, common, collected !== undefined));
  if (session.traits.hasNotes) await warnOfUnknownValues(run, common);
  const items = checkTargets(collected, common, run);
  // A journal records results, also for a single target.
  return {common, items, listed, isSingle: collected?.isSingle !== false && flags.journal === undefined};
}

const targetField = (spec: CommandSpec<Endpoint>): InputField | undefined => fieldsOf(spec).find(({isTarget}) => isTarget);

export function wantedKindOf({facts, name}: InputField, {endpoint, question}: CommandSpec<Endpoint>): WantedKind {
  const kind = facts?.of ?? (facts?.names && kinds[facts.names]);
  if (kind === undefined) throw new Error(`The field ${name} of "${endpoint.name}" does not say what it is: \`of\` names a kind of object`);
  return {kind, mustBeCertain: question !== undefined};
}

function typedValue({argument, flag}: InputField, {args, flags}: Pick<EndpointRun, 'args' | 'flags'>): unknown {
  return argument === undefined ? flag && flags[flag] : args[argument];
}

function withTextIds(endpoint: Endpoint, file: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const ids = new Set(inputFields(endpoint).flatMap(({part, name, facts}) => (part === 'body' && facts?.isId !== undefined ? [name] : [])));
  const text = (value: unknown): unknown => sourceText(value) ?? value;
  return Object.fromEntries(
    Object.entries(file).map(([name, value]) => [name, !ids.has(name) ? value : Array.isArray(value) ? value.map(text) : text(value)]),
  );
}

/**
 * @param listed gets the targets of lists in the input
 * @param defaulted gets the fields that were not given, with the defaults that are sent
 * @throws Failure `usage` for wrong input, `local` for a file that cannot be read
 */
async function readCommonInput(run: EndpointRun, listed: Target[], defaulted: Record<string, string>): Promise<FullInput> {
  const {spec, flags, session} = run;
  const {io} = session;
  const {endpoint, piped, defaults} = spec;
  const file = flags.input === undefined ? {} : await readInputFile(flags.input, io);
  const input = {path: {}, query: {}, body: withTextIds(endpoint, file)};
  for (const field of fieldsOf(spec)) {
    if (field.isTarget) continue;
    let value = typedValue(field, run);
    if (Array.isArray(value) && value.some((item) => String(item).trim() === '')) {
      throw new Failure('usage', `${field.typed} has an empty value`, {
        hint: 'separate values with one comma, or leave it out',
      });
    }
    if (value === '-' && piped?.includes(field.name) === true) value = await io.readValue();
    if (field.kind === 'list' && field.argument !== undefined && Array.isArray(value)) {
      const {targets: all, mistakes} = await collectTargets(value.map(String), wantedKindOf(field, spec), run);
      // All items go into one request, so an invalid one cannot be left out.
      if (mistakes.count > 0) throw new Failure('usage', `${mistakes.text}: nothing was sent`, {hint: mistakes.advice});
      for (const target of all) listed.push(target);
      value = [...new Set(all.map((target) => target.value))];
    }
    const byDefault = value === undefined && !(field.name in input[field.part]) ? defaults?.[field.name] : undefined;
    if (byDefault !== undefined) defaulted[field.name] = byDefault;
    const sent = value ?? byDefault;
    if (sent !== undefined) Object.assign(input[field.part], {[field.name]: sent});
  }
  return input;
}

/** Warns of unknown values. They are sent, because some servers know more values. */
async function warnOfUnknownValues({spec, session}: EndpointRun, input: FullInput): Promise<void> {
  for (const field of fieldsOf(spec)) {
    const {known, knowsAll, calledElsewhere = {}} = field.facts ?? {};
    if (known === undefined || knowsAll === true || spec.endpoint.convert?.[field.name] !== undefined) continue;
    for (const value of [input[field.part][field.name] ?? []].flat().map(String)) {
      if (known.includes(value)) continue;
      const {nearest} = await import('../../json/nearest.js');
      const meant = (Object.hasOwn(calledElsewhere, value) ? calledElsewhere[value] : undefined) ?? nearest(value, known);
      const better = meant === undefined ? `known values: ${known.join(', ')}` : `did you mean ${meant}?`;
      session.warn(`${field.typed} ${shorten(value)}: it is sent, but not known; ${better}`);
    }
  }
}

/** Says once what is missing for all targets. @throws Failure `usage` */
function refuseMissing({spec, words}: EndpointRun, common: FullInput, isNamed: boolean): void {
  const missing = fieldsOf(spec).filter(
    ({part, name, required, isTarget}) => required && common[part][name] === undefined && !(isNamed && isTarget),
  );
  if (missing.length === 0) return;
  const asked = missing.map(({name, typed}) =>
    spec.negatable?.includes(name) === true ? `${typed} or ${typed.replace('--', '--no-')}` : typed,
  );
  const known = missing.flatMap(({facts}, index) => (facts?.known ? `${asked[index]} is one of ${facts.known.join(', ')}` : []));
  throw new Failure('usage', `Missing: ${asked.join(', ')}`, {hint: [...known, `see \`pixelctl ${words} --help\``].join('; ')});
}

/** @throws Failure `usage` if the input of a command that changes something says no change */
function refuseNothing({spec: {endpoint, changes, targets}, words}: EndpointRun, input: FullInput): void {
  const fields = changes === true ? Object.keys(endpoint.body).filter((name) => !(name in {...targets})) : [];
  if (fields.length > 0 && fields.every((name) => input.body[name] === undefined))
    throw new Failure('usage', 'Nothing to change', {hint: `see \`pixelctl ${words} --help\``});
}

/**
 * @param collected undefined where no target is typed: the input has it, or the command takes none
 * @throws Failure `usage` with every mistake, unless invalid targets are left out
 */
function checkTargets(collected: Targets | undefined, common: FullInput, run: EndpointRun): readonly PreparedTarget[] {
  const {endpoint} = run.spec;
  const field = targetField(run.spec);
  // Only the value of each target stays in memory: there may be hundreds of thousands.
  const inputFor = (value: unknown): FullInput =>
    field === undefined || value === undefined ? common : {...common, [field.part]: {...common[field.part], [field.name]: value}};
  const prepare = ({value: target, place, profile, told}: Partial<Target>): PreparedTarget => {
    const isListed = place !== undefined;
    const isDomain = field?.facts?.of === kinds.domain;
    if (!isListed && isDomain && target !== undefined) refuseFileName(target, true);
    const topLevel = isListed && isDomain ? listedTopLevel(target ?? '') : undefined;
    const value = topLevel ?? (field && convertInput(endpoint, inputFor(target))[field.part][field.name]);
    if (isListed && isDomain && field.facts?.isId !== undefined) refuseListedId(String(value), target ?? '');
    const item: PreparedTarget = {target, value, isListed, profile, told, input: () => inputFor(value)};
    // This is called only because it throws when the request cannot be sent.
    requestFor(endpoint, item.input());
    return item;
  };
  if (collected === undefined) return [prepare({})];
  // The value that is sent, so that a target written in two ways is sent once. Handles are case-insensitive.
  return prepareTargets(collected, run, prepare, ({value = ''}) => String(value).replace(/^@.*/s, (handle) => handle.toLowerCase()));
}

/** Calls `make`. If it fails because targets were piped in without the `-` that reads them, the error says so. */
function adviseToRead<Made>({spec, args, flags, session: {io}}: EndpointRun, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    const [unread] = fieldsOf(spec).flatMap(({argument, isTarget, kind, name}) => {
      const canRead = (isTarget && flags.from === undefined) || kind === 'list' || spec.piped?.includes(name) === true;
      return canRead && argument !== undefined && args[argument] === undefined ? argument : [];
    });
    const hint = unread === undefined ? undefined : io.pipeHint(unread);
    if (!(error instanceof Failure) || error.code !== 'usage' || hint === undefined) throw error;
    throw new Failure(error.code, error.message, {...error.details, hint});
  }
}

/** The values of the argument that takes many targets; undefined where none is typed. */
function typedTargets(run: EndpointRun): readonly string[] | undefined {
  const field = targetField(run.spec);
  const typed = field && typedValue(field, run);
  return Array.isArray(typed) ? typed.map(String) : undefined;
}

/** Whether all targets in the file of `--restore` are meant, because none is named. */
const isAllOfRecord = (run: EndpointRun): boolean =>
  run.flags.restore !== undefined && run.flags.from === undefined && typedTargets(run) === undefined;

/** @returns undefined where no target is typed */
async function readTargets(run: EndpointRun): Promise<Targets | undefined> {
  // Which lines of the file are about the server is known only when the server is.
  if (isAllOfRecord(run)) return {targets: [], mistakes: new Mistakes(), isSingle: false};
  const {spec, flags} = run;
  const [field, typed] = [targetField(spec), typedTargets(run)];
  if (field === undefined || (typed === undefined && flags.from === undefined)) return undefined;
  return collectTargets(typed ?? [], wantedKindOf(field, spec), run);
}

/**
 * Leaves out targets that are wrong only for the acting account, such as the account itself.
 * @throws Failure `usage` for items of another account, and for one's own account, unless that is skipped
 */
export async function admitTargets(read: CommandInput, connection: Connection, run: EndpointRun): Promise<CommandInput> {
  const {spec, flags, session} = run;
  const {endpoint} = spec;
  await refuseOtherAccounts(read.listed, connection, endpoint.actsOn);
  const input = await withoutExcluded(await addSaved(read, connection, run), connection, run);
  if (!isWrite(endpoint)) return input;
  const accounts = fieldsOf(spec).flatMap(({name, part, facts, isTarget}) => {
    const isAccount = facts?.names === 'account' && facts.namesWhere === undefined;
    if (!isAccount && facts?.names !== 'conversation') return [];
    const given = isTarget ? input.items : [input.common[part][name]].flat().map((value) => ({value, input: undefined}));
    return given.filter(({value}) => typeof value === 'string' && (isAccount || isAccountName(value)));
  });
  // To find the token's own account takes a request, which is not needed for ids of conversations.
  const isOwnAccount = accounts.length === 0 ? undefined : await ownAccountIn(input.listed, connection);
  const own = isOwnAccount === undefined ? [] : accounts.filter(({value}) => isOwnAccount(String(value)));
  // A value that all targets share is reported first, because it cannot be skipped.
  const first = own.find((one) => one.input === undefined) ?? own[0];
  if (first === undefined) return input;
  if (first.input === undefined || flags['skip-invalid'] !== true)
    throw new Failure('usage', `${String(first.value)} is your own account: nothing was sent`, {
      hint: input.isSingle ? 'name another account' : 'leave it out of the list, or skip it with --skip-invalid',
    });
  session.warn(`skipped: ${String(first.value)} is your own account`);
  const skipped = new Set<unknown>(own);
  return {...input, items: input.items.filter((item) => !skipped.has(item))};
}

/** Adds the changes in the file of `--restore`. If no target is named, all targets in the file are meant. @throws Failure `usage`, `local` */
async function addSaved(input: CommandInput, {server}: Connection, run: EndpointRun): Promise<CommandInput> {
  const {spec, flags, session} = run;
  const {restore} = flags;
  const restores = spec.endpoint.finding?.restores;
  if (restore === undefined || restores === undefined) return input;
  const {readKeptChanges} = await import('./kept-changes.js');
  const kept = await readKeptChanges(restore, restores, server.origin, (text) => session.warn(text));
  if (!isAllOfRecord(run)) return {...input, kept};
  const {targets} = kept;
  return {...input, kept, items: checkTargets(targets, input.common, run), listed: targets.targets};
}

/** Holds back listed targets that the server does not take; as an argument such a target is a mistake. @throws Failure `usage` */
async function withoutExcluded(input: CommandInput, {client, server, session}: Connection, {spec}: EndpointRun): Promise<CommandInput> {
  const {endpoint} = spec;
  const ofDomains = targetField(spec)?.facts?.of === kinds.domain;
  if (!ofDomains && endpoint.blocksServers === undefined) return input;
  const named = input.items.flatMap(({value, isListed}) => (typeof value === 'string' ? {value, isListed} : []));
  // A dry run asks the server nothing.
  const sending = {input: input.common, ofDomains, client, hostname: server.hostname, asks: !session.dryRun, targets: named};
  const {failures, notes} = await holdBack(endpoint, sending);
  for (const note of notes) session.warn(note);
  return {...input, items: input.items.map((item) => ({...item, heldBack: failures.get(String(item.value))}))};
}
