/** What admins do about posts: found by their ids or addresses, and marked as sensitive by requests that toggle. */
import * as z from 'zod/mini';
import {visibilities} from '../api/admin-entities.js';
import type {PlainInput} from '../api/endpoint.js';
import {getStatus} from '../api/internal.js';
import {kinds} from '../api/kinds.js';
import {moderatePost} from '../api/posts.js';
import {field, membersOf} from '../api/schema.js';
import type {Answer} from '../client/answer.js';
import type {Client} from '../client/client.js';
import {asFailure, Failure} from '../client/failure.js';
import {isAddress, isIdentifier, placeholder, requestFor, type ExpectedAbout, type Request} from '../client/request.js';
import {booleanAt, textAt} from '../json/path.js';
import {shorten} from '../json/text.js';
import {isId} from './handle.js';
import {operation} from './operation.js';
import {ownHosts} from './server-release.js';
import {sendToggles} from './toggles.js';
import {countAt, pickMembers, type Acting, type Finality, type NamedTarget, type FoundTarget} from './found-target.js';

const shownLength = 60;

/** Where servers have posts. Other addresses end with ids of other things: people, stories, collections. */
const postPath = /^\/(?:p\/[\w.-]+|i\/web\/post|@[\w.-]+|api\/v1\/statuses)\/(\d+)\/?$/;

/** The id in the address of a post: `https://pix.example/p/alice/1234`. */
function idIn(address: string): string | undefined {
  const [, id] = postPath.exec(URL.parse(address)?.pathname ?? '') ?? [];
  return id !== undefined && isIdentifier(id) ? id : undefined;
}

/**
 * A post as commands name one: its id, or its address.
 * @throws Failure `usage` for anything else
 */
function postName(text: string): string {
  const name = text.trim();
  if (isIdentifier(name, 'digits') || (isAddress(name) && idIn(name) !== undefined)) return name;
  throw new Failure('usage', `${JSON.stringify(shorten(name, shownLength))} is not a post`, {
    hint: 'use its id, or its address on this server, as in https://pix.example/p/bob/1029249433829986328',
  });
}

/** @throws Failure `usage` for the address of a post on another server */
async function idOf(name: string, client: Client): Promise<string> {
  const id = isId(name) ? name : idIn(name);
  const url = isId(name) ? null : URL.parse(name);
  const isHere = url === null || url.host === client.host || (await ownHosts(client)).includes(url.hostname);
  if (id !== undefined && isHere) return id;
  throw new Failure('usage', `${shorten(name, shownLength)} is not on ${client.host}`, {
    hint: 'a post of another server has an id of its own here, which `reports list -o ndjson` has as status.id',
  });
}

export const postActions = ['cw', 'visibility', 'delete', 'mark_spammer'] as const;

function actionIn({body = {}}: PlainInput): string {
  if (typeof body['cw'] === 'boolean') return 'cw';
  if (body['visibility'] !== undefined) return `mark-${String(body['visibility'])}`;
  return body['delete'] === true ? 'delete' : 'mark-spammer';
}

/** A post, and the id of its author where that is known: every answer about it has to be about both. */
interface NamedPost {
  readonly id: string;
  readonly author: string | undefined;
}

const aboutAuthor = (author: string | undefined): readonly ExpectedAbout[] =>
  author === undefined ? [] : [{at: ['account', 'id'], is: author}];

/** Deletions are answered with an empty list. */
const schemaFor = (action: string) => (action === 'delete' ? z.array(z.unknown()) : moderatePost.output());

/** @param action `cw` toggles; any other changes nothing when it is repeated */
function requestOf(id: string, action: string, author?: string): Request {
  const {about, ...request} = requestFor(moderatePost, {path: {id}, body: {action}}, aboutAuthor(author));
  return {...request, ...(action !== 'delete' && {about}), repeat: action === 'cw' ? 'never' : action === 'delete' ? 'gone' : 'harmless'};
}

const send = ({id, author}: NamedPost, action: string, client: Client): Promise<Answer> =>
  client.send(requestOf(id, action, author), schemaFor(action));

/** Reads a post, if the token's account may see it. @throws Failure */
const readPost = ({id, author}: NamedPost, client: Client): Promise<Answer> =>
  client.send(requestFor(getStatus, {path: {id}}, aboutAuthor(author)), getStatus.output());

/** Whether a read failed because the account may not see the post: admins do not see all posts that they moderate. */
const isHidden = ({code, details: {reason}}: Failure): boolean =>
  (['not_found', 'refused', 'bad_answer'].includes(code) && reason !== 'another_target') || (code === 'auth' && reason === 'scope');

const shown = ['id', 'url', 'created_at', 'visibility', 'sensitive', 'content_text'];
const shownOfAccount = ['id', 'acct', 'url', 'created_at', 'statuses_count', 'followers_count'];

/**
 * A post and its author, as questions and files of `--save` show them; undefined without an author.
 * @param isAboutAuthor whether the action hits all posts of the author
 */
export function shownPost(post: unknown, isAboutAuthor: boolean): Omit<FoundTarget, 'id'> | undefined {
  const {account} = membersOf(post);
  const acct = textAt(account, ['acct']);
  if (acct === undefined) return undefined;
  const text = shorten((textAt(post, ['content_text']) ?? '').replaceAll(/\s+/g, ' ').trim(), shownLength);
  return {
    name: isAboutAuthor ? `@${acct}` : `post of @${acct}`,
    ...(!isAboutAuthor && text !== '' && {about: `“${text}”`}),
    createdAt: textAt(isAboutAuthor ? account : post, ['created_at']),
    posts: countAt(account, 'statuses_count'),
    followers: countAt(account, 'followers_count'),
    saved: {post: pickMembers(post, shown), account: pickMembers(account, shownOfAccount)},
  };
}

