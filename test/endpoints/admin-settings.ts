import * as settings from '../../src/lib/api/admin-settings.js';
import {alike, row, type Row} from './row.js';

const list = 'GET /api/admin/config';
const update = 'POST /api/admin/config/update';

const answer = [
  {name: 'Open Registration', description: 'Allow new account registrations.', key: 'pixelfed.open_registration', state: true},
  {name: 'Stories', description: 'Enable the ephemeral Stories feature.', key: 'instance.stories.enabled', state: false},
];

export const rows: readonly Row[] = [
  row('admin settings list', settings.listSettings, {
    answer,
    takes: '|',
    scope: 'admin:read',
    requests: [{input: {}, sends: list}],
    ...alike({
      args: ['admin', 'settings', 'list'],
      sent: [{line: list}],
      shows: ['pixelfed.open_registration', 'on', 'Open Registration', 'instance.stories.enabled', 'off'],
    }),
  }),
  row('admin settings update', settings.updateSetting, {
    answer,
    takes: 'KEY ON|OFF | --input',
    scope: 'admin:write',
    asks: true,
    required: {body: ['key', 'value']},
    requests: [{input: {body: {key: 'pixelfed.open_registration', value: 'false'}}, sends: update}],
    ...alike({
      args: ['admin', 'settings', 'update', 'pixelfed.open_registration', 'off', '--yes'],
      sent: [{line: list}, {line: update, json: {key: 'pixelfed.open_registration', value: 'false'}}],
      shows: ['pixelfed.open_registration', 'off'],
      says: 'Turned pixelfed.open_registration off.\n',
    }),
  }),
];
