/** Runs `dm clear`, which deletes all of one's own messages in a conversation. */
import type {CommandRun} from '../command.js';
import {connect} from '../connection.js';
import {dryRun} from '../dry-run.js';
import {conversationTitle} from '../endpoint/titles.js';
import {allowWrites, requireAnswer} from '../prompts.js';
import {openJournal, type RunFlags, sendMany, sendWrite} from '../runner.js';
import type {Items, Result} from '../sink.js';
import {deleteMessage, getConversation, hideConversation} from '../../api/direct.js';
import {requestFor} from '../../client/request.js';
import {conversationName} from '../../operations/account-name.js';
import {clearingRequests, deleteOwnMessage, fetchOwnMessages} from '../../operations/own-messages.js';
import {resultsView} from '../../run/index.js';

interface ClearFlags extends RunFlags {
  readonly hide: boolean;
}

/** @throws Failure as sending does */
export async function clear({args, flags, session, words, opened}: CommandRun<{readonly ID: string}, ClearFlags>): Promise<Result> {
  const name = conversationName(args.ID);
  requestFor(getConversation, {path: {id: name}});
  const connection = opened.use(await connect(session));
  const findId = async () => (await connection.accounts()).conversationOf(name, connection.client);
  if (session.dryRun) return dryRun(clearingRequests(await findId(), flags.hide), connection);
  if (!session.assumeYes) requireAnswer(session.io, [connection]);
  const id = await findId();
  const title = await conversationTitle(id, connection);
  const found = await fetchOwnMessages(id, (await connection.ownAccount())?.id, connection.client);
  const messages = found.length === 1 ? 'your message' : `your ${found.length} messages`;
  const question = () => `Delete ${messages} for everyone in ${title}? This cannot be undone.`;
  await allowWrites([connection], `Hide ${title}`, found.length === 0 ? undefined : question, session);
  const journal = await openJournal({words, flags, opened}, connection, {inputs: () => [name], targets: null});
  const all = new Set([...(journal?.names ?? []), ...found]);
  const stepOf = (messageId: string) => {
    return {target: messageId, request: messageId, repeat: 'gone', lookWith: deleteMessage.lookWith?.({path: {id, messageId}})} as const;
  };
  const {items, ...result} = sendMany(
    {
      journal,
      total: () => all.size,
      steps: () => [...all].map(stepOf),
      send: (messageId: string, {client}) => deleteOwnMessage(id, messageId, client),
    },
    connection,
    {flags, session, opened},
  );
  async function* hideAfter(sent: Items): Items {
    const ending = yield* sent;
    if (ending?.failure !== undefined || !flags.hide) return ending;
    await sendWrite(connection, ({client}) => client.call(hideConversation, {path: {id}}));
    return {...ending, notes: [`Hid ${title}.`]};
  }
  return {...result, view: {...resultsView, empty: 'You have no messages there.'}, items: items && hideAfter(items)};
}
