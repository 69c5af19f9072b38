/**
 * Adds three endpoints, with a kind of object of their own, two sections of policies, a format of reports and two flags to a copy of the project, by the
 * recipes in CONTRIBUTING: the files in `test/fixtures/new-endpoint`, one file and a line in a list for each section, a file and what it says for the format, the lines
 * of the flags, and `npm run generate`, and nothing else. All checks
 * must pass there, the package must be whole, and the tests of what records are for; every command that goes over sections must know the new ones.
 * `npm run test:endpoint` runs all tests there, which takes as long as all tests here.
 */
import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {ProjectCopy} from '../../scripts/project-copy.js';
import {startSandbox} from '../../src/lib/sandbox/server.js';
import {buildOf, runBuild, type Build} from './in-process.js';
import {deskAt, type Desk} from './policy-server.js';
import {newFolder, root, startProgram} from './program.js';
import {pass, serverThat} from './server.js';
import {machineWith, profileOn} from './signing-in.js';

let copy: ProjectCopy;
let build: Build;
/** The package that is made from the copy, unpacked. */
let unpacked: string;
const list = 'src/lib/policy/sections/index.ts';

/** A flag of a command that is no endpoint's, with what it does, and a field of a request. */
const flagLines = [
  ['src/commands/diff.ts', "import {Args} from '@oclif/core';", "import {Args, Flags} from '@oclif/core';"],
  [
    'src/commands/diff.ts',
    'flags: listFlags,',
    "flags: {...listFlags, count: Flags.boolean<boolean>({description: 'say only how many differences there are'})},",
  ],
  [
    'src/lib/cli/policy/diff.ts',
    'printDiff(first: string, second: string | undefined, {flags, session}: PolicyRun)',
    'printDiff(\n  first: string,\n  second: string | undefined,\n  {flags, session}: PolicyRun<PolicyFlags & {readonly count: boolean}>,\n)',
  ],
  [
    'src/lib/cli/policy/diff.ts',
    '  await printDocument(document,',
    '  if (flags.count) return session.note(`Differences: ${document.differences.length}`);\n  await printDocument(document,',
  ],
  [
    'src/lib/api/blocks.ts',
    'query: {limit, page},',
    "query: {limit, page, since: z.optional(field(z.string(), 'only those blocked since this day'))},",
  ],
] as const;
const words = 'src/lib/policy/sections/reference.ts';
beforeAll(async () => {
  copy = new ProjectCopy('new-endpoint', 'new-report-format', 'new-section');
  copy.replace(
    list,
    "import {mutes} from './mutes.js';",
    "import {fadedTags} from './faded-tags.js';\nimport {hiddenTags} from './hidden-tags.js';\nimport {mutes} from './mutes.js';",
  );
  copy.replace(list, 'mutes, push, config]', 'mutes, push, config, hiddenTags, fadedTags]');
  copy.replace(words, 'import {filtersWords}', "import {fadedTagsWords} from './faded-tags.js';\nimport {filtersWords}");
  copy.replace(words, '  mutes: {},', "  mutes: {},\n  hidden_tags: namedSetWords('hidden_tags', 'spam'),\n  faded_tags: fadedTagsWords,");
  for (const [file, before, after] of flagLines) copy.replace(file, before, after);
  const place = newFolder();
  // It begins with `npm run generate`.
  const packed = copy.run('npm', 'pack', '--silent', '--pack-destination', place);
  if (packed.status !== 0) throw new Error(packed.output);
  execFileSync('tar', ['-xf', join(place, readdirSync(place)[0] ?? ''), '-C', place]);
  unpacked = join(place, 'package');
  build = await buildOf(copy.folder);
});
afterAll(() => copy.remove());

