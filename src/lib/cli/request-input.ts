/** The input of a request while it is being put together from what was typed. */
import type {Endpoint} from '../api/endpoint.js';
import {Failure} from '../client/failure.js';
import {sourceText, deepestInput, parseInput, TooDeep} from '../json/exact.js';
import {converted} from '../operations/operation.js';
import {layoutOf, type Description, type Draft} from './spec.js';
import type {Typed} from './command.js';
import {flagName, inputFields, typedName, type InputField, type Layout} from './fields.js';
import {collectTargets} from './targets.js';
import type {Io} from './io.js';

export function targetField({endpoint, targets}: Description<Endpoint>): InputField | undefined {
  return inputFields(endpoint).find(({name}) => name === targets?.field);
}

/** What was typed for a field, as an argument or a flag. */
export function typedValue(field: InputField, layout: Layout, {args, flags}: Typed): unknown {
  const label = layout.arguments?.[field.name];
  const flag = flagName(field, layout);
  return label === undefined ? (flag === null ? undefined : flags[flag]) : args[label];
}

/** Ids are strings, even when a file has them as numbers. */
function withTextIds(endpoint: Endpoint, file: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const ids = new Set(inputFields(endpoint).flatMap(({part, name, facts}) => (part === 'body' && facts?.isId === true ? [name] : [])));
  const text = (value: unknown): unknown => sourceText(value) ?? value;
  return Object.fromEntries(
    Object.entries(file).map(([name, value]) => [name, !ids.has(name) ? value : Array.isArray(value) ? value.map(text) : text(value)]),
  );
}

/** The items of an argument that takes a list: all of them go into one request, so none is left out. */
async function listed(given: readonly unknown[], seen: Set<string>, io: Io): Promise<unknown[]> {
  const {targets, accounts, mistakes} = await collectTargets(given.map(String), {fields: [], io});
  if (mistakes.count > 0) throw new Failure('usage', `${mistakes.text}: nothing was sent`);
  for (const account of accounts) seen.add(account);
  return targets.map(({value}) => value);
}

/**
 * The input that all targets share, from arguments, flags and `--input`, not yet converted.
 * @param accounts collects whose the items of a list are that was read
 */
export async function commonDraft(description: Description<Endpoint>, typed: Typed, accounts: Set<string>, io: Io): Promise<Draft> {
  const layout = layoutOf(description);
  const input = typed.flags['input'];
  const file = typeof input === 'string' ? await readInputFile(input, io) : {};
  const draft = {path: {}, query: {}, body: withTextIds(description.endpoint, file)};
  const defaults: Readonly<Record<string, string | undefined>> = description.defaults ?? {};
  for (const field of inputFields(description.endpoint)) {
    if (field.name === description.targets?.field) continue;
    const isPiped = description.piped?.includes(field.name) === true;
    const text = typedValue(field, layout, typed);
    const value = isPiped && text === '-' ? await io.readValue() : text;
    const isList = field.kind === 'list' && layout.arguments?.[field.name] !== undefined && Array.isArray(value);
    const given = isList ? await listed(value, accounts, io) : value;
    const sent = given ?? (field.name in draft[field.part] ? undefined : defaults[field.name]);
    if (sent !== undefined) Object.assign(draft[field.part], {[field.name]: sent});
  }
  return draft;
}

function withTarget(draft: Draft, field: InputField | undefined, target: string | undefined): Draft {
  if (field === undefined || target === undefined) return draft;
  return {...draft, [field.part]: {...draft[field.part], [field.name]: target}};
}

function requireAll(description: Description<Endpoint>, draft: Draft, command: string): void {
  const layout = layoutOf(description);
  const missing = inputFields(description.endpoint)
    .filter((field) => field.required && draft[field.part][field.name] === undefined)
    .map((field) => typedName(field, layout));
  if (missing.length === 0) return;
  throw new Failure('usage', `Missing: ${missing.join(', ')}`, {hint: `see \`pixelctl ${command} --help\``});
}

/** Drafts of one command, from what they share to what is sent. */
export class Drafting {
  readonly #description: Description<Endpoint>;
  readonly #command: string;
  readonly #target: InputField | undefined;

  constructor(description: Description<Endpoint>, command: string) {
    this.#description = description;
    this.#command = command;
    this.#target = targetField(description);
  }

  /** Converts what all targets share. @throws Failure `usage` for what is wrong */
  convertCommon(draft: Draft): Draft {
    return converted(this.#description.endpoint, draft, this.#target?.name);
  }

  /**
   * The draft of one target, converted, with nothing missing.
   * @throws Failure `usage` for what is wrong or missing
   */
  complete(common: Draft, target: string | undefined): Draft {
    const draft = converted(this.#description.endpoint, withTarget(common, this.#target, target));
    requireAll(this.#description, draft, this.#command);
    return draft;
  }
}

/**
 * The JSON object of `--input`, numbers as they are written there.
 * @param file a path, or `-` for standard input
 * @throws Failure `local` when it cannot be read, `usage` when it is no JSON object
 */
export async function readInputFile(file: string, io: Io): Promise<Record<string, unknown>> {
  const source = file === '-' ? 'standard input' : file;
  const text = await io.read(file, `the input file ${file}`);
  let value: unknown;
  try {
    value = parseInput(text);
  } catch (error) {
    if (error instanceof TooDeep)
      throw new Failure('usage', `The input (${source}) is nested deeper than ${deepestInput} levels`, {hint: 'servers do not read that'});
    const where = error instanceof SyntaxError ? /line \d+ column \d+/.exec(error.message)?.[0] : undefined;
    throw new Failure('usage', `The input (${source}) is not valid JSON${where === undefined ? '' : `, ${where}`}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || sourceText(value) !== undefined) {
    throw new Failure('usage', `The input (${source}) has to be a JSON object, {…}`);
  }
  return {...value};
}
