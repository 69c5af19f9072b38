import {domainToASCII} from 'node:url';
import * as api from '../../api/blocks.js';
import {textOf} from '../received-request.js';
import {nativeAccount, relationshipOf} from '../account-payloads.js';
import {collection} from '../collection.js';
import {abort, plainRefusal, type Refusal} from '../refusal.js';
import {type Call, route, type Route} from '../route.js';
import {validate} from '../rules.js';

const accountsIn = (name: 'blocks' | 'mutes') => ({
  rows: ({world, viewer}: Call) => world[name].of(viewer.id),
  show: (id: string, {world}: Call) => nativeAccount(world, world.account(id)),
});
const accountPages = {usual: 40, most: 80};

const ownDomainBlocks = ({world, viewer}: Call) => world.domainBlocks.list().filter(({ownerId}) => ownerId === viewer.id);

/** The host of an `https` address of another server. @throws Refusal of any other text */
function blockableHost(domain: string, ownHost: string): string {
  const refusal = abort(500, 'Invalid domain or already blocked by server admins');
  const url = URL.parse(domain);
  if (url === null) throw refusal;
  const {protocol, hostname, host} = url;
  const isName = hostname.includes('.') && /[^\d.]/.test(hostname) && !hostname.endsWith('.localhost');
  if (protocol !== 'https:' || !isName) throw refusal;
  if (host === ownHost) throw abort(400, 'You cannot ban your own server');
  return hostname;
}

function accountAction(endpoint: Parameters<typeof route>[0], ofOneself: Refusal, act: (call: Call, id: string) => void): Route {
  return route(endpoint, (call) => {
    const id = call.part('id');
    if (id === call.viewer.id) throw ofOneself;
    act(call, call.world.account(id).id);
    return {body: relationshipOf(call.world, call.viewer.id, id)};
  });
}

export const routes: readonly Route[] = [
  collection(api.listBlocks, {rules: {limit: 'integer|min:1', page: 'integer|min:1'}, ...accountsIn('blocks')}, accountPages),
  // The list of mutes does not check `page`.
  collection(api.listMutes, {rules: {limit: 'integer|min:1'}, ...accountsIn('mutes')}, accountPages),

  collection(
    api.listDomainBlocks,
    {
      rules: {limit: 'integer|min:1|max:200'},
      rows: (call) => ownDomainBlocks(call).toReversed(),
      show: ({domain}) => domain,
      position: ({row}) => ({id: row}),
    },
    {usual: 100, most: 200},
  ),

  route(api.addDomainBlock, (call) => {
    const {world, fields, viewer} = call;
    validate(fields, {domain: 'required|string|min:1|max:120'});
    const domain = blockableHost(textOf(fields['domain']) ?? '', world.host);
    const [own, {domainLimit: most}] = [ownDomainBlocks(call), world.facts];
    if (own.length >= most)
      throw abort(
        400,
        `Max limit of domain blocks reached! You can only block ${most} domains at a time. Ask your admin to adjust this limit.`,
      );
    if (!own.some((block) => block.domain === domain)) world.blockDomain(viewer.id, domain);
    return {body: []};
  }),

  route(api.removeDomainBlock, ({world, fields, viewer}) => {
    validate(fields, {domain: 'required|max:120'});
    const domain = domainToASCII(textOf(fields['domain']) ?? '');
    world.domainBlocks.remove((block) => block.ownerId === viewer.id && block.domain === domain);
    return {body: []};
  }),

  // At the limit, servers refuse even an account that is blocked already, because they count first.
  accountAction(api.addBlock, abort(400, 'You cannot block yourself'), ({world, viewer}, id) => {
    if (world.account(id).admin) throw abort(400, 'You cannot block an admin');
    const {blockLimit} = world.facts;
    if (world.blocks.of(viewer.id).length >= blockLimit) throw abort(422, `You cannot block more than ${blockLimit} accounts`);
    world.block(viewer.id, id);
  }),
  accountAction(api.removeBlock, abort(400, 'You cannot unblock yourself'), ({world, viewer}, id) => {
    world.blocks.delete(viewer.id, id);
  }),
  accountAction(api.addMute, plainRefusal(500, {error: 'You cannot mute yourself'}), ({world, viewer}, id) => {
    const {muteLimit} = world.facts;
    if (world.mutes.of(viewer.id).length >= muteLimit) throw abort(422, `You cannot mute more than ${muteLimit} accounts`);
    world.mutes.add(viewer.id, id);
  }),
  accountAction(api.removeMute, plainRefusal(500, {error: 'You cannot unmute yourself'}), ({world, viewer}, id) => {
    world.mutes.delete(viewer.id, id);
  }),
];
