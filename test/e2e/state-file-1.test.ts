/** State files of version 1, as the last pixelctl wrote them that knew no other. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {deviceToken} from '../endpoints/push.js';
import {deskAt, everyKindAndPush, watchedSandbox, type WatchedSandbox} from './policy-server.js';

const state = 'p.yml.state.json';
const later = 'version: 1\ndomain_blocks: {must: [bad.example]}\nmutes: {must: [clara]}\n';

/** A file that version 1 wrote, as if it had been for this server. */
function written(name: string, server: WatchedSandbox): string {
  const text = readFileSync(new URL(`../fixtures/state-files/${name}.json`, import.meta.url), 'utf8');
  const inNinetyDays = new Date(Date.now() + 90 * 86_400_000).toISOString();
  return text
    .replaceAll(/"expiresAt": ?"[^"]*"/g, `"expiresAt": "${inNinetyDays}"`)
    .replaceAll('https://pix.example', server.url)
    .replaceAll('@pix.example', `@${new URL(server.url).host}`);
}

/** An account to which everything was applied, with the state file of today and that of version 1. */
async function applied(server: WatchedSandbox, policies: readonly string[]) {
  await server.meanwhile('POST', '/api/v1.1/push/update', {token: deviceToken, notify_enabled: true, notify_like: true});
  const desk = deskAt(server, {});
  for (const policy of policies) {
    desk.write('p.yml', policy);
    expect(await desk.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  }
  const read = () => readFileSync(join(desk.folder, state), 'utf8');
  return {...desk, read, today: read()};
}

const cases = [
  ['one-apply', [everyKindAndPush]],
  ['two-applies', [everyKindAndPush, later]],
] as const;

/** Without what differs between runs: when an apply was, and so when a filter ends, and the address of the server. */
const comparable = (text: string): string =>
  text.replaceAll(/"(at|since|expiresAt)": ?"[^"]*"|"expires_in":\d+|^ *expires: "2.*$/gm, '').replaceAll(/127\.0\.0\.1:\d+/g, 'here');

test.each(cases)('a state file of version 1 (%s) becomes the one that version 2 writes', async (name, policies) => {
  await using server = await watchedSandbox();
  const {run, write, read, today} = await applied(server, policies);
  write(state, written(name, server));
  expect(await run('state', 'forget', '*bad.example', '--policy', 'p.yml')).toMatchObject({status: 0});
  const forgotten = read();
  expect(JSON.parse(forgotten).version).toBe(2);
  write(state, today);
  expect(await run('state', 'forget', '*bad.example', '--policy', 'p.yml')).toMatchObject({status: 0});
  expect(comparable(forgotten)).toBe(comparable(read()));
});

test.each([
  ['state list', ['state', 'list', '--json']],
  ['plan', ['plan', 'p.yml', '--json']],
  ['audit', ['audit', 'p.yml', '--json']],
  ['apply', ['apply', 'p.yml', '--yes', '--json']],
  ['undo', ['undo', 'p.yml', '--dry-run', '--json']],
  ['state adopt', ['state', 'adopt', '--all', '--policy', 'p.yml', '--json']],
  ['state forget', ['state', 'forget', '--all', '--policy', 'p.yml', '--dry-run', '--json']],
  ['state move', ['state', 'move', '--policy', 'p.yml', '--to-policy', 'q.yml', '--json']],
])('%s does with a state file of version 1 what it does with one of version 2', async (_, args) => {
  const outcomes = [];
  for (const version of [1, 2]) {
    await using server = await watchedSandbox();
    const {run, write} = await applied(server, [everyKindAndPush]);
    if (version === 1) write(state, written('one-apply', server));
    write('p.yml', later);
    const {status, stdout, stderr} = await run(...args);
    outcomes.push({status, stdout: comparable(stdout), stderr: comparable(stderr)});
  }
  expect(outcomes[0]).toEqual(outcomes[1]);
});

test('undo reverts both applies of a state file of version 1, as of one of version 2', async () => {
  const outcomes = [];
  for (const version of [1, 2]) {
    await using server = await watchedSandbox();
    const {run, write, read} = await applied(server, [everyKindAndPush, later]);
    if (version === 1) write(state, written('two-applies', server));
    expect(await run('undo', 'p.yml', '--yes')).toMatchObject({status: 0});
    expect(await run('undo', 'p.yml', '--yes')).toMatchObject({status: 0});
    expect(JSON.parse(read())).toMatchObject({version: 2, records: [{owned: [], applies: []}]});
    const {stdout} = await run('export', '--only', 'domain_blocks,filters,blocks,mutes');
    outcomes.push({writes: server.writes.map(comparable), left: comparable(stdout)});
  }
  expect(outcomes[0]).toEqual(outcomes[1]);
});

test('an apply that was killed under version 1 is continued as one', async () => {
  await using server = await watchedSandbox();
  const {run, start, write, folder} = deskAt(server, {'p.yml': everyKindAndPush});
  await server.meanwhile('POST', '/api/v1.1/push/update', {token: deviceToken, notify_enabled: true, notify_like: true});
  await run('plan', 'p.yml', '--out', 'plan.json');
  const {child, ended} = start('apply', 'plan.json', '--yes');
  server.stepIn = (when, count) => {
    if (when !== 'after' || count !== 11) return undefined;
    child.kill('SIGKILL');
    return 'swallow';
  };
  await ended;
  server.stepIn = () => undefined;
  const digest = /"plan": ?"([^"]*)"/.exec(readFileSync(join(folder, state), 'utf8'))?.[1] ?? '';
  write(state, written('killed', server).replace(/"plan": ?"[^"]*"/, `"plan": "${digest}"`));
  const rest = await run('apply', 'plan.json', '--yes', '--json');
  expect(rest).toMatchObject({status: 0, stderr: ''});
  expect(JSON.parse(rest.stdout)).toMatchObject([{target: 'update push notify_enabled'}]);
  const {version, records} = JSON.parse(readFileSync(join(folder, state), 'utf8'));
  expect(version).toBe(2);
  expect(records[0].applies).toHaveLength(1);
  expect(records[0].owned.map(({kind, id}: {kind: string; id?: string}) => [kind, id])).toContainEqual(['filter', '4']);
});

test('a state file of a later version is refused', async () => {
  await using server = await watchedSandbox();
  const {run, write} = deskAt(server, {'p.yml': later});
  write(state, JSON.stringify({version: 3, records: []}));
  expect(await run('plan', 'p.yml')).toMatchObject({
    status: 9,
    stderr: expect.stringContaining('is not a state file that this version can read'),
  });
});
