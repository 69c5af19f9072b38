import {describe, expect, test} from 'vitest';
import {Failure, type FailureDetails} from '../../../src/lib/client/failure.js';
import {NetworkError} from '../../../src/lib/client/network-error.js';
import {defaultAccount} from '../../../src/lib/cli/account-in-use.js';
import {exitStatuses, hintFor, formatFailure} from '../../../src/lib/cli/errors.js';

const inUse = defaultAccount;

test('every failure code has a fixed exit status', () => {
  const statuses = Object.fromEntries(Object.entries(exitStatuses).map(([code, {status}]) => [code, status]));
  expect(statuses).toEqual({
    internal: 1,
    usage: 2,
    auth: 3,
    not_found: 4,
    refused: 5,
    rate_limited: 6,
    unavailable: 7,
    bad_answer: 8,
    local: 9,
    drift: 10,
    partial: 11,
    interrupted: 130,
    terminated: 143,
  });
});

test('mistakes in a file are printed one on a line before the error, and on one line with --json', () => {
  const mistakes = [1, 2].map((line) => ({file: 's.json', line, message: 'wrong'}));
  const failure = new Failure('local', 's.json has 2 mistakes\ns.json:1: wrong\ns.json:2: wrong', {mistakes, hint: 'correct them'});
  expect(formatFailure(failure, inUse, {json: false, color: false})).toBe(
    's.json:1: wrong\ns.json:2: wrong\nError: s.json has 2 mistakes\nHint: correct them\n',
  );
  const {error} = JSON.parse(formatFailure(failure, inUse, {json: true, color: false}));
  expect(error.message).toBe('s.json has 2 mistakes: s.json:1: wrong; s.json:2: wrong');
});

describe('a failure', () => {
  const failure = new Failure('not_found', 'pix.example: not found (404)', {status: 404, method: 'GET', path: '/api/v2/filters/5'});

  test('a failure to find an object names the command that lists such, with the flags of the account', () => {
    const listing = {flags: {profile: 'work'}, listOf: (kind: string) => (kind === 'filter' ? 'filters list' : undefined)};
    expect(hintFor(failure.with({kind: 'filter'}), listing)).toBe(
      'check the id with `pixelctl filters list --profile=work`; objects of other accounts are not found either',
    );
    expect(hintFor(failure.with({kind: 'post'}), listing)).toBe('check the id; objects of other accounts are not found either');
    expect(hintFor(failure.with({kind: 'filter', reason: 'not_yours'}), listing)).toBe(
      'it belongs to another account: check the id with `pixelctl filters list --profile=work`',
    );
  });

  test.each([
    [null, 'null'],
    [{a: JSON.rawJSON('1.50'), email: 'a@b'}, '{"a":1.50}'],
  ])('a failure keeps the body of the answer with --json: %j is %s', (body, kept) => {
    expect(formatFailure(failure.with({body}), inUse, {json: true, color: false})).toMatch(`,"body":${kept}}}\n`);
  });

  test('a failure without an answer of a server has no hint about ids', () => {
    expect(hintFor(new Failure('not_found', 'Nothing was moved'), inUse)).toBeUndefined();
  });

  test('a difference is a result, and is printed without an error', () => {
    const difference = new Failure('drift', 'Two domain blocks were held back', {hint: 'ask for more'});
    expect(formatFailure(difference, inUse, {json: false, color: false})).toBe('Two domain blocks were held back.\nHint: ask for more\n');
  });

  test('a failure is cut when the message is very long, and a long hint is omitted', () => {
    const long = new Failure('refused', 'a'.repeat(3_000_000), {hint: 'b'.repeat(3_000_000), path: `/${'c'.repeat(3_000_000)}`});
    for (const json of [false, true]) expect(formatFailure(long, inUse, {json, color: false}).length).toBeLessThan(5000);
    expect(formatFailure(long, inUse, {json: false, color: false})).toMatch(/^Error: a{2000}…\n$/);
  });

  test('a failure by cancelling is not called an error', () => {
    const no = new Failure('usage', 'Cancelled. Nothing was sent.', {reason: 'cancelled'});
    expect(formatFailure(no, inUse, {json: false, color: true})).toBe('Cancelled. Nothing was sent.\n');
  });

  test('escapes control characters of servers', () => {
    const hostile = new Failure('refused', 'it says: \u001b[2J\u009b31m\u202e\r\nHint: run rm -rf', {hint: '\u001b]0;x\u0007'});
    for (const json of [false, true])
      expect(formatFailure(hostile, inUse, {json, color: false})).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
    expect(formatFailure(hostile, inUse, {json: false, color: false}).match(/^Hint:/gm)).toHaveLength(1);
  });
});

