import {Args, Flags} from '@oclif/core';
import {deleteMessage, getConversation, hideConversation} from '../../lib/api/direct.js';
import {factsOf} from '../../lib/api/schema.js';
import {command, type CommandRun} from '../../lib/cli/command.js';
import {connect} from '../../lib/cli/connection.js';
import {dryRun} from '../../lib/cli/dry-run.js';
import {fieldHelp} from '../../lib/cli/endpoint/input-fields.js';
import {conversationTitle} from '../../lib/cli/endpoint/titles.js';
import {joinFlags, runFlags, writeFlags} from '../../lib/cli/flags.js';
import {allowWrites, requireAnswer} from '../../lib/cli/prompts.js';
import {openJournal, type RunFlags, sendMany, sendWrite} from '../../lib/cli/runner.js';
import type {Items, Result} from '../../lib/cli/sink.js';
import {requestFor} from '../../lib/client/request.js';
import {conversationName} from '../../lib/operations/account-name.js';
import {clearingRequests, deleteOwnMessage, fetchOwnMessages} from '../../lib/operations/own-messages.js';
import {resultsView} from '../../lib/run/index.js';

interface ClearFlags extends RunFlags {
  readonly hide: boolean;
}

/** @throws Failure as sending does */
async function clear({args, flags, session, words, opened}: CommandRun<{readonly ID: string}, ClearFlags>): Promise<Result> {
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

export default command({
  summary: 'Delete all your messages in a conversation',
  writes: true,
  description:
    'Deletes all messages that you wrote in a conversation, with their media, for everyone in it. This cannot be undone. Messages of others stay. It needs a token with the scopes read and write.',
  details: `Deletes all messages that you wrote in the conversation, with their media, for everyone in it, on other servers too. All pages are read first, and the question says how many messages of yours there are. If the server contradicts itself on who wrote a message, nothing is deleted (8). A message that is already gone is not a failure. With --journal, an interrupted run is resumed: messages that were written since are deleted, too.

Calls GET ${getConversation.path}/messages and DELETE ${getConversation.path}/messages/{messageId}, GET /api/v1/accounts/verify_credentials for your own id, and with --hide POST ${hideConversation.path}.`,
  usage: 'ID',
  args: {
    ID: Args.string({
      description: fieldHelp({name: 'id', facts: factsOf(getConversation.pathFields.id)}),
      required: true,
    }),
  },
  flags: joinFlags(
    {
      hide: Flags.boolean({description: 'hide the conversation when all your messages are deleted'}),
    },
    runFlags,
    writeFlags,
  ),
  examples: [
    {does: 'Delete your messages in a conversation, and hide it', line: 'dm clear 1029249430941045799 --hide'},
    {
      does: 'Delete your messages to an account from a script that can be resumed',
      line: 'dm clear @bo@pix.example --yes --journal clear.journal',
    },
  ],
  run: clear,
});
