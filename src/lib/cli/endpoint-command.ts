/** Commands that send the request of one endpoint, made from its record. */
import type {Interfaces} from '@oclif/core';
import {isWrite, type Endpoint} from '../api/endpoint.js';
import {factsOf} from '../api/schema.js';
import type {Step} from '../run/run.js';
import type {Answer} from '../client/answer.js';
import {requestFor, type Request} from '../client/request.js';
import {Failure} from '../client/failure.js';
import {perform, refuseOverLimit, requestsFor, resolved, type Input} from '../operations/operation.js';
import {allowWrite} from './prompts.js';
import {connect, type Connection} from './connection.js';
import {staticsOf, type CommandSpec, type EndpointFlags, type OwnFlags} from './spec.js';
import {admitted, readJob, type Job, type JobSources, type Prepared} from './job.js';
import type {Given} from './request-input.js';
import {printPlans} from './dry-run.js';
import {
  followingChoice,
  isPaged,
  pagingChoice,
  printPage,
  printPages,
  typedParts,
  type Following,
  type ListPrinting,
  type PagedEndpoint,
} from './pages.js';
import {PixelctlCommand, type CommandClass, type Values} from './command.js';
import {areSeveral} from './flags.js';
import {resultText} from '../run/results.js';
import {printAnswer, wantsAnswer, printingOf, warnOfFields, type Printing} from './printing.js';
import {writeOnce, runSteps, type Work} from './run.js';
import type {Session} from './session.js';

/** One request of a batch. */
export interface BatchRequest {
  readonly isWrite: boolean;
  /** Everything that determines what is sent. */
  readonly input: string;
  /** Texts that must not be shown. */
  readonly secrets: readonly string[];
  /** @throws Failure `usage` or `refused` for what the account shows to be wrong, or, but in a dry run, a limit that the server publishes */
  readonly check: (connection: Connection) => Promise<void>;
  /** What would be sent. */
  readonly requests: (connection: Connection) => Promise<readonly Request[]>;
  readonly step: (connection: Connection) => Step<Answer>;
}

/** What was sent, and what came of it. */
interface Sent {
  readonly input: Input;
  readonly answer: Answer;
}

/** What a request without targets acts on: the id in its path, else the first id in its query or body. */
function subjectOf({query, body}: Endpoint, input: Input): string {
  const named = Object.entries({...query, ...body}).flatMap(([name, schema]) =>
    factsOf(schema)?.isId ? [input.query[name] ?? input.body[name]] : [],
  );
  return String([...Object.values(input.path), ...named].find((value) => value !== undefined) ?? '');
}

/** The number of targets that a question names. */
const maxLookedAt = 6;

/** What a run needs to print its results. */
interface Run {
  readonly given: Given;
  readonly printing: Printing;
  readonly connection: Connection;
  /** Called with each answer of a list that was printed. */
  readonly printed: ((answer: Answer) => void) | undefined;
}

/** Remembers what a list shows, for completion; undefined where the account is not one of a profile. */
async function seenList(endpoint: Endpoint, {identity: {profile}, session: {io}}: Connection) {
  if (endpoint.offered === undefined || profile === undefined) return undefined;
  const {SeenList} = await import('./completion/seen.js');
  return new SeenList(endpoint, profile, io);
}

/** A command that sends one endpoint's request, made by {@link endpointCommand}. */
export abstract class EndpointCommand extends PixelctlCommand {
  // Repeated, because oclif reads statics of the direct parent class only.
  static override baseFlags = PixelctlCommand.baseFlags;

  abstract readonly spec: CommandSpec<Endpoint>;

  /** The parsed command line, and a function that applies the command's own flags to an input. */
  protected abstract given(): Promise<Given & {readonly withFlags: (input: Input) => Input}>;

  override async run(): Promise<void> {
    const {endpoint, follows} = this.spec;
    const given = await this.given();
    const session = await this.openFor(given.flags);
    const followed = follows ? followingChoice(given.flags, session) : undefined;
    const printing = {...(await printingOf(session)), documented: endpoint};
    const sources = this.#sources(given, session);
    const read = await readJob(sources);
    if (areSeveral(given.flags)) return await this.#lists(read, followed, {given, printing, session});
    await using connection = await connect(session);
    const job = await admitted(read, connection, sources);
    if (session.dryRun) return await this.#printRequests(job, connection);
    await warnOfFields(printing, {of: job.isSingle ? 'items' : 'results', endpoint}, session);
    if (job.items.length > 0) await this.#allow(job, connection);
    await using seen = await seenList(endpoint, connection);
    const run = {given, printing, connection, printed: seen && ((answer: Answer) => seen.add(answer.text))};
    if (!job.isSingle) return await this.#many(job, run);
    const [item] = job.items;
    if (item === undefined) throw new Failure('usage', 'Nothing to do');
    if (isPaged(endpoint)) await this.#list(item, endpoint, followed, run);
    else await this.#single(item, run);
  }

