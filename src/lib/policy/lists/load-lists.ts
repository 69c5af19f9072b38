/** The lists that a policy names, read from where they are. */
import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {dirname, isAbsolute, join} from 'node:path';
import {Failure, localFailure} from '../../client/failure.js';
import {placeText} from '../place.js';
import type {ListReference, Policy} from '../policy.js';
import type {DomainList} from './list.js';
import {readList} from './read-list.js';

/** Fetches what is at an address. */
export type FetchList = (url: string) => Promise<Buffer>;

/** A list as a policy uses it. */
export interface UsedList {
  readonly reference: ListReference;
  readonly list: DomainList;
}

/**
 * @param fetchList fetches lists on the web; absent where that is not allowed
 * @throws Failure `usage` or `local` for the first list that cannot be used
 */
export async function loadLists(policy: Policy, fetchList?: FetchList): Promise<UsedList[]> {
  const references = policy.domainBlocks?.lists ?? [];
  return Promise.all(references.map(async (reference) => ({reference, list: await load(reference, dirname(policy.file), fetchList)})));
}

async function load(reference: ListReference, folder: string, fetchList: FetchList | undefined): Promise<DomainList> {
  const {from, place, sha256} = reference;
  const name = 'url' in from ? from.url : isAbsolute(from.file) ? from.file : join(folder, from.file);
  const bytes = 'url' in from ? await fetched(from.url, reference, fetchList) : await readBytes(name, reference);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== undefined && found !== sha256) {
    throw new Failure('usage', `${name} is not the list that ${placeText(place)} pins: its sha256 is ${found}`, {
      hint: 'look at what changed in it, then pin the new one',
    });
  }
  const list = readList(bytes.toString('utf8'), name);
  if (list.kind === 'domains') return list;
  throw new Failure('usage', `${name} (${placeText(place)}) is a list of ${list.kind}, not of domains`);
}

async function readBytes(file: string, {place}: ListReference): Promise<Buffer> {
  return readFile(file).catch((error: unknown) => {
    throw localFailure(`Cannot read the list ${file} (${placeText(place)})`, error);
  });
}

async function fetched(url: string, {place}: ListReference, fetchList: FetchList | undefined): Promise<Buffer> {
  if (fetchList) return fetchList(url);
  throw new Failure('usage', `${placeText(place)} names a list on the web, and these are not fetched unless allowed`, {
    hint: 'allow it with --allow-remote-lists, or save it as a file',
  });
}
