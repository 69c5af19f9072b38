/** The settings that admins change while the server runs. */
import {listSettings, updateSetting} from '../../api/admin-settings.js';
import {plainRefusal} from '../refusal.js';
import {textOf} from '../received-request.js';
import {keepPerWorld, route, type Route} from '../route.js';
import {validate} from '../rules.js';

const settingsIn = keepPerWorld(() => [
  {
    name: 'ActivityPub Federation',
    description: 'Enable activitypub federation support, compatible with Pixelfed, Mastodon and other platforms.',
    key: 'federation.activitypub.enabled',
    state: true,
  },
  {name: 'Open Registration', description: 'Allow new account registrations.', key: 'pixelfed.open_registration', state: true},
  {name: 'Stories', description: 'Enable the ephemeral Stories feature.', key: 'instance.stories.enabled', state: false},
  {
    name: 'Require Email Verification',
    description: 'Require new accounts to verify their email address.',
    key: 'pixelfed.enforce_email_verification',
    state: false,
  },
  {
    name: 'AutoSpam Detection',
    description: 'Detect and remove spam from public timelines.',
    key: 'pixelfed.bouncer.enabled',
    state: false,
  },
]);

export const routes: readonly Route[] = [
  route(listSettings, ({world}) => ({body: settingsIn(world)})),

  route(updateSetting, ({world, fields}) => {
    const settings = settingsIn(world);
    validate(fields, {key: 'required', value: 'required'});
    const setting = settings.find(({key}) => key === textOf(fields['key']));
    if (setting === undefined) throw plainRefusal(400, {error: 'Invalid cache key.'});
    setting.state = textOf(fields['value']) === 'true' || fields['value'] === true;
    return {body: settings};
  }),
];
