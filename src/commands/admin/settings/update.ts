import * as z from 'zod/mini';
import {settingIn} from '../../../lib/api/admin-entities.js';
import {listSettings, updateSetting} from '../../../lib/api/admin-settings.js';
import {field} from '../../../lib/api/schema.js';
import {endpointCommand} from '../../../lib/cli/endpoint/endpoint-command.js';
import type {Client} from '../../../lib/client/client.js';
import {Failure} from '../../../lib/client/failure.js';
import {requestFor} from '../../../lib/client/request.js';
import {operation} from '../../../lib/operations/operation.js';

/** What people call a setting. @throws Failure */
async function settingTitle(key: string, client: Client): Promise<string> {
  const {value} = await client.call(listSettings, {});
  const name = settingIn(value, key)?.['name'];
  return typeof name === 'string' ? `${name} (${key})` : key;
}

/** What servers call the states that people name. */
const states: Readonly<Record<string, string>> = {on: 'true', off: 'false', true: 'true', false: 'false'};

const stateWord = (value: unknown): string => (value === 'true' ? 'on' : 'off');

/** Turns a setting on or off, unless it is so already. */
const settingUpdate = operation(
  {...updateSetting, body: {...updateSetting.body, value: field(z.string(), 'on or off', {known: ['on', 'off']})}},
  {
    convert: {
      value(text) {
        const value = states[text.toLowerCase()];
        if (value === undefined) throw new Failure('usage', `A setting is on or off, not "${text}"`);
        return value;
      },
    },
    async send({body = {}}, client) {
      const {key, value} = body;
      const wanted = value === 'true';
      const before = await client.call(listSettings, {});
      if (settingIn(before.value, key)?.['state'] === wanted) return {...before, stood: true};
      const request = requestFor(updateSetting, {body: {key, value}});
      const answer = await client.send(request, updateSetting.output());
      if (settingIn(answer.value, key)?.['state'] === wanted) return answer;
      throw new Failure('refused', `${client.host} did not turn ${String(key)} ${stateWord(value)}`, {
        status: answer.status,
        method: request.method,
        path: request.path,
        hint: 'something else may set it, such as the configuration file of the server',
      });
    },
  },
);

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
  sentence: ({body: {key, value}}, {stood}) =>
    stood ? `${String(key)} is ${stateWord(value)} already.` : `Turned ${String(key)} ${stateWord(value)}.`,
});
