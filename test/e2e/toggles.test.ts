/**
 * Flags that servers toggle whatever is asked: every two mishaps, one after the other, to the requests that set them. Either the last answer shows
 * what was asked for, or the result says that it is not known, and nothing more is sent.
 */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {pairwiseSampler} from '../contract/sample.js';
import {run} from './in-process.js';
import {newFolder} from './program.js';
import {serverThat, type Answered} from './server.js';

/** What happens to a request that toggles. */
const mishaps = [
  'nothing',
  'lost after it acted',
  'acts late, before the next read',
  'acts late, after the next read',
  'acts late, after the next write',
  'refused',
  '502 after it acted',
  '502 before it acted',
  'somebody else toggles before it',
  'somebody else toggles after it',
  'somebody else toggles after the next read',
] as const;

type Mishap = (typeof mishaps)[number];

/** The answers to which show nothing of what became of it. */
const isOpen = (mishap: Mishap | undefined): boolean => mishap !== undefined && /lost|late|502/.test(mishap);

type Flags = Record<string, boolean>;

const answered = (body: unknown, status = 200): Answered => ({status, text: JSON.stringify(body)});

/** What is toggled, as a server shows it. */
interface Toggled {
  readonly words: readonly string[];
  /** A file that they name. */
  readonly file?: (server: string) => string;
  readonly before: Flags;
  readonly asked: Flags;
  readonly isRead: (target: string) => boolean;
  readonly shown: (flags: Flags) => unknown;
  readonly flagsIn: (body: unknown) => Flags;
}

const user = (flags: Flags) => ({
  data: {id: '7', profile_id: '17', username: 'spam', is_admin: false, created_at: '2026-11-20T10:00:00Z'},
  meta: {moderation: flags},
});

const free = {unlisted: false, cw: false, no_autolink: false};

const person: Toggled = {
  words: ['users', 'update', '7', '--unlisted', '--cw'],
  before: free,
  asked: {unlisted: true, cw: true},
  isRead: (target) => target.includes('users/get'),
  shown: user,
  flagsIn: (body) => Object(body).meta.moderation,
};

const post: Toggled = {
  words: ['posts', 'moderate', '5', '--cw'],
  before: {cw: false},
  asked: {cw: true},
  isRead: (target) => target.includes('/statuses/'),
  shown: ({cw}) => ({id: '5', sensitive: cw, visibility: 'public', account: {id: '17', acct: 'spam'}}),
  flagsIn: (body) => ({cw: Object(body).sensitive}),
};

const toggled: Readonly<Record<string, Toggled>> = {
  'users update': person,
  'users update that takes back': {
    ...person,
    words: [...person.words.slice(0, 3), '--no-cw', '--autolink'],
    before: {unlisted: true, cw: true, no_autolink: true},
    asked: {cw: false, no_autolink: false},
  },
  'users update --restore': {
    ...person,
    words: ['users', 'update', '7', '--restore', 'kept'],
    file: (server) =>
      JSON.stringify({time: '', server, action: 'update', user: user(free).data, moderation: free, set: {unlisted: true, cw: true}}),
    before: {unlisted: true, cw: true, no_autolink: false},
    asked: free,
  },
  'posts moderate': post,
  'posts moderate of a post that cannot be read': {...post, isRead: () => false},
  'posts moderate of a sensitive post that cannot be read': {...post, isRead: () => false, before: {cw: true}},
};

