/** Sends what a command of one endpoint asks for: one request and its answer, or many and their results. */
import {isWrite, type Endpoint} from '../../api/endpoint.js';
import type {Answer} from '../../client/answer.js';
import {Failure} from '../../client/failure.js';
import type {Request} from '../../client/request.js';
import {perform, refuseOverLimit, requestsFor, resolved, type FullInput} from '../../operations/operation.js';
import type {Acting, OnSubjects, Subject} from '../../operations/subjects.js';
import {resultItem, SavedChanges, type Step} from '../../run/index.js';
import type {Connection} from '../connection.js';
import {dryRun} from '../dry-run.js';
import type {Job, PreparedTarget} from './job.js';
import type {KeptChanges} from './kept-changes.js';
import {wantsAnswer, checkFields, warnOfAnswer, type Printing, type Result} from '../sink.js';
import {allowWrite, requireAnswerFor} from '../prompts.js';
import {runSteps, sendWrite, type StepRun, type Work} from '../run-steps.js';
import {FoundTargets} from './found-targets.js';
import type {CommandSpec, EndpointFlags} from './spec.js';

/** What was sent, and what came of it. */
interface Sent {
  readonly input: FullInput;
  /** What its target stood for, where that was looked up. */
  readonly subject?: Subject | undefined;
  readonly answer: Answer;
}

const maxNamed = 6;

/** What sending needs beside what a command says of itself. */
interface Surroundings {
  /** What the targets stand for, where they are looked up. */
  readonly targets?: FoundTargets | undefined;
  /** Where what is changed is kept. */
  readonly saved?: SavedChanges | undefined;
  /** What is set back. */
  readonly kept?: KeptChanges | undefined;
}

/** The requests of a command, each over the connection that it is given. */
export class Requests {
  readonly #spec: CommandSpec<Endpoint>;
  readonly #targets: FoundTargets | undefined;
  readonly #saved: SavedChanges | undefined;
  readonly #kept: KeptChanges | undefined;

  constructor(spec: CommandSpec<Endpoint>, {targets, saved, kept}: Surroundings = {}) {
    this.#spec = spec;
    this.#targets = targets;
    this.#saved = saved;
    this.#kept = kept;
  }

  async requests({input, target, value}: PreparedTarget, connection: Connection): Promise<readonly Request[]> {
    const {endpoint} = this.#spec;
    const open = this.#kept?.openAt(target);
    if (open !== undefined) return endpoint.subjects?.restores?.requests(String(value), open) ?? [];
    return requestsFor(endpoint, await resolved(endpoint, input, connection));
  }

  async send(item: PreparedTarget, connection: Connection): Promise<Sent> {
    const {endpoint} = this.#spec;
    if (endpoint.subjects !== undefined) return this.#act(item, endpoint.subjects, connection);
    const input = await resolved(endpoint, item.input, connection);
    return {input, answer: await perform(endpoint, input, connection)};
  }

