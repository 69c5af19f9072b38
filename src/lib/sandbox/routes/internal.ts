/** What has no command of its own: accounts, uploads. */
import {getAccount, getAccountByName, lookUpAccount, uploadMedia, verifyCredentials} from '../../api/internal.js';
import {textOf} from '../request.js';
import type {Account, World} from '../world.js';
import {acctOf, compatibleAccount, nativeAccount} from '../accounts.js';
import {abort, plain} from '../refusal.js';
import {route, type Route} from '../route.js';
import {max, min, required, string, validate} from '../rules.js';
import {fileKilobytes, mimeOf, uploadedMedium} from '../media.js';

const lookUpsPerDay = 50;

/** The account that goes by exactly this, whatever the case: `bob`, or `eve@other.example`. */
const accountCalled = (world: World, name: string): Account | undefined =>
  [...world.accounts.values()].find((account) => acctOf(account).toLowerCase() === name.toLowerCase());

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
    limit: () => ({requests: lookUpsPerDay, seconds: 24 * 60 * 60}),
  },

  route(getAccount, ({world, part}) => {
    const account = world.accounts.get(part('id'));
    if (!account) throw plain(404, {error: 'Record not found'});
    return {body: compatibleAccount(world, account), style: {plainSlashes: true}};
  }),

  route(uploadMedia, async ({world, fields, viewer}) => {
    validate(fields, {file: [required, max(fileKilobytes)]});
    const {file} = fields;
    const mime = file instanceof File ? await mimeOf(file) : null;
    if (mime === null) throw abort(403, 'Invalid or unsupported mime type.');
    // 202: photos are processed later.
    return {
      status: 202,
      body: uploadedMedium(world, world.addMedium(viewer.id, mime, false, new Date())),
      style: {plainSlashes: true},
    };
  }),
];
