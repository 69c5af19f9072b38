/** An operation: the record of an endpoint, and what real servers require beyond it. */
import type {Endpoint, Fields, PlainInput, Repeat} from '../api/endpoint.js';
import {factsOf, namedKind, type FieldFacts} from '../api/schema.js';
import type {Answer} from '../client/answer.js';
import type {Client} from '../client/client.js';
import {requestFor, type Request} from '../client/request.js';
import {Failure} from '../client/failure.js';
import type {AccountDirectory} from './accounts.js';
import {accountName, conversationName} from './account-name.js';
import type {PublishedLimits} from './limits.js';
import type {FindingOperation} from './found-target.js';

/** The input of an operation, in which no part is missing. */
export type FullInput = Readonly<Record<'body' | 'path' | 'query', Readonly<Record<string, unknown>>>>;

/** How an operation differs from a plain request of its record. */
interface Behaviour {
  /** Turns what people write into what servers require, by field. Sends nothing. @throws Failure `usage` */
  readonly convert?: Readonly<Record<string, (text: string) => unknown>>;
  /** Whether it blocks domains for the whole server, so that the own domain of the server is refused. */
  readonly blocksServers?: (input: PlainInput) => boolean;
  /** Whether it takes whole top-level domains, on servers that can block them. */
  readonly takesTopLevel?: true;
  /** Refuses lists whose severities would be ignored. @param defaulted the default values that are used, by field @throws Failure `usage` */
  readonly refuseList?: (severities: readonly string[], defaulted: Readonly<Record<string, string>>) => void;
  /** Why an input is over a limit that the server publishes; undefined if it is not. */
  readonly overLimit?: (input: PlainInput, limits: PublishedLimits) => Promise<string | undefined> | string | undefined;
  /** All its requests, if there may be more than one. Placeholders stand for ids that only the server knows. */
  readonly requests?: (input: PlainInput) => readonly Request[];
  /** Sends the requests. @throws Failure */
  readonly send?: (input: PlainInput, client: Client) => Promise<Answer>;
  /** Whether it may be sent again, if that depends on the input. */
  readonly repeats?: (input: PlainInput) => Repeat;
  /** Replaces `send` if targets have to be looked up first. */
  readonly finding?: FindingOperation;
}

/** A record with its behaviour. A plain record is an operation, too. */
export type Operation<E extends Endpoint = Endpoint> = Behaviour & E;

export function operation<E extends Endpoint>(record: E, behaviour: Behaviour): Operation<E> {
  return {...record, ...behaviour};
}

/** A server, and what is known of its accounts. */
export interface Via {
  readonly client: Client;
  /** Loaded late: most requests name no account. */
  accounts(): Promise<AccountDirectory>;
}

type Change = (value: string) => unknown;

const parts = ['path', 'query', 'body'] as const;

const fieldsIn = ({pathFields, query, body}: Endpoint): Readonly<Record<(typeof parts)[number], Fields>> => ({
  path: pathFields,
  query,
  body,
});

/** The values to change, each with the function that changes it, or each item of it if it is a list. */
function changesIn(operation: Operation, input: PlainInput, changeOf: (name: string, facts: FieldFacts | undefined) => Change | undefined) {
  return parts.flatMap((part) =>
    Object.entries(fieldsIn(operation)[part]).flatMap(([name, schema]) => {
      const value = input[part]?.[name];
      const change = value === undefined ? undefined : changeOf(name, factsOf(schema));
      return change === undefined ? [] : [{part, name, value, change}];
    }),
  );
}

function copyOf({path, query, body}: PlainInput): Record<'body' | 'path' | 'query', Record<string, unknown>> {
  return {path: {...path}, query: {...query}, body: {...body}};
}

const nameOf = {account: accountName, conversation: conversationName};

/**
 * The input in the form that servers require, with names of accounts in one form. Sends nothing.
 * @param except a field to leave unmodified
 * @throws Failure `usage` for invalid values
 */
export function convertInput(operation: Operation, input: PlainInput, except?: string): FullInput {
  const result = copyOf(input);
  const changes = changesIn(operation, input, (name, facts) => {
    if (name === except) return undefined;
    const named = namedKind(facts, input.body);
    return operation.convert?.[name] ?? (named && nameOf[named]);
  });
  for (const {part, name, value, change} of changes) {
    result[part][name] = Array.isArray(value) ? [...new Set(value.map((item) => change(String(item))))] : change(String(value));
  }
  refuseUnknown(operation, result);
  return result;
}

/** @throws Failure `usage` for an unknown value of a field whose values are all known. It is not trimmed, as servers do. Empty values are refused elsewhere */
function refuseUnknown(operation: Operation, input: FullInput): void {
  for (const part of parts) {
    for (const [name, schema] of Object.entries(fieldsIn(operation)[part])) {
      const {known, knowsAll} = factsOf(schema) ?? {};
      if (known === undefined || knowsAll !== true) continue;
      const unknown = [input[part][name] ?? []].flat().find((value) => value !== '' && !known.includes(String(value)));
      if (unknown !== undefined)
        throw new Failure('usage', `Unknown ${name} ${JSON.stringify(unknown)}`, {hint: `known values: ${known.join(', ')}`});
    }
  }
}

/** The input with ids instead of names. @throws Failure `not_found` for unknown names */
export async function resolveInput(operation: Operation, input: PlainInput, via: Via): Promise<FullInput> {
  const result = copyOf(input);
  const changes = changesIn(operation, input, (_, facts) => {
    const named = namedKind(facts, input.body);
    if (named === undefined) return undefined;
    return async (name) => {
      const accounts = await via.accounts();
      return named === 'account' ? accounts.idOf(name, via.client) : accounts.conversationOf(name, via.client);
    };
  });
  for (const {part, name, value, change} of changes) {
    result[part][name] = Array.isArray(value)
      ? [...new Set(await Promise.all(value.map((item) => change(String(item)))))]
      : await change(String(value));
  }
  return result;
}

/** @throws Failure `usage` for an input over a limit that the server publishes. Limits are read only where one is checked */
export async function refuseOverLimit({overLimit}: Operation, input: PlainInput, limits: () => Promise<PublishedLimits>): Promise<void> {
  const complaint = overLimit && (await overLimit(input, await limits()));
  if (complaint !== undefined) throw new Failure('usage', `${complaint}: nothing was sent`, {hint: '--no-limits sends it anyway'});
}

export function requestsFor(operation: Operation, input: PlainInput): readonly Request[] {
  return operation.requests?.(input) ?? [requestFor(operation, input)];
}

/**
 * Sends an operation. Its input has to be converted and resolved.
 * @throws Failure
 */
export const perform = (operation: Operation, input: PlainInput, {client}: Via): Promise<Answer> =>
  operation.send?.(input, client) ?? client.send(requestFor(operation, input), operation.output());
