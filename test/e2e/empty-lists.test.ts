/** CSV and TSV of empty lists of several accounts: the header is that of one account, behind the column of the account. */
import {expect, test} from 'vitest';
import {takesSeveral} from '../../src/lib/cli/endpoint/spec.js';
import {endpointCommands} from '../endpoint-commands.js';
import {serverThat} from './server.js';
import {anaAndBobOn} from './signing-in.js';

const lists = (await endpointCommands()).filter(({spec}) => takesSeveral(spec) && spec.endpoint.view?.kind === 'list');

test.each(lists)('$command of two accounts without items', async ({command, spec: {endpoint}}) => {
  const items = (endpoint.rows ?? []).reduceRight<unknown>((inner, name) => ({[name]: inner}), []);
  await using server = await serverThat(() => ({text: JSON.stringify(items)}));
  const machine = await anaAndBobOn(server);
  const header = async (...flags: readonly string[]) => (await machine.run([...command.split(' '), '-o', 'csv', ...flags])).stdout;
  const one = await header('-p', 'ana');
  expect(one).toMatch(/^[a-z_,]+\r\n$/);
  const both = `account,${one.replace(/\baccount\b/, 'item.account')}`;
  expect(await header('-p', 'ana,bob')).toBe(both);
  if (endpoint.paging !== undefined) expect(await header('-p', 'ana,bob', '--all')).toBe(both);
  expect(await header('-p', 'ana,bob', '--fields', 'id,note')).toBe('account,id,note\r\n');
});
