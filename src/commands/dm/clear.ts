import {Args, Flags} from '@oclif/core';
import {getConversation, hideConversation} from '../../lib/api/direct.js';
import {factsOf} from '../../lib/api/schema.js';
import {Failure} from '../../lib/client/failure.js';
import {requestFor} from '../../lib/client/request.js';
import {runSteps, writeOnce, type Work} from '../../lib/cli/bulk-run.js';
import {PixelctlCommand} from '../../lib/cli/command.js';
import {connect, type Connection} from '../../lib/cli/connection.js';
import {about, listedValues} from '../../lib/cli/endpoint/fields.js';
import {conversationWith} from '../../lib/cli/endpoint/titles.js';
import {runFlags, writeFlags} from '../../lib/cli/flags.js';
import {printDryRun} from '../../lib/cli/dry-run.js';
import {printingOf} from '../../lib/cli/printing.js';
import {allowWrite, requireAnswerFor} from '../../lib/cli/prompts.js';
import {clearingRequests, ownMessagesWith, type OwnMessages} from '../../lib/operations/own-messages.js';
import {conversationName} from '../../lib/operations/account-name.js';
import {resultsView} from '../../lib/run/results.js';

/** The messages that are deleted: those of earlier runs with the same journal, those that were found, and those that show when these are gone. */
function workOf(own: OwnMessages, found: readonly string[], name: string): Work {
  const known = new Set(found);
  return {
    inputs: [name],
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

export default class DmClear extends PixelctlCommand {
  static override summary = 'Delete all your messages in a conversation';
  static override description = `Deletes all messages that you wrote in the conversation, with their media, for everyone in it, on other servers too. This cannot be undone. Messages of others stay. All pages are read first, and the question says how many messages of yours there are. If the server contradicts itself on who wrote a message, nothing is deleted (8). A message that is gone already is no failure. With --journal, an interrupted run is resumed: messages that were written since are deleted, too.

Servers before 2026 show only the last messages of a thread, and earlier ones when these are deleted. If some of yours may not have been seen, the exit status is 11. A dry run sends nothing, so it shows the requests for a conversation, also where the server has threads.

Calls GET ${getConversation.path}/messages and DELETE ${getConversation.path}/messages/{messageId}, GET /api/v1/accounts/verify_credentials for your own id, and with --hide POST ${hideConversation.path}; on servers before 2026 GET /api/v1.1/direct/thread and DELETE /api/v1.1/direct/thread/message. It needs a token with the scopes read and write.`;
  static override usage = '<%= command.id %> ID [flags]';
  static override args = {
    ID: Args.string({description: about({name: 'id', facts: factsOf(getConversation.pathFields.id)}), required: true, ignoreStdin: true}),
  };
  static override flags = {
    hide: Flags.boolean({description: 'hide the conversation when all your messages are deleted'}),
    ...runFlags,
    ...writeFlags,
  };
  static listed = listedValues(getConversation, {arguments: {id: 'ID'}});
  static override examples = [
    {description: 'Delete your messages in a conversation, and hide it', command: '<%= config.bin %> dm clear 1029249430941045799 --hide'},
    {
      description: 'Delete your messages to an account from a script that can be resumed',
      command: '<%= config.bin %> dm clear @bo@pix.example --yes --journal clear.journal',
    },
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.start(DmClear);
    const printing = await printingOf(session);
    const name = conversationName(args.ID);
    requestFor(getConversation, {path: {id: name}});
    await using connection = await connect(session);
    if (session.dryRun) {
      const id = await (await connection.accounts()).conversationOf(name, connection.client);
      return await printDryRun(clearingRequests(id, flags.hide), connection);
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
    await runSteps(workOf(own, found, name), {command: this.words, flags, printing, connection});
    if (own.unseen !== undefined) throw new Failure('partial', `Messages of yours may remain in ${title}: ${own.unseen}`);
    if (flags.hide && conversationId !== undefined) await this.#hide(conversationId, title, connection);
  }

  async #hide(id: string, title: string, connection: Connection): Promise<void> {
    await writeOnce(
      connection,
      async ({client}) => ({answer: await client.call(hideConversation, {path: {id}})}),
      async () => connection.session.note(`Hid ${title}.`),
    );
  }
}
