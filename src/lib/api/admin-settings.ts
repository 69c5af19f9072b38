/** The settings that admins can change while their server runs. Undocumented; Pixelfed alone has it. */
import * as z from 'zod/mini';
import {endpoint, onlyPixelfed, type OwnErrors, type Topic} from './endpoint.js';
import {settingIn} from './admin-entities.js';
import {kinds} from './kinds.js';
import {field, once, orInData} from './schema.js';
import type {ListView} from './view.js';

const topic: Topic = {title: 'Settings that admins can change while the server runs', heading: 'MODERATION'};
const keyHint = {
  on: 'refused',
  said: /^Invalid cache key/,
  hint: 'the keys are those of',
  use: () => ({command: 'admin settings list'}),
} as const;
const fixedHint = {on: 'refused', said: /^$/, hint: 'the operator of the server can change them in its configuration file'} as const;
const errors: OwnErrors = {onlyAdmins: true, mayBeFixed: true, hints: [onlyPixelfed, keyHint, fixedHint]};

const settings = once(() =>
  orInData(z.array(z.looseObject({name: z.string(), description: z.string(), key: z.string(), state: z.boolean()}))),
);

const view: ListView = {
  kind: 'list',
  columns: [
    {header: 'key', path: 'key', key: true},
    {header: 'state', path: 'state', words: ['on', 'off'], stays: true},
    {header: 'name', path: 'name', priority: 2},
    {header: 'what it does', path: 'description', flexible: true, least: 40, priority: 3},
  ],
  empty: 'No settings.',
};

const common = {section: null, topic, errors, rows: [], items: kinds.setting, view, output: settings} as const;

export const listSettings = endpoint({
  name: 'list settings',
  ...common,
  method: 'GET',
  path: '/api/admin/config',
  scope: 'admin:read',
});

/** The answer has all settings. To set one again changes nothing. */
export const updateSetting = endpoint({
  name: 'update setting',
  ...common,
  method: 'POST',
  path: '/api/admin/config/update',
  scope: 'admin:write',
  body: {
    key: field(z.string(), 'key of the setting', {of: kinds.setting}),
    value: field(z.string(), 'on or off', {known: ['true', 'false']}),
  },
  // The state is not compared here: the operation does that, because only it knows which state was wanted.
  proof: (answer, {body}) => typeof settingIn(answer, body?.['key'])?.['state'] === 'boolean',
  repeat: 'harmless',
  lookWith: () => ({command: 'admin settings list'}),
});
