import {listConversations, listMutuals} from '../../../src/lib/api/direct.js';
import {listFilters} from '../../../src/lib/api/filters.js';
import {getThread} from '../../../src/lib/api/thread.js';
import {describe, expect, test} from 'vitest';
import {recorded} from './recorded.js';
import {formatAnswer, now, pipe, screen} from './setting.js';

describe('json', () => {
  const answer = '{ "next_cursor":12345678901234567890, "size" : 2.50,"b":1,"a":"\u202e","b":2}\n\n';

  test('prints the answer unmodified in a pipe', async () => {
    const printed = await formatAnswer(answer, {format: 'json', terminal: pipe, now});
    expect(printed).toEqual({nature: 'data', stdout: `${answer.trimEnd()}\n`});
  });

  test('indents at a terminal', async () => {
    const {stdout} = await formatAnswer(answer, {format: 'json', terminal: screen, now});
    expect(stdout).toBe('{\n  "next_cursor": 12345678901234567890,\n  "size": 2.50,\n  "b": 1,\n  "a": "\u202e",\n  "b": 2\n}\n');
  });

  test('adds colours at a terminal with colours', async () => {
    const {stdout} = await formatAnswer('{"a":"b"}', {format: 'json', terminal: {...screen, color: true}, now});
    expect(stdout).toBe('{\n  \u001b[34m"a"\u001b[39m: \u001b[32m"b"\u001b[39m\n}\n');
  });

  test.each(['[]', '{}'])('prints an empty %s', async (empty) => {
    expect(await formatAnswer(empty, {format: 'json', view: listFilters.view, rows: [], terminal: pipe, now})).toEqual({
      nature: 'data',
      stdout: `${empty}\n`,
    });
  });
});

describe('table', () => {
  test('shows the rows inside the answer', async () => {
    const {stdout} = await formatAnswer(recorded('2026/conversations', 'request-list'), {
      format: 'table',
      view: listConversations.view,
      rows: ['data'],
      terminal: pipe,
      now,
    });
    expect(stdout).toBe(
      [
        'id                   with  unread  state    flags  active                last message',
        '1029252284956270610  @eve       1  request         2026-11-20T04:41:07Z  hello?\n',
      ].join('\n'),
    );
  });

  test('shows a bare list where rows were expected inside the answer', async () => {
    const setting = {format: 'table', view: listMutuals.view, rows: ['data'], terminal: pipe, now} as const;
    expect(await formatAnswer('[]', setting)).toEqual({nature: 'painted', stdout: '', stderr: 'No mutual followers.'});
  });

  test("shows the report ids of a thread's messages, which its commands need", async () => {
    const thread = {id: '1', username: 'bob', messages: [{id: '17', reportId: '1029249434912194609', isAuthor: true, text: 'Ah.'}]};
    const {stdout} = await formatAnswer(JSON.stringify(thread), {format: 'table', view: getThread.view, terminal: pipe, now});
    expect(stdout).toMatch(/^report id .*\n1029249434912194609 /m);
  });

  test('shows answers without a view', async () => {
    const setting = {format: 'table', terminal: pipe, now} as const;
    expect(await formatAnswer('[{"a":1},{"b":2.50}]', setting)).toEqual({nature: 'painted', stdout: 'a  b\n1  –\n–  2.50\n'});
    expect(await formatAnswer('["x"]', setting)).toEqual({nature: 'painted', stdout: 'value\nx\n'});
    expect(await formatAnswer('{"a":{"b":1}}', setting)).toEqual({nature: 'painted', stdout: 'a.b  1\n'});
    expect(await formatAnswer('{}', setting)).toEqual({nature: 'painted', stdout: ''});
  });
});
