/** Around the API description: who one is, and blocking and muting people. */
import {nativeAccount, compatibleAccount} from '../payload/account.js';
import {abort} from '../refusal.js';
import {route, type Answer, type Call, type Route} from '../route.js';

const mostBlocks = 200;
const mostMutes = 500;

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

function accountAction(verb: string, act: (call: Call, id: string) => void): Route {
  return route({method: 'POST', path: `/api/v1/accounts/{id}/${verb}`, scope: 'write'}, (call) => {
    const id = call.part('id');
    if (id === call.viewer.id) throw abort(400, `You cannot ${verb} yourself`);
    act(call, call.world.account(id).id);
    return relationship(call, id);
  });
}

export const accountRoutes: readonly Route[] = [
  route({method: 'GET', path: '/api/v1/accounts/verify_credentials', scope: 'read'}, ({world, viewer}) => {
    const {note} = nativeAccount(world, viewer);
    return {
      body: {
        ...compatibleAccount(world, viewer),
        source: {privacy: 'public', sensitive: false, language: 'en', note, fields: []},
      },
      style: {plainSlashes: true},
    };
  }),

  accountAction('block', ({world, viewer}, id) => {
    if (world.account(id).admin) throw abort(400, 'You cannot block an admin');
    if (world.blocks.of(viewer.id).length >= mostBlocks) throw abort(422, 'You have reached the limit of blocks');
    world.block(viewer.id, id);
  }),
  accountAction('unblock', ({world, viewer}, id) => {
    world.blocks.delete(viewer.id, id);
  }),
  accountAction('mute', ({world, viewer}, id) => {
    if (world.mutes.of(viewer.id).length >= mostMutes) throw abort(422, 'You have reached the limit of mutes');
    world.mutes.add(viewer.id, id);
  }),
  accountAction('unmute', ({world, viewer}, id) => {
    world.mutes.delete(viewer.id, id);
  }),
];
