import {keepParsingFlat} from '../../files/memory.js';
import {hash} from 'node:crypto';
import {dirname, isAbsolute, relative, sep} from 'node:path';
import {asFailure, Failure, isInterruption, localFailure} from '../../client/failure.js';
import {textOfBytes} from '../../files/read-text.js';
import {readBytes, realPathOf} from '../../files/read-file.js';
import type {DomainList} from './list.js';
import {readList, refuseRowMistakes} from './read-list.js';
import {locationText} from '../source/location.js';
import {refuseFailures} from '../source/mistakes.js';
import type {ListReference} from '../model/policy.js';

export interface ListAccess {
  /** Fetches an address; absent where lists on the web are not allowed. */
  readonly fetchList?: ((address: string) => Promise<Buffer>) | undefined;
  /** Whether lists may be read from outside of the policy's folder and the working folder. */
  readonly isOutsideAllowed?: boolean | undefined;
}

/** Equal for references to one list that read it in one way. */
export const keyOf = ({from, skipsMistakes, mayBeEmpty, sha256}: ListReference): string =>
  JSON.stringify([from, skipsMistakes, mayBeEmpty, sha256]);

/**
 * Reads each list that a policy names once.
 * @returns the lists by {@link keyOf}
 * @throws Failure of the first that cannot be read or used, with what is wrong with the others
 */
export async function loadLists(references: readonly ListReference[], access: ListAccess = {}): Promise<ReadonlyMap<string, DomainList>> {
  const lists = new Map<string, DomainList>();
  const failures = await Promise.all(
    Array.from(Map.groupBy(references, keyOf), async ([key, [reference]]): Promise<Failure[]> => {
      try {
        if (reference !== undefined) lists.set(key, listIn(await readContent(reference, access), reference));
        return [];
      } catch (error) {
        const failure = asFailure(error);
        if (isInterruption(failure)) throw failure;
        return [failure];
      }
    }),
  );
  refuseFailures(failures.flat());
  return lists;
}

/** @throws Failure `usage` for content that cannot be used as a list of domains */
function listIn(bytes: Buffer, {from: {name}, location, sha256, skipsMistakes, mayBeEmpty, spares}: ListReference): DomainList {
  const place = locationText(location);
  const found = sha256 === undefined ? undefined : hash('sha256', bytes);
  if (found !== sha256)
    throw new Failure('usage', `${name} does not match the sha256 at ${place}: it is ${String(found)}`, {
      hint: 'check what changed in it, then update the sha256',
    });
  const list = readList(textOfBytes(bytes, name), name);
  // Reading and comparing the entries of a long list leaves much memory that has to be freed in time.
  keepParsingFlat(bytes.length);
  if (list.kind !== 'domains') throw new Failure('usage', `${name} (${place}) is a list of ${list.kind}, not of domains`);
  if (!skipsMistakes) refuseRowMistakes(list, 'leave such rows out with `on_mistake: skip` for this list');
  if (list.entries.length + list.obfuscated > 0) return list;
  if (list.mistakes.count > 0)
    throw new Failure('usage', `None of the ${list.mistakes.count} rows of ${name} (${place}) names a domain`, {
      hint: 'check that it is a list of domains, and not a page or an error that a server returned',
    });
  if (mayBeEmpty) return list;
  throw new Failure('usage', `The list ${name} (${place}) names no domain`, {
    hint: `an empty list ${spares === undefined ? 'removes what it asked for' : 'no longer holds back what it named'} before; if this is intended, set \`may_be_empty: true\` for it`,
  });
}

/** @throws Failure `usage` where the list may not be read; `local` when it cannot be read, or as the fetching does */
async function readContent({from: {name, isRemote}, location}: ListReference, access: ListAccess): Promise<Buffer> {
  const place = locationText(location);
  if (isRemote) {
    if (access.fetchList !== undefined) return access.fetchList(name);
    throw new Failure('usage', `${place} names a list on the web, which is not fetched by default`, {
      hint: 'allow it with --allow-remote-lists, or save it as a file',
    });
  }
  if (access.isOutsideAllowed !== true && !(await isInside(name, [dirname(location.file), '.'])))
    throw new Failure('usage', `The list ${name} (${place}) is outside of the policy's folder and the working folder`, {
      hint: 'copy it there, or allow it with --allow-outside',
    });
  return readBytes(name, 'file or pipe').catch((error: unknown) => {
    throw localFailure(`Cannot read the list ${name} (${place})`, error);
  });
}

async function isInside(file: string, folders: readonly string[]): Promise<boolean> {
  const path = await realPathOf(file);
  const ways = await Promise.all(folders.map(async (folder) => relative(await realPathOf(folder), path)));
  return ways.some((way) => way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
