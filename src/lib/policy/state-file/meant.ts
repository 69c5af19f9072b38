/** Whose parts of policies a run is about: those of accounts, or what the accounts of a server share. */
import {isKeptOfAccounts, keptOfServer} from './paths.js';
import type {PlanPart, Wanted} from '../lists/wanted.js';
import {includes, policyIn} from '../reading/part.js';
import {wantedFor} from '../reading/read-wanted.js';
import type {Section} from '../section/section.js';
import {ownership, sections, sharedSections} from '../sections/index.js';

export interface Meant {
  /** Whether anything of the accounts themselves is. */
  readonly accounts: () => Promise<boolean>;
  /** The sections of what the accounts of a server share, as far as they are meant. */
  readonly server: (server: URL) => Promise<readonly Section[]>;
}

/** The sections of what the accounts of a server share that a policy, or an earlier apply of it, is about. @throws Failure `local` */
export async function sectionsOfServer(wanted: Wanted, server: URL, chosen: string | undefined): Promise<readonly Section[]> {
  if (!includes(wanted.part, 'server')) return [];
  const {policy} = wantedFor(wanted, {account: server.host, owner: 'server', server});
  const asked = sharedSections.filter(({asks}) => asks(policy));
  if (asked.length > 0) return asked;
  const kept = await keptOfServer(policy.file, server, chosen);
  return sharedSections.filter(({key, kind}) => kept.has(kind) && wanted.part?.only?.includes(key) !== false);
}

/** The part that flags name is that of all policies. */
const partOf = ([first]: readonly Wanted[]): PlanPart | undefined => first?.part;

/** Whether policies, or earlier applies of them, are about accounts; so are those that are about nothing. */
async function isAboutAccounts(policies: readonly Wanted[], chosen: string | undefined): Promise<boolean> {
  const part = partOf(policies);
  if (!includes(part, 'account')) return false;
  const all = policies.flatMap(({policy}) => [policy, ...(policy.variants?.values() ?? [])].map((one) => policyIn(one, part?.only)));
  const asks = (owner: Section['owner']) =>
    sections.some((section) => ownership(section) === owner && all.some((policy) => section.asks(policy)));
  if (asks('account') || !asks('server')) return true;
  const kept = await Promise.all(policies.map(({policy}) => isKeptOfAccounts(policy.file, chosen)));
  return kept.includes(true);
}

/** What policies are about. @param chosen the value of `--state` */
export function meantBy(policies: readonly Wanted[], chosen: string | undefined): Meant {
  return {
    accounts: () => isAboutAccounts(policies, chosen),
    async server(server) {
      const all = await Promise.all(policies.map((wanted) => sectionsOfServer(wanted, server, chosen)));
      return sharedSections.filter((section) => all.some((some) => some.includes(section)));
    },
  };
}
