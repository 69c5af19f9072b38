/** Commands made from endpoint records: a plain one is a record, a view and its examples. */
import type {Endpoint} from '../api/endpoint.js';
import type {Answer} from '../client/answer.js';
import {plan, type PlannedRequest} from '../client/encode.js';
import {Failure} from '../client/failure.js';
import {longestAsking, publishedLimits} from '../client/limits.js';
import {allowWrite} from './asking/acting-account.js';
import {connect, type Connection} from './connection.js';
import {isWrite, layoutOf, staticsOf, type Description, type Draft} from './description.js';
import {commonDraft, Drafting, targetField, typedValue} from './draft.js';
import {printPlans} from './printing/dry-run.js';
import {isPaged, pagingChoice, printPages} from './printing/pages.js';
import {PixelctlCommand, type Typed} from './pixelctl-command.js';
import {printAnswer} from './printing/present.js';
import {printingOf, warnOfFields, type Printing} from './printing/printing.js';
import {runTargets} from './printing/run-targets.js';
import type {Session} from './session.js';
import {collectTargets, type Target, type Targets} from './input/targets.js';

export type {Draft} from './description.js';

/** One request of a batch. */
export interface Operation {
  readonly target: string;
  readonly repeat: 'harmless' | 'never';
  readonly isWrite: boolean;
  readonly run: (connection: Connection) => Promise<Answer>;
}

/** How many targets a question looks at. */
const mostLookedAt = 6;

/**
 * A command that sends one endpoint's request. Made by {@link endpointCommand}, which says what is described;
 * subclasses override what is special in theirs.
 */
export class EndpointCommand extends PixelctlCommand {
  // Said again, because oclif looks no further up when a command is a subclass of a made one.
  static override baseFlags = PixelctlCommand.baseFlags;

  declare readonly described: Description<Endpoint>;

  protected override async execute(typed: Typed, session: Session): Promise<void> {
    const {described} = this;
    const printing = await printingOf(session);
    const drafting = new Drafting(described, this.words);
    const common = await drafting.convertCommon(await this.draft(typed));
    const targets = await this.#checkedTargets(typed, drafting, common, session);
    const connection = await connect(session);
    try {
      if (session.dryRun) return await this.#printPlans(targets, drafting, common, connection);
      await warnOfFields(printing, described.endpoint, {view: described.view, isMany: !targets.isSingle}, session);
      if (targets.targets.length > 0) await this.#allow(targets, drafting, common, connection);
      const send = async (target: Target, over: Connection) => {
        const draft = await drafting.resolve(await drafting.complete(common, target.value), over);
        return {draft, answer: await this.exchange(draft, over)};
      };
      if (targets.isSingle) return await this.#single(targets, drafting, common, {send, typed, printing, connection});
      await runTargets(targets.targets, async (target, over) => (await send(target, over)).answer, {
        command: this.words,
        repeat: described.endpoint.repeat,
        input: JSON.stringify(common),
        flags: typed.flags,
        printing,
        connection,
      });
    } finally {
      await connection.close();
    }
  }

  /**
   * What was typed as parts of a batch: one operation for each target, checked, and sent over the batch's connection.
   * @throws Failure `usage` for what is wrong, or asks first and has no `yes`
   */
  async operations(session: Session): Promise<Operation[]> {
    try {
      const typed = await this.typed();
      const {endpoint, question} = this.described;
      if (question !== undefined && typed.flags['yes'] !== true && !session.assumeYes) {
        throw new Failure('usage', `${this.words} asks first`, {hint: 'give it the flag "yes": true, or --yes to batch'});
      }
      const drafting = new Drafting(this.described, this.words);
      const common = await drafting.convertCommon(await this.draft(typed));
      const collected = await this.#checkedTargets(typed, drafting, common, session);
      return collected.targets.map((target) => ({
        target: target.value ?? '',
        repeat: endpoint.repeat,
        isWrite: isWrite(endpoint),
        run: async (connection) => {
          const one = {...collected, targets: [target]};
          if (typed.flags['no-limits'] !== true) await this.#checkLimits(one, drafting, common, connection);
          const draft = await drafting.resolve(await drafting.complete(common, target.value), connection);
          return this.exchange(draft, connection);
        },
      }));
    } catch (error) {
      throw await this.failureOf(error);
    }
  }

  /** The input that all targets share, from arguments, flags and `--input`. */
  protected draft(typed: Typed): Promise<Draft> {
    return commonDraft(this.described, typed);
  }

  /** The requests that a run would send, for a dry run. */
  protected async requests(draft: Draft): Promise<PlannedRequest[]> {
    return [plan(this.described.endpoint, draft)];
  }

  /** Sends the request of one target. */
  protected async exchange(draft: Draft, connection: Connection): Promise<Answer> {
    const {endpoint} = this.described;
    return connection.client.send(plan(endpoint, draft), endpoint.output);
  }