  async #act(item: PreparedTarget, acts: OnSubjects, {client}: Connection): Promise<Sent> {
    const {input} = item;
    const subject = this.#targets?.subjectOf(item);
    if (subject === undefined) throw new Failure('internal', 'a target was not looked up');
    const saved = this.#saved;
    saved?.refuseIfBroken();
    const acting: Acting = {
      client,
      kept: this.#kept?.openOf(subject) ?? [],
      keep: async (entry) => saved?.keep(entry),
      noteAnswer: async (entry) => saved?.noteAnswer(entry),
      noteRestored: async (entry) => saved?.noteRestored(entry),
    };
    return {input, subject, answer: await acts.act(subject, input, acting)};
  }

  /** The request of one of many targets. */
  step(item: PreparedTarget, connection: Connection): Step<Answer> {
    const {endpoint} = this.#spec;
    const {target, input, heldBack} = item;
    if (heldBack !== undefined) return {target: target ?? '', repeat: 'harmless', isRead: true, run: () => Promise.reject(heldBack)};
    return {
      target: target ?? '',
      slot: this.#targets?.slotOf(item),
      repeat: endpoint.repeats?.(input) ?? endpoint.repeat,
      isRead: !isWrite(endpoint),
      run: async () => (await this.send(item, connection)).answer,
      seen:
        endpoint.seenBy &&
        (async () => JSON.stringify(await (await connection.traces()).find(endpoint, await resolved(endpoint, input, connection)))),
      lookWith: endpoint.lookWith?.(input),
    };
  }

  /** Sends the removal of something, and tells whether it was there before; undefined when unknown. */
  async looking<Outcome>(
    {input}: PreparedTarget,
    connection: Connection,
    send: () => Promise<Outcome>,
  ): Promise<{sent: Outcome; wasThere: boolean | undefined}> {
    const {takesBack} = this.#spec;
    const wasThere = takesBack && (await (await connection.traces()).wasThere(takesBack.write, input));
    return {sent: await send(), wasThere};
  }

  /** Checks before a write: the server's limits, a confirmation, the right account. */
  async allow(items: readonly PreparedTarget[], connection: Connection): Promise<void> {
    const {endpoint, question, protectedQuestion, summary} = this.#spec;
    for (const item of items) await this.refuseOverLimit(item, connection);
    if (!isWrite(endpoint)) return;
    const ask = async (about: NonNullable<typeof question>) => {
      const first = items.slice(0, maxNamed);
      const inputs = await Promise.all(first.map(({input}) => resolved(endpoint, input, connection)));
      const {subjects = []} = this.#targets ?? {};
      return about({targets: first.map(({target = ''}) => target), inputs, count: items.length, subjects}, connection);
    };
    const isTyped = items[0] !== undefined && endpoint.subjects?.final?.(items[0].input)?.isTyped === true;
    await allowWrite(
      connection,
      protectedQuestion ? () => ask(protectedQuestion) : summary,
      question && (() => ask(question)),
      isTyped ? this.#targets?.subjects.length : undefined,
    );
  }

  /** @throws Failure `usage` for what is over a limit that the server publishes */
  async refuseOverLimit({input}: PreparedTarget, connection: Connection): Promise<void> {
    const {endpoint} = this.#spec;
    const {session} = connection;
    if (endpoint.overLimit !== undefined && session.checksLimits) await refuseOverLimit(endpoint, input, () => connection.limits());
  }
}

/** What the exit status says of an answer, as {@link OwnFlags} has it. */
export type AnswerJudge = (answer: unknown, connection: Connection) => Failure | undefined;

/** What a job is sent and printed with. */
interface Sending extends Omit<StepRun, 'flags'> {
  readonly flags: EndpointFlags;
  readonly printing: Printing;
  readonly spec: CommandSpec<Endpoint>;
  readonly judge?: AnswerJudge | undefined;
}

/** @throws Failure as the requests do */
export async function sendJob(job: Job, sending: Sending): Promise<Result> {
  const {spec, printing, connection} = sending;
  const {session} = connection;
  const requests = new Requests(spec, {kept: job.kept});
  if (session.dryRun) {
    const shown: Request[] = [];
    for (const item of job.items) if (item.heldBack === undefined) shown.push(...(await requests.requests(item, connection)));
    return dryRun(shown, connection);
  }
  await checkFields(printing, {of: job.isSingle ? 'items' : 'results', endpoint: spec.endpoint}, session);
  if (spec.endpoint.subjects !== undefined) return sendToFound(job, spec.endpoint.subjects, sending);
  const sent = job.items.filter(({heldBack}) => heldBack === undefined);
  if (sent.length > 0) await requests.allow(sent, connection);
  return sendAll(job, requests, sending);
}

/** Requests of what cannot be taken back in a second, unless a flag says otherwise. */
const finalRate = 1;

