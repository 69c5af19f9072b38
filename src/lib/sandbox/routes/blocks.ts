import {domainToASCII} from 'node:url';
import * as api from '../../api/blocks.js';
import type {Endpoint} from '../../api/endpoint.js';
import {collection} from '../collection.js';
import {fill, nativeAccount, type Payload} from '../payloads.js';
import type {World} from '../world.js';
import {abort} from '../refusal.js';
import {type Call, type Particulars, route, type Route} from '../route.js';

const accountsIn = (list: Endpoint, name: 'blocks' | 'mutes', particulars: Particulars = {}) =>
  collection(
    {list},
    {rows: ({world, viewer}) => world[name].of(viewer.id), show: ({to}, {world}) => nativeAccount(world, world.account(to))},
    {pages: {usual: 40, most: 80}, list: particulars},
  );

const relationshipOf = (world: World, viewerId: string, id: string): Payload => ({
  ...fill('muting_notifications requested domain_blocking showing_reblogs endorsed', false),
  id,
  following: world.follows.has(viewerId, id),
  followed_by: world.follows.has(id, viewerId),
  blocking: world.blocks.has(viewerId, id),
  muting: world.mutes.has(viewerId, id),
});

/** Makes the route of an action on another account; on oneself it is refused with this status. */
const onAccount = (record: Endpoint, verb: string, ofOneself: number, act: (call: Call, id: string) => void): Route =>
  route(record, (call) => {
    const id = call.part('id');
    if (id === call.viewer.id) throw abort(ofOneself, `You cannot ${verb} yourself`);
    act(call, call.world.account(id).id);
    return {body: relationshipOf(call.world, call.viewer.id, id)};
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

export const routes: readonly Route[] = [
  ...accountsIn(api.listBlocks, 'blocks'),
  // The list of mutes does not check `page`.
  ...accountsIn(api.listMutes, 'mutes', {onlyRules: {limit: ['integer', 'min:1']}}),

  onAccount(api.addBlock, 'block', 400, (call, id) => {
    const {world, viewer} = call;
    if (world.account(id).is_admin) throw abort(400, 'You cannot block an admin');
    refuseAtLimit(call, 'block');
    world.block(viewer.id, id);
  }),
  onAccount(api.removeBlock, 'unblock', 400, ({world, viewer}, id) => {
    world.blocks.remove(viewer.id, id);
  }),
  onAccount(api.addMute, 'mute', 500, (call, id) => {
    refuseAtLimit(call, 'mute');
    call.world.mutes.add(call.viewer.id, id);
  }),
  onAccount(api.removeMute, 'unmute', 500, ({world, viewer}, id) => {
    world.mutes.remove(viewer.id, id);
  }),

  ...collection(
    {list: api.listDomainBlocks},
    {rows: ({world, viewer}) => world.domainBlocks.of(viewer.id), show: ({to}) => to},
    {pages: {usual: 100, most: 200, position: ({row}) => ({id: row})}, list: {rules: {limit: ['max:200']}}},
  ),
  route(
    api.addDomainBlock,
    (call) => {
      const {world, viewer} = call;
      const domain = blockableHost(call.text('domain'), world.host);
      const {domainLimit: most} = world.facts;
      if (world.domainBlocks.of(viewer.id).length >= most)
        throw abort(
          400,
          `Max limit of domain blocks reached! You can only block ${most} domains at a time. Ask your admin to adjust this limit.`,
        );
      world.blockDomain(viewer.id, domain);
      return {body: []};
    },
    {rules: {domain: ['max:120']}},
  ),
  route(
    api.removeDomainBlock,
    ({world, text, viewer}) => {
      world.domainBlocks.remove(viewer.id, domainToASCII(text('domain')));
      return {body: []};
    },
    {rules: {domain: ['max:120']}},
  ),
];
