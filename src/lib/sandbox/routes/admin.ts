/** What admins see and change of their server: the servers that it knows, the domains that it blocks, its settings and its counts. */
import {createHash} from 'node:crypto';
import * as blocks from '../../api/admin-domain-blocks.js';
import {instanceFlags} from '../../api/admin-entities.js';
import {listSettings, updateSetting} from '../../api/admin-settings.js';
import {getDailyStatistics, getStatistics} from '../../api/admin-statistics.js';
import {listInstances, moderateInstance, readInstance, refreshInstance} from '../../api/instances.js';
import {getAdminSupport} from '../../api/internal.js';
import {adminList, collection} from '../collection.js';
import {hostOf, withMicroseconds, withOffset, type Account, type Payload} from '../payloads.js';
import {abort, plainRefusal} from '../refusal.js';
import {keepPerWorld, route, type Call, type Route, unchecked} from '../route.js';
import type {Instance} from '../world.js';

const orders = ['id', 'domain', 'user_count', 'status_count'] as const;

const instancePayload = ({updatedAt, ...instance}: Instance) => instance;

const flagCalled = (name: string) => instanceFlags.find((flag) => flag === name);

/** Makes the answer about the server in the input, after something was done to it. */
const about = (act: (instance: Instance, call: Call) => void) => (call: Call) => {
  const instance = call.world.instances.find(call.text('id'), 'Instance');
  act(instance, call);
  return {data: instancePayload(instance)};
};

/** Domains that the server blocks for everyone are in Mastodon's words; on Pixelfed they are flags of the servers that it knows. */
const isModerated = ({banned, unlisted}: Instance): boolean => banned || unlisted;

/** @throws Refusal of a note that was typed on a web page of the server: this API expects a list */
function commentOf({notes}: Instance): string | null {
  if (typeof notes === 'string') throw plainRefusal(500, {error: 'join(): Argument #2 ($array) must be of type ?array, string given'});
  return notes && notes.join('; ');
}

const blockPayload = (instance: Instance): Payload => ({
  id: instance.id,
  domain: instance.domain,
  digest: createHash('sha256').update(instance.domain).digest('hex'),
  severity: instance.banned ? 'suspend' : instance.unlisted ? 'silence' : 'noop',
  created_at: withMicroseconds(instance.updatedAt),
  reject_media: false,
  reject_reports: false,
  private_comment: commentOf(instance),
  public_comment: null,
  obfuscate: false,
});

/** Servers drop other settings, and overwrite these even where they are not sent. */
function moderate(instance: Instance, {text}: Call): Instance {
  const severity = text('severity') || 'silence';
  const notes = [text('private_comment') || null];
  return Object.assign(instance, {banned: severity === 'suspend', unlisted: severity === 'silence', notes, updatedAt: new Date()});
}

/** Adds the domain as it was sent, without `*.` at its beginning. @throws Refusal of what servers do not store, or block already */
function addBlock(call: Call): Instance {
  const {world} = call;
  const sent = call.text('domain');
  const domain = sent.replace(/^\*\./, '');
  if (!domain.includes('.') || domain.includes('*'))
    throw abort(400, domain === sent ? 'Invalid domain' : 'Invalid domain: This API does not support wildcard domain blocks yet');
  const known = world.instances.list().find((one) => one.domain === domain);
  if (known && isModerated(known))
    throw plainRefusal(422, {error: 'A domain block already exists for this domain', existing_domain_block: blockPayload(known)});
  return moderate(known ?? world.addInstance({domain}), call);
}

/** The block in the path. @throws Refusal where there is none */
function findBlock({world, part}: Call): Instance {
  const instance = world.instances.get(Number(part('id')));
  if (instance && isModerated(instance)) return instance;
  throw plainRefusal(404, {error: 'Record not found'});
}

const blocksOnPage = 100;
const comments = {private_comment: ['max:1000'], public_comment: ['max:1000']};

/** The settings that admins change while the server runs. */
const settingsIn = keepPerWorld(() =>
  (
    [
      [
        'ActivityPub Federation',
        'Enable activitypub federation support, compatible with Pixelfed, Mastodon and other platforms.',
        'federation.activitypub.enabled',
        true,
      ],
      ['Open Registration', 'Allow new account registrations.', 'pixelfed.open_registration', true],
      ['Stories', 'Enable the ephemeral Stories feature.', 'instance.stories.enabled', false],
      ['Require Email Verification', 'Require new accounts to verify their email address.', 'pixelfed.enforce_email_verification', false],
      ['AutoSpam Detection', 'Detect and remove spam from public timelines.', 'pixelfed.bouncer.enabled', false],
    ] as const
  ).map(([name, description, key, state]) => ({name, description, key, state: Boolean(state)})),
);