/** Sends to what targets stand for, which is found first. What cannot be taken back is done to one after the other. */
async function sendToFound(job: Job, acts: OnSubjects, sending: Sending): Promise<Result> {
  const {spec, connection, flags, opened} = sending;
  const {session, server} = connection;
  const {reason, restore} = flags;
  const save = flags.save ?? restore;
  if (reason !== undefined && save === undefined) throw new Failure('usage', '--reason is for --save');
  if (spec.question !== undefined && !session.assumeYes) requireAnswerFor([connection], session.io);
  const saved =
    save === undefined ? undefined : opened.use(await SavedChanges.open(save, {server: server.origin, reason, now: session.io.now}));
  const targets = await FoundTargets.of(job, {acts, flags, connection, saved}, (text) => session.warn(text));
  const requests = new Requests(spec, {targets, saved, kept: job.kept});
  const {items} = targets;
  if (restore !== undefined && items.length === 0) session.note(`Nothing is left to restore in ${restore}.`);
  // One that nothing is done about is the failure of the command.
  if (job.isSingle) for (const item of items) targets.subjectOf(item);
  if (targets.subjects.length > 0) await requests.allow(items, connection);
  const isFinal = acts.final?.(job.common) !== undefined;
  const paced = isFinal ? {...flags, concurrency: 1, rate: flags.rate ?? finalRate} : flags;
  return sendAll({...job, items}, requests, {...sending, flags: paced}, job.items);
}

/** @param given the targets as they were given, where some of them are left out: a journal numbers these */
async function sendAll(job: Job, requests: Requests, sending: Sending, given = job.items): Promise<Result> {
  if (!job.isSingle) return sendMany(job, requests, sending, given);
  const [item] = job.items;
  if (item === undefined) throw new Failure('usage', 'Nothing to do');
  return sendOne(item, requests, sending);
}

/** Sends the requests of many targets, and prints one result for each. */
function sendMany(
  {common, items}: Job,
  requests: Requests,
  {spec, printing, ...stepRun}: Sending,
  given: readonly PreparedTarget[],
): Result {
  const {endpoint, takesBack, concurrency} = spec;
  const nothing = wantsAnswer(printing) ? undefined : takesBack?.nothing;
  const notes: (string | undefined)[] = [];
  const stepOf = (item: PreparedTarget, index: number, over: Connection): Step<Answer> => {
    const step = requests.step(item, over);
    if (nothing === undefined) return step;
    const run = async () => {
      const {wasThere, sent} = await requests.looking(item, over, step.run);
      if (wasThere === false) notes[step.slot ?? index] = nothing;
      return sent;
    };
    return {...step, run};
  };
  const work: Work = {
    total: items.length,
    slots: given.length,
    inputs: () => [JSON.stringify(common), ...(stepRun.flags.restore ?? []), ...given.map(({target = ''}) => target)],
    *steps(over) {
      for (const [index, item] of items.entries()) yield stepOf(item, index, over);
    },
    itemOf: (result, index) => resultItem(result, notes[index]),
    isRead: !isWrite(endpoint),
  };
  return runSteps(work, {...stepRun, flags: {...stepRun.flags, concurrency: stepRun.flags.concurrency ?? concurrency}});
}

/** Sends the request of a single target, and prints the answer. */
async function sendOne(item: PreparedTarget, requests: Requests, {spec, printing, connection, judge}: Sending): Promise<Result> {
  const {endpoint, done} = spec;
  const send = async (over: Connection) => {
    if (wantsAnswer(printing)) return {...(await requests.send(item, over)), wasThere: undefined};
    const {sent, wasThere} = await requests.looking(item, over, () => requests.send(item, over));
    return {...sent, wasThere};
  };
  const isOfWrite = isWrite(endpoint);
  const {input, answer, wasThere, subject} = await (isOfWrite ? sendWrite(connection, send) : send(connection));
  const failure = isOfWrite ? undefined : judge?.(answer.value, connection);
  warnOfAnswer(answer, connection);
  return {
    answer,
    at: endpoint.rows,
    done: done?.(input, {wasThere, answer: answer.value, subject}),
    failure,
    carriedOut: isOfWrite ? (answer.exact ?? null) : undefined,
  };
}
