/** Accounts and what people have to them: follows, blocks, mutes and blocked domains; and posts, uploads and reports. */
import {domainToASCII} from 'node:url';
import * as api from '../../api/blocks.js';
import type {Endpoint} from '../../api/endpoint.js';
import * as internal from '../../api/internal.js';
import {report} from '../../api/report.js';
import {factsOf} from '../../api/schema.js';
import {collection} from '../collection.js';
import {membershipOf} from '../messaging.js';
import {compatibleAccount, fileKilobytes, fill, nativeAccount, nativePost, readFile, uploadedMedium, type Account} from '../payloads.js';
import {abort, jsonAnswer, plainRefusal, type Refusal} from '../refusal.js';
import {type Call, type MoreRules, route, type Route, unchecked} from '../route.js';
import type {World} from '../world.js';

const accountsIn = (list: Endpoint, name: 'blocks' | 'mutes', more: MoreRules = {}) =>
  collection(
    list,
    {rows: ({world, viewer}) => world[name].of(viewer.id), show: ({to}, {world}) => nativeAccount(world, world.account(to))},
    {usual: 40, most: 80},
    more,
  );

/** Makes the route of the accounts that follow another one, or that it follows, newest first. */
const accountsAround = (list: Endpoint, side: 'of' | 'to', shown: 'from' | 'to') =>
  collection(
    list,
    {
      rows: ({world, part}) => world.follows[side](world.account(part('id')).id),
      show: (pair, {world}) => compatibleAccount(world, world.account(pair[shown])),
    },
    {usual: 10, most: 80, position: ({row}) => ({id: row}), isReversed: true},
  );

/** Makes the route of an action on another account; on oneself it is refused with this status. */
const onAccount = (record: Endpoint, verb: string, ofOneself: number, act: (call: Call, id: string) => void): Route =>
  route(record, (call) => {
    const {world, viewer} = call;
    const id = call.part('id');
    if (id === viewer.id) throw abort(ofOneself, `You cannot ${verb} yourself`);
    act(call, world.account(id).id);
    return {
      ...fill('muting_notifications requested domain_blocking showing_reblogs endorsed', false),
      id,
      following: world.follows.holds(viewer.id, id),
      followed_by: world.follows.holds(id, viewer.id),
      blocking: world.blocks.holds(viewer.id, id),
      muting: world.mutes.holds(viewer.id, id),
    };
  });

/** At the limit, servers refuse even an account that is blocked already, because they count first. */
function refuseAtLimit({world, viewer}: Call, verb: 'block' | 'mute'): void {
  const most = world.facts[`${verb}Limit`];
  if (world[`${verb}s`].of(viewer.id).length >= most) throw abort(422, `You cannot ${verb} more than ${most} accounts`);
}

/** The host of an `https` address of another server. @throws Refusal of any other text */
function blockableHost(domain: string, ownHost: string): string {
  const url = URL.parse(domain);
  const isName = url !== null && url.hostname.includes('.') && /[^\d.]/.test(url.hostname) && !url.hostname.endsWith('.localhost');
  if (!isName || url.protocol !== 'https:') throw abort(500, 'Invalid domain or already blocked by server admins');
  if (url.host === ownHost) throw abort(400, 'You cannot ban your own server');
  return url.hostname;
}

/** The account with exactly this name, in upper or lower case: `bob`, or `eve@other.example`. */
const accountCalled = (world: World, name: string): Account | undefined =>
  [...world.accounts.values()].find(({acct}) => acct.toLowerCase() === name.toLowerCase());

const reasons = factsOf(report.body.report_type)?.known ?? [];

/** In bytes, which are counted after invisible characters are removed and runs of spaces are shortened to one. */
const maxMessageLength = 255;

const refuseReport = (msg: string, error_code: string): Refusal => plainRefusal(400, {msg, code: 400, error_code});

/** The author of what is reported; undefined when the viewer cannot see it. */
function authorOf(world: World, viewerId: string, type: string, id: string): string | undefined {
  if (type === 'user') return world.accounts.get(id)?.id;
  const post = type === 'post' ? world.posts.get(id) : undefined;
  if (post !== undefined || type === 'story' || !world.facts.is2026) return post?.account.id;
  const seen = [...world.conversations.values()].filter((conversation) => membershipOf(conversation, viewerId));
  return seen.flatMap(({messages}) => messages).find((message) => message.id === id)?.sender_id;
}

function takeReport({world, text, viewer}: Call) {
  const {is2026} = world.facts;
  const [reason, type, id] = [text('report_type'), text('object_type'), text('object_id')];
  const invalid = refuseReport('Invalid or missing parameters', 'ERROR_INVALID_PARAMS');
  if (!reason || !type || !id) throw invalid;
  const unknownType = (code: string) => (is2026 ? invalid : refuseReport('Invalid report type', code));
  if (!reasons.includes(reason)) throw unknownType('ERROR_TYPE_INVALID');
  const types = ['post', 'user', 'story', ...(is2026 ? ['direct_message'] : [])];
  if (!types.includes(type)) throw unknownType('ERROR_REPORT_OBJECT_TYPE_INVALID');
  if (is2026 && !/^[1-9]\d*$/.test(id)) throw invalid;
  const counted = text('message')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/\s+/g, ' ');
  if (is2026 && Buffer.byteLength(counted) > maxMessageLength) throw refuseReport('Message is too long', 'ERROR_MESSAGE_TOO_LONG');
  const author = authorOf(world, viewer.id, type, id);
  if (author === undefined) throw refuseReport('Invalid object id', 'ERROR_INVALID_OBJECT_ID');
  if (author === viewer.id) throw refuseReport('Cannot self report', 'ERROR_NO_SELF_REPORTS');
  if (world.reports.list().some((one) => one.by === viewer && one.type === type && one.id === id))
    throw refuseReport('Duplicate report', 'ERROR_REPORT_DUPLICATE');
  // Servers before 2026 do not store the message.
  world.report({by: viewer, reason, message: (is2026 && text('message')) || null, type, id});
  return {msg: 'Successfully sent report', code: 200};
}

