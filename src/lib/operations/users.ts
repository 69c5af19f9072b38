/** What admins do about people: found by their names, changed by requests that toggle, and set back as a file of `--save` says. */
import * as z from 'zod/mini';
import {userFlags, type UserFlag} from '../api/admin-entities.js';
import type {Endpoint, PlainInput} from '../api/endpoint.js';
import {kinds} from '../api/kinds.js';
import {field, membersOf, type Members} from '../api/schema.js';
import {deleteUser, listUsers, moderateUser, readUser} from '../api/users.js';
import type {Answer} from '../client/answer.js';
import type {Client} from '../client/client.js';
import {asFailure, Failure, guardFailure} from '../client/failure.js';
import {pagesOf} from '../client/paging.js';
import {
  isAddress,
  isIdentifier,
  onlyShown,
  placeholder,
  requestFor,
  usableIdAt,
  type ExpectedAbout,
  type Request,
} from '../client/request.js';
import {booleanAt, textAt} from '../json/path.js';
import {shorten} from '../json/text.js';
import {accountName} from './account-name.js';
import {isHandle, isId} from './handle.js';
import {operation} from './operation.js';
import {ownHosts} from './server-release.js';
import {sendToggles, type Toggle} from './toggles.js';
import {countAt, pickMembers, unreadable, type Acting, type NamedTarget, type FoundTarget} from './found-target.js';

/** The most digits of the id of a user; ids of accounts have 18 or more. */
const maxDigits = 12;

const shownLength = 60;

/**
 * A person as commands name one: `@name`, the address of a profile, or the id of the user.
 * @throws Failure `usage` for anything else
 */
function userName(text: string): string {
  const name = text.trim();
  if (isIdentifier(name, 'digits')) {
    if (name.length <= maxDigits) return name;
    throw new Failure('usage', `${shorten(name, shownLength)} is too long for the id of a user: ids of accounts are not taken`, {
      hint: 'use @name',
    });
  }
  const handle = isAddress(name) ? accountName(name) : name;
  if (handle.startsWith('@') && isHandle(handle)) return handle;
  const shown = JSON.stringify(shorten(name, shownLength));
  if (isHandle(name) && !name.includes('@'))
    throw new Failure('usage', `The name of a person begins with @, not ${shown}`, {hint: `use @${name}`});
  throw new Failure('usage', `${shown} is not a person`, {hint: 'use @name, the address of a profile, or the id of the user'});
}

const shown = ['id', 'profile_id', 'username', 'name', 'is_admin', 'created_at', 'statuses_count', 'following_count', 'followers_count'];

interface Find {
  readonly refusesAdmins: boolean;
  /** Whether the person is only read: then one without a profile is found, too. */
  readonly isRead?: true;
}

/** @throws Failure `bad_answer` for an answer without the person; `refused` for one who is not acted on */
export function toFoundTarget(user: unknown, client: Client, path: string, {refusesAdmins, isRead}: Find): FoundTarget {
  const [id, accountId] = ['id', 'profile_id'].map((name) => usableIdAt(user, [name], 'digits'));
  const name = `@${textAt(user, ['username'])}`;
  const hasName = textAt(user, ['username']) !== undefined;
  const saved = {user: pickMembers(user, shown)};
  if (id !== undefined && hasName && textAt(user, ['profile_id']) === '') {
    if (isRead) return {id, name, saved};
    throw guardFailure(
      `${name} has no profile, so nothing of theirs can be changed: nothing was sent`,
      'such people are changed on the server itself',
    );
  }
  if (id === undefined || accountId === undefined || !hasName) throw unreadable(client, path, 'a user has no usable id, account or name');
  if (refusesAdmins && booleanAt(user, ['is_admin']) !== false)
    throw guardFailure(`${name} is an admin: nothing was sent`, 'admins are changed on the server itself');
  return {
    id,
    name,
    accountId,
    createdAt: textAt(user, ['created_at']),
    posts: countAt(user, 'statuses_count'),
    followers: countAt(user, 'followers_count'),
    saved,
  };
}

async function findByName(name: string, client: Client, find: Find): Promise<FoundTarget> {
  const request = requestFor(listUsers, {query: {q: name}});
  for await (const {items} of pagesOf(client, {request, endpoint: listUsers})) {
    const user = items.find((one) => textAt(one, ['username']) === name);
    if (user !== undefined) return toFoundTarget(user, client, listUsers.path, find);
  }
  throw new Failure('not_found', `${client.host} lists nobody with the name @${name}`, {
    hint: 'people who are suspended, disabled or being deleted are not listed: use the id of the user',
  });
}

