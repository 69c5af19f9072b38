/** Signing in, with a server that fails at every step and tells what it heard: no secret shows anywhere. */
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {canary, failures, filesWith, homeIn, telltale, type Reply} from './canary.js';
import {begin} from './in-process.js';
import {newFolder} from './program.js';
import {printedAddress} from './signing-in.js';

const [access, refresh, client, code] = [canary(), canary(), canary(), canary()];
const secrets = [access, refresh, client, code];

const answers: Readonly<Record<string, object>> = {
  '/api/v1/apps': {client_id: '1', client_secret: client.value},
  '/oauth/token': {token_type: 'Bearer', access_token: access.value, refresh_token: refresh.value, expires_in: 3600},
  '/api/v1/accounts/verify_credentials': {id: '1', username: 'ana', acct: 'ana', note: access.value},
};

/** Failures in which what was to be answered stands, spoilt. */
const spoilt = ['web page', 'bad JSON', 'broken off'];

/** A server that signs people in up to a step, and fails there. */
const failingAt =
  (step: string | undefined, failure: string): Reply =>
  (response, heard, request) => {
    const target = request.url ?? '';
    if (target === step) return failures[failure]?.(response, spoilt.includes(failure) ? JSON.stringify(answers[target]) : heard, request);
    response
      .writeHead(200, {'content-type': 'application/json', 'set-cookie': `token=${access.value}`})
      .end(JSON.stringify(answers[target] ?? {}));
  };

const steps = Object.keys(answers);
// Every failure at one of the steps, in turns.
const cases = Object.keys(failures).flatMap((failure, index) => [
  {failure, step: steps[index % steps.length], isPasted: index % 2 === 0},
  {failure, step: '/oauth/token', isPasted: index % 2 !== 0},
]);

interface Signed {
  readonly said: string;
  readonly status: number | null;
  /** With a token or a code. */
  readonly files: readonly string[];
  /** With the secret of the registration. */
  readonly registered: readonly string[];
}

const kept = join('profiles', 'secrets.json');

async function signIn(
  {failure, step, isPasted}: {failure: string; step: string | undefined; isPasted: boolean},
  flags: readonly string[],
): Promise<Signed> {
  await using server = await telltale(failingAt(step, failure));
  const home = newFolder();
  const env = {...homeIn(home), BROWSER: 'true', PIXELCTL_DEBUG: '1'};
  const words = [
    'auth',
    'login',
    '--server',
    server.url,
    '--retries',
    '0',
    // Only silence has to be given up on; what goes well may take its time.
    ...(failure === 'silence' ? ['--timeout', '5'] : []),
    ...flags,
    ...(isPasted ? ['--no-browser'] : []),
  ];
  const running = begin(words, {env});
  // A step that fails before that shows no address.
  const url = await printedAddress(running).catch(() => undefined);
  if (url !== undefined) {
    const {searchParams} = new URL(url);
    const answer = {code: code.value, state: searchParams.get('state') ?? ''};
    if (isPasted) running.stdin.write(JSON.stringify(answer));
    else await fetch(`${searchParams.get('redirect_uri')}?${new URLSearchParams(answer)}`);
  }
  running.stdin.end();
  const {stdout, stderr, status} = await running.ended;
  for (const secret of secrets) expect(secret.isIn(stdout + stderr) ? stdout + stderr : '').toBe('');
  return {said: stdout + stderr, status, files: filesWith(home, [access, refresh, code]), registered: filesWith(home, [client])};
}

test.concurrent.each(cases)('$step: $failure (pasted: $isPasted)', async (each) => {
  const {status, files, registered} = await signIn(each, ['--json']);
  expect(status).toBeGreaterThan(1);
  expect([...files, ...registered]).toEqual([]);
});

test.concurrent.each([true, false])('all goes well (pasted: %s)', async (isPasted) => {
  const {status, files, said} = await signIn({failure: '', step: undefined, isPasted}, ['-v']);
  expect(status).toBe(0);
  expect(files).toEqual([kept]);
  expect(said).toMatch(/^> POST \/oauth\/token$/m);
});
