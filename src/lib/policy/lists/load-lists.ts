import {keepParsingFlat} from '../../files/memory.js';
import {hash} from 'node:crypto';
import {dirname, isAbsolute, relative, sep} from 'node:path';
import {asFailure, Failure, isInterruption, localFailure} from '../../client/failure.js';
import {textOfBytes} from '../../files/read-text.js';
import {readBytes, realPathOf} from '../../files/read-file.js';
import type {DomainList} from './list.js';
import {readList, refuseRowMistakes} from './read-list.js';
import {refuseFailures} from '../source/mistakes.js';
import type {ListReference} from '../model/policy.js';

export type LoadedLists = ReadonlyMap<ListReference, DomainList>;

export interface ListAccess {
  /** Fetches an address; absent where lists on the web are not allowed. */
  readonly fetchList?: ((address: string) => Promise<Buffer>) | undefined;
  /** Whether lists may be read from outside of the policy's folder and the working folder. */
  readonly isOutsideAllowed?: boolean | undefined;
}

/**
 * Reads each list that a policy names once, however many rules name it.
 * @throws Failure of the first that cannot be read or used, with what is wrong with the others
 */
export async function loadLists(references: readonly ListReference[], access: ListAccess = {}): Promise<LoadedLists> {
  const lists = new Map<ListReference, DomainList>();
  const groups = Map.groupBy(references, ({name, skipsMistakes, mayBeEmpty, sha256}) =>
    JSON.stringify([name, skipsMistakes, mayBeEmpty, sha256]),
  );
  const ends = await Promise.allSettled(
    Array.from(groups.values(), async (same) => {
      const [first] = same;
      const list = first && listIn(await readContent(first, access), first);
      if (list !== undefined) for (const one of same) lists.set(one, list);
    }),
  );
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? asFailure(end.reason) : []));
  refuseFailures(failures.filter(isInterruption).slice(0, 1));
  refuseFailures(failures);
  return lists;
}

/** @throws Failure `usage` for content that cannot be used as a list of domains */
function listIn(bytes: Buffer, {name, where, sha256, skipsMistakes, mayBeEmpty}: ListReference): DomainList {
  const found = sha256 === undefined ? undefined : hash('sha256', bytes);
  if (found !== sha256)
    throw new Failure('usage', `${name} does not match the sha256 at ${where}: it is ${String(found)}`, {
      hint: 'check what changed in it, then update the sha256',
    });
  const list = readList(textOfBytes(bytes, name), name);
  // Reading and comparing the entries of a long list leaves much memory that has to be freed in time.
  keepParsingFlat(bytes.length);
  if (!skipsMistakes) refuseRowMistakes(list, 'leave such rows out with `on_mistake: skip` for this list');
  if (list.entries.length + list.obfuscated > 0 || (mayBeEmpty && list.mistakes.count === 0)) return list;
  throw new Failure('usage', `The list ${name} (${where}) names no domain`, {
    hint: 'check that it is a list, and not a page or an error of a server; if it is meant to be empty, set `may_be_empty: true` for it',
  });
}

/** @throws Failure `usage` where the list may not be read; `local` when it cannot be read, or as the fetching does */
async function readContent({name, isRemote, where}: ListReference, access: ListAccess): Promise<Buffer> {
  if (isRemote) {
    if (access.fetchList !== undefined) return access.fetchList(name);
    throw new Failure('usage', `${where} names a list on the web, which is not fetched by default`, {
      hint: 'allow it with --allow-remote-lists, or save it as a file',
    });
  }
  if (access.isOutsideAllowed !== true && !(await isInside(name, [dirname(where), '.'])))
    throw new Failure('usage', `The list ${name} (${where}) is outside of the policy's folder and the working folder`, {
      hint: 'copy it there, or allow it with --allow-outside',
    });
  return readBytes(name, 'file or pipe').catch((error: unknown) => {
    throw localFailure(`Cannot read the list ${name} (${where})`, error);
  });
}

async function isInside(file: string, folders: readonly string[]): Promise<boolean> {
  const path = await realPathOf(file);
  const ways = await Promise.all(folders.map(async (folder) => relative(await realPathOf(folder), path)));
  return ways.some((way) => way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
