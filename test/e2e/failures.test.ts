import {expect, test} from 'vitest';
import {parseFault} from '../../src/lib/sandbox/fault.js';
import {startSandbox, type Generation, type Sandbox, type SandboxOptions} from '../sandbox/start.js';
import {account, conversation, filter, post} from './demo-world.js';
import {failing, type Failure} from './told.js';

interface Case {
  readonly name: string;
  readonly args: string;
  readonly like?: Generation;
  readonly options?: SandboxOptions;
  readonly fault?: string;
  /** Instead of the one with all scopes. */
  readonly token?: (tokens: Sandbox['tokens']) => string;
  readonly told: Partial<Omit<Failure, 'hint' | 'message'>>;
  readonly message: RegExp;
  readonly hint: RegExp | null;
}

const withBob = conversation('bob').id;
const crypto = filter('Crypto');
const wrongToken = (): string => 'canary-of-a-wrong-token';
const readOnly = (tokens: Sandbox['tokens']): string => tokens.readOnly;

const cases: readonly Case[] = [
  {
    name: 'a token that is not known',
    args: 'blocks list',
    token: wrongToken,
    told: {code: 'auth', exit: 3, status: 401, method: 'GET', path: '/api/v1/blocks'},
    message: /token not accepted \(401\): Unauthenticated\.$/,
    hint: /PIXELCTL_TOKEN/,
  },
  {
    name: 'a token that is not known, on an older server',
    args: 'blocks list',
    like: '0.12.6',
    token: wrongToken,
    told: {code: 'auth', exit: 3, status: 500},
    message: /token not accepted \(500\): Unauthenticated\.$/,
    hint: /PIXELCTL_TOKEN/,
  },
  {
    name: 'a scope that is missing and named',
    args: `dm send ${withBob} hello`,
    token: readOnly,
    told: {code: 'auth', exit: 3, status: 403, method: 'POST'},
    message: /Missing required scope: write/,
    hint: /the scope write/,
  },
  {
    name: 'a scope that is missing and not named',
    args: 'filters delete 1 --yes',
    token: readOnly,
    told: {code: 'auth', exit: 3, status: 403, method: 'DELETE', path: '/api/v2/filters/1'},
    message: /not allowed for this token \(403\)$/,
    hint: /the scope (read|write)/,
  },
  {
    name: "somebody else's filter",
    args: `filters get ${crypto}`,
    token: ({users}) => users['bob'] ?? '',
    told: {code: 'refused', exit: 5, status: 403},
    message: /This action is unauthorized\.$/,
    hint: /./,
  },
  {
    name: "somebody else's filter, on an older server",
    args: `filters get ${crypto}`,
    like: '0.12.6',
    token: ({users}) => users['bob'] ?? '',
    told: {code: 'refused', exit: 5, status: 500},
    message: /This action is unauthorized\.$/,
    hint: /./,
  },
  {
    name: 'a conversation that there is not',
    args: 'dm get 999999',
    told: {code: 'not_found', exit: 4, status: 404, path: '/api/v1.1/direct/conversations/999999'},
    message: /not found \(404\)$/,
    hint: /check the id/,
  },
  {
    name: 'a list that there is not',
    args: 'mutes list',
    fault: 'status=404',
    told: {code: 'not_found', exit: 4, status: 404, path: '/api/v1/mutes'},
    message: /not found \(404\)/,
    hint: /^the server is older than this feature, or it is switched off$/,
  },
  {
    name: 'somebody that there is not',
    args: 'thread get 12',
    fault: 'status=404,at="GET /api/v1.1/direct/thread"',
    told: {code: 'not_found', exit: 4, status: 404, path: '/api/v1.1/direct/thread'},
    message: /not found \(404\)/,
    hint: /check the id/,
  },
  {
    name: 'a filter that there is not, on an older server',
    args: 'filters get 999999',
    like: '0.12.6',
    told: {code: 'not_found', exit: 4, status: 500},
    message: /not found \(500\): No query results for model/,
    hint: /check the id/,
  },
  {
    name: 'pushes on a server without them',
    args: 'push state',
    options: {push: false},
    told: {code: 'not_found', exit: 4, status: 404},
    message: /\(404\)/,
    hint: /push is off on this server/,
  },
  {
    name: 'a handle that nobody has',
    args: 'thread get @nobody@nowhere.example',
    told: {code: 'not_found', exit: 4, status: null},
    message: /No account @nobody@nowhere\.example/,
    hint: /pixelctl dm lookup/,
  },
  {
    name: 'input that breaks the rules',
    args: 'filters create --title Film --context nowhere --keyword plot',
    told: {code: 'refused', exit: 5, status: 422, method: 'POST', path: '/api/v2/filters'},
    message: /input refused \(422\): The selected context "nowhere" is invalid\.$/,
    hint: /./,
  },
  {
    name: 'input that breaks the rules, on an older server',
    args: 'filters create --title Film --context nowhere --keyword plot',
    like: '0.12.6',
    told: {code: 'refused', exit: 5, status: 500},
    message: /input refused \(500\): The selected context "nowhere" is invalid\.$/,
    hint: /./,
  },
  {
    name: "a report of one's own post",
    args: `report post ${post('Tram 28, again. 🚋')} --type spam`,
    told: {code: 'refused', exit: 5, status: 400},
    message: /Cannot self report$/,
    hint: /./,
  },
  {
    name: 'leaving a conversation of two',
    args: `dm leave ${withBob} --yes`,
    told: {code: 'refused', exit: 5, status: 422},
    message: /Only group conversations can be left\.$/,
    hint: /./,
  },
  {
    name: 'a message to somebody who is blocked',
    args: `dm start ${account('grumpy')}`,
    told: {code: 'refused', exit: 5, status: 403},
    message: /You cannot message this account\.$/,
    hint: /./,
  },
  {
    name: 'a domain that servers do not take',
    args: 'domain-blocks add bad.localhost --yes',
    told: {code: 'refused', exit: 5, status: 500},
    message: /domain refused \(500\): Invalid domain/,
    hint: /./,
  },
  {
    name: 'a limit that takes longer to pass than one waits',
    args: 'blocks list',
    fault: 'rate-limit=3600',
    told: {code: 'rate_limited', exit: 6, status: 429},
    message: /rate limit reached \(429\): Too Many Attempts; it asks to wait 3600 s$/,
    hint: /--max-wait/,
  },
  {
    name: 'a limit that does not pass',
    args: 'dm mute 1 --max-wait 2',
    fault: 'rate-limit=0',
    told: {code: 'rate_limited', exit: 6, status: 429},
    message: /Too Many Attempts; it asks to wait \d s$/,
    hint: /try again later/,
  },
  {
    name: 'a server in trouble',
    args: 'mutes list --retries 0',
    fault: 'status=503',
    told: {code: 'unavailable', exit: 7, status: 503, path: '/api/v1/mutes'},
    message: /server error \(503\): Service Unavailable$/,
    hint: /try again later/,
  },
  {
    name: 'a connection that ends without an answer',
    args: 'filters list --retries 0',
    fault: 'drop',
    told: {code: 'unavailable', exit: 7, status: null, method: 'GET', path: '/api/v2/filters'},
    message: /^No response from 127\.0\.0\.1:\d+: the connection was lost$/,
    hint: /./,
  },
  {
    name: 'a write of which nobody knows whether it was carried out',
    args: `report user ${account('sly')} --type scam`,
    fault: 'drop=after',
    told: {code: 'unavailable', exit: 7, status: null, method: 'POST', path: '/api/v1.1/report'},
    message: /the connection was lost$/,
    hint: /not known whether this was carried out/,
  },
  {
    name: 'an answer that takes too long',
    args: 'blocks list --timeout 0.2 --retries 0',
    fault: 'delay=3600000',
    told: {code: 'unavailable', exit: 7, status: null},
    message: /timed out$/,
    hint: /^the server is from PIXELCTL_SERVER; --timeout SECONDS allows more time$/,
  },
  {
    name: 'an answer that breaks off',
    args: 'blocks list --retries 0',
    fault: 'truncate',
    told: {code: 'bad_answer', exit: 8, status: 200},
    message: /cannot read the response \(200\): the connection was lost before its end$/,
    hint: /./,
  },
  {
    name: 'a web page',
    args: 'blocks list',
    fault: 'html',
    told: {code: 'bad_answer', exit: 8, status: 200},
    message: /expected JSON, got HTML \(200\)$/,
    hint: /--verbose/,
  },
];

test.concurrent.each(cases)('$name', async ({args, like = '2026', options, fault, token, told, message, hint}) => {
  const sandbox = await startSandbox({...options, like, faults: fault === undefined ? [] : [parseFault(fault)]});
  const env = {PIXELCTL_SERVER: sandbox.url, PIXELCTL_TOKEN: token?.(sandbox.tokens) ?? sandbox.tokens.all};
  const {failure} = await failing(args.split(' '), {env});
  await sandbox.close();
  expect(failure).toMatchObject(told);
  expect(failure.message).toMatch(message);
  if (hint === null) expect(failure.hint).toBeNull();
  else expect(failure.hint).toMatch(hint);
});
