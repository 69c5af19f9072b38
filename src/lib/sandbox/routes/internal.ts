/** What has no command of its own: accounts, uploads. */
import {
  getAccount,
  getAccountByName,
  getStatus,
  listFollowers,
  listFollowing,
  listMutualsWith,
  lookUpAccount,
  uploadMedia,
  verifyCredentials,
} from '../../api/internal.js';
import {integerOf, textOf} from '../request.js';
import type {Account, World} from '../world.js';
import {acctOf, compatibleAccount, nativeAccount} from '../accounts.js';
import {postPayload} from '../posts.js';
import {abort, plainRefusal} from '../refusal.js';
import {cursorLinks, linkHeader, pageByCursor} from '../paging.js';
import {type RouteAnswer, type Call, route, type Route} from '../route.js';
import {integerRule, max, min, required, string, validate} from '../rules.js';
import {fileKilobytes, mimeOf, uploadedMedium} from '../media.js';

const lookUpsPerDay = 50;
const namesInTwoMinutes = 30;

/** The account that goes by exactly this, whatever the case: `bob`, or `eve@other.example`. */
const accountCalled = (world: World, name: string): Account | undefined =>
  [...world.accounts.values()].find((account) => acctOf(account).toLowerCase() === name.toLowerCase());

/** Accounts at once, at most. */
const maxPageSize = 80;

/** Accounts that are shown of those who know both. */
const maxMutuals = 24;

/** The accounts around another one, newest first. Servers call the next page `prev`, and the one before it `next`. */
function listAround({world, fields, part}: Call, path: string, ids: (id: string) => readonly string[]): RouteAnswer {
  validate(fields, {limit: [integerRule, min(1)]});
  const {id} = world.account(part('id'));
  const limit = Math.min(integerOf(fields['limit'], 10), maxPageSize);
  const all = ids(id);
  const rows = all.map((other, index) => ({id: all.length - index, other}));
  const {items, next, prev} = pageByCursor(rows, (row) => ({id: row.id}), {cursor: textOf(fields['cursor']), limit});
  const pageAt = (cursor: string) => `${world.linkUrl}${path.replace('{id}', id)}?limit=${limit}&cursor=${cursor}`;
  return {
    body: items.map(({other}) => compatibleAccount(world, world.account(other))),
    headers: linkHeader(cursorLinks({next: prev, prev: next}, pageAt), ', '),
    style: {plainSlashes: true},
  };
}

export const routes: readonly Route[] = [
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

  // A name that no account has is answered with an empty list.
  {
    ...route(getAccountByName, ({world, part}) => {
      const name = part('name').replace(/^@/, '');
      const own = `@${world.host}`;
      const account = accountCalled(world, name.endsWith(own) ? name.slice(0, -own.length) : name);
      return {body: account ? nativeAccount(world, account) : [], style: {plainSlashes: true}};
    }),
    limit: () => ({requests: namesInTwoMinutes, seconds: 120, perAccount: true}),
  },

  {
    ...route(lookUpAccount, ({world, fields}) => {
      validate(fields, {acct: [required, string, min(3), max(100)]});
      const account = accountCalled(world, (textOf(fields['acct']) ?? '').replace(/^@/, ''));
      if (!account) throw plainRefusal(400, {error: 'Record not found'});
      return {body: compatibleAccount(world, account), style: {plainSlashes: true}};
    }),
    limit: () => ({requests: lookUpsPerDay, seconds: 24 * 60 * 60}),
  },

  route(getAccount, ({world, part}) => {
    const account = world.accounts.get(part('id'));
    if (!account) throw plainRefusal(404, {error: 'Record not found'});
    return {body: compatibleAccount(world, account), style: {plainSlashes: true}};
  }),

  route(getStatus, ({world, part, viewer}) => {
    const post = world.posts.get(part('id'));
    if (!post) throw abort(404);
    const isHidden = post.visibility === 'private' && post.author.id !== viewer.id && !world.follows.has(viewer.id, post.author.id);
    if (isHidden) throw abort(403);
    return {body: postPayload(world, post), style: {plainSlashes: true}};
  }),

  route(listFollowers, (call) => listAround(call, listFollowers.path, (id) => call.world.follows.to(id))),
  route(listFollowing, (call) => listAround(call, listFollowing.path, (id) => call.world.follows.of(id))),

  route(listMutualsWith, ({world, part, viewer}) => {
    const id = part('id');
    const mutuals = id === viewer.id ? [] : world.follows.of(viewer.id).filter((other) => world.follows.has(other, id));
    return {body: mutuals.slice(0, maxMutuals).map((other) => nativeAccount(world, world.account(other))), style: {plainSlashes: true}};
  }),

  route(uploadMedia, async ({world, fields, viewer}) => {
    validate(fields, {file: [required, max(fileKilobytes)]});
    const {file} = fields;
    const mime = file instanceof File ? await mimeOf(file) : null;
    if (!(file instanceof File) || mime === null) throw abort(403, 'Invalid or unsupported mime type.');
    // 202: photos are processed later.
    return {
      status: 202,
      body: uploadedMedium(world, world.addMedium(viewer.id, mime, false, new Date(), await file.bytes())),
      style: {plainSlashes: true},
    };
  }),
];
