/** Sets flags of people back to what they were before `users update`, as its file of `--save` says. */
import {userFlags, type UserFlag} from '../api/admin-entities.js';
import type {PlainInput} from '../api/endpoint.js';
import {membersOf, type Members} from '../api/schema.js';
import {moderateUser, readUser} from '../api/users.js';
import type {Answer} from '../client/answer.js';
import {isIdentifier, requestFor} from '../client/request.js';
import {booleanAt, textAt} from '../json/path.js';
import {operation} from './operation.js';
import type {Acting, NamedTarget, FoundTarget} from './found-target.js';
import {
  findUser,
  idFor,
  lookWith,
  moderationIn,
  readById,
  setFlags,
  stepsFor,
  toFoundTarget,
  userField,
  userName,
  userIn,
} from './users.js';
import type {WantedFlags} from './users.js';

interface Restoration {
  /** The flags to set, as they were before the first change. */
  readonly wanted: WantedFlags;
  /** Flags that somebody set back already. */
  readonly already: readonly UserFlag[];
  /** Flags that somebody else changed since. */
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
  const {saved: about, refused} = toFoundTarget(userIn(read, client), client, readUser.path, true);
  if (refused !== undefined) throw refused;
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
