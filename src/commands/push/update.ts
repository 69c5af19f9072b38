import {updatePushSettings} from '../../lib/api/push.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: updatePushSettings,
  summary: 'Set the device token and what to push',
  description:
    'Notification types you omit keep their settings. A device token is a secret: read it from standard input to keep it out of the process list.',
  examples: [
    {does: 'Push mentions, not likes', line: 'push update - --notify --mention --no-like < device-token.txt'},
    {does: 'Keep the token, but push nothing', line: 'push update - --no-notify < device-token.txt'},
  ],
  arguments: {token: 'DEVICE_TOKEN'},
  flags: {
    notify_enabled: 'notify',
    notify_like: 'like',
    notify_follow: 'follow',
    notify_mention: 'mention',
    notify_comment: 'comment',
  },
  negatable: ['notify_enabled', 'notify_like', 'notify_follow', 'notify_mention', 'notify_comment'],
  piped: ['token'],
  sentence: ({body: {notify_enabled: isOn}}) => `Set the device token, and turned push notifications ${isOn === true ? 'on' : 'off'}.`,
});