const aboutPerson = ({name, accountId}: FoundTarget): readonly ExpectedAbout[] =>
  accountId === undefined
    ? []
    : [
        {at: ['data', 'profile_id'], is: accountId},
        {at: ['data', 'username'], is: name.slice(1)},
      ];

/** @param known the person whom the answer has to be about, if found before */
const readingOf = (id: string, known?: FoundTarget): Request => requestFor(readUser, {query: {user_id: id}}, known && aboutPerson(known));

async function readById(id: string, client: Client, known?: FoundTarget): Promise<Answer> {
  return client.send(readingOf(id, known), readUser.output());
}

/** Every answer is refused that does not show the user by the id that was asked for. */
const userIn = ({exact}: Answer): unknown => membersOf(exact)['data'];

/** The user name without a host. @throws Failure `usage` for an account of another server */
async function localName(value: string, client: Client): Promise<string> {
  const [, name = '', host] = /^@([^@]+)(?:@(.+))?$/.exec(value) ?? [];
  if (host === undefined || host.toLowerCase() === client.host) return name;
  if ((await ownHosts(client)).includes(host.toLowerCase().replace(/:\d+$/, ''))) return name;
  throw new Failure('usage', `${value} is an account of another server`, {
    hint: '`instances moderate` and `posts moderate` are for those',
  });
}

/** Finds a user. @throws Failure `usage` if the account is not the one that was named */
export async function findUser({value, profile}: NamedTarget, client: Client, find: Find): Promise<FoundTarget> {
  const found = isId(value)
    ? toFoundTarget(userIn(await readById(value, client)), client, readUser.path, find)
    : await findByName(await localName(value, client), client, find);
  if (found.accountId !== undefined && profile !== undefined && profile !== found.accountId)
    throw new Failure('usage', `${value} is ${found.name} on ${client.host}: another account than the given one`, {
      hint: 'use a list of the same server',
    });
  return found;
}

type WantedFlags = Partial<Readonly<Record<UserFlag, boolean>>>;

/** The flags of the API; in commands `no_autolink` is called by its opposite. */
const flagsIn = ({unlisted, cw, autolink}: Members = {}): WantedFlags => ({
  ...(typeof unlisted === 'boolean' && {unlisted}),
  ...(typeof cw === 'boolean' && {cw}),
  ...(typeof autolink === 'boolean' && {no_autolink: !autolink}),
});

/** The flags as an answer has them. @throws Failure `bad_answer` where one is missing */
function moderationIn({value}: Answer, client: Client): Readonly<Record<UserFlag, boolean>> {
  const [unlisted, cw, noAutolink] = userFlags.map((flag) => booleanAt(value, ['meta', 'moderation', flag]));
  if (unlisted === undefined || cw === undefined || noAutolink === undefined)
    throw unreadable(client, readUser.path, 'the response does not say what holds for the user', {fate: 'unknown'});
  return {unlisted, cw, no_autolink: noAutolink};
}

const verified: Toggle = {action: 'verify_email', holds: (answer) => textAt(answer, ['data', 'email_verified_at']) !== undefined};

const stepsFor = (wanted: WantedFlags, verifies: boolean): readonly Toggle[] => [
  ...userFlags.flatMap((flag): Toggle[] =>
    wanted[flag] === undefined ? [] : [{action: flag, holds: (answer) => booleanAt(answer, ['meta', 'moderation', flag]) === wanted[flag]}],
  ),
  ...(verifies ? [verified] : []),
];

const sendAction = (endpoint: Endpoint, action: string, found: FoundTarget, client: Client): Promise<Answer> =>
  client.send(requestFor(endpoint, {body: {id: found.id, action}}, aboutPerson(found)), endpoint.output());

/** Sends the toggles that do not hold yet. @param first the person as last read @throws Failure as {@link sendToggles} */
const setFlags = (found: FoundTarget, steps: readonly Toggle[], first: Answer, client: Client): Promise<Answer> =>
  sendToggles(steps, {
    first,
    async send(action) {
      const answer = await sendAction(moderateUser, action, found, client);
      moderationIn(answer, client);
      return answer;
    },
    client,
    endpoint: moderateUser,
  });

const boolean = (about: string) => z.optional(field(z.boolean(), about));

const isOn = (value: unknown): boolean => value === true;

