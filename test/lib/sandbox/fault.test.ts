import {describe, expect, test} from 'vitest';
import {FaultPicker, parseFault} from '../../../src/lib/sandbox/fault.js';
import {ask, idOf, sandboxWith} from './asking.js';

const config = 'GET /api/v2.1/config';

describe('reading a fault', () => {
  test.each([
    ['status=503', {kind: 'status', status: 503}],
    ['delay=2000', {kind: 'delay', milliseconds: 2000}],
    ['drop', {kind: 'drop', carriedOut: false}],
    ['drop=after', {kind: 'drop', carriedOut: true}],
    ['truncate', {kind: 'truncate'}],
    ['html', {kind: 'html'}],
    ['rate-limit', {kind: 'rate-limit', seconds: 1}],
    ['rate-limit=3', {kind: 'rate-limit', seconds: 3}],
  ])('%s', (text, effect) => {
    expect(parseFault(text)).toEqual({effect, at: null, chance: 1, after: 0, times: Infinity});
  });

  test('a fault with conditions is read', () => {
    const fault = parseFault('status=500, at="POST /api/v1.1/report", chance=0.25, after=1, times=2');
    expect(fault).toMatchObject({chance: 0.25, after: 1, times: 2, at: {method: 'POST'}});
  });

  test.each([
    ['', 'unknown fault "": use one of status, delay, drop, truncate, html, rate-limit'],
    ['constructor', 'unknown fault "constructor": use one of status, delay, drop, truncate, html, rate-limit'],
    ['explode', 'unknown fault "explode": use one of status, delay, drop, truncate, html, rate-limit'],
    ['status', '"status" takes a number from 400 to 599, not "".'],
    ['status=200', '"status" takes a number from 400 to 599, not "200".'],
    ['delay=soon', '"delay" takes a number from 0 to 3600000, not "soon".'],
    ['drop=later', '"drop" takes before or after, not "later".'],
    ['truncate=1', '"truncate" takes no value.'],
    ['drop,often', 'unknown condition "often": use one of at, chance, after, times'],
    ['drop,chance=2', '"chance" takes a number from 0 to 1, not "2".'],
    ['drop,times=0', '"times" takes a number of at least 1, not "0".'],
    ['drop,at=somewhere', '"at" takes a path, a method and a path, or the name of an endpoint, not "somewhere".'],
  ])('says what is wrong with %j', (text, message) => {
    expect(() => parseFault(text)).toThrow(message);
  });
});

describe('where a fault happens', () => {
  const happens = (at: string, method: string, path: string) =>
    new FaultPicker([parseFault(`html,at="${at}"`)]).pick(method, path).length === 1;

  test.each([
    ['/api/v1/blocks', 'GET', '/api/v1/blocks', true],
    ['/api/v1/blocks', 'GET', '/api/v1/blocksX', false],
    ['/api/v1/blocks', 'GET', '/api/v1xblocks', false],
    ['get /api/v1/blocks', 'GET', '/api/v1/blocks', true],
    ['POST /api/v1/domain_blocks', 'DELETE', '/api/v1/domain_blocks', false],
    ['/api/v2/filters/{id}', 'PUT', '/api/v2/filters/7', true],
    ['/api/v2/filters/{id}', 'PUT', '/api/v2/filters', false],
    ['/api/*', 'GET', '/api/v1/blocks', true],
    ['list blocks', 'GET', '/api/v1/blocks', true],
    ['mute conversation', 'POST', '/api/v1.1/direct/conversations/12/mute', true],
  ])('%s: %s %s is %o', (at, method, path, expected) => {
    expect(happens(at, method, path)).toBe(expected);
  });

  test('a fault happens with the given chance, and the same in each run', () => {
    const throws = () => {
      const picker = new FaultPicker([parseFault('html,chance=0.3')]);
      return Array.from({length: 1000}, () => picker.pick('GET', '/').length);
    };
    const happened = throws().filter((count) => count === 1).length;
    expect(happened).toBeGreaterThan(250);
    expect(happened).toBeLessThan(350);
    expect(throws()).toEqual(throws());
  });

  test('adds up delays, and takes the first of the others', () => {
    const picker = new FaultPicker(['delay=1', 'html', 'drop', 'delay=2'].map(parseFault));
    expect(picker.pick('GET', '/').map(({kind}) => kind)).toEqual(['delay', 'delay', 'html']);
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
