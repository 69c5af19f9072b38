import {describe, expect, test, vi} from 'vitest';
import {compileJq, JqError} from '../../../src/lib/print/jq.js';
import {formatAnswer, now, pipe} from './setting.js';

async function results(expression: string, text = 'null'): Promise<readonly string[]> {
  const {results: found, error} = (await compileJq(expression)).run(text);
  expect(error).toBeUndefined();
  return found;
}

describe('compileJq', () => {
  test.each([
    ['.a[', 'syntax error, unexpected end of file at line 1, column 3'],
    ['.a |\nfoo', 'foo/0 is not defined at line 2, column 1'],
    ['$secret', '$secret is not defined at line 1, column 1'],
    ['1) | (2', /^syntax error, unexpected .* at line 1, column 2$/],
    ['', /^Top-level program not given/],
    ['import "a" as a; .', /^module not found: a/],
  ])('rejects %j', async (expression, message) => {
    await expect(compileJq(expression)).rejects.toThrow(JqError);
    await expect(compileJq(expression)).rejects.toThrow(message);
  });

  test('accepts no flags', async () => {
    await expect(compileJq('--version')).rejects.toThrow('version/0 is not defined');
    expect((await compileJq('-1')).run('null')).toEqual({results: ['-1']});
  });

  test.each(['. # a comment', '. # that goes on \\', 'def f: 1; f', '.a as [$x] | $x', 'label $out | 1, break $out'])(
    'takes %j',
    async (expression) => {
      expect((await compileJq(expression)).run('null').error).toBeUndefined();
    },
  );
});

test.each([
  'error',
  '.email | halt_error',
  '.email as $e | error("Not allowed: \\($e)")',
  '.email | keys',
  '.email + 1',
  '.email | fromjson',
])('an error on what has e-mail or IP addresses is without values: %s', async (expression) => {
  for (const member of ['email', 'app_register_ip']) {
    const text = JSON.stringify({id: 7, [member]: 'ana@pix.example'});
    const {error} = (await compileJq(expression.replace('email', member))).run(text);
    expect(error).toMatch(/^the filter does not fit a value, or called error \(more is not shown/);
  }
});

describe('a filter is jq', () => {
  test.each([
    ['.', '{"a":12345678901234567890,"b":2.50}', ['{"a":12345678901234567890,"b":2.50}']],
    ['.a, .b', '{"a":12345678901234567890,"b":2.50}', ['12345678901234567890', '2.50']],
    ['.[] | select(.n > 1) | {n}', '[{"n":1},{"n":2}]', ['{"n":2}']],
    ['empty', 'null', []],
    ['"", " a\n"', 'null', ['""', '" a\\n"']],
    ['@csv', '[1,"a\\"b",null,true]', [String.raw`"1,\"a\"\"b\",,true"`]],
    ['try error("x") catch .', 'null', ['"x"']],
  ])('%s', async (expression, text, expected) => {
    expect(await results(expression, text)).toEqual(expected);
  });

  test('a filter is jq has no access to the environment', async () => {
    vi.stubEnv('PIXELCTL_TOKEN', 'secret');
    expect(await results('env, $ENV, $ENV.PIXELCTL_TOKEN, env.PATH')).toEqual(['{}', '{}', 'null', 'null']);
    vi.unstubAllEnvs();
  });

  test('filters several values independently', async () => {
    expect(await results('., [inputs], (try input catch .)', '1\n2')).toEqual([
      '1',
      '[]',
      '"No more inputs"',
      '2',
      '[]',
      '"No more inputs"',
    ]);
  });
});

describe('a filter that fails', () => {
  test.each([
    ['.a', '1', [], 'Cannot index number with string ("a")'],
    ['1, error("x"), 2', 'null', ['1'], 'x'],
    ['error({a: 1})', 'null', [], '(not a string) {"a":1}'],
    ['error(null)', 'null', [], '(not a string) null'],
    ['"bye\n" | halt_error', 'null', [], 'bye'],
    ['null | halt_error(3)', 'null', [], 'the filter ended with 3'],
    ['.a', '{"a":1} 2 {"a":3} 4', ['1', '3'], 'Cannot index number with string ("a"), and 1 more like it'],
    ['.', '{"a":', [], /^(?:parse error: )?Unfinished JSON term/],
  ])('%j on %j', async (expression, text, found, error) => {
    const filter = await compileJq(expression);
    expect(filter.run(text)).toEqual({results: found, error: typeof error === 'string' ? error : expect.stringMatching(error)});
  });

  test('reports that jq ran out of memory', async () => {
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
    const filter = await compileJq('if . == 1 then ("x" | . * 1000000000) else . end');
    expect(filter.run('0')).toEqual({results: ['0']});
    expect(filter.run('1')).toEqual({results: [], error: 'jq ran out of memory'});
    expect(filter.run('0')).toEqual({results: [], error: 'jq ran out of memory'});
    expect(reported).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  test('rejects a constant that is too large before anything is sent', async () => {
    await expect(compileJq('"x" * 1000000000')).rejects.toThrow('jq ran out of memory');
  });

  test('reports that the answer is too large', async () => {
    const filter = await compileJq('length');
    expect(filter.run(`"${'x'.repeat(48_000_000)}"`)).toEqual({results: [], error: expect.stringContaining('ndjson')});
  });
});

test('prints debug and stderr', async () => {
  const told: string[] = [];
  const filter = await compileJq('debug, ("x" | stderr)', (message) => told.push(message));
  expect(filter.run('1')).toEqual({results: ['1', '"x"']});
  expect(told).toEqual(['["DEBUG:",1]\nx']);
});

describe('formatAnswer with jq', () => {
  const answer = '{"data": [{"id":"1","n":2.50},{"id":"a\\nb","n":null}], "next":12345678901234567890}';
  const setting = {rows: ['data'], terminal: pipe, now} as const;

  test('filters the whole answer, one result a line, strings without quotes', async () => {
    const jq = await compileJq('.next, .data[].id, .data[0], (.data | length)');
    const whole = {nature: 'data', stdout: '12345678901234567890\n1\na\nb\n{"id":"1","n":2.50}\n2\n'};
    for (const format of ['json', 'table'] as const) expect(await formatAnswer(answer, {...setting, format, jq})).toEqual(whole);
  });

  test('prints the results before a failure', async () => {
    const jq = await compileJq('.id, .n.x');
    expect(await formatAnswer('{"id":"1","n":2}', {...setting, format: 'json', jq})).toEqual({
      nature: 'data',
      stdout: '1\n',
      failure: 'Cannot index number with string ("x")',
      failedOn: {id: '1', n: 2},
    });
  });
});