/** A sandbox that also hides tags, and fades some, for those who may. */
async function tagServer(hidden: readonly string[], fading: Readonly<Record<string, string>> = {}, users: readonly string[] = ['ana']) {
  const sandbox = await startSandbox({seed: {accounts: users.map((acct) => ({acct}))}});
  const [tags, faded] = [new Set(hidden), new Map(Object.entries(fading))];
  const admins = new Set([sandbox.tokens.all]);
  const server = await serverThat(async (received) => {
    const [, name] = /^\/api\/v1\/(hidden|faded)_tags/.exec(received.target) ?? [];
    if (name === undefined) return pass(received, sandbox.url);
    if (!admins.has((received.headers['authorization'] ?? '').slice('Bearer '.length)))
      return {status: 403, text: '{"error": "You must be an administrator to do that"}'};
    const {tag = '', strength = ''}: {tag?: string; strength?: string} =
      received.body.length > 0 ? JSON.parse(received.body.toString()) : {};
    const own = name === 'hidden' ? tags : faded;
    if (received.method === 'DELETE') own.delete(tag);
    else if (received.method !== 'GET' && name === 'hidden') tags.add(tag);
    else if (received.method !== 'GET') faded.set(tag, strength);
    return {text: JSON.stringify(name === 'hidden' ? [...tags] : Array.from(faded, ([one, how]) => ({tag: one, strength: how})))};
  }, sandbox.tokens.all);
  return {
    ...server,
    tags,
    faded,
    grant: (name: string, ...scopes: readonly string[]) => sandbox.grant(name, scopes),
    admins,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await sandbox.close();
    },
  };
}

/** Runs the program of the copy in a folder. */
function programAt({folder}: Desk, env: Record<string, string>) {
  const run = (...args: string[]) => runBuild(build, args, {env, folder});
  return {run, json: async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout)};
}

const policy = (rules: string) => `version: 1\nhidden_tags: ${rules}\ndomain_blocks: {must: [bad.example]}\n`;

test('new endpoints, sections, a format and flags take a few files and the lines of sections and flags, and pass the checks', () => {
  const {status, output} = copy.run('npm', 'run', '-s', 'check');
  expect(status, output).toBe(0);
  expect(copy.added).toEqual([
    'src/commands/tags/follow.ts',
    'src/commands/tags/list.ts',
    'src/commands/tags/unfollow.ts',
    'src/lib/api/kinds/tag.ts',
    'src/lib/api/tags.ts',
    'src/lib/policy/reports/formats/subjects.ts',
    'src/lib/policy/sections/faded-tags.ts',
    'src/lib/policy/sections/hidden-tags.ts',
    'src/lib/sandbox/routes/tags.ts',
    'test/endpoints/tags.ts',
    'test/fixtures/reports/whole/subjects.txt',
  ]);
  const changed = [...copy.added, list, words, ...flagLines.map(([file]) => file)];
  expect(copy.changedByHand()).toEqual([...new Set(changed)].sort());
});

test('npm pack in a clean checkout makes a complete package', () => {
  const packed = readdirSync(unpacked, {recursive: true});
  const made = ['bundle', 'man'].flatMap((folder) => readdirSync(join(root, folder), {recursive: true}).map((file) => `${folder}/${file}`));
  const others = ['bin/run.js', 'ci/audit.sh', 'CHANGELOG.md', 'LICENSE', 'README.md', 'oclif.manifest.json'];
  expect(packed).toEqual(expect.arrayContaining([...made, ...others, 'package.json', 'man/pixelctl-tags.1']));
  // No command reads the documentation.
  expect(packed).not.toContain('docs');
});

describe('new endpoints', () => {
  test('are completed by the package, under the title of their group', async () => {
    const args = [join(unpacked, 'bin/run.js'), '__complete', 'fish', '0', ''];
    const ended = await startProgram(process.execPath, args, {}).ended;
    expect(ended).toMatchObject({status: 0, stdout: expect.stringContaining('tags\tTags that you follow\n')});
  });

  test('pass the contract tests that go over all records', () => {
    const {status, output} = copy.run('vitest', 'run', '--reporter=dot', 'test/contract/table.test.ts', 'test/contract/request.test.ts');
    expect(status, output).toBe(0);
    expect(output).toMatch(/\d passed/);
  });

  test('are in the reference, under the title of their group', () => {
    const page = copy.read('docs/reference/tags.md');
    expect(page).toContain('# tags\n\nTags that you follow\n');
    expect(page).toContain('## pixelctl tags follow');
    expect(copy.read('docs/reference/endpoints.md')).toContain('`POST /api/v1/tags/{name}/follow`');
  });
});

