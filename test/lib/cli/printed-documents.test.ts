/** What is printed with `--json` is checked wherever tests run a command; here that this finds what does not fit. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {Ajv2020} from 'ajv/dist/2020.js';
import {expect, test} from 'vitest';
import {jsonDocuments} from '../../../src/lib/cli/printed-documents.js';
import {checkDocuments} from '../../json-documents.js';
import {commands} from '../../manifest.js';

const about = {server: 'https://pix.example', account: '@ana', policy: 'p.yml'};
const finding = {
  action: 'add',
  rule: 'blocks.must',
  kind: 'block',
  subject: 'bo',
  wanted: 'blocked',
  actual: 'not blocked',
  where: 'p.yml:2',
  fix: 'x',
};
const failure = {code: 'auth', exit: 3, message: 'no', status: 401, method: 'GET', path: '/', hint: null};
const profile = {
  name: null,
  server: 'https://pix.example',
  account: '@ana',
  active: true,
  source: 'PIXELCTL_TOKEN',
  admin: null,
  scopes: ['read'],
  expires_at: null,
  ok: true,
  error: null,
  storage: 'environment',
  protected: false,
};
const audit = {...about, ok: false, findings: [finding], skipped: []};

/** Command lines with what they print, and that with a mistake in it. */
const cases: readonly (readonly [line: string, printed: unknown, mistaken: unknown])[] = [
  ['plan p.yml --json', {...about, changes: [], cannot: [finding], skipped: []}, {...about, changes: [], cannot: [], skipped: [], more: 1}],
  ['audit p.yml -o json', audit, {...audit, findings: [{...finding, by_hand: 'yes'}]}],
  ['audit p.yml q.yml --output=json', [audit, {...audit, error: {code: 'auth', message: 'no'}}], [audit, about]],
  ['diff a b --json', {left: 'a', right: 'b', differences: []}, {left: 'a', right: 'b'}],
  ['explain bad.example --policy p.yml --json', [], {}],
  ['state list --json', [], [{kind: 'block'}]],
  ['auth status --json', {profiles: [profile]}, {profiles: [{...profile, expires_at: 5}]}],
  ['apply p.yml --yes --json', [{target: 'bo', ok: true, status: 200, body: {}}], [{target: 'bo', ok: true, status: 200}]],
  ['undo --yes --json', [{account: 'ana', item: {target: 'bo', ok: false, status: null, error: failure}}], [{target: 'bo', ok: false}]],
  ['blocks add bo --json', [{target: 'bo', ok: true, status: 200, body: {}}], [{target: 'bo', ok: true, status: '200', body: {}}]],
];

test.each(cases)('%s fits its schema, or is found', (line, printed, mistaken) => {
  const check = (value: unknown) => () => checkDocuments(line.split(' '), {stdout: JSON.stringify(value), stderr: ''});
  expect(check(printed)).not.toThrow();
  expect(check(mistaken)).toThrow(`What \`${line}\` printed does not fit the schema of `);
});

test('errors are checked whatever the command prints', () => {
  const check = (error: object) => () => checkDocuments(['config', '--json'], {stdout: '', stderr: `${JSON.stringify({error})}\n`});
  expect(check({...failure, body: {error: 'no'}})).not.toThrow();
  expect(check({...failure, why: 'no'})).toThrow('does not fit the schema of error');
});

test('the published schemas take what fits, and members that later versions add', () => {
  for (const [line, printed, mistaken] of cases) {
    const name = jsonDocuments.find(({commands: those}) => those.some((command) => line.startsWith(command)))?.name ?? 'results';
    const file = join(import.meta.dirname, '../../../docs/reference/schemas', `${name}.json`);
    const isValid = new Ajv2020({strict: false}).compile(JSON.parse(readFileSync(file, 'utf8')));
    expect(isValid(printed), line).toBe(true);
    if (name !== 'plan') expect(isValid(mistaken), line).toBe(false);
  }
});

test('each document is that of commands that there are', () => {
  const ids = commands.map(({id}) => id.replaceAll(':', ' '));
  expect(ids).toEqual(expect.arrayContaining(jsonDocuments.flatMap(({commands: those}) => those)));
});
