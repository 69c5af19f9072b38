import {keepParsingFlat} from '../../files/memory.js';
import {createHash} from 'node:crypto';
import {dirname, isAbsolute, relative, sep} from 'node:path';
import {asFailure, Failure, isInterruption, localFailure} from '../../client/failure.js';
import {textOfBytes} from '../../files/read-text.js';
import {readBytes, realPathOf} from '../../files/read-file.js';
import type {DomainList, UsedList} from './list.js';
import {addressOf, listName} from '../source/list-origin.js';
import {readList, refuseRowMistakes} from './read-list.js';
import {locationText} from '../source/location.js';
import type {ListReference} from '../model/policy.js';
import type {PlacedFailure} from '../source/mistakes.js';

export interface ListAccess {
  /** Fetches an address; absent where lists on the web are not allowed. */
  readonly fetchList?: ((address: string) => Promise<Buffer>) | undefined;
  /** Whether lists may be read from outside of the policy's folder and the working folder. */
  readonly isOutsideAllowed?: boolean | undefined;
}

/** Reads each list that a policy names once, and says which lists cannot be used. @param policy the path of the policy */
export async function loadLists(
  references: readonly ListReference[],
  policy: string,
  access: ListAccess = {},
): Promise<{readonly used: UsedList[]; readonly unusable: readonly PlacedFailure[]}> {
  const ways = Map.groupBy(references, ({from, maxMistakes, mayBeEmpty, sha256}) =>
    JSON.stringify([from, maxMistakes, mayBeEmpty, sha256]),
  );
  const loaded = await Promise.all(
    Array.from(ways.values(), async (same) => {
      const [first] = same;
      if (first === undefined) return {};
      try {
        const list = await load(first, dirname(policy), access);
        return {used: same.map((reference) => ({reference, list}))};
      } catch (error) {
        const failure = asFailure(error);
        if (isInterruption(failure)) throw failure;
        return {unusable: {...first.location, failure}};
      }
    }),
  );
  return {used: loaded.flatMap(({used = []}) => used), unusable: loaded.flatMap(({unusable = []}) => unusable)};
}

async function load(reference: ListReference, folder: string, access: ListAccess): Promise<DomainList> {
  const name = listName(reference.from, folder);
  const isRemote = addressOf(reference.from) !== undefined;
  const bytes = isRemote ? await fetchBytes(name, reference, access) : await readBytesOf(name, folder, reference, access);
  return listIn(checkSha256(bytes, name, reference), name, reference);
}

/** @throws Failure `usage` when the content does not have the sha256 that the policy names */
function checkSha256(bytes: Buffer, name: string, {sha256, location}: ListReference): Buffer {
  const found = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== undefined && found !== sha256) {
    throw new Failure('usage', `${name} does not match the sha256 at ${locationText(location)}: it is ${found}`, {
      hint: 'check what changed in it, then update the sha256',
    });
  }
  return bytes;
}

/** @throws Failure `usage` for content that cannot be used as a list of domains */
function listIn(bytes: Buffer, name: string, reference: ListReference): DomainList {
  const {location, maxMistakes, mayBeEmpty, spares} = reference;
  const list = readList(textOfBytes(bytes, name), name);
  // Reading and comparing the entries of a long list leaves much memory that has to be freed in time.
  keepParsingFlat(bytes.length);
  if (list.kind !== 'domains') throw new Failure('usage', `${name} (${locationText(location)}) is a list of ${list.kind}, not of domains`);
  refuseRowMistakes(list, mistakesHint(maxMistakes), maxMistakes);
  if (list.entries.length + list.obfuscated === 0) {
    const wrong = list.mistakes.rows;
    if (wrong > 0) {
      throw new Failure('usage', `None of the ${wrong} rows of ${name} (${locationText(location)}) names a domain`, {
        hint: 'check that it is a list of domains, and not a page or an error that a server returned',
      });
    }
    if (!mayBeEmpty) {
      throw new Failure('usage', `The list ${name} (${locationText(location)}) names no domain`, {
        hint: `an empty list ${spares === undefined ? 'removes what it asked for' : 'no longer holds back what it named'} before; if this is intended, set \`may_be_empty: true\` for it`,
      });
    }
  }
  return list;
}

function mistakesHint(most: number): string {
  return most === 0
    ? 'leave such rows out with `on_mistake: skip` or `on_mistake: {max: N}` for this list'
    : `\`on_mistake\` allows ${most} of them: check the list, or raise the number`;
}

async function readBytesOf(
  file: string,
  folder: string,
  {location}: ListReference,
  {isOutsideAllowed = false}: ListAccess,
): Promise<Buffer> {
  if (!isOutsideAllowed && !(await isInside(file, [folder, '.']))) {
    throw new Failure('usage', `The list ${file} (${locationText(location)}) is outside of the policy's folder and the working folder`, {
      hint: 'copy it there, or allow it with --allow-outside',
    });
  }
  return readBytes(file, 'file or pipe').catch((error: unknown) => {
    throw localFailure(`Cannot read the list ${file} (${locationText(location)})`, error);
  });
}

async function isInside(file: string, folders: readonly string[]): Promise<boolean> {
  const path = await realPathOf(file);
  const ways = await Promise.all(folders.map(async (folder) => relative(await realPathOf(folder), path)));
  return ways.some((way) => way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** @throws Failure `usage` where lists on the web are not allowed, or as the fetching does */
async function fetchBytes(address: string, {location}: ListReference, {fetchList}: ListAccess): Promise<Buffer> {
  if (fetchList !== undefined) return fetchList(address);
  throw new Failure('usage', `${locationText(location)} names a list on the web, which is not fetched by default`, {
    hint: 'allow it with --allow-remote-lists, or save it as a file',
  });
}
