/** Commands made from endpoint records: a plain one is a record, a view and its examples. */
import type {Endpoint} from '../api/endpoint.js';
import {factsOf} from '../api/schema.js';
import type {Step} from '../run/run.js';
import type {Answer} from '../client/answer.js';
import {requestFor, type Request} from '../client/request.js';
import {Failure} from '../client/failure.js';
import {perform, requestsFor, resolved} from '../operations/operation.js';
import {allowWrite} from './prompts.js';
import {connect, type Connection} from './connection.js';
import {isWrite, layoutOf, staticsOf, type Description, type Draft} from './spec.js';
import {commonDraft, Drafting, targetField, typedValue} from './request-input.js';
import {printPlans} from './dry-run.js';
import {isPaged, pagingChoice, printPage, printPages, type ListPrinting} from './pages.js';
import {PixelctlCommand, type Typed} from './command.js';
import {resultText} from '../run/results.js';
import {printAnswer, wantsAnswer, printingOf, warnOfFields, type Printing} from './printing.js';
import {writeOnce, runSteps, type Work} from './run.js';
import type {Session} from './session.js';
import {Mistakes} from './target-list.js';
import {collectTargets, fitTargets, refuseOtherAccounts, type Targets} from './targets.js';

export type {Draft} from './spec.js';

/** One request of a batch. */
export interface Operation {
  readonly isWrite: boolean;
  /** Everything that decides what is sent. */
  readonly input: string;
  /** Texts that must not be shown. */
  readonly secrets: readonly string[];
  /** @throws Failure `usage` for what is over a limit that the server publishes */
  readonly check: (connection: Connection) => Promise<void>;
  /** What would be sent. */
  readonly plans: (connection: Connection) => Promise<readonly Request[]>;
  readonly step: (connection: Connection) => Step<Answer>;
}

/** What was sent, and what came of it. */
interface Sent {
  readonly draft: Draft;
  readonly answer: Answer;
}

