/** Known limits of servers, to warn of before anything is sent. Servers do not publish them, but their release says the defaults. */
import type {Client} from '../../client/client.js';
import {Failure, isInterruption} from '../../client/failure.js';
import {firstOf} from '../../json/text.js';
import {serverRelease} from '../../operations/server-release.js';
import {changesIn} from './apply.js';
import type {Comparison} from './compare.js';
import type {Limit, Row} from '../model/kind.js';
import {shownName} from './row-text.js';

/** The last release with the lower limits. */
const lastOlder = [0, 12, 6] as const;
const maxNamed = 10;

export interface KnownLimits {
  /** What is beyond a limit, in words. */
  readonly texts: readonly string[];
  /** Additions that may not fit: the last ones of a plan. */
  readonly beyond: ReadonlySet<Row>;
}

/** Whether the limits of a release are the lower ones; undefined for a text that names no release. */
function isOlder(release: string): boolean | undefined {
  const found = /^v?(\d+)\.(\d+)\.(\d+)/.exec(release);
  if (found === null) return undefined;
  for (const [index, last] of lastOlder.entries()) {
    const part = Number(found[index + 1]);
    if (part !== last) return part < last;
  }
  return true;
}

/** The release is asked for only where the limit depends on it. */
async function limitOn(client: Client, {older, newer}: Limit): Promise<{readonly most: number; readonly release?: string}> {
  if (older === newer) return {most: older};
  try {
    const {version} = await serverRelease(client);
    const isLow = version === null ? undefined : isOlder(version);
    return isLow === undefined || version === null ? {most: newer} : {most: isLow ? older : newer, release: version};
  } catch (error) {
    if (error instanceof Failure && !isInterruption(error)) return {most: newer};
    throw error;
  }
}

export async function limitsOn({sections, target}: Comparison): Promise<KnownLimits> {
  const texts: string[] = [];
  const beyond = new Set<Row>();
  for (const one of sections) {
    const {kind} = one.section;
    const {limit} = kind;
    if (limit === undefined) continue;
    const rows = changesIn({sections: [one]});
    const added = rows.filter(({action}) => action === 'add');
    const after = one.actual.items.size + added.length - rows.filter(({action}) => action === 'remove').length;
    if (added.length === 0 || after <= limit.older) continue;
    const {most, release} = await limitOn(target.client, limit);
    if (after <= most) continue;
    const unfit = added.slice(Math.max(0, added.length - (after - most)));
    for (const row of unfit) beyond.add(row);
    const names = firstOf(
      unfit.map((row) => shownName(row, target.server.host)),
      maxNamed,
    );
    const servers = release === undefined ? 'servers' : `servers of release ${release}`;
    const advice = limit.advice === undefined ? '' : `; ${limit.advice}`;
    texts.push(`${after} ${limit.words}; ${servers} take ${most}. What does not fit: ${names}${advice}`);
  }
  return {texts, beyond};
}
