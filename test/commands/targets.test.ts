/** Every command with many targets, from the manifest: whichever way they are given, the same requests come of them. */
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {someOf} from '../contract/sample.js';
import {flagsOf, table as rows} from '../endpoints/table.js';
import {commands as manifest} from '../manifest.js';
import {type Around, expectFailure, nothingFound, runCommand, serverWithNothing} from '../run-command.js';
import {newFolder} from '../new-folder.js';

const folder = newFolder();

/** Commands that ask before they act. */
const asking = new Set(
  JSON.parse((await runCommand(['commands', '--json'])).stdout).commands.flatMap(({command, asks}: {command: string; asks: boolean}) =>
    asks ? command : [],
  ),
);

const commands = manifest
  .filter(({args, flags}) => 'from' in flags && Object.values(args).some(({multiple}) => multiple))
  .map(({id, args, usage}) => {
    const labels = Object.entries(args);
    const target = labels.find(([, {multiple}]) => multiple)?.[0] ?? '';
    const kind = rows.find(({command}) => command === id.replaceAll(':', ' '))?.endpoint.items;
    return {
      words: [
        ...id.split(':'),
        ...labels.filter(([, {multiple}]) => !multiple).map(() => '1'),
        ...flagsOf(id.replaceAll(':', ' ')).map((word) => word.replace('FOLDER', folder)),
      ],
      isAsking: asking.has(`pixelctl ${id.replaceAll(':', ' ')}`),
      targets: target.startsWith('DOMAIN') ? ['a.example', 'b.example'] : ['71', '72'],
      /** A name is no number: that of a tag may be 071. */
      isName: kind?.isSameEverywhere === true && !target.startsWith('DOMAIN'),
      /** As its usage says: then it acts on all. */
      mayLackTargets: String(usage).includes(`[${target}...]`),
    };
  });

async function written(text: string): Promise<string> {
  const file = join(folder, 'targets');
  await writeFile(file, text);
  return file;
}

/** The command that a line begins with. */
const commandIn = (words: readonly string[]) => manifest.find(({id}) => `${words.join(':')}:`.startsWith(`${id}:`));

/** What a dry run would send; of a command that only reads, what it says of its targets where the server has nothing. */
async function requests(words: readonly string[], around: Around = {}): Promise<readonly unknown[]> {
  const isWrite = 'dry-run' in (commandIn(words)?.flags ?? {}) && !words.includes('export');
  if (!isWrite) serverWithNothing();
  const {stdout, stderr, status} = await runCommand([...words, '--json', ...(isWrite ? ['--dry-run'] : [])], around);
  if (isWrite) expect({status, stderr}).toEqual({status: 0, stderr: ''});
  else expect(nothingFound, stderr).toContain(status);
  const printed: unknown = JSON.parse(stdout === '' ? stderr : stdout);
  return isWrite ? Object(printed).requests : [printed].flat();
}

/** An id alone could be of anything. */
const bareIds: readonly (readonly [string, (targets: readonly string[]) => string])[] = [
  ['JSON lines', (targets) => targets.map((id) => `${JSON.stringify({id})}\n`).join('')],
  ['indented JSON', (targets) => targets.map((id) => JSON.stringify({id}, null, 2)).join('\n')],
  ['the data of an answer', (targets) => JSON.stringify({data: targets.map((id) => ({id})), meta: {}})],
  ['CSV', (targets) => `id\n${targets.map((id) => `${id}\n`).join('')}`],
];

const forms: readonly (readonly [string, (targets: readonly string[]) => string])[] = [
  ['lines', (targets) => `${targets.join('\n')}\n`],
  ['lines of Windows', (targets) => `\ufeff${targets.join('\r\n')}\r\n`],
  ['results', (targets) => targets.map((target) => `${JSON.stringify({target, ok: true, body: {id: 'x'}})}\n`).join('')],
  ['a JSON array', (targets) => JSON.stringify(targets)],
  ['CSV of results', (targets) => `error,target\n${targets.map((target) => `"a, b",${target}\n`).join('')}`],
  ['TSV of results', (targets) => `error\ttarget\n${targets.map((target) => `a b\t${target}\n`).join('')}`],
];

test('finds commands with many targets', () => {
  expect(commands.length).toBeGreaterThan(10);
});