/** What a request that takes no targets acts on: the thing that its path names, else the first one that it names elsewhere. */
function subjectOf({query, body}: Endpoint, draft: Draft): string {
  const named = Object.entries({...query, ...body}).flatMap(([name, schema]) =>
    factsOf(schema)?.isId ? [draft.query[name] ?? draft.body[name]] : [],
  );
  return String([...Object.values(draft.path), ...named].find((value) => value !== undefined) ?? '');
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

  /** Whose the items are that were read for an argument which takes a list. */
  protected readonly accounts = new Set<string>();

  protected override async execute(typed: Typed, session: Session): Promise<void> {
    const {described} = this;
    const printing = await printingOf(session);
    const drafting = new Drafting(described, this.words);
    const common = drafting.convertCommon(await this.draft(typed));
    const targets = await this.#checkedTargets(typed, drafting, common, session);
    const connection = await connect(session);
    try {
      await refuseOtherAccounts(this.accounts.union(targets.accounts), connection);
      if (session.dryRun) return await this.#printPlans(targets, drafting, common, connection);
      const {endpoint} = described;
      await warnOfFields(printing, {of: targets.isSingle ? 'answers' : 'results', endpoint}, session);
      if (targets.targets.length > 0) await this.#allow(targets, drafting, common, connection);
      if (targets.isSingle) return await this.#single(targets, drafting, common, {typed, printing, connection});
      const names = targets.targets.map(({value = ''}) => value);
      const notes: (string | undefined)[] = [];
      const steps = async function* (this: EndpointCommand, over: Connection) {
        const nothing = wantsAnswer(printing) ? undefined : described.takesBack?.nothing;
        for (const [index, name] of names.entries()) {
          const draft = drafting.complete(common, name);
          const step = this.#step(name, draft, over);
          const run = async () => {
            const {wasThere, sent} = await this.#looking(draft, over, step.run);
            if (wasThere === false) notes[index] = nothing;
            return sent;
          };
          yield nothing === undefined ? step : {...step, run};
        }
      };
      const textOf: Work['textOf'] = (result, index) => resultText(result, notes[index]);
      const inputs = [JSON.stringify(common), ...names];
      const work: Work = {total: names.length, inputs, steps: steps.bind(this), textOf, isRead: !isWrite(endpoint)};
      await runSteps(work, {command: this.words, flags: typed.flags, printing, connection});
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
      const {question} = this.described;
      if (question !== undefined && typed.flags['yes'] !== true && !session.assumeYes && !session.dryRun) {
        throw new Failure('usage', `${this.words} asks first`, {hint: 'give it the flag "yes": true, or --yes to batch'});
      }
      const drafting = new Drafting(this.described, this.words);
      const common = drafting.convertCommon(await this.draft(typed));
      const {targets} = await this.#checkedTargets(typed, drafting, common, session);
      const checksLimits = typed.flags['no-limits'] !== true;
      return await Promise.all(targets.map(async ({value}) => this.#operation(value, drafting.complete(common, value), checksLimits)));
    } catch (error) {
      throw await this.failureOf(error);
    }
  }

  /** The input that all targets share, from arguments, flags and `--input`. */
  protected draft(typed: Typed): Promise<Draft> {
    return commonDraft(this.described, typed, this.accounts, this.io);
  }

  /** Asks what accounts are called; their ids have to do where that cannot be read. */
  protected names(draft: Draft, connection: Connection): ListPrinting['names'] {
    const {names} = this.described;
    return names && (() => names(draft, connection).catch(() => undefined));
  }

  /** Sends the request of one complete draft. */
  async #send(complete: Draft, connection: Connection): Promise<Sent> {
    const {endpoint} = this.described;
    const draft = await resolved(endpoint, complete, connection);
    return {draft, answer: await perform(endpoint, draft, connection)};
  }

  #operation(target: string | undefined, draft: Draft, checksLimits: boolean): Operation {
    const {endpoint} = this.described;
    return {
      isWrite: isWrite(endpoint),
      input: JSON.stringify([this.words, draft]),
      secrets: requestFor(endpoint, draft).secrets,
      check: async (connection) => {
        if (checksLimits) await this.#refuseOverLimit(draft, connection);
      },
      plans: async (connection) => requestsFor(endpoint, await resolved(endpoint, draft, connection)),
      step: (connection) => this.#step(target ?? subjectOf(endpoint, draft), draft, connection),
    };
  }

  /** The request of one of many targets. */
  #step(target: string, draft: Draft, connection: Connection): Step<Answer> {
    const {endpoint} = this.described;
    return {
      target,
      repeat: endpoint.repeat,
      run: async () => (await this.#send(draft, connection)).answer,
      seen: endpoint.seenBy && (async () => (await connection.traces()).find(endpoint, await resolved(endpoint, draft, connection))),
      lookWith: endpoint.lookWith?.(draft),
    };
  }

  /** Sends what takes something back, and says whether that was there; undefined where it is not known. */
  async #looking<Sent_>(
    draft: Draft,
    connection: Connection,
    send: () => Promise<Sent_>,
  ): Promise<{sent: Sent_; wasThere: boolean | undefined}> {
    const {takesBack} = this.described;
    const wasThere = takesBack && (await (await connection.traces()).wasThere(takesBack.write, draft));
    return {sent: await send(), wasThere};
  }

  async #single(
    {targets: [target]}: Targets,
    drafting: Drafting,
    common: Draft,
    {
      typed,
      printing,
      connection,
    }: {
      readonly typed: Typed;
      readonly printing: Printing;
      readonly connection: Connection;
    },
  ): Promise<void> {
    const {endpoint, done} = this.described;
    if (target === undefined) throw new Failure('usage', 'There is nothing to do');
    const paging = pagingChoice(typed.flags);
    if (isPaged(endpoint)) {
      const draft = await resolved(endpoint, drafting.complete(common, target.value), connection);
      const request = requestFor(endpoint, draft);
      const list = {printing, connection, names: this.names(draft, connection)};
      if (paging !== undefined) return printPages(request, endpoint, paging, list);
      return printPage(request, endpoint, {command: this.words.split(' '), typed}, list);
    }
    const complete = drafting.complete(common, target.value);
    const send = async (over: Connection) => {
      if (wantsAnswer(printing)) return {...(await this.#send(complete, over)), wasThere: undefined};
      const {sent, wasThere} = await this.#looking(complete, over, () => this.#send(complete, over));
      return {...sent, wasThere};
    };
    const print = ({draft, answer, wasThere}: Awaited<ReturnType<typeof send>>) =>
      printAnswer(answer, endpoint.rows, {
        view: endpoint.view,
        done: done?.(draft, {wasThere, answer: answer.value}),
        printing,
        connection,
      });
    if (isWrite(endpoint)) return writeOnce(connection, send, print);
    await print(await send(connection));
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
          io: session.io,
        })
      : {targets: [{value: undefined, place: undefined}], accounts: new Set(), mistakes: new Mistakes(), isSingle: true};
    const fit = await fitTargets(collected, {
      // By what is sent: what is written in two ways goes once, too.
      keyOf: async ({value}) => {
        const draft = drafting.complete(common, value);
        requestFor(described.endpoint, draft);
        const sent = field === undefined ? '' : String(draft[field.part][field.name]);
        // Handles know no case.
        return sent.startsWith('@') ? sent.toLowerCase() : sent;
      },
      skipInvalid: typed.flags['skip-invalid'] === true,
      warn: (text) => session.warn(text),
    });
    // A journal goes on with results, so it begins with them, too.
    return {...fit, isSingle: fit.isSingle && typed.flags['journal'] === undefined};
  }

  async #printPlans({targets}: Targets, drafting: Drafting, common: Draft, connection: Connection): Promise<void> {
    const requests: Request[] = [];
    for (const {value} of targets) {
      const draft = await resolved(this.described.endpoint, drafting.complete(common, value), connection);
      requests.push(...requestsFor(this.described.endpoint, draft));
    }
    await printPlans(requests, connection);
  }

  /** All that stands between a write and its sending: the server's limits, a question, the right account. */
  async #allow(targets: Targets, drafting: Drafting, common: Draft, connection: Connection): Promise<void> {
    const {endpoint, question} = this.described;
    if (this.described.overLimit !== undefined) {
      for (const {value} of targets.targets) await this.#refuseOverLimit(drafting.complete(common, value), connection);
    }
    if (!isWrite(endpoint)) return;
    const ask = async (about: NonNullable<typeof question>) => {
      const first = targets.targets.slice(0, mostLookedAt);
      const drafts = await Promise.all(
        first.map(async ({value}) => resolved(this.described.endpoint, drafting.complete(common, value), connection)),
      );
      return about({targets: first.map(({value}) => value ?? ''), drafts, count: targets.targets.length}, connection);
    };
    await allowWrite(connection, this.described.summary, question && (() => ask(question)));
  }

  async #refuseOverLimit(draft: Draft, connection: Connection): Promise<void> {
    const {overLimit} = this.described;
    if (overLimit === undefined || !connection.session.checksLimits) return;
    const complaint = await overLimit(draft, await connection.limits());
    if (complaint !== undefined) throw new Failure('usage', `${complaint}: nothing was sent`, {hint: '--no-limits sends it anyway'});
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
