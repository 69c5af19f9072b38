/** Around the API description: who one is, and blocking and muting people. */
import {getAccount, getAccountByName, lookUpAccount, verifyCredentials} from '../../api/internal.js';
import {addBlock, addMute, removeBlock, removeMute} from '../../api/blocks.js';
import {textOf} from '../fields.js';
import type {Account} from '../model.js';
import {acctOf, compatibleAccount, nativeAccount} from '../payload/account.js';
import {abort, plain, type Refusal} from '../refusal.js';
import {route, type Answer, type Call, type Route} from '../route.js';
import {max, min, required, string, validate} from '../rules.js';
import type {World} from '../world.js';

const mostBlocks = 200;
const mostMutes = 500;
const lookUpsPerDay = 50;

/** The account that goes by exactly this, whatever the case: `bob`, or `eve@other.example`. */
const accountCalled = (world: World, name: string): Account | undefined =>
  [...world.accounts.values()].find((account) => acctOf(account).toLowerCase() === name.toLowerCase());

/** How the viewer stands to another account. */
function relationship({world, viewer}: Call, id: string): Answer {
  return {
    body: {
      id,
      following: world.follows.has(viewer.id, id),
      followed_by: world.follows.has(id, viewer.id),
      blocking: world.blocks.has(viewer.id, id),
      muting: world.mutes.has(viewer.id, id),
      muting_notifications: false,
      requested: false,
      domain_blocking: false,
      showing_reblogs: false,
      endorsed: false,
    },
  };
}

function accountAction(endpoint: Parameters<typeof route>[0], ofOneself: Refusal, act: (call: Call, id: string) => void): Route {
  return route(endpoint, (call) => {
    const id = call.part('id');
    if (id === call.viewer.id) throw ofOneself;
    act(call, call.world.account(id).id);
    return relationship(call, id);
  });
}

export const accountRoutes: readonly Route[] = [
  route(verifyCredentials, ({world, viewer}) => {
    const {note} = nativeAccount(world, viewer);
    return {
      body: {
        ...compatibleAccount(world, viewer),
        source: {privacy: 'public', sensitive: false, language: 'en', note, fields: []},
      },
      style: {plainSlashes: true},
    };
  }),

  // What nobody is called is an empty list.
  route(getAccountByName, ({world, part}) => {
    const name = part('name').replace(/^@/, '');
    const own = `@${world.host}`;
    const account = accountCalled(world, name.endsWith(own) ? name.slice(0, -own.length) : name);
    return {body: account ? nativeAccount(world, account) : [], style: {plainSlashes: true}};
  }),

  {
    ...route(lookUpAccount, ({world, fields}) => {
      validate(fields, {acct: [required, string, min(3), max(100)]});
      const account = accountCalled(world, (textOf(fields['acct']) ?? '').replace(/^@/, ''));
      if (!account) throw plain(400, {error: 'Record not found'});
      return {body: compatibleAccount(world, account), style: {plainSlashes: true}};
    }),
    limit: {requests: lookUpsPerDay, seconds: 24 * 60 * 60},
  },

  route(getAccount, ({world, part}) => {
    const account = world.accounts.get(part('id'));
    if (!account) throw plain(404, {error: 'Record not found'});
    return {body: compatibleAccount(world, account), style: {plainSlashes: true}};
  }),

  // At the limit a repeat is refused as well: what there is already is counted first.
  accountAction(addBlock, abort(400, 'You cannot block yourself'), ({world, viewer}, id) => {
    if (world.account(id).admin) throw abort(400, 'You cannot block an admin');
    if (world.blocks.of(viewer.id).length >= mostBlocks) throw abort(422, `You cannot block more than ${mostBlocks} accounts`);
    world.block(viewer.id, id);
  }),
  accountAction(removeBlock, abort(400, 'You cannot unblock yourself'), ({world, viewer}, id) => {
    world.blocks.delete(viewer.id, id);
  }),
  accountAction(addMute, plain(500, {error: 'You cannot mute yourself'}), ({world, viewer}, id) => {
    if (world.mutes.of(viewer.id).length >= mostMutes) throw abort(422, `You cannot mute more than ${mostMutes} accounts`);
    world.mutes.add(viewer.id, id);
  }),
  accountAction(removeMute, plain(500, {error: 'You cannot unmute yourself'}), ({world, viewer}, id) => {
    world.mutes.delete(viewer.id, id);
  }),
];
