/** The settings that admins change while the server runs. */
import {listSettings, updateSetting} from '../../api/admin-settings.js';
import {plainRefusal} from '../refusal.js';
import {keepPerWorld, route, type Route} from '../route.js';

const settingsIn = keepPerWorld(() =>
  (
    [
      [
        'ActivityPub Federation',
        'Enable activitypub federation support, compatible with Pixelfed, Mastodon and other platforms.',
        'federation.activitypub.enabled',
        true,
      ],
      ['Open Registration', 'Allow new account registrations.', 'pixelfed.open_registration', true],
      ['Stories', 'Enable the ephemeral Stories feature.', 'instance.stories.enabled', false],
      ['Require Email Verification', 'Require new accounts to verify their email address.', 'pixelfed.enforce_email_verification', false],
      ['AutoSpam Detection', 'Detect and remove spam from public timelines.', 'pixelfed.bouncer.enabled', false],
    ] as const
  ).map(([name, description, key, state]) => ({name, description, key, state: Boolean(state)})),
);

export const routes: readonly Route[] = [
  route(listSettings, ({world}) => ({body: settingsIn(world)})),
  route(
    updateSetting,
    ({world, text}) => {
      const setting = settingsIn(world).find(({key}) => key === text('key'));
      if (setting === undefined) throw plainRefusal(400, {error: 'Invalid cache key.'});
      setting.state = text('value') === 'true';
      return {body: settingsIn(world)};
    },
    {onlyRules: {key: ['required'], value: ['required']}},
  ),
];