/** The author of a post. Actions on authors are done once, however many of their posts are named. */
export const authorOf = (post: unknown): string | undefined => textAt(post, ['account', 'id']);

/** A post that the server does not show. Only a list, or the file of an earlier run, may say whose it is. */
async function hiddenPost(id: string, named: NamedTarget, action: string): Promise<FoundTarget> {
  const isAboutAuthor = action === 'mark-spammer';
  const post = await named.told?.(id);
  const known = shownPost(post, isAboutAuthor);
  if (known === undefined) {
    const unnamed = new Failure('usage', `Post ${id} cannot be read, and nothing tells whose it is`, {
      hint: 'with --yes, use its address, or pipe in the report or the entry of the spam filter that it is in',
    });
    return {
      id,
      name: isAboutAuthor ? `the author of post ${id}` : `post ${id}`,
      about: 'which cannot be read, and nothing tells whose it is',
      saved: {post: {id, ...(!isId(named.value) && {url: named.value})}},
      isHidden: true,
      ...(finalities[action] !== undefined && {unnamed}),
    };
  }
  const about = isAboutAuthor
    ? `whose post ${id} cannot be read`
    : [known.about, `which cannot be read (${id})`].filter(Boolean).join(', ');
  const saved = {...known.saved, post: {id, ...membersOf(known.saved['post'])}};
  return {...known, id: isAboutAuthor ? `author ${authorOf(post) ?? id}` : id, about, saved, isHidden: true};
}

async function findPost(named: NamedTarget, input: PlainInput, client: Client): Promise<FoundTarget> {
  const id = await idOf(named.value, client);
  const action = actionIn(input);
  const isAboutAuthor = action === 'mark-spammer';
  try {
    const {value} = await readPost({id, author: undefined}, client);
    const [given, author] = [authorOf(await named.told?.(id)), authorOf(value)];
    // A list of another server has posts with ids of its own.
    if (given !== undefined && author !== undefined && given !== author)
      throw new Failure('usage', `${id} is a post of another person on ${client.host} than the given post: nothing was sent`, {
        hint: 'use a list of the same server',
      });
    const known = shownPost(value, isAboutAuthor);
    if (known !== undefined) return {id: isAboutAuthor ? `author ${authorOf(value) ?? id}` : id, ...known};
  } catch (error) {
    if (!isHidden(asFailure(error))) throw error;
  }
  return hiddenPost(id, named, action);
}

const finalities: Readonly<Record<string, Finality>> = {
  delete: {noun: ['post', 'posts']},
  'mark-spammer': {noun: ['person', 'people']},
};

const flag = (about: string) => z.optional(field(z.boolean(), about));

export const postModeration = operation(
  {
    ...moderatePost,
    pathFields: {id: field(z.string(), 'a post: its id, or its address on this server', {of: kinds.post})},
    body: {
      cw: flag('mark it as sensitive'),
      visibility: z.optional(field(z.string(), 'who sees it', {known: visibilities})),
      delete: flag('delete it permanently'),
      mark_spammer: flag('set all flags of its author, and make all their posts private and sensitive, permanently'),
    },
  },
  {
    convert: {
      id: postName,
      visibility(text) {
        if (visibilities.some((one) => one === text)) return text;
        throw new Failure('usage', `--visibility takes one of ${visibilities.join(', ')}`);
      },
    },
    requests(input) {
      const named = String(input.path?.['id']);
      return [requestOf(isId(named) ? named : (idIn(named) ?? placeholder('the post')), actionIn(input))];
    },
    repeats: (input) => (actionIn(input) === 'delete' ? 'gone' : 'harmless'),
    finding: {
      find: findPost,
      final: (input) => finalities[actionIn(input)],
      act: moderate,
    },
  },
);

async function moderate(found: FoundTarget, input: PlainInput, acting: Acting): Promise<Answer> {
  const answer = await sendModeration(found, input, acting);
  const told = found.isHidden === true ? shownPost(answer.value, false)?.saved : undefined;
  if (told !== undefined) await acting.noteAnswer(told);
  return answer;
}

async function sendModeration({saved}: FoundTarget, input: PlainInput, {client, keep}: Acting): Promise<Answer> {
  const post: NamedPost = {id: await idOf(String(input.path?.['id']), client), author: textAt(saved, ['account', 'id'])};
  const action = actionIn(input);
  if (action === 'cw') return setSensitive(post, input.body?.['cw'] === true, {client, keep: () => keep({action, ...saved})});
  await keep({action, ...saved});
  return send(post, action, client);
}

/** Reads first, because the request toggles. */
async function setSensitive(
  post: NamedPost,
  wanted: boolean,
  {client, keep}: {readonly client: Client; readonly keep: () => Promise<void>},
) {
  const holds = (answer: unknown): boolean => booleanAt(answer, ['sensitive']) === wanted;
  const first = await readPost(post, client).catch((error: unknown) => {
    if (isHidden(asFailure(error))) return undefined;
    throw error;
  });
  if (first !== undefined && holds(first.value)) return first;
  await keep();
  return sendToggles([{action: 'cw', holds}], {first, send: (action) => send(post, action, client), client, endpoint: moderatePost});
}
