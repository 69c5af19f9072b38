/** What admins do about posts that the spam filter held back. */
import {commandText} from '../files/command-text.js';
import {handleAutospam, listAutospam} from '../api/autospam.js';
import type {PlainInput} from '../api/endpoint.js';
import {membersOf, oncePer} from '../api/schema.js';
import type {Answer} from '../client/answer.js';
import type {Client} from '../client/client.js';
import {asFailure, Failure, guardFailure} from '../client/failure.js';
import {pagesOf} from '../client/paging.js';
import {requestFor, usableIdAt} from '../client/request.js';
import {booleanAt, identifierAt, textAt} from '../json/path.js';
import {countNoun} from '../json/text.js';
import {operation} from './operation.js';
import {authorOf, shownPost} from './posts.js';
import {unreadable, type Acting, type Finality, type FoundTarget} from './found-target.js';
import {findUser as findPerson, recount} from './users.js';

/** The actions that cannot be undone: they destroy something, or act on all entries of a person. */
const finalities: Readonly<Record<string, Finality>> = {
  'delete-post': {noun: ['post', 'posts']},
  'delete-account': {noun: ['person', 'people'], isTyped: true},
  'dismiss-all': {noun: ['person', 'people']},
  'approve-all': {noun: ['person', 'people']},
};

const actionIn = ({body}: PlainInput): string => String(body?.['action']);

const isAboutAuthor = (action: string): boolean => action.endsWith('-all') || action === 'delete-account';

/** The entries that a client read until now. Entries move to earlier pages when others are handled, so the list may be read twice. */
function readEntries(client: Client) {
  const known = new Map<string, unknown>();
  let pages: ReturnType<typeof pagesOf> | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let done = 0;
  const readUntil = async (id: string, readings: number) => {
    while (!known.has(id) && (pages !== undefined || done < readings)) {
      pages ??= pagesOf(client, {request: requestFor(listAutospam, {}), endpoint: listAutospam});
      const page = await pages.next();
      if (page.done === true) {
        pages = undefined;
        done += 1;
        continue;
      }
      for (const entry of page.value.items) {
        const own = usableIdAt(entry, ['id'], 'digits');
        if (own !== undefined) known.set(own, entry);
      }
    }
    return known.get(id);
  };
  /** @param readings how often the list is read at most @throws Failure */
  const find = (id: string, readings: number): Promise<unknown> => {
    const found = turn.then(() => readUntil(id, readings));
    turn = found.catch(() => {});
    return found;
  };
  const listPostsOf = async (author: string): Promise<readonly unknown[]> => {
    // No entry has an empty id, so that all are read.
    await find('', 1);
    return [...known.values()].map((entry) => membersOf(entry)['status']).filter((post) => authorOf(post) === author);
  };
  return {find, listPostsOf};
}

const entriesOf = oncePer(readEntries);

/** Finds an entry. If its post is gone, the entry is not listed, but it can still be dismissed or approved. */
async function findEntry(id: string, input: PlainInput, client: Client): Promise<FoundTarget> {
  const action = actionIn(input);
  const isFinal = finalities[action] !== undefined;
  const entry = await entriesOf(client).find(id, isFinal ? 2 : 1);
  const unknown: FoundTarget = {id, name: `entry ${id}`, saved: {entry: {id}}};
  if (entry === undefined && isFinal)
    throw new Failure('not_found', `The spam filter of ${client.host} lists no entry ${id}: nothing was sent`, {
      hint: `it was already handled, its post is gone, or it does not exist: see \`${commandText('autospam list')}\``,
    });
  const [item, shown] = [['item_id'], ['status', 'id']].map((path) => identifierAt(entry, path));
  if (shown !== undefined && item !== undefined && shown !== item)
    // The server acts on the post that an entry names, which is not always the one that it shows.
    throw unreadable(client, listAutospam.path, `entry ${id} is about post ${item}, and shows post ${shown}: nothing was sent`);
  const {status, created_at: since} = membersOf(entry);
  const [post, author] = [shownPost(status, isAboutAuthor(action)), authorOf(status)];
  if ((post === undefined || author === undefined) && isFinal)
    throw guardFailure(`${client.host} does not show whose post entry ${id} is: nothing was sent`, 'look at it on the server itself');
  if (post === undefined || author === undefined) return unknown;
  const saved = {entry: {id, created_at: since}, ...post.saved};
  if (action === 'delete-account') {
    const person = (await authorAsPerson(status, author, client)) ?? {...post, about: 'not counted, because the server does not list them'};
    return {...person, id: `author ${author}`, saved: {...saved, ...person.saved}};
  }
  const about = action === 'approve-all' ? approvalOf(status, await entriesOf(client).listPostsOf(author)) : post.about;
  return {...post, id: isAboutAuthor(action) ? `author ${author}` : id, about, saved};
}

/** What an approval does to all posts of a person: they all become as sensitive as the post of the named entry. */
function approvalOf(named: unknown, posts: readonly unknown[]): string {
  const held = `${countNoun(posts.length, 'post')} held back`;
  if (booleanAt(named, ['sensitive']) === true) return `${held}, which become public and sensitive`;
  const sensitive = posts.filter((post) => booleanAt(post, ['sensitive']) !== false).length;
  return `${held}, ${sensitive} of them sensitive: they become public and not sensitive`;
}

/** The person who wrote a post; undefined if the server does not list them, for example because they are suspended. */
async function authorAsPerson(post: unknown, author: string, client: Client): Promise<FoundTarget | undefined> {
  const value = `@${textAt(post, ['account', 'acct']) ?? ''}`;
  try {
    return await findPerson({value, profile: author}, client, {refusesAdmins: true});
  } catch (error) {
    if (asFailure(error).code === 'not_found') return undefined;
    throw error;
  }
}

/** Makes the server count the posts and followers of a person before the question, because old numbers may be too low. */
async function countAnew(found: FoundTarget, client: Client): Promise<FoundTarget> {
  const id = textAt(found.saved, ['user', 'id']);
  if (id === undefined) return found;
  const person = await recount({...found, id}, client);
  return {...person, id: found.id, saved: {...found.saved, ...person.saved}};
}

/** Does one thing about an entry, or about all entries of its author. */
export const autospamHandling = operation(handleAutospam, {
  finding: {
    find: ({value}, input, client) => findEntry(value, input, client),
    ready: countAnew,
    final: (input) => finalities[actionIn(input)],
    act: handle,
  },
});

async function handle({saved}: FoundTarget, input: PlainInput, {client, keep}: Acting): Promise<Answer> {
  const [id, action] = [String(input.body?.['id']), actionIn(input)];
  await keep({action, ...saved});
  return client.call(handleAutospam, {body: {id, action}});
}
