/** Describes an endpoint command, and makes its flags and help from that. */
import {Flags, type Interfaces} from '@oclif/core';
import {isWrite, type Endpoint} from '../../api/endpoint.js';
import {pageParameters} from '../../api/page-parameters.js';
import type {Failure} from '../../client/failure.js';
import type {FullInput, Operation} from '../../operations/operation.js';
import type {CommandRun, Example, ParsedValues} from '../command.js';
import type {Connection} from '../connection.js';
import {accountsFlags, concurrencyFlag, followFlags, limitFlags, pagingFlags, sendFlags, targetFlags, writeFlags} from '../flags.js';
import {deletionFlags, joinFlags, restoreFlags, saveFlags, showPrivateFlags} from '../flags.js';
import type {Selection} from '../../operations/selected-users.js';
import type {FoundTarget} from '../../operations/found-target.js';
import type {AccountsFlags} from '../flags.js';
import type {GlobalFlags} from '../session.js';
import {argumentsOf, flagsOf, inputFields, knownValues, usageOf, type FieldName, type FieldLayout} from './input-fields.js';

/** What a question is about. Of many targets, only the first few are in it. */
export interface Hit {
  /** The targets as they were typed. */
  readonly targets: readonly string[];
  readonly inputs: readonly FullInput[];
  readonly count: number;
  /** The objects that all targets stand for, if they were looked up. */
  readonly found?: readonly FoundTarget[];
}

/** What is known of a write that the server accepted. */
export interface Seen {
  /** The answer with every digit of its numbers. It can have any form. */
  readonly answer: unknown;
  /** Whether there was nothing to change. */
  readonly stood?: boolean | undefined;
  /** The name of the object that was looked up, or else the target as it was given. */
  readonly name: string;
}

/** A flag with which a command calls another endpoint, whose only fields are those of the arguments. */
export interface Instead {
  readonly flag: string;
  /** One phrase for help; undefined for a flag that several commands have. */
  readonly about?: string;
  readonly endpoint: Operation;
}

export interface CommandSpec<E extends Endpoint> extends FieldLayout<FieldName<E>> {
  /** The record, or the operation where servers want more than it says. */
  readonly endpoint: Operation<E>;
  readonly instead?: Instead;
  readonly summary: string;
  /** What is worth knowing before using it, in 40 words at most. The request that it sends is added. */
  readonly description: string;
  readonly details?: string;
  readonly examples: readonly [Example, Example, ...Example[]];
  /** How many targets are sent at the same time by default, if it differs from other commands. */
  readonly concurrency?: number;
  /** Whether it changes what its flags say, so that at least one of them must be given. */
  readonly changes?: true;
  /** Set if `--follow` can watch the list. */
  readonly follows?: true;
  /** Asked before the request is sent; names what the command acts on. */
  readonly question?: (hit: Hit, connection: Connection) => Promise<string> | string;
  /** The names of accounts whose ids are in the answer, by id. They are looked up only for people. */
  readonly names?: (input: FullInput, connection: Connection) => Promise<ReadonlyMap<string, string>>;
  /**
   * One sentence about a write, which people see in place of the answer. It says only what was given or is in the answer.
   * @param input with names as they were given
   */
  readonly sentence?: (input: FullInput, seen: Seen) => string;
}

/** Flags of a command that do not stand for a single field. */
export interface OwnFlags<Own extends ParsedValues> {
  readonly flags: Interfaces.FlagInput<Own>;
  /** Adds to the input what these flags say. @throws Failure `usage` */
  apply?(input: FullInput, flags: Own): FullInput;
  /**
   * Judges the answer for the exit status, if a flag asks for that. It is called before the answer is printed.
   * @returns the failure that decides the exit status; undefined for 0
   * @throws Failure for an answer that cannot be judged, which is not printed
   */
  judge?(answer: unknown, flags: Own, connection: Connection): Failure | undefined;
  /** Chooses the items of a list that are printed, if servers cannot do that; undefined: all. @param flags with those of the record */
  select?(flags: Own & ParsedValues): (() => Selection) | undefined;
}

/** The requests that a command can send besides its usual one: `GET /api/admin/instance/stats`. */
export function otherRequests({endpoint, instead}: CommandSpec<Endpoint>): readonly string[] {
  const [usual, other] = [endpoint, instead?.endpoint ?? endpoint].map(({method, path}) => `${method} ${path}`);
  return other === undefined || other === usual ? [] : [other];
}

function descriptionOf(spec: CommandSpec<Endpoint>): string {
  const {endpoint, instead, description} = spec;
  const scope =
    endpoint.anonymous === true
      ? 'It never sends the token'
      : endpoint.scope === null
        ? 'It needs a token; no scope is documented for it'
        : `It needs a token with the scope ${endpoint.scope}${endpoint.scope.startsWith('admin:') ? ': `auth login --admin` gets one' : ''}`;
  const {method, path, section} = endpoint;
  const [otherwise] = instead === undefined ? [] : otherRequests(spec);
  const other = otherwise === undefined ? '' : `\n\nWith --${instead?.flag} it calls ${otherwise}.`;
  const where = section === null ? ' (undocumented, but servers support it)' : '';
  return `${description}\n\nCalls ${method} ${path}${where}. ${scope}.${other}`;
}

