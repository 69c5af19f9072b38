/** One server answers as a test says, `serverThat` of `test/server.ts`: what it cannot do, it learns there. */
import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';

const root = join(import.meta.dirname, '../..');

/** What else listens for requests, and why. */
const others: Readonly<Record<string, string>> = {
  'test/e2e/doctor.test.ts': 'a certificate that nobody trusts',
  'test/e2e/faults/places.ts': 'a place where no server is: one with a bad certificate, a proxy that refuses',
  'test/e2e/faults/stage.ts': 'the one injector of faults, which stands before the sandbox',
  'test/e2e/tls.test.ts': 'certificates, and what they are for',
  'test/lib/client/proxy.test.ts': 'a server behind a proxy, with a certificate',
  'test/lib/policy/lists/remote-list.test.ts': 'lists over https, and what redirects there',
  'test/loopback-server.ts': 'proxies, and listeners on a socket',
  'test/server.ts': 'this is the one',
};

test('servers of http and https are made in one place, and where a certificate or a proxy is tried', () => {
  const found = globSync('test/**/*.ts', {cwd: root}).filter((file) =>
    /import \{[^}]*\bcreateServer\b[^}]*\} from 'node:https?'/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(found.toSorted(), 'let serverThat of test/server.ts do it').toEqual(Object.keys(others).toSorted());
});

test('requests are intercepted by nock alone', () => {
  const found = globSync('test/**/*.ts', {cwd: root}).filter(
    (file) =>
      file !== 'test/scripts/servers.test.ts' &&
      /\bMockAgent\b|\bsetGlobalDispatcher\b|\bmsw\b/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(found).toEqual([]);
});
