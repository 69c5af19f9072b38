/** Lists that people paste, download and pipe, and the names in them. */
import {expect} from 'vitest';
import {endpoints} from '../../src/lib/api/endpoints.js';
import {parseTargets} from '../../src/lib/cli/endpoint/target-list.js';
import {Mistakes} from '../../src/lib/cli/endpoint/targets.js';
import {textOfBytes} from '../../src/lib/files/read-text.js';
import {accountName, handleIn} from '../../src/lib/operations/account-name.js';
import {hostOf, isBlockable, isDomain} from '../../src/lib/operations/domains.js';
import {isHandle} from '../../src/lib/operations/handle.js';
import {readList, refuseRowMistakes} from '../../src/lib/policy/lists/read-list.js';
import {dateOf, durationOf, endOf} from '../../src/lib/policy/model/time.js';
import {describeParsers} from './behaviour.js';

function parseList(bytes: Buffer): void {
  const list = readList(textOfBytes(bytes, 'list.csv'), 'list.csv');
  for (const {message, line} of list.mistakes.first) {
    expect(message.length).toBeLessThanOrEqual(1000);
    expect(message.isWellFormed() && line >= 1, message).toBe(true);
  }
  for (const {domain} of list.entries) expect(isBlockable(domain), domain).toBe(true);
  refuseRowMistakes(list);
}

const kindNames = new Set(endpoints.flatMap(({items}) => items ?? []));

function parseAllTargets(bytes: Buffer): void {
  const text = textOfBytes(bytes, 'standard input');
  for (const kind of kindNames)
    for (const wanted of [{kind}, {kind, mustBeCertain: true}, {kind, column: 'account.acct'}]) {
      const mistakes = new Mistakes();
      for (const {value, place} of parseTargets(text, wanted, 'standard input', mistakes))
        expect({value, place}).not.toMatchObject({value: ''});
      const words = `${mistakes.text} ${mistakes.advice ?? ''}`;
      expect(words.length < 20_000 && words.isWellFormed(), words.slice(0, 300)).toBe(true);
    }
}

function parseDomain(bytes: Buffer): void {
  const text = bytes.toString();
  const domain = hostOf(text);
  expect(isDomain(domain), domain).toBe(true);
  expect(hostOf(domain)).toBe(domain);
}

function parseAccount(bytes: Buffer): void {
  const handle = handleIn(bytes.toString());
  if (handle !== undefined) expect(isHandle(handle), handle).toBe(true);
  const account = accountName(bytes.toString());
  expect(accountName(account)).toBe(account);
}

function parseTime(bytes: Buffer): void {
  const text = bytes.toString();
  const [date, end] = [dateOf(text), endOf(text)];
  durationOf(text);
  if (date !== undefined) expect(dateOf(date.toISOString())).toEqual(date);
  if (end !== undefined) expect(endOf(end)).toBe(end);
}

const words = [
  '*.bad.example',
  'b*d.example',
  '#domain,#severity',
  'domain',
  '"severity":',
  'silence',
  'Account address,Show boosts',
  '@ana@pix.example',
];
const list = {parse: parseList, words: [...words, '"banned": [', '"_sha256":', 'xn--nxasmq6b.example', '# c', '2027-01-31 10:00:00 UTC']};

describeParsers({
  list,
  instances: list,
  filters: list,
  targets: {
    parse: parseAllTargets,
    words: [...words, '"data":', '"acct":', '"url":', 'id,title', '"account":', 'https://pix.example/@ana'],
  },
  domain: {parse: parseDomain, words: ['https://', '*.', '.', ':443', '[::1]', '127.0.0.1', 'xn--', '▓', '@', '/', '%2e', '。', '\u00ad']},
  account: {parse: parseAccount, words: ['@', 'https://pix.example/@ana', '/users/', '/i/web/profile/', '%40', ':443', '.', '_']},
  time: {parse: parseTime, words: ['2026-02-29', 'T24:00', 'Z', '+14:00', '-00:00', '0d', '90d', 'never', '999999999w']},
});
