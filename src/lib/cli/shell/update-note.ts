/**
 * The note on a newer release: at most once a day, only at a terminal, and only where the address of the releases is known. A command
 * never waits for it: what one run asks for in a process of its own, a later run reads from a file.
 */
import {spawn} from 'node:child_process';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import gt from 'semver/functions/gt.js';
import prerelease from 'semver/functions/prerelease.js';
import valid from 'semver/functions/valid.js';
import * as z from 'zod/mini';
import {createTransport, isLoopback} from '../../client/transport.js';
import {day, isFresh, readKept, writeKept} from '../../files/kept.js';
import {cacheFolder} from '../../files/own-folder.js';
import {isSingleFile} from '../../files/runtime.js';
import {shellWord} from '../../files/shell-word.js';
import {inert} from '../../print/inert.js';
import {paint} from '../../print/palette.js';
import type {Io} from '../io.js';
import {followRedirects, redirectOf} from '../../client/redirects.js';
import {updateCheck} from './releases.js';

/** Milliseconds between two checks, and between two notes. */
const interval = day;

/** Milliseconds for the answer to a check. */
const timeout = 10_000;

/** The largest answer that is used, in characters. */
const largest = 10_000;

/** What a release says of itself in latest.json. The release script writes it. */
const releaseShape = z.object({
  /** Semantic version, without `v`. */
  version: z.string().check(z.refine((text) => valid(text) === text)),
  /** A page about the release. */
  url: z.string().check(z.refine((text) => addressIn(text) !== undefined)),
});

export type Release = z.infer<typeof releaseShape>;

/** When the last check and the last note were, in milliseconds since 1970. */
const timesShape = z.object({checked: z.number(), noted: z.number()});

/** The latest release, as the last check found it. */
const latestFile = (folder: string): string => join(folder, 'latest-release.json');
const timesFile = (folder: string): string => join(folder, 'update-note.json');

/** Only https, and plain http to this machine for tests. */
function isAllowed({protocol, hostname}: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

function addressIn(text: string): URL | undefined {
  const url = URL.parse(text) ?? undefined;
  return url !== undefined && isAllowed(url) && url.username === '' && url.password === '' ? url : undefined;
}

/** @returns undefined for anything but a release with a version and an address */
export function parseRelease(text: string): Release | undefined {
  try {
    return releaseShape.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Whether to update from one version to another. Nobody is asked to move from a release to a preview. */
export function isUpdate(current: string, latest: string): boolean {
  return valid(current) !== null && gt(latest, current) && (prerelease(latest) === null || prerelease(current) !== null);
}

/** How the program was installed. */
interface Installed {
  /** The file that runs: a single executable, or Node. */
  readonly executable: string;
  /** The folder of the program. */
  readonly root: string;
  readonly isSingleFile: boolean;
  readonly home: string | undefined;
}

/** What updates the program to a release. @param releases the address of the releases */
export function updateCommand(releases: string, version: string, {executable, root, isSingleFile, home}: Installed): string {
  const base = releases.replace(/\/$/, '');
  if (/\/Cellar\//.test(isSingleFile ? executable : root)) return 'brew upgrade pixelctl';
  if (!isSingleFile) return `npm install --global ${shellWord(`${base}/download/v${version}/pixelctl-${version}.tgz`)}`;
  const prefix = /^(.+)\/bin\/pixelctl$/.exec(executable)?.[1];
  const options = prefix === undefined || prefix === join(home ?? '', '.local') ? '' : ` -s -- --prefix ${shellWord(prefix)}`;
  return `curl -fsSL ${shellWord(`${base}/latest/download/install.sh`)} | sh${options}`;
}

export interface Surroundings {
  readonly io: Io;
  /** The version that runs. */
  readonly version: string;
  /** The folder of the program. */
  readonly root: string;
  readonly releases: string;
  /** Starts a check that outlives this process. */
  readonly check?: (address: string) => void;
}

/** Prints the note when it is due, and starts the next check when that is due. Fails silently: nobody asked for it. */
export async function noteUpdate({io, version, root, releases, check = startCheck}: Surroundings): Promise<void> {
  const folder = cacheFolder(io.env);
  if (folder === undefined || addressIn(releases) === undefined) return;
  const now = io.now().getTime();
  const isDue = (before: number): boolean => !isFresh(before, interval, now);
  const times = (await readKept(timesFile(folder), timesShape)) ?? {checked: 0, noted: 0};
  const latest = isDue(times.noted) ? await readKept(latestFile(folder), releaseShape) : undefined;
  const isNews = latest !== undefined && isUpdate(version, latest.version);
  const isCheckDue = isDue(times.checked);
  if (!isNews && !isCheckDue) return;
  // Before anything else: where this cannot be kept, there would be a check with every command.
  const isKept = await writeKept(timesFile(folder), {checked: isCheckDue ? now : times.checked, noted: isNews ? now : times.noted});
  if (!isKept) return;
  if (isCheckDue) check(releases);
  if (!isNews) return;
  const {execPath: executable, env} = process;
  const command = updateCommand(releases, latest.version, {executable, root, isSingleFile, home: env['HOME']});
  const title = paint('yellow', 'A new release of pixelctl is available:', io.err);
  io.tell(`\n${title} ${version} → ${inert(latest.version)}\nTo update: ${inert(command)}\nWhat changed: ${inert(latest.url)}\n`);
}

/** Runs the program again for a check, without a terminal, and without our settings: a token is one of them. */
function startCheck(releases: string): void {
  const {execPath, argv, env} = process;
  const program = isSingleFile ? [] : argv.slice(1, 2);
  const others = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('PIXELCTL_')));
  const child = spawn(execPath, [...program, updateCheck, releases], {
    cwd: tmpdir(),
    env: others,
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
  });
  child.on('error', () => {});
  child.unref();
}

/** Asks the address of the releases for the latest one, without a token. @returns undefined when there is no such answer */
async function fetchLatest(releases: string, userAgent: string): Promise<Release | undefined> {
  const start = addressIn(`${releases.replace(/\/$/, '')}/latest/download/latest.json`);
  if (start === undefined) return undefined;
  const {status, text} = await followRedirects(
    start,
    async ({origin, pathname, search}) => {
      await using transport = createTransport(origin, timeout);
      const headers = {accept: 'application/json', 'user-agent': userAgent};
      return await transport.exchange({method: 'GET', target: pathname + search, headers});
    },
    (received, from) => {
      const next = addressIn(redirectOf(received.status, received.headers['location'], from)?.href ?? '');
      return from.protocol === 'https:' && next?.protocol !== 'https:' ? undefined : next;
    },
  );
  return status === 200 && text.length <= largest ? parseRelease(text) : undefined;
}

/** The check: keeps what the address answers for later runs. Prints nothing. */
export async function checkForUpdate(releases: string, {io, userAgent}: {readonly io: Io; readonly userAgent: string}): Promise<void> {
  const folder = cacheFolder(io.env);
  const latest = await fetchLatest(releases, userAgent).catch(() => undefined);
  if (latest === undefined || folder === undefined) return;
  await writeKept(latestFile(folder), latest);
}
