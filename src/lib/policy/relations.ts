/** Whom an account follows, and who follows it: read from the server, and kept in a file before blocks end it. */
import {dirname} from 'node:path';
import * as z from 'zod/mini';
import {listFollowers, listFollowing} from '../api/internal.js';
import type {Client} from '../client/client.js';
import {cannotRead, Failure, localFailure, lockedFailure} from '../client/failure.js';
import {pagesOf} from '../client/paging.js';
import {requestFor} from '../client/request.js';
import {absent} from '../files/system-error.js';
import {readGivenText} from '../files/text.js';
import {makeFolder} from '../files/folder.js';
import {acquireLock, LockHeld} from '../files/lock.js';
import {followed, writeWhole} from '../files/whole-file.js';
import {fieldTexts} from '../json/slices.js';
import {compact} from '../json/text.js';
import {parentsOf} from '../operations/domains.js';
import {handleOf} from '../operations/handle.js';
import {accountItem} from '../print/print.js';
import {comparedDomain, trusted} from './model/server-state.js';

/** The most that servers send at once. */
const perPage = 80;

const account = z.looseObject({acct: z.string().check(z.regex(/^@?[^@\s]+(?:@[^@\s]+)?$/, 'expected user or user@host'))});

interface Related {
  readonly relation: 'followed_by' | 'following';
  /** `bob@bad.example` */
  readonly handle: string;
  /** Its server, in the form that domains are compared in. */
  readonly server: string;
  /** The account as the server sent it. */
  readonly text: string;
}

/** Milliseconds to wait for another run that writes the same file. */
const patience = 10_000;

const lists = [
  ['following', listFollowing],
  ['followed_by', listFollowers],
] as const;

/**
 * Both lists, every page of them.
 * @param id of the account
 * @throws Failure when a page fails, or does not say who it names
 */
export async function* relationsOf(client: Client, id: string): AsyncGenerator<Related, void, undefined> {
  for (const [relation, list] of lists) {
    const request = requestFor(list, {path: {id}, query: {limit: perPage}});
    for await (const {items} of pagesOf(client, {request, endpoint: list})) {
      for (const text of items) {
        const handle = handleOf(trusted(account, JSON.parse(text), client.host, request.path).acct, client.host);
        yield {relation, handle, server: comparedDomain(handle.slice(handle.lastIndexOf('@') + 1)), text};
      }
    }
  }
}

const line = z.object({account: z.string(), item: z.looseObject({...account.shape, following: z.boolean(), followed_by: z.boolean()})});

interface Saved {
  readonly following: boolean;
  readonly followed_by: boolean;
  readonly line: string;
}

const keyOf = (own: string, handle: string): string => `${own} ${handle}`;

function savedIn(text: string): readonly [key: string, saved: Saved] | undefined {
  try {
    const {account: own, item} = line.parse(JSON.parse(text));
    const {following, followed_by} = item;
    return [keyOf(own, handleOf(item.acct, own.slice(own.lastIndexOf('@') + 1))), {following, followed_by, line: text}];
  } catch {
    return undefined;
  }
}

/** What a file has already: what was saved before an earlier block cannot be read again. @throws Failure `usage` for a file of anything else */
async function readSaved(file: string): Promise<Map<string, Saved>> {
  const text =
    (await readGivenText(file, 'file')
      .catch(absent)
      .catch(cannotRead(`the relations in ${file}`))) ?? '';
  const saved = new Map<string, Saved>();
  for (const [index, one] of text.split('\n').entries()) {
    if (one.trim() === '') continue;
    const found = savedIn(one);
    if (found === undefined) {
      throw new Failure('usage', `${file} exists, and its line ${index + 1} is no saved relation: nothing was sent`, {
        hint: 'choose another file',
      });
    }
    saved.set(...found);
  }
  return saved;
}

/** Another run that saves to the same file meanwhile would replace it without what this one has. @throws Failure `local` */
async function lockOn(file: string): Promise<Disposable> {
  try {
    const target = await followed(file);
    await makeFolder(dirname(target));
    return await acquireLock(`${target}.lock`, {patience});
  } catch (error) {
    throw error instanceof LockHeld ? lockedFailure(file, error) : localFailure(`Cannot write the relations to ${file}`, error);
  }
}

/** The account as an item of the acting one, with the relations to it as members of its own. */
function lineOf(own: string, text: string, relations: Omit<Saved, 'line'>): string {
  const members = fieldTexts(compact(text));
  for (const [name, value] of Object.entries(relations)) members.set(name, String(value));
  return accountItem(own, `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`);
}

interface RelationsToSave {
  readonly client: Client;
  /** The account whose relations they are. */
  readonly own: {readonly id: string; readonly handle: string};
  /** In the form that domains are compared in; those below them are meant as well. */
  readonly domains: ReadonlySet<string>;
  readonly file: string;
}

/** How many accounts there are of each relation. */
type RelationCounts = Readonly<Record<Related['relation'], number>>;

/**
 * Writes whom an account follows on domains and who follows it from there to a file, one JSON object a line, and keeps what the file has.
 * @throws Failure as reading them does; `usage` for a file of anything else; `local` when it cannot be written
 */
export async function saveRelations({client, own, domains, file}: RelationsToSave): Promise<RelationCounts> {
  // A file of anything else is refused before anything is asked.
  await readSaved(file);
  const counts = {following: 0, followed_by: 0};
  const found: Related[] = [];
  for await (const one of relationsOf(client, own.id)) {
    if (![one.server, ...parentsOf(one.server)].some((domain) => domains.has(domain))) continue;
    counts[one.relation] += 1;
    found.push(one);
  }
  using _lock = await lockOn(file);
  const saved = await readSaved(file);
  for (const {relation, handle, text} of found) {
    const key = keyOf(own.handle, handle);
    const {following = false, followed_by = false} = saved.get(key) ?? {};
    const relations = {following, followed_by, [relation]: true};
    saved.set(key, {...relations, line: lineOf(own.handle, text, relations)});
  }
  const lines = [...saved.values()].map((one) => `${one.line}\n`);
  await writeWhole(file, lines).catch((error: unknown) => {
    throw localFailure(`Cannot write the relations to ${file}`, error);
  });
  return counts;
}
