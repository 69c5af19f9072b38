/** Reads the lists that a policy names. */
import {createHash} from 'node:crypto';
import {realpath} from 'node:fs/promises';
import {basename, dirname, isAbsolute, join, relative, resolve, sep} from 'node:path';
import {Failure, localFailure} from '../../client/failure.js';
import {textOf} from '../../client/text-input.js';
import {readBytes} from '../../files/read-file.js';
import {contentKeys} from './agreement.js';
import type {DomainList, UsedList} from './list.js';
import {readList, refuseRowMistakes, wrongLines} from './read-list.js';
import {locationText} from '../location.js';
import type {ListReference, Policy} from '../policy.js';

export interface ListAccess {
  /** Fetches a URL; absent where lists on the web are not allowed. */
  readonly fetchList?: ((url: string) => Promise<Buffer>) | undefined;
  /** Whether lists may be read from outside of the policy's folder and the working folder. */
  readonly isOutsideAllowed?: boolean | undefined;
}

/** @throws Failure `usage` or `local` for the first list that cannot be used */
export async function loadLists(policy: Policy, access: ListAccess = {}): Promise<UsedList[]> {
  const references = policy.domainBlocks?.lists ?? [];
  const read = await Promise.all(
    references.map(async (reference) => ({reference, list: await load(reference, dirname(policy.file), access)})),
  );
  const contents = contentKeys(read.map(({list}) => list));
  return read.map(({reference, list}) => ({reference, list: taken(list, reference), content: contents.get(list.name)}));
}

async function load(reference: ListReference, folder: string, access: ListAccess): Promise<DomainList> {
  const {from, location, sha256, mostMistakes, mayBeEmpty, allows} = reference;
  const name = 'url' in from ? from.url : isAbsolute(from.file) ? from.file : join(folder, from.file);
  const bytes = 'url' in from ? await fetched(from.url, reference, access) : await listBytes(name, folder, reference, access);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== undefined && found !== sha256) {
    throw new Failure('usage', `${name} does not match the sha256 at ${locationText(location)}: it is ${found}`, {
      hint: 'check what changed in it, then update the sha256',
    });
  }
  const list = readList(textOf(bytes, name), name);
  if (list.kind !== 'domains') throw new Failure('usage', `${name} (${locationText(location)}) is a list of ${list.kind}, not of domains`);
  refuseRowMistakes(list, mistakesHint(mostMistakes), mostMistakes);
  if (list.entries.length + list.wildcards.length + list.obfuscated.length === 0) {
    const wrong = wrongLines(list);
    if (wrong > 0) {
      throw new Failure('usage', `None of the ${wrong} rows of ${name} (${locationText(location)}) names a domain`, {
        hint: 'check that it is a list of domains, and not a page or an error that a server returned',
      });
    }
    if (!mayBeEmpty) {
      throw new Failure('usage', `The list ${name} (${locationText(location)}) names no domain`, {
        hint: `an empty list ${allows ? 'no longer allows what it named' : 'removes what it asked for'} before; if this is intended, set \`may_be_empty: true\` for it`,
      });
    }
  }
  return list;
}

function taken(list: DomainList, {takesWildcards}: ListReference): DomainList {
  return takesWildcards ? {...list, entries: [...list.wildcards, ...list.entries], wildcards: []} : list;
}

function mistakesHint(most: number): string {
  return most === 0
    ? 'leave such rows out with `on_mistake: skip` or `on_mistake: {max: N}` for this list'
    : `\`on_mistake\` allows ${most} of them: check the list, or raise the number`;
}

async function listBytes(file: string, folder: string, {location}: ListReference, {isOutsideAllowed = false}: ListAccess): Promise<Buffer> {
  if (!isOutsideAllowed && !(await isInside(file, [folder, '.']))) {
    throw new Failure('usage', `The list ${file} (${locationText(location)}) is outside of the policy's folder and the working folder`, {
      hint: 'copy it there, or allow it with --allow-outside',
    });
  }
  return readBytes(file, 'file or pipe').catch((error: unknown) => {
    throw localFailure(`Cannot read the list ${file} (${locationText(location)})`, error);
  });
}

/** The path of a file after following links, whether or not it exists. */
async function realPathOf(file: string): Promise<string> {
  const path = resolve(file);
  return realpath(path).catch(async () => join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path)));
}

async function isInside(file: string, folders: readonly string[]): Promise<boolean> {
  const path = await realPathOf(file);
  const ways = await Promise.all(folders.map(async (folder) => relative(await realPathOf(folder), path)));
  return ways.some((way) => way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

async function fetched(url: string, {location}: ListReference, {fetchList}: ListAccess): Promise<Buffer> {
  if (fetchList) return fetchList(url);
  throw new Failure('usage', `${locationText(location)} names a list on the web, which is not fetched by default`, {
    hint: 'allow it with --allow-remote-lists, or save it as a file',
  });
}
