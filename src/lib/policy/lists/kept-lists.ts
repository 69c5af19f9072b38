/** Copies of lists on the web: the last one of each that could be used, in the cache folder. */
import {createHash} from 'node:crypto';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {moment, readKept, writeKept} from '../../files/kept.js';

export interface KeptList {
  readonly bytes: Buffer;
  /** What the server calls this version. */
  readonly etag?: string | undefined;
  /** When it was fetched. */
  readonly at: Date;
}

export interface KeptLists {
  /** Undefined when there is none, or it is damaged. */
  read(address: string): Promise<KeptList | undefined>;
  /** Never fails: the list is fetched again next time. */
  keep(address: string, copy: KeptList): Promise<void>;
}

/** As in the standard; anything else could break the request that it is sent with. */
export const entityTag = z.string().check(z.regex(/^(?:W\/)?"[!#-~]{0,500}"$/));

const kept = z.object({address: z.string(), at: moment, etag: z.optional(entityTag), sha256: z.string(), body: z.string()});

function digest(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

/** @param folder the cache; undefined for a user without a home, who has no copies */
export function keptListsIn(folder: string | undefined): KeptLists {
  const fileOf = (inside: string, address: string) => join(inside, `list-${digest(address).slice(0, 32)}.json`);
  return {
    async read(address) {
      const found = folder === undefined ? undefined : await readKept(fileOf(folder, address), kept);
      if (found?.address !== address) return undefined;
      const {at, etag, sha256, body} = found;
      const bytes = Buffer.from(body, 'base64');
      return digest(bytes) === sha256 ? {bytes, etag, at: new Date(at)} : undefined;
    },
    async keep(address, {bytes, etag, at}) {
      if (folder === undefined) return;
      const content = {address, at: at.getTime(), etag, sha256: digest(bytes), body: bytes.toString('base64')};
      await writeKept(fileOf(folder, address), content);
    },
  };
}