describe.each(commands)('$words', ({words, targets, isAsking, isName}) => {
  test('accepts several targets as arguments, from a file and from standard input', async () => {
    const wanted = await requests([...words, ...targets]);
    expect(wanted).toHaveLength(2);
    for (const [index, [form, text]] of someOf([...[...forms, ...(isAsking ? [] : bareIds)].entries()], 4, words.join(' '))) {
      const input = text(targets);
      // How they are given does not depend on their form.
      const [way = [], around] =
        [[['--from', await written(input)]] as const, [['--from', '-'], {input}] as const, [['-'], {input}] as const][index % 3] ?? [];
      expect(await requests([...words, ...way], around), `${way.join(' ')}, ${form}`).toEqual(wanted);
    }
  });

  test.runIf(isAsking)('refuses ids that could be of anything', async () => {
    for (const [form, text] of bareIds) {
      const {status, stderr} = await runCommand([...words, '-', '--yes'], {input: text(targets)});
      expect({status, stderr}, form).toEqual({status: 2, stderr: expect.stringMatching(/only an `id`[^]*nothing was sent/)});
    }
  });

  test('accepts one argument and one target from a file', async () => {
    const [one = '', other = ''] = targets;
    expect(await requests([...words, one])).toHaveLength(1);
    expect(await requests([...words, one, '--from', await written(other)])).toEqual(await requests([...words, one, other]));
  });

  test('refuses table output, and names the format to use', async () => {
    const table = `id   title       created\n${targets.map((id) => `${id}  Film night  2 h ago\n`).join('')}`;
    await expectFailure(2, /looks like a table row[^]*nothing was sent[^]*-o ndjson/, [...words, '-', '--yes'], {input: table});
  });

  test('refuses TSV without a header', async () => {
    await expectFailure(2, /header is missing[^]*nothing was sent[^]*-o ndjson/, [...words, '-', '--yes'], {
      input: targets.map((id) => `${id}\tFilm\n`).join(''),
    });
  });

  test.skipIf(isName)('refuses an id with leading zeros, however it is given', async () => {
    const lines = ['071', '71\n0071\n', '{"id":"071"}', '{"target":"071","ok":true}', 'id\n71\n071\n'];
    for (const [index, input] of someOf([...lines.entries()], 2, words.join(' '))) {
      const way = index % 2 === 0 ? ['--from', await written(input)] : ['-'];
      const {status, stderr} = await runCommand([...words, ...way, '--json'], {input});
      expect({status, stderr}, input).toEqual({status: 2, stderr: expect.stringContaining('nothing was sent')});
    }
    expect(await runCommand([...words, '71', '071', '--yes'])).toMatchObject({status: 2});
    if (words.includes('1'))
      expect(await runCommand([...words.map((word) => word.replace(/^1$/, '01')), '71', '--yes'])).toMatchObject({status: 2});
  });

  test('refuses items of another account', async () => {
    const environment = {PIXELCTL_TOKEN: undefined, PIXELCTL_SERVER: undefined};
    const own = {account: '@ANA@pix.example', item: {target: targets[0], ok: true}};
    const other = {account: 'bo@pix.example', item: {target: targets[1], ok: true}};
    const around = {environment: {...environment, PIXELCTL_CONFIG_DIR: await anaSignedIn()}};
    expect(await requests([...words, '-'], {...around, input: JSON.stringify([own])})).toEqual(
      await requests([...words, '-'], {...around, input: targets[0] ?? ''}),
    );
    await expectFailure(
      2,
      'The list has items of bo@pix.example, but the command acts as ana@pix.example: nothing was sent',
      [...words, '-', '--yes'],
      {...around, input: JSON.stringify([own, other])},
    );
  });
});

test.each(commands.filter(({mayLackTargets}) => !mayLackTargets))('$words requires a target', async ({words}) => {
  await expectFailure(2, /^Error: Missing: [A-Z_|]+\n/, [...words, '--yes']);
});

test.each(commands.filter(({mayLackTargets}) => mayLackTargets))(
  '$words takes an empty list as no targets, not as all',
  async ({words}) => {
    serverWithNothing();
    const {status, stdout, stderr} = await runCommand([...words, '-', '--json'], {input: ''});
    expect({status, stdout}, stderr).toEqual({status: 0, stdout: '[]\n'});
  },
);

test('arguments are not read as JSON or lists', async () => {
  const paths = ['/api/v2/filters/%7B%22id%22:%225%22%7D', '/api/v2/filters/%5B%227%22%5D'].map((path) => decodeURIComponent(path));
  const requested = await requests(['filters', 'delete', '{"id":"5"}', '["7"]']);
  expect(requested.map((request) => decodeURIComponent(Object(request).path))).toEqual(paths);
});

test('a list that is not there is a local error', () =>
  expectFailure(9, `Cannot read the targets in ${folder}/missing: no such file`, ['dm', 'mute', '--from', join(folder, 'missing')]));

// What is an id by its record: test/lib/client/request.test.ts.
const addressed = ['https://pix.example/i/web/profile/071'];

test.each([
  ['dm messages 71 --max-id 05'],
  ['filters update 71 --rename-keyword 05=x'],
  ['report user 071 --type spam'],
  ['posts moderate https://pix.example/p/bob/071 --cw --yes'],
  ...addressed.flatMap((address) => [
    [`blocks add ${address} --yes`],
    [`blocks contains ${address}`],
    [`dm start ${address}`],
    [`dm get ${address}`],
  ]),
])('an id with leading zeros is refused, and nothing is sent: %s', async (line) => {
  expect(await runCommand(line.split(' '))).toMatchObject({status: 2, stdout: ''});
});

test.each([['must'], ['must_not']])('an id with leading zeros is refused in `%s` of a policy', async (rule) => {
  const policy = await written(`version: 1\nblocks:\n  ${rule}: ["071"]\n`);
  await expectFailure(2, '"071" is not an account', ['plan', policy]);
});

/** A folder of profiles of which ana's is active. */
async function anaSignedIn(): Promise<string> {
  const {ProfileStore} = await import('../../src/lib/auth/profile-store.js');
  const {ana} = await import('../lib/auth/ana.js');
  const config = join(folder, 'config');
  await new ProfileStore(config, {storage: 'file'}).save(ana, {accessToken: 'x'});
  return config;
}