  async #single(
    {targets: [target]}: Targets,
    drafting: Drafting,
    common: Draft,
    {send, typed, printing, connection}: {
      readonly send: (target: Target, over: Connection) => Promise<{draft: Draft; answer: Answer}>;
      readonly typed: Typed;
      readonly printing: Printing;
      readonly connection: Connection;
    },
  ): Promise<void> {
    const {endpoint, view, done} = this.described;
    if (target === undefined) throw new Failure('usage', 'There is nothing to do');
    const paging = pagingChoice(typed.flags);
    if (paging !== undefined && isPaged(endpoint)) {
      const request = plan(endpoint, await drafting.complete(common, target.value));
      return printPages(request, endpoint, paging, {view, printing, connection});
    }
    const {draft, answer} = await send(target, connection);
    await printAnswer(answer, endpoint.rows, {view, done: done?.(draft), printing, connection});
  }

  /** The targets, each seen to be fit for sending: what is wrong is said before the first request. */
  async #checkedTargets(typed: Typed, drafting: Drafting, common: Draft, session: Session): Promise<Targets> {
    const {described} = this;
    const field = targetField(described);
    const given = field && typedValue(field, layoutOf(described), typed);
    const from = typed.flags['from'];
    const isMany = Array.isArray(given) || typeof from === 'string';
    const collected: Targets = isMany
      ? await collectTargets(Array.isArray(given) ? given.map(String) : [], {
          fields: described.targets?.from ?? [],
          from: typeof from === 'string' ? from : undefined,
        })
      : {targets: [{value: undefined, place: undefined}], problems: [], isSingle: true};
    const problems = [...collected.problems];
    // By the request that it leads to: what is written in two ways goes once, too.
    const fit = new Map<string, Target>();
    for (const target of collected.targets) {
      try {
        const {path, body} = plan(described.endpoint, await drafting.complete(common, target.value));
        const request = JSON.stringify([path, body]);
        if (!fit.has(request)) fit.set(request, target);
      } catch (error) {
        if (!(error instanceof Failure) || target.place === undefined) throw error;
        problems.push(`${target.place}: ${error.message}`);
      }
    }
    const targets = [...fit.values()];
    if (problems.length === 0) return {...collected, targets};
    const shown = problems.slice(0, 10).join('; ') + (problems.length > 10 ? `; and ${problems.length - 10} more` : '');
    if (typed.flags['skip-invalid'] !== true) {
      throw new Failure('usage', `${shown}: nothing was sent`, {hint: 'mend them, or give --skip-invalid to go on without them'});
    }
    session.warn(`left out: ${shown}`);
    return {...collected, targets};
  }

  async #printPlans({targets}: Targets, drafting: Drafting, common: Draft, connection: Connection): Promise<void> {
    const requests: PlannedRequest[] = [];
    for (const {value} of targets) {
      const draft = await drafting.resolve(await drafting.complete(common, value), connection);
      requests.push(...(await this.requests(draft)));
    }
    await printPlans(requests, connection);
  }

  /** All that stands between a write and its sending: the server's limits, a question, the right account. */
  async #allow(targets: Targets, drafting: Drafting, common: Draft, connection: Connection): Promise<void> {
    const {endpoint, question} = this.described;
    await this.#checkLimits(targets, drafting, common, connection);
    if (!isWrite(endpoint)) return;
    const ask = async (about: NonNullable<typeof question>) => {
      const first = targets.targets.slice(0, mostLookedAt);
      const drafts = await Promise.all(first.map(({value}) => drafting.complete(common, value)));
      return about({drafts, count: targets.targets.length}, connection);
    };
    await allowWrite(connection, this.described.summary, question && (() => ask(question)));
  }

  async #checkLimits(targets: Targets, drafting: Drafting, common: Draft, connection: Connection): Promise<void> {
    const {overLimit} = this.described;
    if (overLimit === undefined || !connection.session.checksLimits) return;
    const asking = () => connection.newClient({timeout: longestAsking, retries: 0});
    const limits = await publishedLimits(connection.server.origin, asking, this.config.cacheDir);
    for (const {value} of targets.targets) {
      const complaint = await overLimit(await drafting.complete(common, value), limits);
      if (complaint === undefined) continue;
      throw new Failure('usage', `${complaint}: nothing was sent`, {hint: '--no-limits sends it anyway'});
    }
  }
}

/** A command class made from its description. */
export function endpointCommand<E extends Endpoint>(description: Description<E>): typeof EndpointCommand {
  const statics = staticsOf(description);
  return class extends EndpointCommand {
    static override summary = statics.summary;
    static override description = statics.description;
    static override args = statics.args;
    static override flags = statics.flags;
    static override usage = statics.usage;
    static override examples = statics.examples;
    static knownValues = statics.knownValues;
    override readonly described = description;
  };
}
