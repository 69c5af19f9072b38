/** The sandbox answers as the records say: what programs are tried against must not depart from the documentation. */
import {expect, test} from 'vitest';
import {isList} from '../../src/lib/cli/endpoint/spec.js';
import {endpointCommands} from '../endpoint-commands.js';
import {sandboxToken} from '../endpoints/table.js';
import {startSandbox} from '../sandbox/start.js';
import {conversation} from './demo-world.js';
import {run} from './in-process.js';

const {id} = conversation('bob');
const targets: Readonly<Record<string, string>> = {'dm messages': id, 'dm lookup': 'bob'};
const lists = (await endpointCommands()).filter(({spec: {endpoint}}) => isList(endpoint));

test.each(lists)('$command --all --strict is taken from the sandbox', async ({command, spec: {endpoint}}) => {
  const words = command.split(' ');
  const sandbox = await startSandbox({limitsRate: false});
  const env = {PIXELCTL_SERVER: sandbox.url, PIXELCTL_TOKEN: sandboxToken(words)};
  const line = [...words, ...(targets[command] === undefined ? [] : [targets[command]]), '--strict', '--quiet', '-o', 'ndjson'];
  const {status, stderr} = await run(endpoint.paging === undefined ? line : [...line, '--all'], {env});
  await sandbox.close();
  expect({status, stderr}).toEqual({status: 0, stderr: ''});
});
