/** What an object is, told by its members: an item of a list, or the answer of a command, that comes back as input. */
import * as entities from './entities.js';
import {type ItemKind, membersOf, once} from './schema.js';

/** A form of object that commands print. */
export interface Shape {
  /** With its article: `a conversation`. */
  readonly title: string;
  /** What an item of this form is; undefined for what no command acts on. */
  readonly kind?: ItemKind;
  readonly members: () => readonly string[];
  /** Members of which one at least has to be there, where the others say little. */
  readonly marks?: readonly string[];
  /**
   * Where an object of this form names a thing of another kind, or of its own: members joined by dots, the first that is there. Empty:
   * the object itself. Only where it is obvious.
   */
  readonly names: Partial<Readonly<Record<ItemKind, readonly string[]>>>;
  /** Where it names several things of a kind, of which one has to be chosen. */
  readonly choices?: Partial<Readonly<Record<ItemKind, readonly string[]>>>;
}

const itself = [''];

const membersIn = (...shapes: readonly (() => {readonly shape: object})[]): (() => readonly string[]) =>
  once(() => [...new Set(shapes.flatMap((shape) => Object.keys(shape().shape)))]);

const details = ['domain', 'severity', 'public_comment', 'private_comment', 'reject_media', 'reject_reports', 'obfuscate'];

/** The forms that lists print, from the entities where they are documented. */
const shapes: readonly Shape[] = [
  {
    title: 'an account',
    kind: 'account',
    members: once(() => [
      ...membersIn(entities.blockedAccount, entities.notificationAccount, entities.participant)(),
      // Exports of Mastodon and its kin.
      'Account address',
      'Hide notifications',
      'Show boosts',
      'Notify on new posts',
      'Languages',
    ]),
    names: {account: itself},
  },
  {title: 'a relationship with an account', members: membersIn(entities.relationship), names: {account: itself}},
  {title: 'a search result', kind: 'account', members: membersIn(entities.recipient), names: {account: ['account']}},
  {
    title: 'a thread',
    members: membersIn(entities.thread),
    names: {account: itself, conversation: ['conversation_id']},
    choices: {message: ['.messages[].reportId']},
  },
  {
    title: 'a conversation',
    kind: 'conversation',
    members: membersIn(entities.conversation),
    names: {conversation: ['id'], account: ['participants']},
    choices: {account: ['.participants[].id'], message: ['.last_message.id']},
  },
  {
    title: 'a message',
    kind: 'message',
    // What is answered for a photo has the URL of that.
    members: once(() => [...membersIn(entities.message, entities.legacyMessage)(), 'url']),
    // Servers before 2026 know a message of a thread by its `reportId` alone.
    names: {message: ['reportId', 'id'], conversation: ['conversation_id'], account: ['sender_id']},
  },
  {title: 'a notification', kind: 'notification', members: membersIn(entities.notification), names: {account: ['account']}},
  {title: 'a post', members: membersIn(entities.status), names: {account: ['account']}},
  {title: 'an attached file', members: membersIn(entities.media), names: {}},
  {title: 'a filter', kind: 'filter', members: membersIn(entities.filter), names: {filter: ['id']}},
  {title: 'a keyword of a filter', members: membersIn(entities.keyword), names: {}},
  {
    title: 'a domain',
    kind: 'domain',
    members: once(() => [...details, ...details.map((name) => `#${name}`), 'digest', 'created_at']),
    names: {domain: ['domain', '#domain']},
  },
  {
    title: 'a server',
    kind: 'instance',
    members: once(() => ['domain', 'software', 'user_count', 'status_count', 'banned', 'unlisted', 'auto_cw', 'notes', 'created_at']),
    names: {instance: ['id'], domain: ['domain']},
  },
  {
    title: 'a report, which has two accounts',
    kind: 'report',
    members: once(() => ['object_type', 'object_id', 'reported_by_account', 'status', 'account', 'created_at', 'message', 'type']),
    marks: ['object_type', 'object_id', 'reported_by_account'],
    names: {report: ['id']},
    choices: {account: ['.status.account', '.account']},
  },
  {
    title: 'a setting',
    kind: 'setting',
    members: () => ['name', 'description', 'key', 'state'],
    marks: ['key'],
    names: {setting: ['key']},
  },
  {
    title: 'a row of a policy or a state file',
    members: once(() => ['kind', 'subject', 'since', 'account', 'server', 'policy', 'file', 'action', 'because', 'wanted', 'there']),
    marks: ['kind', 'subject'],
    names: {},
  },
];

/** The result of a command with many targets. Its target is what the next command wants. */
const result: Shape = {
  title: 'a result',
  members: once(() => ['target', 'ok', 'status', 'body', 'error', 'resumed', 'fate', 'held_back', 'contained']),
  marks: ['target'],
  names: {},
};

export const isResult = (shape: Shape): boolean => shape === result;

/** Whether any form has a member of this name. */
export const isKnownMember = (name: string): boolean => name === 'id' || [...shapes, result].some(({members}) => members().includes(name));

/**
 * The forms that fit the members of an object best: those that know most of them. Several, where they tell no more.
 * @param names of its members
 * @returns none where no form knows any but `id`, which all have
 */
export function shapesWith(names: readonly string[]): readonly Shape[] {
  const telling = names.filter((name) => name !== 'id');
  let most = 1;
  let best: Shape[] = [];
  for (const shape of [result, ...shapes]) {
    if (shape.marks?.some((name) => names.includes(name)) === false) continue;
    const known = new Set(shape.members());
    const count = telling.filter((name) => known.has(name)).length;
    if (count > most) best = [];
    if (count >= most) best.push(shape);
    most = Math.max(most, count);
  }
  return best;
}

/** The blocked domains in the document in which admins of Pixelfed servers export other servers; undefined for another document. */
export function blocksIn(document: unknown): readonly unknown[] | undefined {
  const {banned, unlisted} = membersOf(document);
  if (!Array.isArray(banned) && !Array.isArray(unlisted)) return undefined;
  const entries = (list: unknown, severity: string): unknown[] =>
    Array.isArray(list) ? list.map((domain: unknown) => (typeof domain === 'string' ? {domain, severity} : domain)) : [];
  return [...entries(banned, 'suspend'), ...entries(unlisted, 'silence')];
}
