/** Sends the requests of an endpoint command: a single one, whose answer is printed, or many, with a result for each. */
import {isWrite, type Endpoint, type PlainInput} from '../../api/endpoint.js';
import type {Answer} from '../../client/answer.js';
import type {Client} from '../../client/client.js';
import {Failure} from '../../client/failure.js';
import type {Request} from '../../client/request.js';
import {perform, refuseOverLimit, requestsFor, resolveInput} from '../../operations/operation.js';
import type {FindingOperation, FoundTarget} from '../../operations/found-target.js';
import {isId} from '../../operations/handle.js';
import {resultsNaming, SavedChanges, type Step} from '../../run/index.js';
import type {Connection} from '../connection.js';
import {dryRun} from '../dry-run.js';
import type {PreparedTarget, Sending} from './command-input.js';
import {checkFields, warnOfAnswer, type Result} from '../sink.js';
import {allowWrites, requireAnswer} from '../prompts.js';
import {openJournal, type RunFlags, sendMany, sendWrite} from '../runner.js';
import {findTargets, requireFound, listFound} from './found-targets.js';

const maxNamed = 6;

/** How many deletions are sent in a second, unless --rate says otherwise. */
const finalRate = 1;

async function requestsOf(
  {input, target, value}: PreparedTarget,
  {spec: {endpoint}, connection, input: {kept}}: Sending,
): Promise<readonly Request[]> {
  const open = kept?.openAt(target);
  if (open !== undefined) return endpoint.finding?.restores?.requests(String(value), open) ?? [];
  return requestsFor(endpoint, await resolveInput(endpoint, input(), connection));
}

interface SentTo extends Answer {
  /** The object that the target stands for, if it was looked up. */
  readonly found?: FoundTarget;
}

async function send(item: PreparedTarget, {spec, saved, input: {kept}}: Sending, over: Connection): Promise<SentTo> {
  if (item.heldBack !== undefined) throw item.heldBack;
  const {endpoint} = spec;
  const input = item.input();
  const acts = endpoint.finding;
  if (acts === undefined) return perform(endpoint, await resolveInput(endpoint, input, over), over);
  const found = requireFound(item);
  saved?.refuseIfBroken();
  const answer = await acts.act(found, input, {
    client: over.client,
    saved: kept?.openOf(found) ?? [],
    keep: async (entry) => saved?.keep(entry),
    noteAnswer: async (entry) => saved?.noteAnswer(entry),
    noteRestored: async (entry) => saved?.noteRestored(entry),
  });
  return {...answer, found};
}

/** Checks before a write: the server's limits, a confirmation, the right account. @throws Failure `usage` */
async function allow(items: readonly PreparedTarget[], {spec, connection}: Sending): Promise<void> {
  const {endpoint, question, summary} = spec;
  if (endpoint.overLimit !== undefined && connection.session.flags['no-limits'] !== true)
    for (const {input} of items) await refuseOverLimit(endpoint, input(), () => connection.limits());
  if (!isWrite(endpoint)) return;
  const found = listFound(items);
  const ask = async () => {
    const first = items.slice(0, maxNamed);
    const inputs = await Promise.all(first.map(({input}) => resolveInput(endpoint, input(), connection)));
    return question?.({targets: first.map(({target = ''}) => target), inputs, count: items.length, found}, connection) ?? summary;
  };
  const isTyped = items[0] !== undefined && endpoint.finding?.final?.(items[0].input())?.isTyped === true;
  await allowWrites([connection], summary, question && ask, connection.session, isTyped ? found.length : undefined);
}

/** Sends the requests of all targets. @throws Failure as the requests do */
export async function sendInput(sending: Sending): Promise<Result> {
  const {spec, printing, connection, session, items, input} = sending;
  const {finding} = spec.endpoint;
  const sent = items.filter(({heldBack}) => heldBack === undefined);
  if (session.dryRun) return dryRun((await Array.fromAsync(sent, (item) => requestsOf(item, sending))).flat(), connection);
  await checkFields(printing, {of: input.isSingle ? 'items' : 'results', endpoint: spec.endpoint}, session);
  if (finding !== undefined) return sendToFound(finding, sending);
  if (sent.length > 0) await allow(sent, sending);
  return sendAll(sending);
}

