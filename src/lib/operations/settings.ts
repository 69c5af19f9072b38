/** The settings of a server: read first, and changed where they differ. */
import * as z from 'zod/mini';
import {settingIn} from '../api/admin-entities.js';
import {listSettings, updateSetting} from '../api/admin-settings.js';
import {field} from '../api/schema.js';
import type {Client} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {requestFor} from '../client/request.js';
import {operation} from './operation.js';

/** What people call a setting. @throws Failure */
export async function settingTitle(key: string, client: Client): Promise<string> {
  const {value} = await client.call(listSettings, {});
  const name = settingIn(value, key)?.['name'];
  return typeof name === 'string' ? `${name} (${key})` : key;
}

/** What servers call the states that people name. */
const states: Readonly<Record<string, string>> = {on: 'true', off: 'false', true: 'true', false: 'false'};

export const stateWord = (value: unknown): string => (value === 'true' ? 'on' : 'off');

/** Turns a setting on or off, unless it is so already. */
export const settingUpdate = operation(
  {...updateSetting, body: {...updateSetting.body, value: field(z.string(), 'on or off', {known: ['on', 'off']})}},
  {
    convert: {
      value(text) {
        const value = states[text.toLowerCase()];
        if (value === undefined) throw new Failure('usage', `A setting is on or off, not "${text}"`);
        return value;
      },
    },
    requests: (input) => [requestFor(updateSetting, input)],
    async send({body = {}}, client) {
      const {key, value} = body;
      const wanted = value === 'true';
      const before = await client.call(listSettings, {});
      if (settingIn(before.value, key)?.['state'] === wanted) return before;
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