/** Whether an input changes anything about a person. A recount does not. */
const changes = (body: PlainInput['body'] = {}): boolean => Object.keys(flagsIn(body)).length > 0 || isOn(body['verify_email']);

const idFor = (named: string): string => (isId(named) ? named : placeholder(named));

const userField = field(z.string(), 'a person of this server: @name, the address of their profile, or the id of the user', {
  of: kinds.user,
});

const lookWith = ({body}: PlainInput) => ({command: 'users get', args: [String(body?.['user'])]});

export const userReading = operation(
  {...readUser, query: {user_id: userField}},
  {
    convert: {user_id: userName},
    async send({query}, client) {
      const named = String(query?.['user_id']);
      const show = (id: string, known?: FoundTarget) => client.send(onlyShown(readingOf(id, known)), readUser.output());
      if (isId(named)) return show(named);
      const known = await findByName(await localName(named, client), client, {refusesAdmins: false, isRead: true});
      return show(known.id, known);
    },
  },
);

/** Sets flags of people. One request is sent for each flag that differs. */
export const userModeration = operation(
  {
    ...moderateUser,
    // It reads first, and sends what differs.
    repeat: 'harmless',
    lookWith,
    body: {
      user: userField,
      unlisted: boolean('keep their posts off public timelines'),
      cw: boolean('mark their posts as sensitive'),
      autolink: boolean('turn addresses in their posts into links'),
      verify_email: boolean('mark their e-mail address as verified'),
      refresh_stats: boolean('make the server recount their posts and followers'),
    },
  },
  {
    convert: {user: userName},
    requests({body = {}}) {
      const id = idFor(String(body['user']));
      const counted = isOn(body['refresh_stats']) ? ['refresh_stats'] : [];
      const actions = [...counted, ...stepsFor(flagsIn(body), isOn(body['verify_email'])).map(({action}) => action)];
      return actions.map((action) => requestFor(moderateUser, {body: {id, action}}));
    },
    finding: {
      // Admins and oneself may be counted, but not changed.
      async find(named, {body}, client) {
        const found = await findUser(named, client, {refusesAdmins: changes(body)});
        return changes(body) ? found : {...found, mayBeOneself: true};
      },
      act: update,
    },
  },
);

/** Makes the server count a person's posts and followers. That changes nothing else, so that it may be repeated. */
const count = (found: FoundTarget, client: Client): Promise<Answer> =>
  sendAction({...moderateUser, isRead: true, repeat: 'harmless'}, 'refresh_stats', found, client);

async function update(found: FoundTarget, {body = {}}: PlainInput, {client, keep}: Acting): Promise<Answer> {
  const counted = isOn(body['refresh_stats']) ? await count(found, client) : undefined;
  if (counted !== undefined && !changes(body)) return counted;
  const read = await readById(found.id, client, found);
  const {saved} = toFoundTarget(userIn(read), client, readUser.path, {refusesAdmins: true});
  const before = moderationIn(read, client);
  const steps = stepsFor(flagsIn(body), isOn(body['verify_email']));
  const set = Object.entries(flagsIn(body)).filter(([flag, value]) => membersOf(before)[flag] !== value);
  const verifies = isOn(body['verify_email']) && !verified.holds(read.value);
  if (set.length > 0 || verifies)
    await keep({action: 'update', ...saved, moderation: before, set: Object.fromEntries(set), ...(verifies && {verify_email: true})});
  return setFlags(found, steps, read, client);
}

/** Deletes people for good. Their posts and followers are counted first, because old numbers may be too low. */
export const userDeletion = operation(
  {...deleteUser, lookWith, body: {user: userField}},
  {
    convert: {user: userName},
    // The recount before the deletion is not named, because it changes nothing.
    requests: ({body}) => [requestFor(deleteUser, {body: {id: idFor(String(body?.['user'])), action: 'delete'}})],
    finding: {
      needsNames: true,
      find: (named, _, client) => findUser(named, client, {refusesAdmins: true}),
      ready: (found, client) => recount(found, client),
      final: () => ({noun: ['person', 'people'], isTyped: true}),
      act: remove,
    },
  },
);

/** Makes the server count again, and returns the person with the new numbers. */
export const recount = async (found: FoundTarget, client: Client): Promise<FoundTarget> =>
  toFoundTarget(userIn(await count(found, client)), client, moderateUser.path, {refusesAdmins: true});

