/** Commands made from endpoint records: a plain one is a record, a view and its examples. */
import {Flags, type Interfaces} from '@oclif/core';
import type {Endpoint} from '../api/endpoint.js';
import type {Answer} from '../client/answer.js';
import {plan, type PlannedRequest} from '../client/encode.js';
import {Failure} from '../client/failure.js';
import {longestAsking, publishedLimits, type Limits} from '../client/limits.js';
import type {ViewName} from '../output/views.js';
import {confirm, requireAnswer} from './confirm.js';
import {printPlans} from './dry-run.js';
import {confirmFlags, limitFlags, writeFlags} from './global-flags.js';
import {readInputFile} from './input-file.js';
import {PixelctlCommand, type Typed} from './pixelctl-command.js';
import {printAnswer, runTargets} from './present.js';
import type {Session} from './session.js';
import {argumentsOf, flagName, flagsOf, inputFields, knownValues, usageOf, type FieldName, type InputField, type Layout} from './surface.js';
import {collectTargets} from './targets.js';

/** What goes into one request, by part, while it is being put together. */
export type Draft = Readonly<Record<'body' | 'path' | 'query', Readonly<Record<string, unknown>>>>;

/** Makes the value that is sent from the one that was typed. */
export type Conversion = (text: string, session: Session) => Promise<unknown> | unknown;

export interface Example {
  readonly does: string;
  /** Without `pixelctl`, unless the line begins with something else. */
  readonly line: string;
}

/** A command as written down in its file. */
export interface Description<E extends Endpoint> {
  readonly endpoint: E;
  readonly summary: string;
  /** What is worth knowing before using it. */
  readonly description: string;
  readonly examples: readonly [Example, Example, ...Example[]];
  /** How the answer is shown; absent when words say it all. */
  readonly view?: ViewName;
  /** Fields given as arguments, in order, with the names that help shows for them. */
  readonly arguments?: Partial<Record<FieldName<E>, string>>;
  /** The field whose argument takes many targets. */
  readonly targets?: {
    readonly field: FieldName<E>;
    /** Of piped objects, the fields that hold a target, before `target` and `id`. */
    readonly from?: readonly string[];
  };
  readonly flags?: Partial<Record<FieldName<E>, string | null>>;
  readonly negatable?: readonly FieldName<E>[];
  /** Flags that no single field answers to; the command makes something of them in `draft`. */
  readonly ownFlags?: Interfaces.FlagInput;
  /** Sent when nothing else is given. */
  readonly defaults?: Partial<Record<FieldName<E>, string>>;
  readonly convert?: Partial<Record<FieldName<E>, Conversion>>;
  /** Asked before it is sent; names what it hits. */
  readonly question?: (drafts: readonly Draft[], session: Session) => Promise<string> | string;
  /** Why the server would refuse this, by the limits that it publishes; undefined when it would not. */
  readonly overLimit?: (draft: Draft, limits: Limits) => Promise<string | undefined> | string | undefined;
  /** Said to a person instead of a table, when the answer says nothing. */
  readonly done?: (draft: Draft) => string;
}

function layoutOf<E extends Endpoint>({arguments: labels = {}, targets, flags = {}, negatable}: Description<E>): Layout {
  return {arguments: definedOnly(labels), many: targets?.field, flags: definedOnly(flags), negatable};
}

function definedOnly<Value>(entries: Readonly<Record<string, Value | undefined>>): Record<string, Value> {
  const defined: Record<string, Value> = {};
  for (const [name, value] of Object.entries(entries)) if (value !== undefined) defined[name] = value;
  return defined;
}

function isWrite({method, undoneBy}: Endpoint): boolean {
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
  return `${description}\n\nCalls ${method} ${path} (section ${section} of the API description). ${scope}.`;
}

const inputFlag = {
  input: Flags.string({
    description: 'JSON object that becomes the body (-: standard input); arguments and flags are laid over it',
    helpValue: 'FILE',
  }),
};

/**
 * A command that sends one endpoint's request. Made by {@link endpointCommand}, which says what is described;
 * subclasses override what is special in theirs.
 */
export class EndpointCommand extends PixelctlCommand {
  // Said again, because oclif looks no further up when a command is a subclass of a made one.
  static override baseFlags = PixelctlCommand.baseFlags;

  declare readonly described: Description<Endpoint>;

  protected get layout(): Layout {
    return layoutOf(this.described);
  }

