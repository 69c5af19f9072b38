/** Makes the input of requests from arguments, flags and `--input`. */
import type {Endpoint} from '../../api/endpoint.js';
import {kinds} from '../../api/kinds.js';
import {isObject} from '../../api/schema.js';
import {Failure} from '../../client/failure.js';
import {parseExact, sourceText, TooDeep} from '../../json/exact.js';
import {shorten} from '../../json/text.js';
import {convertInput, type FullInput} from '../../operations/operation.js';
import {fieldLayoutOf, type CommandSpec, type EndpointFlags} from './spec.js';
import type {Typed, ParsedValues} from '../command.js';
import {flagName, inputFields, typedName, type InputField, type FieldLayout} from './fields.js';
import {collectTargets, joinedOrigins, noOrigin, type CommandTarget} from './targets.js';
import type {WantedKind} from './piped-item.js';
import type {Origin} from './target-list.js';
import type {Io} from '../io.js';

export function targetField({endpoint, targets}: CommandSpec<Endpoint>): InputField | undefined {
  return inputFields(endpoint).find(({name}) => name === targets?.field);
}

/** What a list of values of a field is read for. */
export function wantedKindOf({facts, name}: InputField, {endpoint, question}: CommandSpec<Endpoint>, {column}: Given['flags']): WantedKind {
  const kind = facts?.of ?? (facts?.names && kinds[facts.names]);
  if (kind === undefined) throw new Error(`The field ${name} of "${endpoint.name}" does not say what it is: \`of\` names a kind of object`);
  return {kind, mustBeCertain: question !== undefined, column};
}

/** The value of a field's argument or flag. */
export function typedValue(field: InputField, layout: FieldLayout, {args, flags}: Typed): unknown {
  const label = layout.arguments?.[field.name];
  const flag = flagName(field, layout);
  return label === undefined ? (flag === null ? undefined : flags[flag]) : args[label];
}

/** Converts numeric ids of a file to strings. */
function withTextIds(endpoint: Endpoint, file: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const ids = new Set(inputFields(endpoint).flatMap(({part, name, facts}) => (part === 'body' && facts?.isId !== undefined ? [name] : [])));
  const text = (value: unknown): unknown => sourceText(value) ?? value;
  return Object.fromEntries(
    Object.entries(file).map(([name, value]) => [name, !ids.has(name) ? value : Array.isArray(value) ? value.map(text) : text(value)]),
  );
}

/** The items of an argument that takes a list. All go into one request, so an invalid one is an error. */
async function collectValues(given: readonly unknown[], wanted: WantedKind, io: Io): Promise<{values: unknown[]; origin: Origin}> {
  const {targets, origin, mistakes} = await collectTargets(given.map(String), {wanted, io});
  if (mistakes.count > 0) throw new Failure('usage', `${mistakes.text}: nothing was sent`, {hint: mistakes.advice});
  return {values: targets.map(({value}) => value), origin};
}

/** What was typed for an endpoint command. */
export interface Given {
  readonly args: ParsedValues;
  readonly flags: EndpointFlags;
}

/** The input that all targets share, and what its list says. */
interface CommonInput {
  readonly input: FullInput;
  readonly origin: Origin;
  /** What nobody gave, and is sent by default. */
  readonly defaulted: Readonly<Record<string, string>>;
}

/** @throws Failure `usage` for what is wrong, `local` for a file that cannot be read */
export async function commonInput(spec: CommandSpec<Endpoint>, given: Given, io: Io): Promise<CommonInput> {
  const {endpoint, targets, piped, defaults = {}} = spec;
  const layout = fieldLayoutOf(spec);
  const file = given.flags.input === undefined ? {} : await readInputFile(given.flags.input, io);
  const input = {path: {}, query: {}, body: withTextIds(endpoint, file)};
  const usual: Readonly<Record<string, string | undefined>> = defaults;
  let origin = noOrigin;
  const defaulted: Record<string, string> = {};
  const read = async (value: unknown, field: InputField): Promise<unknown> => {
    if (field.kind !== 'list' || layout.arguments?.[field.name] === undefined || !Array.isArray(value)) return value;
    const list = await collectValues(value, wantedKindOf(field, spec, given.flags), io);
    origin = joinedOrigins(origin, list.origin);
    return list.values;
  };
  for (const field of inputFields(endpoint)) {
    if (field.name === targets?.field) continue;
    const isPiped = piped?.includes(field.name) === true;
    const text = typedValue(field, layout, given);
    if (Array.isArray(text) && text.some((item) => String(item).trim() === '')) {
      throw new Failure('usage', `${typedName(field, layout)} has an empty value`, {
        hint: 'separate values with one comma, or leave it out',
      });
    }
    const value = await read(isPiped && text === '-' ? await io.readValue() : text, field);
    const byDefault = value === undefined && !(field.name in input[field.part]) ? usual[field.name] : undefined;
    if (byDefault !== undefined) defaulted[field.name] = byDefault;
    const sent = value ?? byDefault;
    if (sent !== undefined) Object.assign(input[field.part], {[field.name]: sent});
  }
  return {input, origin, defaulted};
}

