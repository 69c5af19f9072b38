import {once} from 'node:events';
import {request} from 'node:http';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {endpoints} from '../../../src/lib/api/endpoints.js';
import type {Generation} from '../../sandbox/start.js';
import {ask, sandboxWith} from './asking.js';

describe('the server', () => {
  test.each([
    ['its address', (host: string) => host, 200],
    ['localhost', (host: string) => host.replace('127.0.0.1', 'localhost'), 200],
    ['capitals', (host: string) => host.replace('127.0.0.1', 'LOCALHOST'), 200],
    ['another name', () => 'evil.example', 421],
    ['another name with its port', (host: string) => host.replace('127.0.0.1', 'evil.example'), 421],
    ['another port', () => '127.0.0.1:1', 421],
  ])('answers only its own Host: %s', async (_, hostFor, status) => {
    const {url} = await sandboxWith();
    const {host} = new URL(url);
    const asking = request(`${url}/api/v2.1/config`, {headers: {host: hostFor(host)}});
    asking.end();
    const [answer] = await once(asking, 'response');
    answer.resume();
    expect(answer.statusCode).toBe(status);
  });

  test('the server has a route to every endpoint, and like 0.12.6 those of that release', async () => {
    const absentOn = async (like: Generation) => {
      const sandbox = await sandboxWith({like});
      const absent: string[] = [];
      for (const {name, method, path} of endpoints) {
        const {status, text} = await ask(sandbox, `${method} ${path.replaceAll(/\{\w+\}/g, '1')}`);
        expect(status, name).not.toBe(405);
        if (text.includes('The route')) absent.push(name);
      }
      return absent;
    };
    expect(await absentOn('2026')).toEqual([]);
    const absent = await absentOn('0.12.6');
    expect(absent).toHaveLength(15);
    expect(absent).toEqual(expect.arrayContaining(['unread count', 'list conversations', 'get configuration', 'leave conversation']));
  });

  test('the server does not change the globals of its process', async () => {
    const [request, response] = [globalThis.Request, globalThis.Response];
    await ask(await sandboxWith(), 'GET /api/v2.1/config');
    expect([globalThis.Request, globalThis.Response]).toEqual([request, response]);
  });
});

describe('the rate limit', () => {
  test('the rate limit counts per account, and is in the headers', async () => {
    const sandbox = await sandboxWith();
    const {bob = ''} = sandbox.tokens.users;
    const remaining = async (token: string) => (await ask(sandbox, 'GET /api/v2/filters', {token})).headers.get('x-ratelimit-remaining');
    expect(await remaining(sandbox.tokens.all)).toBe('511');
    expect(await remaining(sandbox.tokens.readOnly)).toBe('510');
    expect(await remaining(bob)).toBe('511');
  });

  test('refuses with the time to wait', async () => {
    vi.useFakeTimers({toFake: ['Date']});
    onTestFinished(() => void vi.useRealTimers());
    const sandbox = await sandboxWith({requestsPerMinute: 1});
    await ask(sandbox, 'GET /api/v2/filters');
    const {status, headers, body} = await ask(sandbox, 'GET /api/v2/filters');
    expect([status, body]).toEqual([429, {error: 'Too Many Attempts.'}]);
    expect(headers.get('retry-after')).toBe('60');
    expect(Number(headers.get('x-ratelimit-reset')) * 1000).toBeGreaterThan(Date.now());
    vi.setSystemTime(Date.now() + 59_500);
    expect((await ask(sandbox, 'GET /api/v2/filters')).headers.get('retry-after')).toBe('0');
  });
});
