import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {account} from './demo-world.js';
import {run} from './in-process.js';
import {newFolder} from './program.js';
import type {Row} from '../endpoints/row.js';
import {table} from '../endpoints/table.js';
import {serverThat, type Answered, requestsTo} from './server.js';
import {expectDiscreet, failing} from './told.js';

/** Refusals that the test server never gives; the others are in `failures.test.ts`. */
const otherAnswers: readonly (readonly [args: string, answer: Answered, end: string, hint: RegExp])[] = [
  ['dm start 1', {status: 413, text: '{"error": "The POST data is too large."}'}, 'refused 413', /larger than this server accepts/],
  // A quota of the hour, which is not waited for.
  ['filters delete 1 --yes', {status: 429, text: '{"error": "Rate limit exceeded"}'}, 'rate_limited 429', /the counter never resets/],
  ['filters get 1', {status: 410, text: '{"error": ""}'}, 'not_found 410', /check the id/],
];

test.concurrent.each(otherAnswers)('%s that is answered with %j is %s', async (args, answer, end, hint) => {
  await using server = await serverThat(() => answer);
  const {failure} = await failing(args.split(' '), {env: server.env});
  expect(`${failure.code} ${failure.status}`).toBe(end);
  expect(failure.hint).toMatch(hint);
});

describe('answers with unknown fields, fields that come twice, and numbers of any size', () => {
  const odd = [
    '{"z": 2.50, "a": 12345678901234567890, "10": 1e2, "9": -0.0,',
    String.raw`"same": {"unknown": [null, {}]}, "same": "second\/\u0041", "emoji": "\ud83c\udf0a🌊", "": ""}`,
  ].join('\r\n\t ');
  const warning =
    /^Warning: schema mismatch in the response of 127\.0\.0\.1:\d+: 0: expected (number|string), got object, and 1 more like it\n$/;

  const server = '"data": {"id": 5, "domain": "spam.example.net", "unlisted": true}';
  /** What an answer says at least, where its record does not tell: what a write was about, or that it was done. */
  const said: Readonly<Record<string, string>> = {
    'admin domain-blocks add': '"domain": "bad.example"',
    'admin domain-blocks update': '"id": 5, "domain": "spam.example.net"',
    'dm start': `"participants": [{"id": "${account('ivo')}"}, {"id": "${account('juno')}"}]`,
    'filters create': '"id": 1',
    'instances moderate': server,
    'instances refresh': server,
    'admin settings update': '"key": "pixelfed.open_registration", "state": false',
    'autospam handle': '"status": "success"',
    'dm delete-message': '"deleted": true',
    'reports handle': '"success": true',
  };
  /** Members of an object that have a value at a path. */
  const membersWith = (path: readonly string[], value: string): string =>
    path.reduceRight((inner, name, depth) => `"${name}": ${depth === path.length - 1 ? inner : `{${inner}}`}`, value);
  /** That there is a list, or the id that was asked for, where an answer has to say it. */
  function leastOf({command, endpoint: {rows = [], view, path, answersAbout: about}, on2026: {sent}}: Row): string | undefined {
    if (said[command] !== undefined) return said[command];
    if (view?.kind === 'list' && rows.length > 0) return membersWith(rows, `[${odd}]`);
    if (about === undefined || about.mayBeMissing) return undefined;
    const id = new RegExp(path.replace(`{${about.field}}`, '([^/?]+)')).exec(sent.at(-1)?.line ?? '')?.[1];
    return id && membersWith(about.at, `"${id}"`);
  }
  const oddWith = (members: string | undefined): string => (members === undefined ? odd : odd.replace('{', `{${members}, `));

  // They find people and posts first, and read in the answer what holds now.
  const reading = /^(?:users (?:get|update|delete)|posts moderate)$/;
  const others = table.filter(({command}) => !reading.test(command));
  const cases = others.map((row) => {
    const {
      command,
      endpoint: {example},
      on2026: {args, stdin = '', sent},
    } = row;
    const isList = Array.isArray(example);
    const isPlain = isList && ['number', 'string'].includes(typeof example[0]);
    return {
      command,
      args,
      stdin,
      text: isList ? `[ ${oddWith(leastOf(row))} ,\n${odd}]` : oddWith(leastOf(row)),
      // Of texts or numbers, where an object is something else than documented.
      warning: isPlain ? warning : /^$/,
      // This server does not demand keywords.
      sent: command === 'filters update' ? sent.slice(0, 1) : sent,
    };
  });
  /** What is asked for first. */
  const before: Readonly<Record<string, string>> = {
    'POST /api/v2/media': '{"id": 12345678901234567890}',
    'GET /api/admin/autospam/list': '[]',
    'GET /api/admin/config': `[ ${odd} ,\n${odd}]`,
    'GET /api/v1/instance': odd,
    'GET /api/v1/admin/domain_blocks': '[{"id": 5, "domain": "spam.example.net"}]',
    'GET /api/admin/instances/list?sort=asc&sort_by=id&q=spam.example.net': '{"data": [{"id": 5, "domain": "spam.example.net"}]}',
  };

  test.concurrent.each(cases)('$command --json prints them unmodified', async ({args, stdin, text, warning: warned, sent}) => {
    await using server = await serverThat(({method, target}) => ({text: before[`${method} ${target}`] ?? text}));
    const folder = newFolder();
    writeFileSync(join(folder, 'harbour.jpg'), 'as good as a photo');
    const {stdout, stderr, status} = await run([...args, '--json'], {env: server.env, stdin, folder});
    expect({stdout, status}).toEqual({stdout: `${text}\n`, status: 0});
    expect(stderr).toMatch(warned);
    expect(requestsTo(server)).toEqual(sent.map(({line}) => line));
  });

  const shown = new Set(
    'dm list, dm get, dm messages, dm mute, thread get, blocks list, filters get, notifications list, config'.split(', '),
  );

  test.concurrent.each(cases.filter(({command}) => shown.has(command)))('$command shows them to people', async ({args, stdin, text}) => {
    await using server = await serverThat(({target}) => ({text: before[target] ?? text}));
    const folder = newFolder();
    writeFileSync(join(folder, 'harbour.jpg'), 'as good as a photo');
    const ended = await run(args, {env: server.env, stdin, folder});
    expect(ended).toMatchObject({status: 0, stderr: expect.not.stringContaining('Error')});
    expectDiscreet(ended);
  });
});
