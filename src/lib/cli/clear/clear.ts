/** Runs `dm clear`, which deletes all of one's own messages in a conversation. */
import type {CommandRun} from '../command.js';
import {connect} from '../connection.js';
import {dryRun} from '../dry-run.js';
import {conversationWith} from '../endpoint/titles.js';
import {allowWrite, requireAnswerFor} from '../prompts.js';
import {type Batch, openJournal, type RunFlags, sendMany, sendWrite} from '../runner.js';
import type {Items, Result} from '../sink.js';
import {getConversation, hideConversation} from '../../api/direct.js';
import {Failure} from '../../client/failure.js';
import {requestFor} from '../../client/request.js';
import {conversationName} from '../../operations/account-name.js';
import {clearingRequests, type OwnMessages, ownMessagesWith} from '../../operations/own-messages.js';
import {type Journal, resultsView} from '../../run/index.js';

/** Deletes the messages of earlier runs with the same journal, the messages that were found, and older messages that the server shows when those are gone. */
function messagesOf(own: OwnMessages, found: readonly string[], journal: Journal | undefined): Batch<string> {
  const known = new Set(found);
  let waiting = new Map<string, PromiseWithResolvers<void>>();
  return {
    journal,
    total: () => known.size,
    async *steps({client}) {
      const begun = new Set<string>();
      const stepOf = (id: string) => {
        begun.add(id);
        known.add(id);
        waiting.set(id, Promise.withResolvers());
        return {target: id, request: id, repeat: 'gone', lookWith: own.lookWith(id)} as const;
      };
      for (const id of journal?.names ?? []) yield stepOf(id);
      for (let ids = found; ids.length > 0; ids = await own.more(client)) {
        waiting = new Map();
        for (const id of ids) if (!begun.has(id)) yield stepOf(id);
        await Promise.all([...waiting.values()].map(({promise}) => promise));
      }
    },
    send: (id, {client}) => own.remove(id, client).finally(() => waiting.get(id)?.resolve()),
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

/** @throws Failure `partial` when messages may remain; as sending does */
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
  const journal = await openJournal({words, flags, opened}, connection, {inputs: () => [name], targets: null});
  const {items, ...result} = sendMany(messagesOf(own, found, journal), connection, {flags, session, opened});
  async function* hideAfter(all: Items): Items {
    const ending = yield* all;
    if (ending?.failure !== undefined) return ending;
    if (own.unseen !== undefined) return {failure: new Failure('partial', `Messages of yours may remain in ${title}: ${own.unseen}`)};
    if (!flags.hide || conversationId === undefined) return ending;
    await sendWrite(connection, ({client}) => client.call(hideConversation, {path: {id: conversationId}}));
    return {...ending, notes: [`Hid ${title}.`]};
  }
  return {...result, view: {...resultsView, empty: 'You have no messages there.'}, items: items && hideAfter(items)};
}