const addresses = 'E-mail and IP addresses are in JSON and NDJSON; elsewhere only with --show-private, or where --fields names them.';

const detailsOf = ({endpoint, details, follows}: CommandSpec<Endpoint>): string | undefined =>
  [details ?? [], endpoint.private === undefined ? [] : addresses, follows ? followText(endpoint) : []].flat().join('\n\n') || undefined;

const followText = ({
  query,
}: Endpoint) => `With --follow the command does not end: it asks the server every --interval seconds and prints new items, oldest first, each once. \
It begins with items that are newer than the run${pageParameters.from in query ? ', or newer than --min-id' : ''}. With --since-file it continues where the last run stopped, and leaves no item out. If a run is killed, \
only the items that it was printing can appear twice.

--since-file without --follow prints what is new and ends, as a job of cron wants it. Where the file is not there yet, it prints nothing and remembers the newest item${pageParameters.from in query ? ', unless --min-id says where to begin' : ''}.`;

const inputFlag = {
  input: Flags.string({
    description: 'send this JSON object as the body (-: standard input)',
    helpValue: 'FILE',
  }),
};

const families = {
  ...inputFlag,
  ...pagingFlags,
  ...followFlags,
  ...targetFlags,
  ...writeFlags,
  ...limitFlags,
  ...showPrivateFlags,
  ...saveFlags,
  ...restoreFlags,
  ...deletionFlags,
};

/** The flags of an endpoint command: global ones, shared ones, and the flags made from its record. */
export type EndpointFlags = AccountsFlags &
  Omit<GlobalFlags, 'profile'> &
  Partial<Interfaces.InferredFlags<typeof families>> &
  ParsedValues;

/** A run of an endpoint command, with the endpoint that its flags choose. */
export interface EndpointRun extends CommandRun<ParsedValues, EndpointFlags> {
  readonly spec: CommandSpec<Endpoint>;
  readonly own?: Pick<OwnFlags<ParsedValues>, 'apply' | 'judge' | 'select'> | undefined;
}

export function isList({method, rows, view}: Endpoint): boolean {
  return method === 'GET' && rows !== undefined && view?.kind !== 'record';
}

/** Whether the command can use several accounts at once: it only reads, and has no argument, which would be of one account. */
export function takesSeveral({endpoint, arguments: labels = {}}: CommandSpec<Endpoint>): boolean {
  const isOfAccount = endpoint.method === 'GET' && endpoint.errors?.onlyAdmins !== true;
  return (isList(endpoint) || isOfAccount) && endpoint.anonymous !== true && Object.keys(labels).length === 0;
}

function familiesOf(spec: CommandSpec<Endpoint>): Interfaces.FlagInput {
  const {endpoint, instead, targets, follows, concurrency, arguments: labels = {}} = spec;
  const takesList = inputFields(endpoint).some(({name, kind}) => kind === 'list' && name in labels);
  const isMany = targets !== undefined;
  return joinFlags(
    instead?.about === undefined ? {} : {[instead.flag]: Flags.boolean({description: instead.about})},
    instead?.endpoint.finding?.restores ? restoreFlags : {},
    Object.keys(endpoint.body).length > 0 ? inputFlag : {},
    endpoint.paging === undefined ? {} : pagingFlags,
    takesSeveral(spec) ? accountsFlags : {},
    follows ? followFlags : {},
    takesList && !isMany ? {column: targetFlags.column} : {},
    isMany ? {...targetFlags, ...(concurrency !== undefined && {concurrency: concurrencyFlag(concurrency)})} : {},
    isWrite(endpoint) ? (spec.question === undefined ? sendFlags : writeFlags) : {},
    endpoint.overLimit === undefined ? {} : limitFlags,
    endpoint.private === undefined ? {} : showPrivateFlags,
    endpoint.finding === undefined ? {} : saveFlags,
    endpoint.finding?.final === undefined ? {} : deletionFlags,
  );
}

/** The definition of the command; the flags of its record and the shared flags are apart. */
export function definitionOf(spec: CommandSpec<Endpoint>) {
  const {endpoint, summary, examples} = spec;
  return {
    summary,
    description: descriptionOf(spec),
    details: detailsOf(spec),
    usage: usageOf(endpoint, spec),
    examples,
    args: argumentsOf(endpoint, spec),
    knownValues: knownValues(endpoint, spec),
    lists: isList(endpoint) && Object.keys(spec.arguments ?? {}).length === 0 ? endpoint.items?.one : undefined,
    fields: flagsOf(endpoint, spec),
    families: familiesOf(spec),
  };
}
