/** Endpoints that have no command of their own: accounts, posts and uploads. */
import type {Endpoint} from '../../api/endpoint.js';
import * as api from '../../api/internal.js';
import {collection} from '../collection.js';
import {compatibleAccount, fileKilobytes, nativeAccount, nativePost, readFile, uploadedMedium, type Account} from '../payloads.js';
import {abort, plainRefusal} from '../refusal.js';
import {route, type Route} from '../route.js';
import type {World} from '../world.js';

/** The account with exactly this name, in upper or lower case: `bob`, or `eve@other.example`. */
const accountCalled = (world: World, name: string): Account | undefined =>
  [...world.accounts.values()].find(({acct}) => acct.toLowerCase() === name.toLowerCase());

/** Makes the route of the accounts that follow another one, or that it follows, newest first. */
const around = (list: Endpoint, side: 'of' | 'to', shown: 'from' | 'to'): readonly Route[] =>
  collection(
    {list},
    {
      rows: ({world, part}) => world.follows[side](world.account(part('id')).id),
      show: (pair, {world}) => compatibleAccount(world, world.account(pair[shown])),
    },
    {pages: {usual: 10, most: 80, position: ({row}) => ({id: row}), isReversed: true}},
  );

export const routes: readonly Route[] = [
  route(api.verifyCredentials, ({world, viewer}) => ({
    body: {
      ...compatibleAccount(world, viewer),
      source: {privacy: 'public', sensitive: false, language: 'en', note: viewer.note, fields: []},
    },
  })),

  // A name that no account has is answered with an empty list.
  route(api.getAccountByName, ({world, part}) => {
    const name = part('name').replace(/^@/, '');
    const own = `@${world.host}`;
    const account = accountCalled(world, name.endsWith(own) ? name.slice(0, -own.length) : name);
    return {body: account ? nativeAccount(world, account) : []};
  }),

  route(
    api.lookUpAccount,
    ({world, text}) => {
      const account = accountCalled(world, text('acct').replace(/^@/, ''));
      if (!account) throw plainRefusal(400, {error: 'Record not found'});
      return {body: compatibleAccount(world, account)};
    },
    {rules: {acct: ['min:3', 'max:100']}},
  ),

  route(api.getAccount, ({world, part}) => {
    const account = world.accounts.get(part('id'));
    if (!account) throw plainRefusal(404, {error: 'Record not found'});
    return {body: compatibleAccount(world, account)};
  }),

  route(api.getStatus, ({world, part, viewer}) => {
    const post = world.posts.get(part('id'));
    if (!post) throw abort(404);
    const author = post.account.id;
    const isHidden = post.visibility === 'private' && author !== viewer.id && !world.follows.has(viewer.id, author);
    if (isHidden) throw abort(403);
    return {body: nativePost(world, post)};
  }),

  ...around(api.listFollowers, 'to', 'from'),
  ...around(api.listFollowing, 'of', 'to'),

  route(
    api.uploadMedia,
    async ({world, fields, viewer}) => {
      const file = await readFile(fields['file']);
      if (file === null) throw abort(403, 'Invalid or unsupported mime type.');
      const medium = world.addMedium({...file, owner: viewer.id, attached: false});
      // 202: photos are processed later.
      return {status: 202, body: uploadedMedium(medium)};
    },
    {rules: {file: [`max:${fileKilobytes}`]}},
  ),

  // The files of photos and videos, which anybody can fetch who knows their address.
  route({method: 'GET', path: '/storage/m/_v2/{owner}/{file}', scope: null, anonymous: true}, ({world, part}) => {
    const medium = world.media.get(Number.parseInt(part('file'), 10));
    if (medium?.bytes === undefined || medium.owner !== part('owner')) throw abort(404);
    return {file: medium.bytes, headers: {'content-type': medium.data.mime}};
  }),
];
