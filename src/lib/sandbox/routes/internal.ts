/** Endpoints that have no command of their own: accounts, posts and uploads. */
import * as api from '../../api/internal.js';
import {textOf} from '../received-request.js';
import type {Account, World} from '../world.js';
import {acctOf, compatibleAccount, nativeAccount} from '../account-payloads.js';
import {postPayload} from '../post-payloads.js';
import {abort, plainRefusal} from '../refusal.js';
import {collection} from '../collection.js';
import {route, type Route} from '../route.js';
import {validate} from '../rules.js';
import {bytesOf, fileKilobytes, mimeOf, uploadedMedium} from '../media.js';

/** The account with exactly this name, in upper or lower case: `bob`, or `eve@other.example`. */
const accountCalled = (world: World, name: string): Account | undefined =>
  [...world.accounts.values()].find((account) => acctOf(account).toLowerCase() === name.toLowerCase());

/** Makes the route of the accounts that follow another one, or that it follows, newest first. */
const around = (record: Parameters<typeof collection>[0], ids: (world: World, id: string) => readonly string[]): Route =>
  collection(
    record,
    {
      rules: {limit: 'integer|min:1'},
      rows({world, part}) {
        const all = ids(world, world.account(part('id')).id);
        return all.map((other, index) => ({id: all.length - index, other}));
      },
      show: ({other}, {world}) => compatibleAccount(world, world.account(other)),
      position: ({id}) => ({id}),
    },
    {usual: 10, most: 80, isReversed: true},
  );

export const routes: readonly Route[] = [
  route(api.verifyCredentials, ({world, viewer}) => {
    const {note} = nativeAccount(world, viewer);
    return {
      body: {
        ...compatibleAccount(world, viewer),
        source: {privacy: 'public', sensitive: false, language: 'en', note, fields: []},
      },
    };
  }),

  // A name that no account has is answered with an empty list.
  route(
    api.getAccountByName,
    ({world, part}) => {
      const name = part('name').replace(/^@/, '');
      const own = `@${world.host}`;
      const account = accountCalled(world, name.endsWith(own) ? name.slice(0, -own.length) : name);
      return {body: account ? nativeAccount(world, account) : []};
    },
    {limit: () => ({requests: 30, seconds: 120, perAccount: true})},
  ),

  route(
    api.lookUpAccount,
    ({world, fields}) => {
      validate(fields, {acct: 'required|string|min:3|max:100'});
      const account = accountCalled(world, (textOf(fields['acct']) ?? '').replace(/^@/, ''));
      if (!account) throw plainRefusal(400, {error: 'Record not found'});
      return {body: compatibleAccount(world, account)};
    },
    {limit: () => ({requests: 50, seconds: 24 * 60 * 60})},
  ),

  route(api.getAccount, ({world, part}) => {
    const account = world.accounts.get(part('id'));
    if (!account) throw plainRefusal(404, {error: 'Record not found'});
    return {body: compatibleAccount(world, account)};
  }),

  route(api.getStatus, ({world, part, viewer}) => {
    const post = world.posts.get(part('id'));
    if (!post) throw abort(404);
    const isHidden = post.visibility === 'private' && post.author.id !== viewer.id && !world.follows.has(viewer.id, post.author.id);
    if (isHidden) throw abort(403);
    return {body: postPayload(world, post)};
  }),

  around(api.listFollowers, ({follows}, id) => follows.to(id)),
  around(api.listFollowing, ({follows}, id) => follows.of(id)),

  route(api.uploadMedia, async ({world, fields, viewer}) => {
    validate(fields, {file: `required|max:${fileKilobytes}`});
    const {file} = fields;
    const mime = file instanceof File ? await mimeOf(file) : null;
    if (!(file instanceof File) || mime === null) throw abort(403, 'Invalid or unsupported mime type.');
    const medium = world.addMedium({owner: viewer.id, mime, createdAt: new Date(), bytes: await file.bytes(), attached: false});
    // 202: photos are processed later.
    return {status: 202, body: uploadedMedium(world, medium)};
  }),

  // The files of photos and videos, which anybody can fetch who knows their address.
  route({method: 'GET', path: '/storage/m/_v2/{owner}/{file}', scope: null, anonymous: true}, ({world, part}) => {
    const medium = world.media.get(Number.parseInt(part('file'), 10));
    if (medium === undefined || medium.owner !== part('owner')) throw abort(404);
    return {file: bytesOf(medium), headers: {'content-type': medium.mime}};
  }),
];