/** Characters of a value in a warning. */
const maxShown = 60;

/** Warns of values that are not known, where servers add some: they are sent. */
export async function warnOfUnknownValues(spec: CommandSpec<Endpoint>, input: FullInput, warn: (text: string) => void): Promise<void> {
  const layout = fieldLayoutOf(spec);
  for (const field of inputFields(spec.endpoint)) {
    const {known, knowsAll, calledElsewhere = {}} = field.facts ?? {};
    if (known === undefined || knowsAll === true || spec.endpoint.convert?.[field.name] !== undefined) continue;
    for (const value of [input[field.part][field.name] ?? []].flat().map(String)) {
      if (known.includes(value)) continue;
      const {nearest} = await import('../../json/nearest.js');
      const meant = (Object.hasOwn(calledElsewhere, value) ? calledElsewhere[value] : undefined) ?? nearest(value, known);
      const better = meant === undefined ? `known values: ${known.join(', ')}` : `did you mean ${meant}?`;
      warn(`${typedName(field, layout)} ${shorten(value, maxShown)}: it is sent, but not known; ${better}`);
    }
  }
}

/** Converts what all targets share. @throws Failure `usage` for what is wrong */
export function convertCommon(spec: CommandSpec<Endpoint>, input: FullInput): FullInput {
  return convertInput(spec.endpoint, input, spec.targets?.field);
}

/** Makes the inputs of targets. Of each target only its value is kept: there may be hundreds of thousands. */
export class TargetInputs {
  readonly #common: FullInput;
  readonly #spec: CommandSpec<Endpoint>;
  readonly #field: InputField | undefined;

  /** @param common what all targets share, converted */
  constructor(spec: CommandSpec<Endpoint>, common: FullInput) {
    this.#spec = spec;
    this.#common = common;
    this.#field = targetField(spec);
  }

  /**
   * Says once what is missing for all targets.
   * @param command its words
   * @throws Failure `usage`
   */
  refuseMissing(targets: readonly CommandTarget[], command: string): void {
    const isNamed = targets.every(({value}) => value !== undefined);
    const missing = inputFields(this.#spec.endpoint).filter(
      ({part, name, required}) => required && this.#common[part][name] === undefined && !(isNamed && name === this.#field?.name),
    );
    if (missing.length === 0) return;
    const layout = fieldLayoutOf(this.#spec);
    const asked = missing.map((one) => {
      const typed = typedName(one, layout);
      return layout.negatable?.includes(one.name) === true ? `${typed} or ${typed.replace('--', '--no-')}` : typed;
    });
    const known = missing.flatMap(({facts}, index) => (facts?.known ? `${asked[index]} is one of ${facts.known.join(', ')}` : []));
    throw new Failure('usage', `Missing: ${asked.join(', ')}`, {hint: [...known, `see \`pixelctl ${command} --help\``].join('; ')});
  }

  /**
   * The value that is sent for a target, converted; undefined where the command takes none.
   * @throws Failure `usage` for what is wrong
   */
  valueOf(target: string | undefined): unknown {
    const input = convertInput(this.#spec.endpoint, this.inputFor(target));
    return this.#field === undefined ? undefined : input[this.#field.part][this.#field.name];
  }

  /** @param value as {@link valueOf} returns it */
  inputFor(value: unknown): FullInput {
    const field = this.#field;
    if (field === undefined || value === undefined) return this.#common;
    return {...this.#common, [field.part]: {...this.#common[field.part], [field.name]: value}};
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
    value = parseExact(text);
  } catch (error) {
    if (error instanceof TooDeep)
      throw new Failure('usage', `The input (${source}) is ${error.message}`, {
        hint: 'servers do not accept that',
      });
    const where = error instanceof SyntaxError ? /line \d+ column \d+/.exec(error.message)?.[0] : undefined;
    throw new Failure('usage', `The input (${source}) is not valid JSON${where === undefined ? '' : `, ${where}`}`);
  }
  if (!isObject(value)) {
    throw new Failure('usage', `The input (${source}) must be a JSON object, {…}`);
  }
  return {...value};
}