describe('a new kind of object', () => {
  const env = {PIXELCTL_SERVER: 'https://pix.example', PIXELCTL_TOKEN: 'x'};
  const tags = (stdin: string, ...args: string[]) => runBuild(build, ['tags', ...args], {env, stdin});

  test('is piped by what names it, and is part of no path but its own', async () => {
    const list = '[{"name": "harbour", "url": "https://pix.example/discover/tags/harbour", "history": [], "following": true}]';
    const {status, stdout} = await tags(list, 'unfollow', '-', '--dry-run');
    expect({status, stdout}).toEqual({status: 0, stdout: expect.stringContaining('/api/v1/tags/harbour/unfollow\n')});
    const named = await tags('Tag;why\nlow tide;x\nsunset;y\n', 'follow', '-', '--column', 'why', '--dry-run');
    expect(named).toMatchObject({status: 0, stdout: expect.stringContaining('/api/v1/tags/y/follow\n')});
    expect(await tags('{"id": "5", "title": "x", "keywords": []}', 'follow', '-', '--dry-run')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(
        'looks like a filter, not a tag: nothing was sent\nHint: name the column or member that holds a tag: --column NAME',
      ),
    });
    for (const odd of ['..', '.', '', 'low tide'])
      expect(await tags('', 'follow', odd)).toMatchObject({status: 2, stderr: expect.stringContaining('Error: name cannot be ')});
  });

  test('has a schema of its own in the OpenAPI document', () => {
    const {components, paths} = JSON.parse(copy.read('docs/reference/openapi.json'));
    expect(Object.keys(components.schemas.Tag.properties)).toEqual(['name', 'url', 'history', 'following']);
    const {responses} = paths['/api/v1/followed_tags'].get;
    expect(responses['2XX'].content['application/json'].schema.items).toEqual({$ref: '#/components/schemas/Tag'});
  });
});

