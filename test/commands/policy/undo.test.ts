/** Undos one after the other: a filter that one of them makes again has another id, which earlier applies have to know. */
import {expect, test} from 'vitest';
import {watchedSandbox} from '../../policy-desk.js';
import {deskAt} from './desk.js';
import {failureIn} from '../../told-failure.js';

const withFilter = 'version: 1\nfilters: {must: [{title: Ads, context: [home], keywords: [buy]}]}';
const without = 'version: 1';
const forbidden = 'version: 1\nfilters: {must_not: [Ads, Advertising]}';

/** A folder with a policy, beside the demo. */
async function desk() {
  const server = await watchedSandbox();
  const {run, write} = deskAt(server, {});
  const sent = async (...args: readonly string[]) => {
    const ended = await run(...args, '--yes', '--json', '--retries', '0');
    expect(ended).toMatchObject({status: 0});
    return ended;
  };
  const filters = async (): Promise<{readonly id: string; readonly title: string}[]> =>
    JSON.parse((await run('filters', 'list', '--json')).stdout);
  return {
    server,
    run,
    write,
    filters,
    exported: async () => (await run('export', '--only', 'filters')).stdout,
    idOf: async (title: string) => (await filters()).find((one) => one.title === title)?.id ?? '',
    owned: async (): Promise<string[]> =>
      JSON.parse((await run('state', 'list', 'p.yml', '--json')).stdout).map(({id}: {readonly id: string}) => id),
    undo: () => sent('undo', 'p.yml'),
    async apply(policy: string) {
      write('p.yml', policy);
      await sent('apply', 'p.yml');
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test('an apply removes a filter that an undo made again, and only the last apply is undone', async () => {
  await using place = await desk();
  const before = await place.exported();
  await place.apply(withFilter);
  const first = await place.idOf('Ads');
  await place.apply(forbidden);
  await place.undo();
  const again = await place.idOf('Ads');
  expect(again).not.toBe(first);
  expect(await place.owned()).toEqual([again]);
  const sent = place.server.writes.length;
  expect(await place.undo()).toMatchObject({stdout: '[]\n'});
  expect(place.server.writes).toHaveLength(sent);
  await place.apply(without);
  expect(await place.exported()).toBe(before);
  expect(await place.owned()).toEqual([]);
});

test('an undo after an interrupted one knows the filters that it made', async () => {
  await using place = await desk();
  const before = await place.exported();
  await place.apply(withFilter);
  await place.apply(without);
  place.server.stepIn = (when) => (when === 'after' ? {status: 503, text: ''} : undefined);
  expect(await place.run('undo', 'p.yml', '--yes', '--retries', '0')).toMatchObject({status: 11});
  place.server.stepIn = () => undefined;
  expect(await place.undo()).toMatchObject({stdout: '[]\n'});
  expect(await place.owned()).toEqual([await place.idOf('Ads')]);
  await place.apply(without);
  expect(await place.exported()).toBe(before);
});

test('an undo that nobody can confirm prints nothing but the refusal, and one with nothing to revert asks nothing', async () => {
  await using place = await desk();
  place.write('p.yml', 'version: 1\nblocks: {must: [bob]}\ndomain_blocks: {must: [bad.example]}\n');
  expect(await place.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  const {status, stdout, stderr} = await place.run('undo', 'p.yml', '--json');
  expect({status, stdout}).toEqual({status: 2, stdout: ''});
  expect(failureIn(stderr).message).toBe('Confirmation needs a terminal: nothing was sent');
  expect((await place.run('undo', 'p.yml')).stderr).toMatch(/^Error: Confirmation needs a terminal/);
  await place.run('domain-blocks', 'remove', 'bad.example');
  await place.run('blocks', 'remove', '@bob');
  expect(await place.run('undo', 'p.yml', '--json')).toMatchObject({status: 0});
});
