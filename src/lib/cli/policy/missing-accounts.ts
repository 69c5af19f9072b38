/** Accounts that a server did not find in the last month, in a cache: one file for each server. They are tried last, because servers look up only so many a day. */
import {join} from 'node:path';
import * as z from 'zod/mini';
import {day, isFresh, readCache, writeCache} from '../../files/cache.js';
import {cacheFolder} from '../../files/own-folder.js';
import type {Connection} from '../connection.js';

/** The most accounts in a file; the oldest are dropped. */
const most = 5000;

const lifetime = 30 * day;

/** When each account was not found, in milliseconds since 1970. */
const content = z.record(z.string(), z.number());

function fileOf({server, session}: Connection): string | undefined {
  const folder = cacheFolder(session.io.env);
  return folder && join(folder, `missing-${encodeURIComponent(server.origin)}.json`);
}

/** The accounts as changes name them: `@ana@pix.example`. */
export async function readMissing(connection: Connection): Promise<ReadonlyMap<string, number>> {
  const path = fileOf(connection);
  const known = Object.entries((path && (await readCache(path, content))) || {});
  return new Map(known.filter(([, at]) => isFresh(at, lifetime, connection.session.io.now().getTime())));
}

/** Adds accounts that were not found just now, beside what other processes have written meanwhile. */
export async function writeMissing(accounts: ReadonlySet<string>, connection: Connection): Promise<void> {
  const path = fileOf(connection);
  if (path === undefined || accounts.size === 0) return;
  const now = connection.session.io.now().getTime();
  const others = [...(await readMissing(connection))].filter(([account]) => !accounts.has(account));
  await writeCache(path, Object.fromEntries([...others, ...Array.from(accounts, (account) => [account, now] as const)].slice(-most)));
}