  protected override async execute(typed: Typed, session: Session): Promise<void> {
    const {described} = this;
    const base = await this.draft(typed, session);
    const targets = await this.#targets(typed);
    const drafts = await Promise.all(
      targets.values.map((target) => this.#complete(withTarget(base, this.#targetField, target), session)),
    );
    if (session.dryRun) {
      const requests = await Promise.all(drafts.map((draft) => this.requests(draft, typed, session)));
      return printPlans(requests.flat(), session);
    }
    // Everything that can be wrong with the input is found before the first request, and before the question.
    for (const draft of drafts) plan(described.endpoint, draft);
    await this.#checkLimits(drafts, session);
    await this.#ask(drafts, session);
    if (targets.isSingle) {
      const [draft] = drafts;
      if (draft === undefined) throw new Failure('usage', 'There is nothing to do');
      const answer = await this.exchange(draft, typed, session);
      return printAnswer(answer, described.endpoint, described.view, described.done?.(draft), session);
    }
    const steps = drafts.map((draft, index) => ({
      target: targets.values[index] ?? '',
      run: () => this.exchange(draft, typed, session),
    }));
    await runTargets(steps, session);
  }

  /** The input that all targets share, from arguments, flags and `--input`. */
  protected async draft(typed: Typed, _session: Session): Promise<Draft> {
    const input = typed.flags['input'];
    const file = typeof input === 'string' ? await readInputFile(input) : {};
    const draft = {path: {}, query: {}, body: {...file}};
    const defaults: Readonly<Record<string, string | undefined>> = this.described.defaults ?? {};
    for (const field of inputFields(this.described.endpoint)) {
      if (field.name === this.#targetField?.name) continue;
      const value = this.#typedValue(field, typed);
      const isList = field.kind === 'list' && this.layout.arguments?.[field.name] !== undefined && Array.isArray(value);
      const given = isList ? (await collectTargets(value.map(String), [])).values : value;
      const sent = given ?? (field.name in draft[field.part] ? undefined : defaults[field.name]);
      if (sent !== undefined) Object.assign(draft[field.part], {[field.name]: sent});
    }
    return draft;
  }

  /** The requests that a run would send, for a dry run. */
  protected async requests(draft: Draft, _typed: Typed, _session: Session): Promise<PlannedRequest[]> {
    return [plan(this.described.endpoint, draft)];
  }

  /** Sends the request of one target. */
  protected async exchange(draft: Draft, _typed: Typed, session: Session): Promise<Answer> {
    const {endpoint} = this.described;
    return session.client.send(plan(endpoint, draft), endpoint.output);
  }

  get #targetField(): InputField | undefined {
    const name = this.described.targets?.field;
    return inputFields(this.described.endpoint).find((field) => field.name === name);
  }

  #typedValue(field: InputField, {args, flags}: Typed): unknown {
    const label = this.layout.arguments?.[field.name];
    const flag = flagName(field, this.layout);
    return label === undefined ? (flag === null ? undefined : flags[flag]) : args[label];
  }

  async #targets(typed: Typed): Promise<{values: readonly (string | undefined)[]; isSingle: boolean}> {
    const field = this.#targetField;
    if (field === undefined) return {values: [undefined], isSingle: true};
    const typedTargets = this.#typedValue(field, typed);
    if (!Array.isArray(typedTargets)) return {values: [undefined], isSingle: true};
    return collectTargets(typedTargets.map(String), this.described.targets?.from ?? []);
  }

  /** Converts what was typed, and sees that nothing is missing. */
  async #complete(draft: Draft, session: Session): Promise<Draft> {
    const converted = {path: {...draft.path}, query: {...draft.query}, body: {...draft.body}};
    const conversions: Readonly<Record<string, Conversion | undefined>> = this.described.convert ?? {};
    for (const {name, part} of inputFields(this.described.endpoint)) {
      const convert = conversions[name];
      const value = converted[part][name];
      if (convert === undefined || value === undefined) continue;
      converted[part][name] = Array.isArray(value)
        ? [...new Set(await Promise.all(value.map((item) => convert(String(item), session))))]
        : await convert(String(value), session);
    }
    this.#requireAll(converted);
    return converted;
  }

  #requireAll(draft: Draft): void {
    const missing = inputFields(this.described.endpoint)
      .filter((field) => field.required && draft[field.part][field.name] === undefined)
      .map((field) => this.layout.arguments?.[field.name] ?? `--${flagName(field, this.layout) ?? field.name}`);
    if (missing.length === 0) return;
    throw new Failure('usage', `Missing: ${missing.join(', ')}`, {
      hint: `see \`pixelctl ${(this.id ?? '').replaceAll(':', ' ')} --help\``,
    });
  }

  async #checkLimits(drafts: readonly Draft[], session: Session): Promise<void> {
    const {overLimit} = this.described;
    if (overLimit === undefined || !session.checksLimits) return;
    const asking = () => session.newClient({timeout: longestAsking, retries: 0});
    const limits = await publishedLimits(session.identity.server.origin, asking, this.config.cacheDir);
    for (const draft of drafts) {
      const complaint = await overLimit(draft, limits);
      if (complaint === undefined) continue;
      throw new Failure('usage', `${complaint}: nothing was sent`, {hint: '--no-limits sends it anyway'});
    }
  }

  async #ask(drafts: readonly Draft[], session: Session): Promise<void> {
    const {question} = this.described;
    if (question === undefined || session.assumeYes) return;
    requireAnswer();
    await confirm(await question(drafts, session));
  }
}

function withTarget(draft: Draft, field: InputField | undefined, target: string | undefined): Draft {
  if (field === undefined || target === undefined) return draft;
  return {...draft, [field.part]: {...draft[field.part], [field.name]: target}};
}

/** The statics that oclif reads, made from the description. */
function statics<E extends Endpoint>(description: Description<E>) {
  const {endpoint} = description;
  const layout = layoutOf(description);
  const flags: Interfaces.FlagInput = {
    ...flagsOf(endpoint, layout),
    ...description.ownFlags,
    ...(Object.keys(endpoint.body).length > 0 && inputFlag),
    ...(isWrite(endpoint) && writeFlags),
    ...(description.question !== undefined && confirmFlags),
    ...(description.overLimit !== undefined && limitFlags),
  };
  return {
    args: argumentsOf(endpoint, layout),
    flags,
    knownValues: knownValues(endpoint, layout),
    usage: `<%= command.id %> ${usageOf(endpoint, layout)}`,
    examples: description.examples.map(({does, line}) => ({description: does, command: line.startsWith('pixelctl') || line.includes('| pixelctl') ? line : `pixelctl ${line}`})),
  };
}

/** A command class made from its description. */
export function endpointCommand<E extends Endpoint>(description: Description<E>): typeof EndpointCommand {
  const made = statics(description);
  return class extends EndpointCommand {
    static override summary = description.summary;
    static override description = longDescription(description);
    static override args = made.args;
    static override flags = made.flags;
    static override usage = made.usage;
    static knownValues = made.knownValues;
    static override examples = made.examples;
    override readonly described = description;
  };
}
