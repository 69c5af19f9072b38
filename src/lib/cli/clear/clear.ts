/** What `dm clear` does: deletes all messages of one's own in a conversation. */
import type {CommandRun} from '../command.js';
import {connect} from '../connection.js';
import {dryRun} from '../dry-run.js';
import {conversationWith} from '../endpoint/titles.js';
import {allowWrite, requireAnswerFor} from '../prompts.js';
import {type RunFlags, runSteps, sendWrite, type Work} from '../run-steps.js';
import type {Items, Result} from '../sink.js';
import {getConversation, hideConversation} from '../../api/direct.js';
import {Failure} from '../../client/failure.js';
import {requestFor} from '../../client/request.js';
import {conversationName} from '../../operations/account-name.js';
import {clearingRequests, type OwnMessages, ownMessagesWith} from '../../operations/own-messages.js';
import {resultsView} from '../../run/index.js';

/** The messages that are deleted: those of earlier runs with the same journal, those that were found, and those that show when these are gone. */
function workOf(own: OwnMessages, found: readonly string[], name: string): Work {
  const known = new Set(found);
  return {
    inputs: () => [name],
    areFound: true,
    get total() {
      return known.size;
    },
    view: {...resultsView, empty: 'You have no messages there.'},
    async *steps({client}, earlier) {
      const begun = new Set<string>();
      let waiting: Promise<void>[] = [];
      const stepOf = (id: string) => {
        begun.add(id);
        known.add(id);
        const {promise, resolve} = Promise.withResolvers<void>();
        waiting.push(promise);
        return {target: id, repeat: 'gone', lookWith: own.lookWith(id), run: () => own.remove(id, client).finally(resolve)} as const;
      };
      for (const id of earlier) yield stepOf(id);
      for (let ids = found; ids.length > 0; ids = await own.more(client)) {
        waiting = [];
        for (const id of ids) if (!begun.has(id)) yield stepOf(id);
        await Promise.all(waiting);
      }
    },
  };
}

function questionFor({conversationId}: OwnMessages, count: number, title: string): string {
  const messages = count === 1 ? 'your message' : `your ${count} messages`;
  const others = conversationId === undefined ? ', and those that the server shows when these are gone,' : '';
  return `Delete ${messages}${others} for everyone in ${title}? This cannot be undone.`;
}

interface ClearFlags extends RunFlags {
  readonly hide: boolean;
}

/** @throws Failure `partial` when messages may remain; that of a run */
export async function clear({args, flags, session, words, opened}: CommandRun<{readonly ID: string}, ClearFlags>): Promise<Result> {
  const name = conversationName(args.ID);
  requestFor(getConversation, {path: {id: name}});
  const connection = opened.use(await connect(session));
  if (session.dryRun) {
    const id = await (await connection.accounts()).conversationOf(name, connection.client);
    return dryRun(clearingRequests(id, flags.hide), connection);
  }
  if (!session.assumeYes) requireAnswerFor([connection], session.io);
  const own = await ownMessagesWith(name, connection);
  const {conversationId} = own;
  if (flags.hide && conversationId === undefined) {
    throw new Failure('not_found', `${connection.server.host} has threads, which cannot be hidden: nothing was sent`, {
      hint: 'leave out --hide',
    });
  }
  const title = conversationWith(own.people, connection.server.host);
  const found = await own.more(connection.client);
  await allowWrite(connection, `Hide ${title}`, found.length === 0 ? undefined : () => questionFor(own, found.length, title));
  const {items, ...result} = runSteps(workOf(own, found, name), {command: words, flags, connection, opened});
  async function* hideAfter(all: Items): Items {
    const ending = yield* all;
    if (ending?.failure !== undefined) return ending;
    if (own.unseen !== undefined) return {failure: new Failure('partial', `Messages of yours may remain in ${title}: ${own.unseen}`)};
    if (!flags.hide || conversationId === undefined) return ending;
    await sendWrite(connection, ({client}) => client.call(hideConversation, {path: {id: conversationId}}));
    return {...ending, notes: [`Hid ${title}.`]};
  }
  return {...result, items: items && hideAfter(items)};
}