export const routes: readonly Route[] = [
  accountsIn(api.listBlocks, 'blocks'),
  // The list of mutes does not check `page`.
  accountsIn(unchecked(api.listMutes), 'mutes', {limit: ['integer', 'min:1']}),
  accountsAround(internal.listFollowers, 'to', 'from'),
  accountsAround(internal.listFollowing, 'of', 'to'),

  onAccount(api.addBlock, 'block', 400, (call, id) => {
    const {world, viewer} = call;
    if (world.account(id).is_admin) throw abort(400, 'You cannot block an admin');
    refuseAtLimit(call, 'block');
    world.block(viewer.id, id);
  }),
  onAccount(api.removeBlock, 'unblock', 400, ({world, viewer}, id) => world.blocks.part(viewer.id, id)),
  onAccount(api.addMute, 'mute', 500, (call, id) => {
    refuseAtLimit(call, 'mute');
    call.world.mutes.relate(call.viewer.id, id);
  }),
  onAccount(api.removeMute, 'unmute', 500, ({world, viewer}, id) => world.mutes.part(viewer.id, id)),

  collection(
    api.listDomainBlocks,
    {rows: ({world, viewer}) => world.domainBlocks.of(viewer.id), show: ({to}) => to},
    {usual: 100, most: 200, position: ({row}) => ({id: row})},
    {limit: ['max:200']},
  ),
  route(
    api.addDomainBlock,
    ({world, viewer, text}) => {
      const domain = blockableHost(text('domain'), world.host);
      const {domainLimit: most} = world.facts;
      if (world.domainBlocks.of(viewer.id).length >= most)
        throw abort(
          400,
          `Max limit of domain blocks reached! You can only block ${most} domains at a time. Ask your admin to adjust this limit.`,
        );
      world.blockDomain(viewer.id, domain);
      return [];
    },
    {domain: ['max:120']},
  ),
  route(
    api.removeDomainBlock,
    ({world, text, viewer}) => {
      world.domainBlocks.part(viewer.id, domainToASCII(text('domain')));
      return [];
    },
    {domain: ['max:120']},
  ),

  route(internal.verifyCredentials, ({world, viewer}) => ({
    ...compatibleAccount(world, viewer),
    source: {privacy: 'public', sensitive: false, language: 'en', note: viewer.note, fields: []},
  })),
  // A name that no account has is answered with an empty list.
  route(internal.getAccountByName, ({world, part}) => {
    const name = part('name').replace(/^@/, '');
    const own = `@${world.host}`;
    const account = accountCalled(world, name.endsWith(own) ? name.slice(0, -own.length) : name);
    return account ? nativeAccount(world, account) : [];
  }),
  route(
    internal.lookUpAccount,
    ({world, text}) => {
      const account = accountCalled(world, text('acct').replace(/^@/, ''));
      if (!account) throw plainRefusal(400, {error: 'Record not found'});
      return compatibleAccount(world, account);
    },
    {acct: ['min:3', 'max:100']},
  ),
  route(internal.getAccount, ({world, part}) => {
    const account = world.accounts.get(part('id'));
    if (!account) throw plainRefusal(404, {error: 'Record not found'});
    return compatibleAccount(world, account);
  }),

  route(internal.getStatus, ({world, part, viewer}) => {
    const post = world.posts.get(part('id'));
    if (!post) throw abort(404);
    const author = post.account.id;
    if (post.visibility === 'private' && author !== viewer.id && !world.follows.holds(viewer.id, author)) throw abort(403);
    return nativePost(world, post);
  }),
  route(
    internal.uploadMedia,
    async ({world, fields, viewer}) => {
      const file = await readFile(fields['file']);
      if (file === null) throw abort(403, 'Invalid or unsupported mime type.');
      // 202: photos are processed later.
      return jsonAnswer(uploadedMedium(world.addMedium({...file, owner: viewer.id, attached: false})), 202);
    },
    {file: [`max:${fileKilobytes}`]},
  ),
  // The files of photos and videos, which anybody can fetch who knows their address.
  route({method: 'GET', path: '/storage/m/_v2/{owner}/{file}', scope: null, anonymous: true}, ({world, part}) => {
    const medium = world.media.get(Number.parseInt(part('file'), 10));
    if (medium?.bytes === undefined || medium.owner !== part('owner')) throw abort(404);
    return new Response(new Uint8Array(medium.bytes), {headers: {'content-type': medium.data.mime}});
  }),
  route(unchecked(report), takeReport),
];