const day = 86_400_000;

function countByDay(rows: Iterable<{readonly created_at: string}>): Payload {
  const times = Array.from(rows, ({created_at}) => Date.parse(created_at));
  const midnight = Math.floor(Date.now() / day) * day;
  const days = Array.from({length: 7}, (_, index) => {
    const begin = midnight - (index + 1) * day;
    const [weekday = '', date, month, year] = new Date(begin).toUTCString().split(/,? /);
    const count = times.filter((time) => time >= begin && time < begin + day).length;
    return {date: `${month} ${date} ${year}`, label_full: weekday, label: weekday.charAt(0), count};
  });
  const counts = days.map(({count}) => count);
  return {days, total: times.length, min: Math.min(...counts), max: Math.max(...counts), change: 0};
}

export const routes: readonly Route[] = [
  adminList(
    listInstances,
    {
      rows({world, text}) {
        const flag = flagCalled(text('filter'));
        return world.instances.list().filter((one) => one.domain.includes(text('q')) && (flag === undefined || one[flag]));
      },
      show: instancePayload,
    },
    (instance, {sort_by}) => {
      const name = orders.find((one) => one === sort_by) ?? 'id';
      return {[name]: instance[name] ?? -1};
    },
    {sort: ['in:asc,desc'], sort_by: [`in:${orders.join()}`]},
  ),
  route(
    unchecked(readInstance),
    about(() => {}),
  ),
  route(
    moderateInstance,
    about((instance, {text, fields}) => {
      const flag = flagCalled(text('key'));
      if (flag !== undefined) instance[flag] = Boolean(fields['value']);
    }),
  ),
  route(
    unchecked(refreshInstance),
    about((instance, {world}) => {
      const isThere = (account: Account) => hostOf(account) === instance.domain;
      instance.user_count = [...world.accounts.values()].filter(isThere).length;
      instance.status_count = [...world.posts.values()].filter(({account}) => isThere(account)).length;
    }),
  ),

  collection(
    blocks.listAdminDomainBlocks,
    {rows: ({world}) => world.instances.list().filter(isModerated), show: blockPayload},
    {usual: blocksOnPage, most: blocksOnPage, position: ({id}) => ({id}), ascends: true, isReversed: true},
    {limit: [`max:${blocksOnPage}`]},
  ),
  route(blocks.getAdminDomainBlock, (call) => blockPayload(findBlock(call))),
  // A severity is not required.
  route(unchecked(blocks.addAdminDomainBlock), (call) => blockPayload(addBlock(call)), {
    domain: ['required', 'max:120'],
    severity: ['in:noop,silence,suspend'],
    ...comments,
  }),
  route(blocks.updateAdminDomainBlock, (call) => blockPayload(moderate(findBlock(call), call)), comments),
  // The notes stay, and if the domain is blocked again, the block has the same id.
  route(blocks.removeAdminDomainBlock, (call) => {
    Object.assign(findBlock(call), {banned: false, unlisted: false, updatedAt: new Date()});
    return {};
  }),

  route(listSettings, ({world}) => settingsIn(world)),
  route(
    unchecked(updateSetting),
    ({world, text}) => {
      const setting = settingsIn(world).find(({key}) => key === text('key'));
      if (setting === undefined) throw plainRefusal(400, {error: 'Invalid cache key.'});
      setting.state = text('value') === 'true';
      return settingsIn(world);
    },
    {key: ['required'], value: ['required']},
  ),

  // Apps ask whether the server has an API for admins.
  route(getAdminSupport, () => ({supported: true})),
  // Unlike this one, servers round counts from a thousand on, and cache them for a quarter of an hour.
  route(getStatistics, ({world}) => {
    const open = String(world.reports.list().filter(({handled}) => !handled).length);
    return {
      contact: 0,
      contact_monthly: 0,
      reports: open,
      reports_monthly: open,
      statuses: world.posts.size,
      profiles: String(world.accounts.size),
      users: String(world.ownAccounts().length),
      instances: String(world.instances.size),
      autospam_count: world.heldBack.size,
    };
  }),
  route(getDailyStatistics, ({world}) => ({
    cached_at: withOffset(new Date()),
    users: countByDay(world.ownAccounts()),
    posts: countByDay(world.posts.values()),
    instances: countByDay(world.instances.list()),
  })),
];