/** Looks up what the targets stand for, then sends their requests. */
async function sendToFound(acts: FindingOperation, sending: Sending): Promise<Result> {
  const {spec, connection, flags, opened, session, input} = sending;
  const {reason, restore} = flags;
  const save = flags.save ?? restore;
  if (reason !== undefined && save === undefined) throw new Failure('usage', '--reason is for --save');
  if (spec.question !== undefined && !session.assumeYes) requireAnswer(session.io, [connection]);
  const of = {server: connection.server.origin, reason, now: session.io.now};
  const saved = save === undefined ? undefined : opened.use(await SavedChanges.open(save, of));
  const items = await findTargets(acts, {...sending, saved});
  if (restore !== undefined && items.length === 0) session.note(`Nothing is left to restore in ${restore}.`);
  // A single target that is refused is the failure of the command.
  if (input.isSingle) items.forEach(requireFound);
  if (listFound(items).length > 0) await allow(items, sending);
  return sendAll({...sending, items, saved});
}

async function sendAll(sending: Sending): Promise<Result> {
  const {input, items} = sending;
  if (!input.isSingle) return sendToMany(sending);
  const [item] = items;
  if (item === undefined) throw new Failure('usage', 'Nothing to do');
  return sendOne(item, sending);
}

/** Returns a function that finds what a write with this input made. The list is read once, and again after a failure to read it. */
export function madeFinder({list, shows}: NonNullable<Endpoint['seenBy']>) {
  let reading: Promise<readonly unknown[]> | undefined;
  return async (input: PlainInput, client: Client): Promise<unknown> => {
    const {everyItem} = await import('../../client/paging.js');
    reading ??= everyItem(client, list);
    reading.catch(() => (reading = undefined));
    return (await reading).find((item) => shows(item, input));
  };
}

/** Sends the requests of many targets, and prints one result for each. */
async function sendToMany(sending: Sending): Promise<Result> {
  const {spec, connection, session, flags, opened, input, items} = sending;
  const {endpoint, concurrency} = spec;
  const find = endpoint.seenBy && madeFinder(endpoint.seenBy);
  const stepOf = (item: PreparedTarget, index: number): Step<PreparedTarget> => ({
    target: item.target ?? '',
    slot: item.slot ?? index,
    request: item,
    repeat: item.heldBack === undefined ? (endpoint.repeats?.(item.input()) ?? endpoint.repeat) : 'harmless',
    lookWith: endpoint.lookWith?.(item.input()),
  });
  const isFinal = endpoint.finding?.final?.(input.common) !== undefined;
  // People and posts are deleted one after the other, and slowly, so that somebody can stop it.
  const pace: RunFlags = isFinal ? {concurrency: 1, rate: flags.rate ?? finalRate} : {concurrency: flags.concurrency ?? concurrency};
  const journal = await openJournal(sending, connection, {
    inputs: () => [JSON.stringify(input.common), ...(flags.restore ?? []), ...input.items.map(({target = ''}) => target)],
    targets: input.items.length,
  });
  const result = sendMany<PreparedTarget>(
    {
      journal,
      total: () => items.length,
      *steps() {
        for (const [index, item] of items.entries()) yield stepOf(item, index);
      },
      send: (item, over) => send(item, sending, over),
      look: find && (async (item, over) => JSON.stringify(await find(await resolveInput(endpoint, item.input(), over), over.client))),
    },
    connection,
    {flags: {...flags, ...pace}, session, opened, isRead: !isWrite(endpoint)},
  );
  // `142 (@spam1)`: an id says nothing to people.
  const shown = new Map<unknown, string>(
    items.flatMap((item): [string, string][] =>
      listFound([item]).flatMap(({name}): [string, string][] =>
        item.target === undefined || !isId(item.target) || name.includes(item.target) ? [] : [[item.target, `${item.target} (${name})`]],
      ),
    ),
  );
  return shown.size === 0 ? result : {...result, view: resultsNaming(shown)};
}

/** Sends the request of a single target, and prints the answer. */
async function sendOne(item: PreparedTarget, sending: Sending): Promise<Result> {
  const {spec, flags, connection, own} = sending;
  const {endpoint, sentence: done} = spec;
  const sendIt = (over: Connection) => send(item, sending, over);
  const isOfWrite = isWrite(endpoint);
  const sent = await (isOfWrite ? sendWrite(connection, sendIt) : sendIt(connection));
  const {found, exact, value, stood} = sent;
  const failure = isOfWrite ? undefined : own?.judge?.(value, flags, connection);
  warnOfAnswer(sent, connection.server.host, connection.session);
  return {
    answer: sent,
    at: endpoint.rows,
    done: done?.(item.input(), {answer: exact, stood, name: found?.name ?? String(item.value ?? '')}),
    failure,
    carriedOut: isOfWrite ? (exact ?? null) : undefined,
  };
}