test.each([
  {
    mistake: 'a kind without a part',
    file: 'src/lib/api/kinds/tag.ts',
    change: ["  elsewhere: 'the same',\n", ''],
    script: 'transpile',
    message: /kinds\/tag\.ts.*'elsewhere' is missing/,
  },
  {
    mistake: 'a kind under another name than that of its file',
    file: 'src/lib/api/kinds/tag.ts',
    change: ['export const tagKind:', 'export const label:'],
    script: 'generate',
    message: /kinds\/tag\.ts exports no kind of that name: write `export const tagKind: ObjectKind =/,
  },
  {
    mistake: 'a record under another name than its own',
    file: 'src/lib/api/tags.ts',
    change: ["name: 'list tags'", "name: 'list all tags'"],
    script: 'generate',
    message: /api\/tags\.ts: "list all tags" is exported as listTags: call it listAllTags/,
  },
] as const)('$mistake is found', ({file, change: [before, after], script, message}) => {
  const text = copy.read(file);
  copy.replace(file, before, after);
  try {
    const {status, output} = copy.run('npm', 'run', '-s', script);
    expect(status).not.toBe(0);
    expect(output).toMatch(message);
  } finally {
    copy.replace(file, copy.read(file), text);
  }
});

describe('a new format of reports', () => {
  const domains = 'version: 1\ndomain_blocks: {must: [bad.example, worse.example]}\n';

  test('is written, and named by help and the reference', async () => {
    await using server = await tagServer([]);
    const desk = deskAt(server, {'p.yml': domains});
    const {run} = programAt(desk, server.env);
    expect(await run('audit', 'p.yml', '--report', 'subjects=out.list')).toMatchObject({status: 10});
    expect(readFileSync(join(desk.folder, 'out.list'), 'utf8')).toBe('bad.example\nworse.example\n');
    expect((await run('audit', 'p.yml', '--report', 'subjects')).stderr).toContain('--report subjects=audit.list');
    expect((await run('audit', '--help')).stdout).toMatch(/junit,\s+markdown,\s+sarif,\s+subjects\s+or\s+thresholds/);
    expect(copy.read('docs/reference/audit.md')).toContain('subjects (.list): what differs, one subject on each line');
  });

  test('is completed by the package', async () => {
    const args = [join(unpacked, 'bin/run.js'), '__complete', 'fish', '2', 'audit', '--report', 'sub'];
    const ended = await startProgram(process.execPath, args, {}).ended;
    expect(ended).toMatchObject({status: 0, stdout: expect.stringContaining('subjects=')});
  });

  test('passes the tests that go over all formats', () => {
    const {status, output} = copy.run('vitest', 'run', '--reporter=dot', 'test/lib/policy/reports');
    expect(status, output).toBe(0);
  });
});

describe('new flags', () => {
  test('have an effect, and are in help and the reference', async () => {
    await using server = await tagServer([]);
    const {run} = programAt(deskAt(server, {'p.yml': 'version: 1\ndomain_blocks: {must: [bad.example]}\n'}), server.env);
    expect(await run('diff', 'p.yml', '--count')).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringContaining('Differences: 1\n'),
    });
    expect((await run('blocks', 'list', '--help')).stdout).toMatch(/--since=\S+ +only those blocked since this day/);
    await run('blocks', 'list', '--since', '2026-11-20');
    expect(server.exchanges.map(({received}) => received.target)).toContain('/api/v1/blocks?since=2026-11-20');
    expect(copy.read('docs/reference/diff.md')).toContain('`--count`');
    expect(copy.read('docs/reference/openapi.json')).toContain('only those blocked since this day');
  });
});

describe('a new section of policies', () => {
  test('is in the reference', () => {
    expect(copy.read('docs/reference/policy.schema.json')).toContain('tags that the server leaves out of trends');
    for (const command of ['apply', 'undo'])
      expect(copy.read(`docs/reference/${command}.md`)).toContain('POST and DELETE /api/v1/hidden_tags');
  });

  test('a new section of policies is known to the package', async () => {
    await using server = await tagServer(['old']);
    const {folder} = deskAt(server, {'p.yml': 'version: 1\nhidden_tags: {must: [news]}\n'});
    const args = [join(unpacked, 'bin/run.js'), 'plan', 'p.yml'];
    const ended = await startProgram(process.execPath, args, {env: server.env, folder}).ended;
    expect(ended).toMatchObject({status: 10, stdout: expect.stringContaining('+ hidden tag news')});
  });

  test('is planned, applied, audited, explained, compared, exported and reverted', async () => {
    await using server = await tagServer(['spam', 'old']);
    const desk: Desk = deskAt(server, {'p.yml': policy('{must: ["#News", old], must_not: [spam]}')});
    const {run, json} = programAt(desk, server.env);

    const {changes} = await json('plan', 'p.yml', '--out', 'plan.json');
    expect(changes.map(({action, kind, subject}: Record<string, string>) => `${action} ${kind} ${subject}`)).toEqual([
      'add domain_block bad.example',
      'add hidden_tag news',
      'remove hidden_tag spam',
    ]);
    expect(await run('audit', 'p.yml')).toMatchObject({status: 10, stderr: expect.stringContaining('2 hidden tags')});
    expect(await run('explain', '#news', '--policy', 'p.yml')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('must be hidden'),
    });
    desk.write('q.yml', policy('{must: [news]}'));
    expect((await json('diff', 'p.yml', 'q.yml')).differences).toEqual([{kind: 'hidden_tag', subject: 'old', left: 'hidden', right: null}]);

    expect(await run('apply', 'plan.json', '--yes')).toMatchObject({status: 0, stdout: expect.stringContaining('add hidden tag news')});
    expect([...server.tags].sort()).toEqual(['news', 'old']);
    expect(await run('audit', 'p.yml')).toMatchObject({status: 0});
    expect((await run('export', '--only', 'hidden_tags')).stdout).toContain('hidden_tags:\n  must:\n    - news\n    - old\n');

    const {host} = new URL(server.url);
    const {records} = JSON.parse(readFileSync(join(desk.folder, 'p.yml.state.json'), 'utf8'));
    expect(records[1].owned).toMatchObject([{owner: host, kind: 'hidden_tag', subject: 'news', made: true}]);
    expect(records[1].applies[0].items).toContainEqual({owner: host, kind: 'hidden_tag', subject: 'spam', was: true});
    expect(await json('state', 'list')).toMatchObject([{kind: 'domain_block'}, {kind: 'hidden_tag', subject: 'news'}]);
    expect(await run('state', 'adopt', 'p.yml', 'old')).toMatchObject({status: 0});
    expect((await json('state', 'list')).map(({subject}: {subject: string}) => subject)).toEqual(['bad.example', 'news', 'old']);

    desk.write('p.yml', policy('{must: []}'));
    expect(await run('audit', 'p.yml', '--report', 'markdown=report.md')).toMatchObject({status: 10});
    expect(readFileSync(join(desk.folder, 'report.md'), 'utf8')).toContain('hidden-tags remove old');
    expect(await run('apply', 'p.yml', '--yes', '--only', 'hidden_tags')).toMatchObject({status: 0});
    expect([...server.tags]).toEqual([]);

    for (const left of [
      ['news', 'old'],
      ['old', 'spam'],
    ]) {
      expect(await run('undo', 'p.yml', '--yes')).toMatchObject({status: 0});
      expect([...server.tags].sort()).toEqual(left);
    }
  });

  test('is backed up and restored', async () => {
    await using server = await tagServer(['old'], {spam: 'weak'});
    const {run, json} = programAt(deskAt(server, {}), server.env);
    // No other tool takes these lists: the policy has them, and the server's own JSON.
    const kept = await json('backup', '--to', 'kept', '--admin', '--no-messages');
    for (const list of ['hidden_tags', 'faded_tags']) {
      const files = [`${list}.json`, 'server.yml'].map((file) => expect.stringContaining(file));
      expect(kept).toContainEqual(expect.objectContaining({list, items: 1, files}));
    }
    server.tags.clear();
    server.faded.clear();
    expect(await run('restore', 'kept', '--only', 'hidden_tags,faded_tags', '--yes')).toMatchObject({status: 0});
    expect(server.tags).toEqual(new Set(['old']));
    expect(server.faded).toEqual(new Map([['spam', 'weak']]));
  });

  test('has values that are changed, and go back to what they were', async () => {
    await using server = await tagServer([], {news: 'weak', old: 'full'});
    const rules = (...must: string[]) => `version: 1\nfaded_tags: {must: [${must.join(', ')}]}\n`;
    const desk: Desk = deskAt(server, {
      'p.yml': rules('{tag: news, strength: strong}', '{tag: old, strength: weak}', '{tag: spam, strength: weak}'),
      'q.yml': rules('{tag: news, strength: weak}', 'old', '{tag: spam, strength: weak}'),
    });
    const {run, json} = programAt(desk, server.env);
    const faded = () => Object.fromEntries([...server.faded].sort());
    const owned = () =>
      JSON.parse(readFileSync(join(desk.folder, 'p.yml.state.json'), 'utf8')).records.flatMap((one: {owned: object[]}) => one.owned);
    const apply = async (...must: string[]) => {
      desk.write('p.yml', rules(...must));
      expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    };

    // What the policy did not make is only ever made stronger.
    const planned = await run('plan', 'p.yml', '--out', 'plan.json');
    expect(planned).toMatchObject({status: 10, stderr: expect.stringContaining('faded tag old: it is full already')});
    expect(planned.stdout).toContain('+ faded tag spam: weak  # faded_tags.must: p.yml:2\n~ faded tag news: weak -> strong  # ');
    expect(await json('plan', 'p.yml')).toMatchObject({
      changes: [
        {action: 'add', subject: 'spam', details: {strength: 'weak'}},
        {action: 'update', subject: 'news', details: {before: 'weak', after: 'strong'}},
      ],
      skipped: [{subject: 'old'}],
    });
    expect((await json('audit', 'p.yml')).findings).toMatchObject([
      {subject: 'news', wanted: 'strong', actual: 'weak'},
      {subject: 'spam', wanted: 'faded', actual: 'not faded'},
    ]);
    expect((await json('diff', 'p.yml', 'q.yml')).differences).toEqual([
      {kind: 'faded_tag', subject: 'news', left: 'strong', right: 'weak'},
      {kind: 'faded_tag', subject: 'old', left: 'weak', right: 'full'},
    ]);
    expect(await json('explain', '#news', '--policy', 'p.yml')).toContainEqual(
      expect.objectContaining({kind: 'faded_tag', actual: 'weak', there: true, wanted: true}),
    );

    // A plan file that shows another value than there is does not fit.
    server.faded.set('news', 'strong');
    expect(await run('apply', 'plan.json', '--yes')).toMatchObject({status: 5});
    server.faded.set('news', 'weak');
    expect(await run('apply', 'plan.json', '--yes')).toMatchObject({status: 0, stdout: expect.stringContaining('update faded tag news')});
    expect(faded()).toEqual({news: 'strong', old: 'full', spam: 'weak'});
    const {host: owner} = new URL(server.url);
    const news = {owner, kind: 'faded_tag', subject: 'news', made: 'strong', was: 'weak'};
    expect(owned()).toMatchObject([news, {owner, kind: 'faded_tag', subject: 'spam'}]);
    expect(await json('state', 'list')).toMatchObject([{subject: 'news', was: 'weak'}, {subject: 'spam'}]);
    expect(await run('apply', 'plan.json', '--yes')).toMatchObject({status: 0});
    expect((await run('export', '--only', 'faded_tags')).stdout).toContain('- tag: news\n      strength: strong\n');

    // What it made follows it in both directions; what it changed goes no lower than it was.
    await apply('{tag: news, strength: weak}', 'spam');
    expect(faded()).toEqual({news: 'weak', old: 'full', spam: 'full'});
    expect(owned()).toMatchObject([{owner, kind: 'faded_tag', subject: 'spam'}]);
    await apply('news', '{tag: spam, strength: weak}');
    expect(faded()).toEqual({news: 'full', old: 'full', spam: 'weak'});

    // What is dropped goes back to what it was.
    await apply();
    expect(faded()).toEqual({news: 'weak', old: 'full'});
    expect(owned()).toEqual([]);
    for (const before of [
      {news: 'full', old: 'full', spam: 'weak'},
      {news: 'weak', old: 'full', spam: 'full'},
      {news: 'strong', old: 'full', spam: 'weak'},
      {news: 'weak', old: 'full'},
    ]) {
      expect(await run('undo', 'p.yml', '--yes')).toMatchObject({status: 0});
      expect(faded()).toEqual(before);
    }
    expect(owned()).toEqual([]);
  });

  test('counts a weaker value among the removals', async () => {
    const names = Array.from({length: 30}, (_, index) => `tag${index}`);
    await using server = await tagServer([], Object.fromEntries(names.map((name) => [name, 'weak'])));
    const desk: Desk = deskAt(server, {'p.yml': `version: 1\nfaded_tags: {must: [${names.join(', ')}]}\n`});
    const {run, json} = programAt(desk, server.env);
    expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    desk.write('p.yml', 'version: 1\nfaded_tags: {must: []}\n');
    expect(await json('plan', 'p.yml')).toMatchObject({guard: {removals: 30}});
    expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 5});
    expect(await run('apply', 'p.yml', '--yes', '--allow-removals', '30')).toMatchObject({status: 0});
    expect(new Set(server.faded.values())).toEqual(new Set(['weak']));
  });
});

describe('a section of what the accounts of a server share', () => {
  const text = (tags: string) => `version: 1\nhidden_tags: {must: [${tags}]}\ndomain_blocks: {must: [bad.example]}\n`;

  /** A server with two accounts, of which bob is an admin with two profiles, and one with clara, who is none. */
  async function desks() {
    const [one, two] = [await tagServer(['old'], {}, ['ana', 'bob']), await tagServer([], {}, ['clara'])];
    const ordinary = ['read', 'write'];
    const profile = (server: typeof one, name: string, own: object = {}) =>
      [
        profileOn(server.url, {name, account: {id: name, acct: name}, scopes: ordinary, ...own}),
        {accessToken: server.grant(name, ...ordinary)},
      ] as const;
    const admin = (acct: string) => {
      const accessToken = one.grant(acct, ...ordinary, 'admin:read');
      const own = {name: `${acct}+admin`, account: {id: acct, acct}, isAdmin: true};
      return {accessToken, saved: [profileOn(one.url, own), {accessToken}] as const};
    };
    const [anas, bobs] = [admin('ana'), admin('bob')];
    one.admins.add(bobs.accessToken);
    const machine = await machineWith(profile(one, 'ana'), profile(one, 'bob'), anas.saved, bobs.saved, profile(two, 'clara'));
    const desk: Desk = deskAt(one, {'p.yml': text('news')});
    const hosts = {one: new URL(one.url).host, two: new URL(two.url).host};
    return {
      ...programAt(desk, machine.env),
      one,
      two,
      hosts,
      desk,
      /** Makes ana an admin, too. */
      promote: () => one.admins.add(anas.accessToken),
      states: () =>
        readdirSync(desk.folder)
          .filter((name) => name.endsWith('.state.json'))
          .sort(),
      async [Symbol.asyncDispose]() {
        await one[Symbol.asyncDispose]();
        await two[Symbol.asyncDispose]();
      },
    };
  }

  test('is planned and applied once a server, by the first profile that may', async () => {
    await using all = await desks();
    const {hosts, json, one, run} = all;
    const ofOne = ['-p', 'ana,bob,ana+admin,bob+admin'];
    const plan = await json('plan', 'p.yml', ...ofOne);
    const file = `p.yml.@${hosts.one.replace(':', '-')}.state.json`;
    const subjects = (changes: readonly {subject: string}[]) => changes.map(({subject}) => subject);
    expect(plan.map(({account, changes}: {account: string; changes: {subject: string}[]}) => [account, subjects(changes)])).toEqual([
      ['@ana', ['bad.example']],
      ['@bob', ['bad.example']],
      [hosts.one, ['news']],
    ]);
    const told = await run('plan', 'p.yml', ...ofOne);
    expect(told.stdout).toContain(`${hosts.one}: 1 to add\n+ hidden tag news`);
    expect(told.stderr).toContain(`once, with the profile bob+admin; not with ana, bob, ana+admin.`);

    // Where none may, that server alone is left out.
    const applied = await run('apply', 'p.yml', '--all-profiles', '--yes');
    expect(applied).toMatchObject({status: 11, stderr: expect.stringContaining(`${hosts.two}: None of the profiles in use may read`)});
    expect(one.tags).toEqual(new Set(['old', 'news']));
    expect(all.states()).toEqual([file, ...['ana', 'bob', 'clara'].map((name) => expect.stringContaining(`p.yml.${name}@`))]);
    expect(JSON.parse(readFileSync(join(all.desk.folder, file), 'utf8')).records).toMatchObject([
      {server: one.url, owned: [{owner: hosts.one, kind: 'hidden_tag', subject: 'news'}]},
    ]);
    expect(await json('state', 'list', '--account', hosts.one)).toMatchObject([{subject: 'news', account: hosts.one}]);
    expect(await run('audit', 'p.yml', ...ofOne)).toMatchObject({status: 0});

    // Another admin goes on where the first one stopped, and reverts what was done last.
    all.promote();
    all.desk.write('p.yml', text('spam'));
    const planned = await run('plan', 'p.yml', '-p', 'ana,ana+admin', '--out', 'plan.json');
    expect(planned).toMatchObject({status: 10, stdout: expect.stringContaining('- hidden tag news')});
    expect(await run('apply', 'plan.json', '-p', 'ana,ana+admin', '--yes')).toMatchObject({status: 0});
    expect(one.tags).toEqual(new Set(['old', 'spam']));
    // One account alone knows it, too.
    expect(await run('plan', 'p.yml', '-p', 'bob+admin')).toMatchObject({status: 0});
    expect(await run('plan', 'p.yml', '-p', 'bob')).toMatchObject({status: 3});
    expect(await run('plan', 'p.yml', '-p', 'bob', '--only', 'domain_blocks')).toMatchObject({status: 0});
    expect(await run('undo', 'p.yml', '-p', 'bob,bob+admin', '--yes')).toMatchObject({status: 0});
    expect(one.tags).toEqual(new Set(['old', 'news']));
  });

  test('is not undone by another admin who uses the same file alone', async () => {
    await using all = await desks();
    const {json, one, run} = all;
    all.promote();
    const rest = ['--only', 'hidden_tags', '--yes'];
    expect(await run('apply', 'p.yml', '-p', 'ana+admin', ...rest)).toMatchObject({status: 0});
    expect(await run('apply', 'p.yml', '-p', 'bob+admin', '--yes')).toMatchObject({status: 0});
    expect(all.states()).toEqual(['p.yml.state.json']);
    const {records} = JSON.parse(readFileSync(join(all.desk.folder, 'p.yml.state.json'), 'utf8'));
    expect(records.map(({account}: {account?: string}) => account)).toEqual(['@ana', '@bob', undefined]);
    all.desk.write('p.yml', text('spam'));
    expect(await run('apply', 'p.yml', '-p', 'bob+admin', ...rest)).toMatchObject({status: 0});
    expect(one.tags).toEqual(new Set(['old', 'spam']));
    all.desk.write('p.yml', text('spam, more'));
    expect(await run('apply', 'p.yml', '-p', 'ana+admin', ...rest)).toMatchObject({status: 0});
    expect(one.tags).toEqual(new Set(['old', 'spam', 'more']));
    for (const left of [['old', 'spam'], ['old', 'news'], ['old', 'news'], ['old']]) {
      expect(await run('undo', 'p.yml', '-p', 'bob+admin', '--yes')).toMatchObject({status: 0});
      expect([...one.tags].sort()).toEqual([...left].sort());
    }
    expect(await json('state', 'list', 'p.yml')).toEqual([]);
  });

  test('has the same rules for all accounts of a server', async () => {
    await using all = await desks();
    const {hosts, run} = all;
    const rules = (name: string, tags: string) => `  ${name}@${hosts.one}: {hidden_tags: {must: [${tags}]}}\n`;
    all.desk.write('p.yml', `version: 1\nfor:\n${rules('ana', 'news')}${rules('bob', 'spam')}`);
    const before = all.one.exchanges.length;
    expect(await run('plan', 'p.yml', '-p', 'ana,bob+admin')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('p.yml:4:25: hidden_tags differs from that of ana@'),
    });
    expect(all.one.exchanges).toHaveLength(before);
    all.desk.write('p.yml', `version: 1\nfor:\n${rules('ana', 'news')}`);
    expect(await run('plan', 'p.yml', '-p', 'bob+admin')).toMatchObject({status: 10, stdout: expect.stringContaining('hidden tag news')});
  });
});
