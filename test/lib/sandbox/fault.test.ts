import {describe, expect, test} from 'vitest';
import {faultPicker, parseFault} from '../../../src/lib/sandbox/fault.js';
import {ask, idOf, sandboxWith} from './asking.js';

const config = 'GET /api/v2.1/config';

describe('reading a fault', () => {
  test.each([
    ['status=503', {kind: 'status', value: 503}],
    ['delay=2000', {kind: 'delay', value: 2000}],
    ['drop', {kind: 'drop', value: 0}],
    ['drop=before', {kind: 'drop', value: 0}],
    ['drop=after', {kind: 'drop', value: 1}],
    ['truncate', {kind: 'truncate'}],
    ['html', {kind: 'html'}],
    ['rate-limit', {kind: 'rate-limit', value: 1}],
    ['rate-limit=3', {kind: 'rate-limit', value: 3}],
    ['status=500, at="POST /api/v1.1/report", chance=0.25, after=1, times=2', {value: 500, chance: 0.25, after: 1, times: 2}],
  ])('%s', (text, fault) => {
    expect({...parseFault(text)}).toEqual({
      chance: 1,
      after: 0,
      times: Infinity,
      at: expect.any(RegExp),
      value: 0,
      kind: 'status',
      ...fault,
    });
  });

  test.each([
    ['', 'unknown fault "": use one of status, delay, drop, truncate, html, rate-limit'],
    ['constructor', 'unknown fault "constructor"'],
    ['status', '"status" takes a number from 400 to 599, not "".'],
    ['delay=soon', '"delay" takes a number from 0 to 3600000, not "soon".'],
    ['drop=later', '"drop" takes before or after, not "later".'],
    ['truncate=1', '"truncate" takes no value.'],
    ['drop,often', 'unknown condition "often": use one of at, chance, after, times'],
    ['drop,times=0', '"times" takes a number of at least 1, not "0".'],
    ['drop,at=somewhere', '"at" takes a path, a method and a path, or the name of an endpoint, not "somewhere".'],
  ])('says what is wrong with %j', (text, message) => {
    expect(() => parseFault(text)).toThrow(message);
  });
});

describe('where a fault happens', () => {
  test.each([
    ['/api/v1/blocks', 'GET', '/api/v1/blocks', true],
    ['/api/v1/blocks', 'GET', '/api/v1/blocksX', false],
    ['/api/v1/blocks', 'GET', '/api/v1xblocks', false],
    ['get /api/v1/blocks', 'GET', '/api/v1/blocks', true],
    ['POST /api/v1/domain_blocks', 'DELETE', '/api/v1/domain_blocks', false],
    ['/api/v2/filters/{id}', 'PUT', '/api/v2/filters/7', true],
    ['/api/v2/filters/{id}', 'PUT', '/api/v2/filters', false],
    ['/api/*', 'GET', '/api/v1/blocks', true],
    ['mute conversation', 'POST', '/api/v1.1/direct/conversations/12/mute', true],
  ])('%s: %s %s is %o', (at, method, path, expected) => {
    expect(faultPicker([parseFault(`html,at="${at}"`)])(method, path).other !== undefined).toBe(expected);
  });

  test('a fault happens with the given chance', () => {
    const pick = faultPicker([parseFault('html,chance=0.3')]);
    const happened = Array.from({length: 1000}, () => pick('GET', '/')).filter(({other}) => other !== undefined).length;
    expect(happened).toBeGreaterThan(290);
    expect(happened).toBeLessThan(310);
  });

  test('adds up delays, and takes the first of the others', () => {
    const pick = faultPicker(['delay=1', 'html', 'drop', 'delay=2'].map(parseFault));
    expect(pick('GET', '/')).toMatchObject({delay: 3, other: {kind: 'html'}});
  });
});

describe('the effect of a fault', () => {
  const withFault = (...texts: string[]) => sandboxWith({faults: texts.map(parseFault)});

  test('a status, with after and times', async () => {
    const sandbox = await withFault('status=503,after=1,times=2');
    const answers = [];
    for (let index = 0; index < 4; index += 1) answers.push(await ask(sandbox, config));
    expect(answers.map(({status}) => status)).toEqual([200, 503, 503, 200]);
    expect(answers[1]?.body).toEqual({error: 'Service Unavailable'});
  });

  test('half an answer', async () => {
    const response = await fetch(`${(await withFault('truncate')).url}/api/v2.1/config`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  test.each([
    ['drop', false],
    ['drop=after', true],
    ['status=500', false],
    ['truncate', true],
  ])('%s: carried out is %o', async (text, carriedOut) => {
    const sandbox = await withFault(`${text},times=1,at="POST /api/v1/accounts/{id}/mute"`);
    const bob = await idOf(sandbox, 'bob');
    await ask(sandbox, `POST /api/v1/accounts/${bob}/mute`).catch(() => undefined);
    const names = (await ask(sandbox, 'GET /api/v1/mutes')).body.map(({username}: {username: string}) => username);
    expect(names.includes('bob')).toBe(carriedOut);
  });

  test('a dropped connection has no answer, and is reported as 0', async () => {
    const lines: number[] = [];
    const sandbox = await sandboxWith({faults: [parseFault('drop')], onRequest: ({status}) => lines.push(status)});
    await expect(ask(sandbox, config)).rejects.toThrow();
    expect(lines).toEqual([0]);
  });
});
