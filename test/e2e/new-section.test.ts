/**
 * Adds a section of policies to a copy of the project, by the recipe in CONTRIBUTING: one file, and its line in the list. Every
 * command that goes over sections must know it.
 */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {ProjectCopy} from '../../scripts/project-copy.js';
import {startSandbox} from '../../src/lib/sandbox/server.js';
import {deskAt, pass, type Desk} from './policy-server.js';
import {startProgram} from './program.js';
import {serverThat} from './server.js';

let copy: ProjectCopy;
beforeAll(() => {
  copy = new ProjectCopy('new-section');
  const list = 'src/lib/policy/sections/index.ts';
  copy.replace(
    list,
    "import {mutes} from './mutes.js';",
    "import {fadedTags} from './faded-tags.js';\nimport {hiddenTags} from './hidden-tags.js';\nimport {mutes} from './mutes.js';",
  );
  copy.replace(list, 'mutes, push, config]', 'mutes, push, config, hiddenTags, fadedTags]');
}, 120_000);
afterAll(() => copy.remove());

/** A sandbox that also hides tags, and fades some. */
async function tagServer(hidden: readonly string[], fading: Readonly<Record<string, string>> = {}) {
  const sandbox = await startSandbox();
  const [tags, faded] = [new Set(hidden), new Map(Object.entries(fading))];
  const server = await serverThat(async (received) => {
    const [, name] = /^\/api\/v1\/(hidden|faded)_tags/.exec(received.target) ?? [];
    if (name === undefined) return pass(received, sandbox.url);
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
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await sandbox.close();
    },
  };
}

/** Runs the program of the copy in a folder. */
function programAt(desk: Desk, env: Record<string, string>) {
  const run = async (...args: string[]) =>
    startProgram(process.execPath, [join(copy.folder, 'bin/run.js'), ...args], {env, folder: desk.folder}).ended;
  return {run, json: async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout)};
}

const policy = (rules: string) => `version: 1\nhidden_tags: ${rules}\ndomain_blocks: {must: [bad.example]}\n`;

describe('a new section of policies', () => {
  test('takes a file and a line, and passes the checks', {timeout: 600_000}, () => {
    for (const script of ['generate', 'check']) {
      const {status, output} = copy.run('npm', 'run', '-s', script);
      expect(status, output).toBe(0);
    }
    expect(copy.changedByHand()).toEqual([...copy.added, 'src/lib/policy/sections/index.ts'].sort());
    expect(copy.added).toEqual(['src/lib/policy/sections/faded-tags.ts', 'src/lib/policy/sections/hidden-tags.ts']);
    expect(copy.read('docs/reference/policy.schema.json')).toContain('tags that the server leaves out of trends');
    for (const command of ['apply', 'undo'])
      expect(copy.read(`docs/reference/${command}.md`)).toContain('POST and DELETE /api/v1/hidden_tags');
  });

  test('is planned, applied, audited, explained, compared, exported and reverted', {timeout: 120_000}, async () => {
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
    expect(records[0].owned).toContainEqual({owner: host, kind: 'hidden_tag', subject: 'news'});
    expect(records[0].applies[0].items).toContainEqual({owner: host, kind: 'hidden_tag', subject: 'spam', was: true});
    expect(await json('state', 'list')).toMatchObject([{kind: 'domain_block'}, {kind: 'hidden_tag', subject: 'news'}]);
    expect(await run('state', 'adopt', 'old', '--policy', 'p.yml')).toMatchObject({status: 0});
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

  test('has values that are changed, and go back to what they were', {timeout: 120_000}, async () => {
    await using server = await tagServer([], {news: 'weak', old: 'full'});
    const rules = (...must: string[]) => `version: 1\nfaded_tags: {must: [${must.join(', ')}]}\n`;
    const desk: Desk = deskAt(server, {
      'p.yml': rules('{tag: news, strength: strong}', '{tag: old, strength: weak}', '{tag: spam, strength: weak}'),
      'q.yml': rules('{tag: news, strength: weak}', 'old', '{tag: spam, strength: weak}'),
    });
    const {run, json} = programAt(desk, server.env);
    const faded = () => Object.fromEntries([...server.faded].sort());
    const owned = () => JSON.parse(readFileSync(join(desk.folder, 'p.yml.state.json'), 'utf8')).records[0].owned;
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
    const news = {owner, kind: 'faded_tag', subject: 'news', was: 'weak'};
    expect(owned()).toEqual([news, {owner, kind: 'faded_tag', subject: 'spam'}]);
    expect(await json('state', 'list')).toMatchObject([{subject: 'news', was: 'weak'}, {subject: 'spam'}]);
    expect(await run('apply', 'plan.json', '--yes')).toMatchObject({status: 0});
    expect((await run('export', '--only', 'faded_tags')).stdout).toContain('- tag: news\n      strength: strong\n');

    // What it made follows it in both directions; what it changed goes no lower than it was.
    await apply('{tag: news, strength: weak}', 'spam');
    expect(faded()).toEqual({news: 'weak', old: 'full', spam: 'full'});
    expect(owned()).toEqual([{owner, kind: 'faded_tag', subject: 'spam'}]);
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

  test('counts a weaker value among the removals', {timeout: 120_000}, async () => {
    const names = Array.from({length: 30}, (_, index) => `tag${index}`);
    await using server = await tagServer([], Object.fromEntries(names.map((name) => [name, 'weak'])));
    const desk: Desk = deskAt(server, {'p.yml': `version: 1\nfaded_tags: {must: [${names.join(', ')}]}\n`});
    const {run, json} = programAt(desk, server.env);
    expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    desk.write('p.yml', 'version: 1\nfaded_tags: {must: []}\n');
    expect(await json('plan', 'p.yml')).toMatchObject({guard: {removals: 30}});
    expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 2});
    expect(await run('apply', 'p.yml', '--yes', '--allow-removals', '30')).toMatchObject({status: 0});
    expect(new Set(server.faded.values())).toEqual(new Set(['weak']));
  });
});
