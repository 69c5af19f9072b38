/** Blocked and muted accounts, blocked domains. */
import {domainToASCII} from 'node:url';
import {
  addBlock,
  addDomainBlock,
  addMute,
  listBlocks,
  listDomainBlocks,
  listMutes,
  removeBlock,
  removeDomainBlock,
  removeMute,
} from '../../api/blocks.js';
import {integerOf, textOf} from '../request.js';
import {nativeAccount, relationshipOf} from '../accounts.js';
import {cursorLinks, linkHeader, pageByCursor, pageByNumber} from '../paging.js';
import {abort, plainRefusal, type Refusal} from '../refusal.js';
import type {Relation} from '../world.js';
import {type RouteAnswer, type Call, route, type Route} from '../route.js';
import {integerRule, max, min, required, string, validate} from '../rules.js';

const maxPageSize = 80;

function listAccounts({world, fields, viewer}: Call, path: string, relation: Relation): RouteAnswer {
  const limit = Math.min(integerOf(fields['limit'], 40), maxPageSize);
  const page = Math.max(1, integerOf(fields['page'], 1));
  const {items, links} = pageByNumber(relation.of(viewer.id), {url: world.linkUrl + path, limit, page});
  return {
    body: items.map((id) => nativeAccount(world, world.account(id))),
    headers: linkHeader(links),
    style: {plainSlashes: true},
  };
}

/** The host of an `https` address of some other place; anything else is refused. */
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
  route(listBlocks, (call) => {
    validate(call.fields, {limit: [integerRule, min(1)], page: [integerRule, min(1)]});
    return listAccounts(call, listBlocks.path, call.world.blocks);
  }),

  // Mutes do not check the page.
  route(listMutes, (call) => {
    validate(call.fields, {limit: [integerRule, min(1)]});
    return listAccounts(call, listMutes.path, call.world.mutes);
  }),

  route(listDomainBlocks, ({world, fields, viewer}) => {
    validate(fields, {limit: [integerRule, min(1), max(200)]});
    const limit = integerOf(fields['limit'], 100);
    const own = world.domainBlocks.filter(({ownerId}) => ownerId === viewer.id).toReversed();
    const {items, next, prev} = pageByCursor(own, ({row}) => ({id: row}), {cursor: textOf(fields['cursor']), limit});
    const links = cursorLinks({next, prev}, (cursor) => `${world.linkUrl}${listDomainBlocks.path}?cursor=${cursor}&limit=${limit}`);
    return {body: items.map(({domain}) => domain), headers: linkHeader(links, ', ')};
  }),

  route(addDomainBlock, ({world, fields, viewer}) => {
    validate(fields, {domain: [required, string, min(1), max(120)]});
    const domain = blockableHost(textOf(fields['domain']) ?? '', world.host);
    const own = world.domainBlocks.filter(({ownerId}) => ownerId === viewer.id);
    if (own.length >= world.facts.domainLimit)
      throw abort(
        400,
        `Max limit of domain blocks reached! You can only block ${world.facts.domainLimit} domains at a time. Ask your admin to adjust this limit.`,
      );
    if (!own.some((block) => block.domain === domain)) world.blockDomain(viewer.id, domain);
    return {body: []};
  }),

  route(removeDomainBlock, ({world, fields, viewer}) => {
    validate(fields, {domain: [required, max(120)]});
    const domain = domainToASCII(textOf(fields['domain']) ?? '');
    world.domainBlocks = world.domainBlocks.filter((block) => block.ownerId !== viewer.id || block.domain !== domain);
    return {body: []};
  }),

  // At the limit a repeat is refused as well: what there is already is counted first.
  accountAction(addBlock, abort(400, 'You cannot block yourself'), ({world, viewer}, id) => {
    if (world.account(id).admin) throw abort(400, 'You cannot block an admin');
    const {blockLimit} = world.facts;
    if (world.blocks.of(viewer.id).length >= blockLimit) throw abort(422, `You cannot block more than ${blockLimit} accounts`);
    world.block(viewer.id, id);
  }),
  accountAction(removeBlock, abort(400, 'You cannot unblock yourself'), ({world, viewer}, id) => {
    world.blocks.delete(viewer.id, id);
  }),
  accountAction(addMute, plainRefusal(500, {error: 'You cannot mute yourself'}), ({world, viewer}, id) => {
    const {muteLimit} = world.facts;
    if (world.mutes.of(viewer.id).length >= muteLimit) throw abort(422, `You cannot mute more than ${muteLimit} accounts`);
    world.mutes.add(viewer.id, id);
  }),
  accountAction(removeMute, plainRefusal(500, {error: 'You cannot unmute yourself'}), ({world, viewer}, id) => {
    world.mutes.delete(viewer.id, id);
  }),
];