  /**
   * The operations of a line of a batch, one for each target. The batch sends them over its connection.
   * @throws Failure `usage` for what is wrong, or needs a confirmation and has no `yes`
   */
  async batchRequests(session: Session): Promise<BatchRequest[]> {
    try {
      const given = await this.given();
      const {yes, 'no-limits': noLimits} = given.flags;
      if (this.spec.question !== undefined && yes !== true && !session.assumeYes && !session.dryRun) {
        throw new Failure('usage', `${this.words} asks for confirmation`, {
          hint: 'add the flag "yes": true to the line, or pass --yes to batch',
        });
      }
      const sources = this.#sources(given, session);
      const job = await readJob(sources);
      const checksLimits = noLimits !== true && !session.dryRun;
      return job.items.map((item) => {
        const admit = async (connection: Connection) => void (await admitted({...job, items: [item], isSingle: true}, connection, sources));
        return this.#batchRequest(item, checksLimits, admit);
      });
    } catch (error) {
      throw await this.failureOf(error);
    }
  }

  #sources(given: Awaited<ReturnType<EndpointCommand['given']>>, session: Session): JobSources {
    return {spec: this.spec, words: this.words, given, io: this.io, warn: (text) => session.warn(text)};
  }

  /** Looks up the names of accounts. Without them, ids are printed. */
  #names(input: Input, connection: Connection): ListPrinting['names'] {
    const {names} = this.spec;
    return names && (() => names(input, connection).catch(() => undefined));
  }

  async #send({input: prepared}: Prepared, connection: Connection): Promise<Sent> {
    const {endpoint} = this.spec;
    const input = await resolved(endpoint, prepared, connection);
    return {input, answer: await perform(endpoint, input, connection)};
  }

  #batchRequest(item: Prepared, checksLimits: boolean, admit: BatchRequest['check']): BatchRequest {
    const {endpoint} = this.spec;
    const {input} = item;
    return {
      isWrite: isWrite(endpoint),
      input: JSON.stringify([this.words, input]),
      secrets: requestFor(endpoint, input).secrets,
      check: async (connection) => {
        await admit(connection);
        if (checksLimits) await this.#refuseOverLimit(input, connection);
      },
      requests: async (connection) => requestsFor(endpoint, await resolved(endpoint, input, connection)),
      step: (connection) => this.#step(item, connection),
    };
  }

  /** The request of one of many targets. */
  #step(item: Prepared, connection: Connection): Step<Answer> {
    const {endpoint} = this.spec;
    const {target, input} = item;
    return {
      target: target ?? subjectOf(endpoint, input),
      repeat: endpoint.repeat,
      isRead: !isWrite(endpoint),
      run: async () => (await this.#send(item, connection)).answer,
      seen: endpoint.seenBy && (async () => (await connection.traces()).find(endpoint, await resolved(endpoint, input, connection))),
      lookWith: endpoint.lookWith?.(input),
    };
  }

  /** Sends the removal of something, and tells whether it was there before; undefined when unknown. */
  async #looking<Outcome>(
    {input}: Prepared,
    connection: Connection,
    send: () => Promise<Outcome>,
  ): Promise<{sent: Outcome; wasThere: boolean | undefined}> {
    const {takesBack} = this.spec;
    const wasThere = takesBack && (await (await connection.traces()).wasThere(takesBack.write, input));
    return {sent: await send(), wasThere};
  }

  /** Sends the requests of many targets, and prints one result for each. */
  async #many({common, items}: Job, {given, printing, connection}: Run): Promise<void> {
    const {endpoint, takesBack} = this.spec;
    const nothing = wantsAnswer(printing) ? undefined : takesBack?.nothing;
    const notes: (string | undefined)[] = [];
    const stepOf = (item: Prepared, index: number, over: Connection): Step<Answer> => {
      const step = this.#step(item, over);
      if (nothing === undefined) return step;
      const run = async () => {
        const {wasThere, sent} = await this.#looking(item, over, step.run);
        if (wasThere === false) notes[index] = nothing;
        return sent;
      };
      return {...step, run};
    };
    const work: Work = {
      total: items.length,
      inputs: [JSON.stringify(common), ...items.map(({target = ''}) => target)],
      *steps(over) {
        for (const [index, item] of items.entries()) yield stepOf(item, index, over);
      },
      textOf: (result, index) => resultText(result, notes[index]),
      isRead: !isWrite(endpoint),
    };
    await runSteps(work, {command: this.words, flags: given.flags, printing, connection});
  }

  async #list(
    item: Prepared,
    endpoint: PagedEndpoint,
    followed: Following | undefined,
    {given, printing, connection, printed}: Run,
  ): Promise<void> {
    const input = await resolved(endpoint, item.input, connection);
    const request = requestFor(endpoint, input);
    const list = {printing, connection, names: this.#names(input, connection), printed};
    if (followed !== undefined) {
      const {printFollowed} = await import('./follow.js');
      return printFollowed(request, {...list, endpoint}, followed);
    }
    const paging = pagingChoice(given.flags);
    if (paging !== undefined) return printPages(request, endpoint, paging, list);
    return printPage(request, endpoint, {command: this.words.split(' '), typed: given}, list);
  }

  /** Prints the list of several accounts. */
  async #lists(
    {common}: Job,
    followed: Following | undefined,
    {given, printing, session}: Pick<Run, 'given' | 'printing'> & {readonly session: Session},
  ): Promise<void> {
    const {endpoint} = this.spec;
    if (followed !== undefined) throw new Failure('usage', '--follow watches one account: it cannot be used with several profiles');
    const [{openAccounts}, {printLists}] = await Promise.all([import('./accounts.js'), import('./account-lists.js')]);
    await using accounts = await openAccounts(given.flags, session);
    await warnOfFields(printing, {of: 'items', endpoint}, session);
    await printLists(accounts, session, {
      request: requestFor(endpoint, common),
      endpoint,
      paging: pagingChoice(given.flags),
      printing,
      words: this.words.split(' '),
      typed: typedParts(given),
    });
  }

  /** Sends the request of a single target, and prints the answer. */
  async #single(item: Prepared, {printing, connection, printed}: Run): Promise<void> {
    const {endpoint, done} = this.spec;
    const send = async (over: Connection) => {
      if (wantsAnswer(printing)) return {...(await this.#send(item, over)), wasThere: undefined};
      const {sent, wasThere} = await this.#looking(item, over, () => this.#send(item, over));
      return {...sent, wasThere};
    };
    const print = ({input, answer, wasThere}: Awaited<ReturnType<typeof send>>) =>
      printAnswer(answer, endpoint.rows, {
        view: endpoint.view,
        done: done?.(input, {wasThere, answer: answer.value}),
        printing,
        connection,
      });
    if (isWrite(endpoint)) return writeOnce(connection, send, print);
    const sent = await send(connection);
    await print(sent);
    printed?.(sent.answer);
  }

  async #printRequests({items}: Job, connection: Connection): Promise<void> {
    const {endpoint} = this.spec;
    const requests: Request[] = [];
    for (const {input} of items) requests.push(...requestsFor(endpoint, await resolved(endpoint, input, connection)));
    await printPlans(requests, connection);
  }

  /** Checks before a write: the server's limits, a confirmation, the right account. */
  async #allow({items}: Job, connection: Connection): Promise<void> {
    const {endpoint, question, protectedQuestion, summary} = this.spec;
    if (endpoint.overLimit !== undefined) for (const {input} of items) await this.#refuseOverLimit(input, connection);
    if (!isWrite(endpoint)) return;
    const ask = async (about: NonNullable<typeof question>) => {
      const first = items.slice(0, maxLookedAt);
      const inputs = await Promise.all(first.map(({input}) => resolved(endpoint, input, connection)));
      return about({targets: first.map(({target = ''}) => target), inputs, count: items.length}, connection);
    };
    await allowWrite(connection, protectedQuestion ? () => ask(protectedQuestion) : summary, question && (() => ask(question)));
  }

  async #refuseOverLimit(input: Input, connection: Connection): Promise<void> {
    if (connection.session.checksLimits) await refuseOverLimit(this.spec.endpoint, input, () => connection.limits());
  }
}

/** A command class made from its specification. */
export function endpointCommand<E extends Endpoint, Own extends Record<string, unknown>>({
  own,
  ...spec
}: CommandSpec<E> & {readonly own?: OwnFlags<Own>}): CommandClass<EndpointCommand> {
  const {args: known, fields, families, ...statics} = staticsOf(spec);
  const args: Interfaces.ArgInput = known;
  const common: Interfaces.FlagInput = {...EndpointCommand.baseFlags, ...fields, ...families};
  return class extends EndpointCommand {
    static override summary = statics.summary;
    static override description = statics.description;
    static override args = args;
    static override flags = {...fields, ...own?.flags, ...families};
    static override usage = statics.usage;
    static override examples = statics.examples;
    static knownValues = statics.knownValues;
    static listed = statics.listed;
    override readonly spec = spec;

    protected override async given() {
      if (own === undefined) {
        const typed = await this.typed<Values, EndpointFlags, Values>({args, flags: {}, baseFlags: common});
        return {...typed, withFlags: (input: Input) => input};
      }
      const typed = await this.typed<Own, EndpointFlags, Values>({args, flags: own.flags, baseFlags: common});
      return {...typed, withFlags: (input: Input) => own.apply(input, typed.flags)};
    }
  };
}
