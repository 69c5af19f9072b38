import {expect, test} from 'vitest';
import {parseFault} from '../../src/lib/sandbox/fault.js';
import {startSandbox, type Generation, type Sandbox, type SandboxOptions} from '../sandbox/start.js';
import {account, conversation, filter, post} from './demo-world.js';
import {failing} from './told.js';

interface Setting {
  readonly like?: Generation;
  readonly options?: SandboxOptions;
  readonly fault?: string;
  /** Instead of the one with all scopes. */
  readonly token?: (tokens: Sandbox['tokens']) => string;
}

const withBob = conversation('bob').id;
const crypto = filter('Crypto');
const wrongToken = (): string => 'canary-of-a-wrong-token';
const readOnly = (tokens: Sandbox['tokens']): string => tokens.readOnly;

const filterOf = `filters get ${crypto}`;
const odd = `filters create --title ${'Film'.repeat(30)} --context home --keyword plot`;
const ofBob: Setting['token'] = ({users}) => users['bob'] ?? '';
const older = '0.12.6';

/** Once for each way in which a server says no: what people and scripts are told. All answers of all endpoints: `test/contract/failures.test.ts`. */
const cases: readonly (readonly [args: string, setting: Setting, end: string, message: RegExp, hint: RegExp])[] = [
  ['blocks list', {token: wrongToken}, 'auth 401', /token not accepted \(401\): Unauthenticated\.$/, /PIXELCTL_TOKEN/],
  ['blocks list', {like: older, token: wrongToken}, 'auth 500', /token not accepted \(500\): Unauthenticated\.$/, /PIXELCTL_TOKEN/],
  [`dm send ${withBob} hello`, {token: readOnly}, 'auth 403', /Missing required scope: write/, /the scope write/],
  ['filters delete 1 --yes', {token: readOnly}, 'auth 403', /not allowed for this token \(403\)$/, /the scope (read|write)/],
  [filterOf, {token: ofBob}, 'refused 403', /This action is unauthorized\.$/, /./],
  [filterOf, {like: older, token: ofBob}, 'refused 500', /This action is unauthorized\.$/, /./],
  ['dm get 999999', {}, 'not_found 404', /not found \(404\)$/, /check the id/],
  [
    'mutes list',
    {fault: 'status=404'},
    'not_found 404',
    /not found \(404\)/,
    /^the server is older than this feature, or it is switched off$/,
  ],
  ['thread get 12', {fault: 'status=404,at="GET /api/v1.1/direct/thread"'}, 'not_found 404', /not found \(404\)/, /check the id/],
  [
    'filters get 999999',
    {like: older},
    'not_found 500',
    /not found \(500\): there is no 999999$/m,
    /check the id with `pixelctl filters list`/,
  ],
  ['push state', {options: {push: false}}, 'not_found 404', /\(404\)/, /push is off on this server/],
  ['thread get @nobody@nowhere.example', {}, 'not_found null', /No account @nobody@nowhere\.example/, /pixelctl dm lookup/],
  [odd, {}, 'refused 422', /input refused \(422\): The title may not be greater than 100 characters\.$/, /./],
  [odd, {like: older}, 'refused 500', /input refused \(500\): The title may not be greater than 100 characters\.$/, /./],
  [`report post ${post('Tram 28, again. 🚋')} --type spam`, {}, 'refused 400', /Cannot self report$/, /./],
  [`dm leave ${withBob} --yes`, {}, 'refused 422', /Only group conversations can be left\.$/, /./],
  [`dm start ${account('grumpy')}`, {}, 'refused 403', /You cannot message this account\.$/, /./],
  ['domain-blocks add bad.localhost --yes', {}, 'refused 500', /domain refused \(500\): Invalid domain/, /./],
  [
    'blocks list',
    {fault: 'rate-limit=3600'},
    'rate_limited 429',
    /rate limit reached \(429\): Too .*; it asks to wait 3600 s$/,
    /--max-wait/,
  ],
  ['dm mute 1 --max-wait 2', {fault: 'rate-limit=0'}, 'rate_limited 429', /Too Many Attempts; it asks to wait \d s$/, /try again later/],
  ['mutes list --retries 0', {fault: 'status=503'}, 'unavailable 503', /server error \(503\): Service Unavailable$/, /try again later/],
  ['filters list --retries 0', {fault: 'drop'}, 'unavailable null', /^No response from 127\.0\.0\.1:\d+: the connection was lost$/, /./],
  [`report user ${account('sly')} --type scam`, {fault: 'drop=after'}, 'unavailable null', /the connection was lost$/, /not known whether/],
  [
    'blocks list --timeout 0.2 --retries 0',
    {fault: 'delay=3600000'},
    'unavailable null',
    /timed out$/,
    /; --timeout SECONDS allows more time$/,
  ],
  ['blocks list --retries 0', {fault: 'truncate'}, 'bad_answer 200', /cannot read the response \(200\): .* was lost before its end$/, /./],
  ['blocks list', {fault: 'html'}, 'bad_answer 200', /expected JSON, got HTML \(200\)$/, /--verbose/],
  ['dm start 1', {fault: 'status=413'}, 'refused 413', /./, /larger than this server accepts/],
  // A quota of the hour, which is not waited for.
  ['filters delete 1 --yes', {fault: 'status=429'}, 'rate_limited 429', /./, /the counter never resets/],
  ['filters get 1', {fault: 'status=410'}, 'not_found 410', /./, /check the id/],
];

test.concurrent.each(cases)('%s with %j is %s', async (args, {like = '2026', options, fault, token}, end, message, hint) => {
  const sandbox = await startSandbox({...options, like, faults: fault === undefined ? [] : [parseFault(fault)]});
  const env = {PIXELCTL_SERVER: sandbox.url, PIXELCTL_TOKEN: token?.(sandbox.tokens) ?? sandbox.tokens.all};
  const {failure} = await failing(args.split(' '), {env});
  await sandbox.close();
  expect(`${failure.code} ${failure.status}`).toBe(end);
  expect(failure.message).toMatch(message);
  expect(failure.hint).toMatch(hint);
});
