import {describe, expect, test} from 'vitest';
import {runCommand} from '../../run-command.js';

describe('an invalid command line', () => {
  test.each([
    ['Unknown flag --nope', ['blocks', 'list', '--nope=secret']],
    ['Unknown flag --nope', ['blocks', 'list', '--nope', 'secret']],
    ['Unknown flag -x', ['blocks', 'list', '-xsecret']],
    ['Too many arguments (1 unexpected)', ['blocks', 'list', 'secret']],
    ['Too many arguments (2 unexpected)', ['dm', 'get', '1', 'secret', 'secret']],
    ['Missing: ID', ['dm', 'get']],
    ['Missing: ID', ['dm', 'mute']],
    ['Missing: MESSAGE_ID', ['dm', 'delete-message', 'secret']],
    ['Missing: OBJECT_TYPE, OBJECT_ID, --type', ['report', '--message', 'secret']],
    ['Missing: --notify or --no-notify', ['push', 'update', 'secret']],
    ['Missing: --title, --context, --keyword', ['filters', 'create', '--action', 'secret']],
    ['Missing: LEFT', ['diff', '-p', 'secret']],
    ['Missing: --policy', ['explain', 'secret']],
    [
      '--as takes one of policy, mastodon-csv, mastodon-admin, mastodon-json, fediblockhole, pixelfed-instances, plain',
      ['export', '--as', 'secret to be one of: x'],
    ],
    ['Missing: --to', ['backup']],
    ['--limit takes a whole number', ['blocks', 'list', '--limit', 'secret']],
    ['--limit takes a whole number', ['blocks', 'list', '--limit', '-5']],
    ['--timeout must be a number from 0.001 to 2147483', ['blocks', 'list', '--timeout', 'secret']],
    ['--timeout must be a number from 0.001 to 2147483', ['blocks', 'list', '--timeout', '0']],
    ['--allow-removals must be a whole number of at least 0', ['apply', 'p.yml', '--allow-removals', 'x']],
    ['--retries must be a whole number of at least 0', ['blocks', 'list', '--retries', '1.5']],
    ['--max-wait must be a number from 0 to 2147483', ['blocks', 'list', '--max-wait', 'secret']],
    ['--json takes no value', ['blocks', 'list', '--json=secret']],
    ['--whole-word takes no value', ['filters', 'create', '--no-whole-word=secret']],
    ['Flag --limit expects a value', ['blocks', 'list', '--limit']],
  ])('an invalid command line is reported without values, which may be secrets: %s', async (message, words) => {
    const {status, stdout, stderr} = await runCommand(words);
    expect({status, stdout}).toEqual({status: 2, stdout: ''});
    expect(stderr.split('\n')[0]).toBe(`Error: ${message}`);
    expect(stderr).not.toContain('secret');
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(3);
  });

  test('suggests the nearest flag', async () => {
    const {stderr} = await runCommand(['blocks', 'list', '--sever', 'pix.example']);
    expect(stderr).toBe('Error: Unknown flag --sever\nHint: did you mean --server?\n');
  });

  test('explains how to pass an argument that begins with a dash', async () => {
    expect((await runCommand(['dm', 'send', '5', '-x'])).stderr).toBe(
      'Error: Unknown flag -x\nHint: see `pixelctl dm send --help`; put -- before an argument that begins with a dash\n',
    );
  });

  test('otherwise refers to the help of the command', async () => {
    const {stderr} = await runCommand(['filters', 'update', '--frobnicate']);
    expect(stderr).toContain('Hint: see `pixelctl filters update --help`');
  });
});

describe('as JSON', () => {
  test.each([[['--json']], [['-o', 'json']], [['-ojson']], [['-o=json']], [['--output', 'json']], [['--output=json']]])(
    'an error as JSON is one line: %j',
    async (flags) => {
      const {status, stdout, stderr} = await runCommand(['blocks', 'list', ...flags, '--nope=secret']);
      expect({status, stdout}).toEqual({status: 2, stdout: ''});
      expect(JSON.parse(stderr)).toEqual({
        error: {
          code: 'usage',
          exit: 2,
          message: 'Unknown flag --nope',
          status: null,
          method: null,
          path: null,
          hint: 'see `pixelctl blocks list --help`',
        },
      });
      expect(stderr.trim().split('\n')).toHaveLength(1);
    },
  );

  test('JSON for errors is also chosen by the environment, which a flag overrides', async () => {
    const environment = {PIXELCTL_OUTPUT: 'json'};
    expect((await runCommand(['blocks', 'list', '--nope'], {environment})).stderr).toMatch(/^\{"error":/);
    expect((await runCommand(['blocks', 'list', '--nope', '-o', 'table'], {environment})).stderr).toMatch(/^Error: /);
  });

  test('JSON for errors is not chosen by words after --', async () => {
    expect((await runCommand(['dm', 'get', '--', '--json', 'x'])).stderr).toMatch(/^Error: /);
  });
});

describe('a format', () => {
  test('a format must be a known one', async () => {
    const {status, stderr} = await runCommand(['blocks', 'list', '-o', 'papyrus']);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^Error: --output does not support the format "papyrus"\nHint: one of table, json/);
    const {stderr: told} = await runCommand(['blocks', 'list'], {environment: {PIXELCTL_OUTPUT: 'papyrus'}});
    expect(told).toMatch(/^Error: PIXELCTL_OUTPUT does not support the format "papyrus"/);
  });
});

test.each([
  [['--title=-s'], '-s'],
  [['--title=--json'], '--json'],
  [['--title=-'], '-'],
  [['--title=--'], '--'],
  [['--title=--title=-s'], '--title=-s'],
  [['--title=a=-s'], 'a=-s'],
])('a value after an equals sign is not a flag: %j', async (words, title) => {
  const {stdout, status} = await runCommand(['filters', 'create', ...words, '--context', 'home', '--keyword=--yes', '--dry-run', '--json']);
  expect(status).toBe(0);
  expect(JSON.parse(stdout).requests).toMatchObject([{body: {title, keywords_attributes: [{keyword: '--yes'}]}}]);
});
