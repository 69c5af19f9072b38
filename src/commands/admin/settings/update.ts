import {settingTitle, settingUpdate, stateWord} from '../../../lib/operations/settings.js';
import {endpointCommand} from '../../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: settingUpdate,
  summary: 'Turn a setting of the server on or off',
  description:
    'For admins of a Pixelfed server. `admin settings list` shows the keys. The setting is read first, and nothing is sent if it is as asked.',
  examples: [
    {does: 'Close sign-ups', line: 'admin settings update pixelfed.open_registration off'},
    {does: 'Turn the spam filter on without a prompt', line: 'admin settings update pixelfed.bouncer.enabled on --yes'},
  ],
  arguments: {key: 'KEY', value: 'ON|OFF'},
  question: async ({inputs: [input]}, {client, server}) => {
    const {key, value} = input?.body ?? {};
    return `Turn ${await settingTitle(String(key), client)} ${stateWord(value)} on ${server.host}?`;
  },
  sentence: ({body: {key, value}}) => `Turned ${String(key)} ${stateWord(value)}.`,
});