/** A server to whose requests this happens in turn, and nothing to later ones. */
async function serverOf({before, isRead, shown, flagsIn}: Toggled, turn: Mishap[]) {
  const flags = {...before};
  const sent: {readonly action: string; readonly mishap: Mishap}[] = [];
  const due: Record<'after read' | 'after write' | 'read', (() => void)[]> = {'after read': [], 'after write': [], read: []};
  const happens = (when: keyof typeof due) => due[when].splice(0).forEach((act) => act());
  let lastSeen: Flags | undefined;
  const seen = (body: unknown): Answered => {
    lastSeen = {...flagsIn(body)};
    return answered(body);
  };
  const server = await serverThat(({method, target, body}) => {
    if (target.includes('verify_credentials')) return answered({id: '99', acct: 'root', username: 'root'});
    if (method === 'GET') {
      if (!isRead(target)) return answered({error: 'Record not found'}, 404);
      happens('read');
      const answer = seen(shown(flags));
      happens('after read');
      return answer;
    }
    const {action}: {readonly action: string} = JSON.parse(body.toString());
    const toggle = () => void (flags[action] = !flags[action]);
    const late = due['after write'].splice(0);
    const mishap = turn.shift() ?? 'nothing';
    sent.push({action, mishap});
    const answer = (): Answered => {
      switch (mishap) {
        case 'acts late, before the next read':
          due.read.push(toggle);
          return {text: '', lost: 'before'};
        case 'acts late, after the next read':
          due['after read'].push(toggle);
          return {text: '', lost: 'before'};
        case 'acts late, after the next write':
          due['after write'].push(toggle);
          return {text: '', lost: 'before'};
        case 'refused':
          return answered({error: 'Not now'}, 400);
        case '502 before it acted':
          return answered({error: ''}, 502);
        case 'somebody else toggles before it':
          toggle();
          break;
        case 'somebody else toggles after the next read':
          due['after read'].push(toggle);
          break;
        default:
      }
      toggle();
      if (mishap === '502 after it acted') return answered({error: ''}, 502);
      if (mishap.startsWith('lost')) return {text: '', lost: 'before'};
      const shows = seen(shown(flags));
      if (mishap === 'somebody else toggles after it') toggle();
      return shows;
    };
    const given = answer();
    late.forEach((act) => act());
    return given;
  });
  return {
    ...server,
    flags,
    sent,
    lastSeen: () => lastSeen,
    settle() {
      turn.length = 0;
      for (const acts of Object.values(due)) acts.splice(0).forEach((act) => act());
    },
  };
}

const pairs = mishaps.flatMap((first) => mishaps.map((second) => ({first, second})));

/** Every pair, and with each command each mishap first and second. */
const sample = pairwiseSampler<{readonly first: string; readonly second: string; readonly name: string}>(({first, second, name}) => [
  `${first}, then ${second}`,
  `${name}: first ${first}`,
  `${name}: second ${second}`,
]);
const tried = sample(Object.keys(toggled).flatMap((name) => pairs.map((pair) => ({...pair, name}))));

const holds = (flags: Flags | undefined, asked: Flags): boolean =>
  flags !== undefined && Object.entries(asked).every(([name, value]) => flags[name] === value);

const resultIn = (stdout: string): {readonly ok: boolean; readonly error?: {readonly code: string; readonly fate?: string}} =>
  JSON.parse(stdout);

describe.each(Object.entries(toggled))('%s', (name, what) => {
  const {words, asked} = what;
  const ndjson = ['--yes', '-o', 'ndjson'];

  test.each(pairs.filter(({first, second}) => tried.some((one) => one.name === name && one.first === first && one.second === second)))(
    '$first, then: $second',
    async ({first, second}) => {
      await using server = await serverOf(what, [first, second]);
      const folder = newFolder();
      if (what.file !== undefined) writeFileSync(join(folder, 'kept'), `${what.file(server.url)}\n`);
      const again = () => run([...words, ...ndjson, '--journal', 'journal'], {env: server.env, folder});
      const {stdout} = await again();
      const {ok, error} = resultIn(stdout);
      // What the result says, the last answer showed.
      if (ok) expect(holds(server.lastSeen(), asked), stdout).toBe(true);
      else if (error?.fate !== 'unknown') {
        const {action, mishap} = server.sent.at(-1) ?? {};
        expect({code: error?.code, mishap}).toEqual({code: 'refused', mishap: 'refused'});
        expect(server.sent.some((one) => one.action === action && isOpen(one.mishap))).toBe(false);
      }
      for (const action of new Set(server.sent.map((one) => one.action))) {
        const [...times] = server.sent.filter((one) => one.action === action);
        expect(times.length).toBeLessThanOrEqual(2);
        // After an answer that was lost nothing more is sent.
        expect(times.slice(0, -1).some(({mishap}) => isOpen(mishap))).toBe(false);
      }
      if (error?.fate !== 'unknown') return;
      // The same journal finds out what is not known, once nothing happens any more.
      server.settle();
      const {ok: isSettled} = resultIn((await again()).stdout);
      expect({isSettled, isAsAsked: holds(server.flags, asked)}).toEqual({isSettled: true, isAsAsked: true});
    },
  );
});
