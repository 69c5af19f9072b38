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
    "import {hiddenTags} from './hidden-tags.js';\nimport {mutes} from './mutes.js';",
  );
  copy.replace(list, 'mutes, push, config]', 'mutes, push, config, hiddenTags]');
}, 120_000);
afterAll(() => copy.remove());

/** A sandbox that also hides tags. */
async function tagServer(first: readonly string[]) {
  const sandbox = await startSandbox();
  const tags = new Set(first);
  const server = await serverThat(async (received) => {
    if (!received.target.startsWith('/api/v1/hidden_tags')) return pass(received, sandbox.url);
    const {tag = ''}: {tag?: string} = received.body.length > 0 ? JSON.parse(received.body.toString()) : {};
    if (received.method === 'POST') tags.add(tag);
    if (received.method === 'DELETE') tags.delete(tag);
    return {text: JSON.stringify([...tags])};
  }, sandbox.tokens.all);
  return {
    ...server,
    tags,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await sandbox.close();
    },
  };
}

const policy = (rules: string) => `version: 1\nhidden_tags: ${rules}\ndomain_blocks: {must: [bad.example]}\n`;

describe('a new section of policies', () => {
  test('takes a file and a line, and passes the checks', {timeout: 600_000}, () => {
    for (const script of ['generate', 'check']) {
      const {status, output} = copy.run('npm', 'run', '-s', script);
      expect(status, output).toBe(0);
    }
    expect(copy.changedByHand()).toEqual([...copy.added, 'src/lib/policy/sections/index.ts'].sort());
    expect(copy.added).toEqual(['src/lib/policy/sections/hidden-tags.ts']);
    expect(copy.read('docs/reference/policy.schema.json')).toContain('tags that the server leaves out of trends');
    for (const command of ['apply', 'undo'])
      expect(copy.read(`docs/reference/${command}.md`)).toContain('POST and DELETE /api/v1/hidden_tags');
  });

  test('is planned, applied, audited, explained, compared, exported and reverted', {timeout: 120_000}, async () => {
    await using server = await tagServer(['spam', 'old']);
    const desk: Desk = deskAt(server, {'p.yml': policy('{must: ["#News", old], must_not: [spam]}')});
    const run = async (...args: string[]) => {
      const program = [join(copy.folder, 'bin/run.js'), ...args];
      return startProgram(process.execPath, program, {env: server.env, folder: desk.folder}).ended;
    };
    const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

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
});
