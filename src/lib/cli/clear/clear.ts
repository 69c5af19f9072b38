/** What `dm clear` does: deletes all messages of one's own in a conversation. */
import {type RunFlags, runSteps, type Work, writeOnce} from '../bulk-run.js';
import {connect, type Connection} from '../connection.js';
import {printDryRun} from '../dry-run.js';
import {conversationWith} from '../endpoint/titles.js';
import {printingOf} from '../printing.js';
import {allowWrite, requireAnswerFor} from '../prompts.js';
import type {Session} from '../session.js';
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

interface Clearing {
  /** The words of the command. */
  readonly command: string;
  readonly flags: RunFlags & {readonly hide: boolean};
  readonly session: Session;
}

/** @param named an id, or the account that it is with @throws Failure `partial` when messages may remain; that of a run */
export async function clear(named: string, {command, flags, session}: Clearing): Promise<void> {
  const printing = await printingOf(session);
  const name = conversationName(named);
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
  await runSteps(workOf(own, found, name), {command: command, flags, printing, connection});
  if (own.unseen !== undefined) throw new Failure('partial', `Messages of yours may remain in ${title}: ${own.unseen}`);
  if (flags.hide && conversationId !== undefined) await hide(conversationId, title, connection);
}

async function hide(id: string, title: string, connection: Connection): Promise<void> {
  await writeOnce(
    connection,
    async ({client}) => ({answer: await client.call(hideConversation, {path: {id}})}),
    async () => connection.session.note(`Hid ${title}.`),
  );
}