describe('the hint', () => {
  const hint = (code: ConstructorParameters<typeof Failure>[0], details: FailureDetails, message = 'x') =>
    hintFor(new Failure(code, message, details), inUse);

  test.each([
    ['of the place itself goes first', hint('auth', {hint: 'mine', reason: 'no_token'}), /^mine$/],
    ['for a missing token names where it goes', hint('auth', {reason: 'no_token'}), /PIXELCTL_TOKEN/],
    ['for a withheld token names the server', hint('auth', {reason: 'withheld_token'}), /PIXELCTL_SERVER/],
    ['for a refused token says that it may have expired', hint('auth', {reason: 'token'}), /expired or been revoked/],
    ['for a login page says what older servers do', hint('auth', {reason: 'login_page'}), /older servers/],
    ['for a scope names it', hint('auth', {reason: 'scope'}, 'x (403): Missing scope: write'), /the scope write/],
    [
      'for a scope with more after it names it',
      hint('auth', {reason: 'scope'}, 'x (403): Missing scope: write: not sent'),
      /scope write: `/,
    ],
    [
      'for a scope of admins names all of it',
      hint('auth', {reason: 'scope'}, 'Missing scope: admin:write:domain_blocks'),
      /scope admin:write:domain_blocks: `/,
    ],
    [
      'for a scope that the server does not name takes that of the record',
      hint('auth', {reason: 'scope', scope: 'push'}),
      /the scope push/,
    ],
    ['for a scope that nobody names says so', hint('auth', {reason: 'scope'}), /another scope/],
    ['for a redirect names --server', hint('bad_answer', {reason: 'another_origin'}), /--server/],
    ['for an unreadable answer names --verbose', hint('bad_answer', {}), /--verbose/],
    ['for an unknown route says that the server is older', hint('not_found', {reason: 'unknown_route'}), /older than this feature/],
    ['for a limit names --max-wait', hint('rate_limited', {}), /--max-wait/],
    ['for a large file names the configuration', hint('refused', {status: 413}), /pixelctl config/],
    ['for no connection names the address', hint('unavailable', {reason: 'connection'}), /check the address/],
    ['for a fault of the server does not', hint('unavailable', {status: 503}), /server error/],
    [
      'for a message of unknown fate says where to look',
      hint('unavailable', {fate: 'unknown', lookWith: {command: 'dm messages', args: ['5'], flags: {limit: '1'}}}),
      /`pixelctl dm messages 5 --limit=1`/,
    ],
    ['for a report of unknown fate says that it is not known', hint('unavailable', {fate: 'unknown'}), /^it is not known/],
  ])('%s', (_, words, wanted) => {
    expect(words).toMatch(wanted);
  });

  test.each(['auth', 'bad_answer', 'internal', 'interrupted', 'rate_limited', 'refused', 'terminated', 'unavailable', 'usage'] as const)(
    'the hint exists for %s',
    (code) => {
      expect(hint(code, {})).toMatch(/./);
    },
  );

  test('an error on this machine without a hint of its own gets none', () => {
    expect(hint('local', {})).toBeUndefined();
  });
});

test('a token of the environment is got anew where it came from', () => {
  const ofJob = {flags: {}, tokenVariable: 'PIXELCTL_TOKEN_ANA'};
  const failure = new Failure('auth', 'x (403): Missing scope: push', {reason: 'scope'});
  expect(hintFor(failure, ofJob)).toBe('the token needs the scope push: set PIXELCTL_TOKEN_ANA to a token with it');
});

test.each([
  [true, '--timeout SECONDS allows more time'],
  [false, 'check the address and your connection; --timeout SECONDS allows more time'],
])('the hint for no answer in time names the address unless the request was sent: %s', (isSent, hint) => {
  const cause = new NetworkError('timeout', 'x', {status: undefined, isSent});
  expect(hintFor(new Failure('unavailable', 'x', {cause}), inUse)).toBe(hint);
});

test('suggested commands act on the account in use', () => {
  const failure = new Failure('auth', 'x', {hint: 'see `pixelctl config`'});
  expect(hintFor(failure, {flags: {profile: 'work'}})).toBe('see `pixelctl config --profile=work`');
});
