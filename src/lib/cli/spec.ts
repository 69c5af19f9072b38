/** A command as written down in its file, and what oclif reads of it. */
import {Flags, type Interfaces} from '@oclif/core';
import type {Endpoint} from '../api/endpoint.js';
import type {Input, Operation} from '../operations/operation.js';
import type {Limits} from '../operations/limits.js';
import type {Connection} from './connection.js';
import {limitFlags, pagingFlags, targetFlags, writeFlags} from './flags.js';
import {argumentsOf, flagsOf, knownValues, usageOf, type FieldName, type Layout} from './fields.js';

/** What goes into one request, by part, while it is being put together. */
export type Draft = Input;

export interface Example {
  readonly does: string;
  /** Without `pixelctl`, unless the line begins with something else. */
  readonly line: string;
}

/** What a question is about: of many, the first few. */
export interface Hit {
  /** As they were typed. */
  readonly targets: readonly string[];
  readonly drafts: readonly Draft[];
  readonly count: number;
}

/** What is known of a write that the server accepted. */
export interface Seen {
  /** Whether there was anything to take back; undefined where that is not known. */
  readonly wasThere: boolean | undefined;
  /** The answer, which can be anything. */
  readonly answer: unknown;
}

/** A command as written down in its file. */
export interface Description<E extends Endpoint> {
  /** The record, or the operation where servers want more than it says. */
  readonly endpoint: Operation<E>;
  readonly summary: string;
  /** What is worth knowing before using it. */
  readonly description: string;
  readonly examples: readonly [Example, Example, ...Example[]];
  /** Fields given as arguments, in order, with the names that help shows for them. */
  readonly arguments?: Partial<Record<FieldName<E>, string>>;
  /** The field whose argument takes many targets. */
  readonly targets?: {
    readonly field: FieldName<E>;
    /** Of piped objects, the fields that hold a target, before `target` and `id`. */
    readonly from?: readonly string[];
  };
  readonly flags?: Partial<Record<FieldName<E>, string>>;
  /** Fields that `draft` makes from one of the own flags, with the name of that flag. */
  readonly made?: Partial<Record<FieldName<E>, string>>;
  readonly negatable?: readonly FieldName<E>[];
  /** Flags that no single field answers to; the command makes something of them in `draft`. */
  readonly ownFlags?: Interfaces.FlagInput;
  /** Sent when nothing else is given. */
  readonly defaults?: Partial<Record<FieldName<E>, string>>;
  /** Fields whose argument `-` stands for all of standard input. */
  readonly piped?: readonly FieldName<E>[];
  /** Asked before it is sent; names what it hits. */
  readonly question?: (hit: Hit, connection: Connection) => Promise<string> | string;
  /** Why the server would refuse this, by the limits that it publishes; undefined when it would not. */
  readonly overLimit?: (draft: Draft, limits: Limits) => Promise<string | undefined> | string | undefined;
  /** What accounts are called whose ids are in the answer, by id; asked for where people read it. */
  readonly names?: (draft: Draft, connection: Connection) => Promise<ReadonlyMap<string, string>>;
  /** The write that this one takes back, where servers say the same whether there was anything to take back or not. */
  readonly takesBack?: {readonly write: Endpoint; /** Said of what was not there. */ readonly nothing: string};
  /** Said to a person instead of a table, when the answer says nothing: only what was seen. */
  readonly done?: (draft: Draft, seen: Seen) => string;
}

function definedOnly<Value>(entries: Readonly<Record<string, Value | undefined>>): Record<string, Value> {
  const defined: Record<string, Value> = {};
  for (const [name, value] of Object.entries(entries)) if (value !== undefined) defined[name] = value;
  return defined;
}

export function layoutOf<E extends Endpoint>({
  arguments: labels = {},
  targets,
  flags = {},
  made = {},
  defaults = {},
  negatable,
}: Description<E>): Layout {
  return {
    arguments: definedOnly(labels),
    many: targets?.field,
    flags: definedOnly(flags),
    made: definedOnly(made),
    defaulted: Object.keys(defaults),
    negatable,
  };
}

/** Whether the request changes something; a search by POST does not. */
export function isWrite({method, undoneBy}: Endpoint): boolean {
  return method !== 'GET' && undoneBy !== undefined;
}

function longDescription({endpoint, description}: Description<Endpoint>): string {
  const scope =
    endpoint.anonymous === true
      ? 'It never sends the token'
      : endpoint.scope === null
        ? 'It needs a token; no scope is marked for it'
        : `It needs a token with the scope ${endpoint.scope}`;
  const {method, path, section} = endpoint;
  const where = section === null ? ' (undocumented, but on real servers)' : '';
  return `${description}\n\nCalls ${method} ${path}${where}. ${scope}.`;
}

const inputFlag = {
  input: Flags.string({
    description: 'JSON object that becomes the body (-: standard input); arguments and flags are laid over it',
    helpValue: 'FILE',
  }),
};

function exampleLine(line: string): string {
  return line.startsWith('pixelctl') || line.includes('| pixelctl') ? line : `pixelctl ${line}`;
}

/** The statics that oclif reads, made from the description. */
export function staticsOf<E extends Endpoint>(description: Description<E>) {
  const {endpoint} = description;
  const layout = layoutOf(description);
  const flags: Interfaces.FlagInput = {
    ...flagsOf(endpoint, layout),
    ...description.ownFlags,
    ...(Object.keys(endpoint.body).length > 0 && inputFlag),
    ...(endpoint.paging !== undefined && pagingFlags),
    ...(description.targets !== undefined && targetFlags),
    ...(isWrite(endpoint) && writeFlags),
    ...(description.overLimit !== undefined && limitFlags),
  };
  return {
    summary: description.summary,
    description: longDescription(description),
    args: argumentsOf(endpoint, layout),
    flags,
    usage: `<%= command.id %> ${usageOf(endpoint, layout)}`,
    knownValues: knownValues(endpoint, layout),
    examples: description.examples.map(({does, line}) => ({description: does, command: exampleLine(line)})),
  };
}
