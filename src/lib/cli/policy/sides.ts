/** What `diff` compares: a server through a profile, a policy, or a list. */
import {Failure} from '../../client/failure.js';
import {readTextIfThere} from '../../client/text-input.js';
import {moderationOfList, moderationOfPolicy, moderationOfState, type Moderation} from '../../policy/diff.js';
import {readList, refuseRowMistakes} from '../../policy/lists/read-list.js';
import {readState, type PartName} from '../../policy/state.js';
import {connect, savedProfiles, type Connection} from '../connection.js';
import type {Typed} from '../command.js';
import type {Session} from '../session.js';
import {sessionAs} from './session-as.js';
import {readPolicyAndLists, toldByLine} from './read-policy.js';

export interface Side {
  readonly name: string;
  /** The server that it is, or is meant for; undefined: any. */
  readonly host: string | undefined;
  /** @param host whose accounts are those without one @param parts what a server is asked for */
  readonly moderation: (host: string, parts: ReadonlySet<PartName>) => Promise<Moderation>;
  /** What it speaks of; undefined: of everything. */
  readonly parts: ReadonlySet<PartName> | undefined;
  readonly close: () => Promise<void>;
}

const comparable = ['blocks', 'domain_blocks', 'filters', 'mutes'] as const;

/** The parts that both sides speak of. */
export function commonParts(left: Side, right: Side): ReadonlySet<PartName> {
  const all: ReadonlySet<PartName> = new Set(comparable);
  return (left.parts ?? all).intersection(right.parts ?? all);
}

/** Policies say which version of the format they are in; no list does. */
function isPolicy(text: string): boolean {
  return /^[\s{]*["']?version["']?\s*:/m.test(text);
}

function partsOf({domains, filters, blocks, mutes}: Moderation): ReadonlySet<PartName> {
  const said = {domain_blocks: domains, filters, blocks, mutes};
  return new Set(comparable.filter((part) => said[part] !== undefined));
}

function serverSide(name: string | undefined, connection: Connection): Side {
  const {client, server} = connection;
  return {
    name: name ?? server.host,
    host: server.host,
    moderation: async (_, parts) => moderationOfState(await readState(client, server.origin, parts), new Date()),
    parts: undefined,
    close: () => connection.close(),
  };
}

async function fileSide(name: string, text: string, typed: Typed, session: Session): Promise<Side> {
  const close = async () => {};
  if (isPolicy(text)) {
    const wanted = await readPolicyAndLists(name, typed, session);
    const moderation = async (host: string) => moderationOfPolicy(wanted, host);
    return {name, host: wanted.policy.server?.value.host, moderation, parts: partsOf(moderationOfPolicy(wanted, '')), close};
  }
  const list = await toldByLine(() => {
    const read = readList(text, name);
    refuseRowMistakes(read);
    return read;
  }, session);
  return {
    name,
    host: undefined,
    moderation: async (host) => moderationOfList(list, host),
    parts: partsOf(moderationOfList(list, '')),
    close,
  };
}

/**
 * @param name a file, else a profile; undefined: the server that flags and environment name
 * @throws Failure `usage` when it is neither, or cannot be read
 */
export async function openSide(name: string | undefined, typed: Typed, session: Session): Promise<Side> {
  const text = name === undefined ? undefined : await readTextIfThere(name, name);
  if (name !== undefined && text !== undefined) return fileSide(name, text, typed, session);
  if (name !== undefined && !(await savedProfiles(session).list()).profiles.some((profile) => profile.name === name))
    throw new Failure('usage', `There is no file and no profile ${name}`, {hint: '`pixelctl auth status` lists the profiles'});
  return serverSide(name, await connect(name === undefined ? session : sessionAs(name, session)));
}
