/** The file in which admins of Pixelfed servers export and import their decisions about other servers. */
import {createHash} from 'node:crypto';
import {Failure} from '../../client/failure.js';
import {toJson} from '../../json/php.js';
import {isDomain} from '../../operations/domains.js';
import type {DomainFacts, Severity} from '../model/domain-facts.js';

/** The severity that each list of the file stands for, in the order of the file. Content warnings are no block. */
export const severityOfList = {auto_cw: 'noop', unlisted: 'silence', banned: 'suspend'} as const satisfies Readonly<
  Record<string, Severity>
>;

export type InstanceList = keyof typeof severityOfList;

export const instanceLists = ['auto_cw', 'unlisted', 'banned'] as const satisfies readonly InstanceList[];

/** Whether a text is such a file. Like a policy it has a `version`, so that does not tell them apart. */
export function isPixelfedInstances(text: string): boolean {
  return /^\s*\{/.test(text) && /"(?:auto_cw|banned|unlisted)"\s*:\s*\[/.test(text);
}

const checksumOf = (content: object): string =>
  createHash('sha256')
    .update(toJson(content, {pretty: true, plainSlashes: true}))
    .digest('hex');

/** In whole seconds, as PHP writes it. */
const timeText = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, '+00:00');

/**
 * The file, without a line break at its end.
 * @param entries those that are not blocked, or have no valid domain, are left out
 * @throws Failure `usage` when fields are chosen, because the file has none
 */
export function pixelfedInstancesText(
  entries: Iterable<{readonly domain: string; readonly facts: DomainFacts}>,
  {fields, now}: {readonly fields?: readonly string[] | undefined; readonly now?: (() => Date) | undefined},
): string {
  if (fields !== undefined) throw new Failure('usage', '--fields: pixelfed-instances has no columns');
  const domains: Readonly<Record<'silence' | 'suspend', string[]>> = {silence: [], suspend: []};
  for (const {domain, facts} of entries) if (facts.severity !== 'noop' && isDomain(domain)) domains[facts.severity].push(domain);
  const content = {version: 1, auto_cw: [], unlisted: domains.silence, banned: domains.suspend, ...(now && {created_at: timeText(now())})};
  return toJson({...content, _sha256: checksumOf(content)}, {pretty: true, plainSlashes: true});
}