async function remove(found: FoundTarget, _: PlainInput, {client, keep}: Acting): Promise<Answer> {
  const {id, saved} = found;
  await keep({action: 'delete', ...saved});
  try {
    return await client.call(deleteUser, {body: {id, action: 'delete'}});
  } catch (error) {
    if (asFailure(error).details.reason === 'deletion')
      // It is not the token: the server counted for the same one before.
      throw new Failure('refused', `${client.host} does not allow that people are deleted (404)`, {
        ...asFailure(error).details,
        reason: undefined,
        hint: 'this is a setting of the server: account deletion',
      });
    throw error;
  }
}

interface Restoration {
  /** The flags to set, as they were before the first change. */
  readonly wanted: WantedFlags;
  readonly already: readonly UserFlag[];
  readonly left: readonly UserFlag[];
}

/**
 * Only flags that these changes set are set back, and only if they still are as they were set.
 * @param saved the lines of the file about the person, the oldest first
 * @param now the flags as they are
 */
export function restoration(saved: readonly Members[], now: Readonly<Record<UserFlag, boolean>>): Restoration {
  const [wanted, already, left]: [Record<string, boolean>, UserFlag[], UserFlag[]] = [{}, [], []];
  for (const flag of userFlags) {
    const before = booleanAt(saved[0], ['moderation', flag]);
    if (before === undefined) continue;
    const set = saved.flatMap((line) => booleanAt(line, ['set', flag]) ?? []);
    if (now[flag] !== (set.at(-1) ?? before)) (now[flag] === before ? already : left).push(flag);
    else if (now[flag] !== before) wanted[flag] = before;
  }
  return {wanted, already, left};
}

/** The flags as the command line has them: `--no-cw`. */
const typeFlags = (flags: readonly UserFlag[], now: Readonly<Record<UserFlag, boolean>>): string =>
  flags
    .map((flag) => {
      const [name, isOn] = flag === 'no_autolink' ? ['autolink', !now[flag]] : [flag, now[flag]];
      return `--${isOn ? '' : 'no-'}${name}`;
    })
    .join(', ');

/** Whom a line of the file is about; undefined if the line lacks something. */
function readNamedTarget(line: Members): NamedTarget | undefined {
  const [id, profile] = [textAt(line, ['user', 'id']), textAt(line, ['user', 'profile_id'])];
  if (id === undefined || !isIdentifier(id, 'digits') || profile === undefined) return undefined;
  const isWhole = userFlags.every((flag) => booleanAt(line, ['moderation', flag]) !== undefined);
  return isWhole ? {value: id, profile} : undefined;
}

const requestsFor = (named: string, flags: readonly UserFlag[]) =>
  flags.map((action) => requestFor(moderateUser, {body: {id: idFor(named), action}}));

export const userRestoration = operation(
  {...moderateUser, repeat: 'harmless', lookWith, body: {user: userField}},
  {
    convert: {user: userName},
    // Only the server knows which flags differ, so that all are named.
    requests: ({body}) => requestsFor(String(body?.['user']), userFlags),
    finding: {
      find: (named, _, client) => findUser(named, client, {refusesAdmins: true}),
      restores: {
        action: 'update',
        namedIn: readNamedTarget,
        requests: (named, saved) =>
          requestsFor(
            named,
            userFlags.filter((flag) => saved.some((line) => booleanAt(line, ['set', flag]) !== undefined)),
          ),
      },
      act: restore,
    },
  },
);

async function restore(found: FoundTarget, _: PlainInput, {client, saved, noteRestored}: Acting): Promise<Answer> {
  const {id, name} = found;
  const read = await readById(id, client, found);
  const {saved: about} = toFoundTarget(userIn(read), client, readUser.path, {refusesAdmins: true});
  const before = moderationIn(read, client);
  const {wanted, already, left} = restoration(saved, before);
  const answer = await setFlags(found, stepsFor(wanted, false), read, client);
  if (saved.length > 0) await noteRestored({...about, moderation: before, set: wanted});
  const warnings = [
    saved.length === 0 ? `${name} was restored before` : [],
    already.length === 0 ? [] : `${name} was set back already: ${typeFlags(already, before)}`,
    left.length === 0 ? [] : `${name} was changed since, and stays so: ${typeFlags(left, before)}`,
    saved.some((line) => membersOf(line)['verify_email'] === true) ? `${name}: the e-mail address stays verified` : [],
  ].flat();
  return warnings.length === 0 ? answer : {...answer, warnings: [...(answer.warnings ?? []), ...warnings]};
}
