/** Lists that people paste, download and pipe, and the names in them. */
import {kinds} from '../../../dist/lib/api/kinds/index.js';
import {parseBatchLine} from '../../../dist/lib/cli/endpoint/batch.js';
import {TargetMistakes} from '../../../dist/lib/cli/endpoint/mistakes.js';
import {parseTargets} from '../../../dist/lib/cli/endpoint/target-list.js';
import {textOfBytes} from '../../../dist/lib/files/text.js';
import {accountName, handleIn} from '../../../dist/lib/operations/account-name.js';
import {handleOf, isHandle, ownName} from '../../../dist/lib/operations/handle.js';
import {hostOf, isBlockable, isDomain, isObfuscated, parentsOf, wildcardBase} from '../../../dist/lib/operations/domains.js';
import {readList, refuseRowMistakes} from '../../../dist/lib/policy/lists/read-list.js';
import {listFormats, writeDomainList} from '../../../dist/lib/policy/lists/write-list.js';
import {dateOf, durationOf, durationText, expiryOf, expiryText, isDay} from '../../../dist/lib/policy/model/time.js';
import {same, Wrong} from '../judge.js';
import {dataOf} from '../plain-data.js';

const name = 'list.csv';

/** Entries that every format can hold, each domain once. */
function writableOf(entries) {
  const byDomain = new Map(entries.map((entry) => [entry.domain, entry]));
  return [...byDomain.values()].toSorted((one, other) => (one.domain < other.domain ? -1 : 1));
}

/** What is written of a list is read again as the same. */
function checkWritten(all) {
  for (const format of listFormats) {
    if (format === 'mastodon-json') continue;
    const entries = format === 'pixelfed-instances' ? all.filter(({domain}) => isDomain(domain)) : all;
    const {text} = writeDomainList(format, entries, {now: () => new Date(0)});
    const hasSeverities = format === 'mastodon-admin' || format === 'fediblockhole';
    const expected = entries.filter(({facts}) => hasSeverities || facts.severity !== 'noop').map(({domain}) => domain);
    if (expected.length === 0) continue;
    const again = readList(text, name);
    same(again.warning, undefined, `the warning about ${format}`);
    same(again.mistakes.count, 0, `the mistakes in ${format}`);
    same(
      again.entries
        .map(({domain}) => domain)
        .toSorted()
        .join(),
      expected.join(),
      `the domains in ${format}`,
    );
    if (format !== 'fediblockhole') continue;
    const factsOf = (some) =>
      JSON.stringify(some.map(({facts}) => [facts.severity, facts.public_comment?.trim() ?? '', facts.reject_media ?? false]));
    same(factsOf(again.entries), factsOf(entries), 'the facts');
  }
}

function parseList(bytes) {
  const list = readList(textOfBytes(bytes, name), name);
  dataOf(list.entries);
  for (const {message, line} of list.mistakes.first) {
    if (message.length > 1000 || !message.isWellFormed() || !(line >= 1))
      throw new Wrong(`a mistake at line ${line}: ${message.slice(0, 100)}`);
  }
  if (list.kind === 'domains') {
    for (const {domain} of list.entries) if (!isBlockable(domain)) throw new Wrong(`the domain ${domain}`);
    checkWritten(writableOf(list.entries.slice(0, 500)));
  }
  refuseRowMistakes(list);
  return `${list.kind} ${list.format} ${Math.min(list.entries.length, 2)}`;
}

function parseAllTargets(bytes) {
  const text = textOfBytes(bytes, 'standard input');
  const wanted = Object.keys(kinds).flatMap((kind) => [{kind}, {kind, mustBeCertain: true}, {kind, column: 'account.acct'}]);
  return wanted
    .map((one) => {
      const {targets, mistakes, accounts} = parseTargets(text, one, 'standard input', new TargetMistakes());
      for (const target of targets)
        if (target.value === '' || !target.location) throw new Wrong(`a target without a name at ${target.location}`);
      for (const account of accounts) if (typeof account !== 'string') throw new Wrong('an account that is no text');
      const words = `${mistakes.text} ${mistakes.advice ?? ''}`;
      if (words.length > 20_000 || !words.isWellFormed()) throw new Wrong(`${words.length} characters of mistakes`);
      return `${Math.min(targets.length, 2)}${Math.min(mistakes.count, 2)}`;
    })
    .join(' ');
}

const commands = ['blocks:add', 'dm:send', 'filters:create', 'api'];

function parseBatch(bytes) {
  const lines = textOfBytes(bytes, 'the batch')
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '');
  for (const [index, line] of lines.entries()) {
    const parsed = parseBatchLine(line.trim(), index + 1, commands);
    for (const word of parsed.words({title: {type: 'option'}, force: {type: 'boolean', allowNo: true}}))
      if (typeof word !== 'string') throw new Wrong('a word that is no text');
  }
  return lines.length;
}

function parseDomain(bytes) {
  const text = bytes.toString();
  const [obfuscated, base] = [isObfuscated(text), wildcardBase(text)];
  if (base !== undefined && !isDomain(base)) throw new Wrong(`the base ${base}`);
  const domain = hostOf(text);
  same(hostOf(domain), domain, 'the domain');
  if (!isDomain(domain)) throw new Wrong(`${domain} is no domain`);
  return `${obfuscated} ${parentsOf(domain).length}`;
}

function parseAccount(bytes) {
  const text = bytes.toString();
  const own = ownName(text, 'pix.example');
  if (own?.user === '') throw new Wrong('an empty user');
  const handle = handleIn(text);
  if (handle !== undefined && !isHandle(handle)) throw new Wrong(`the handle ${handle}`);
  const account = accountName(text);
  same(accountName(account), account, 'the account');
  if (account.startsWith('@'))
    same(handleOf(handleOf(account, 'pix.example'), 'other.example'), handleOf(account, 'pix.example'), 'the handle');
  return account.slice(0, 1);
}

function parseTime(bytes) {
  const text = bytes.toString();
  const [date, seconds, expiry] = [dateOf(text), durationOf(text), expiryOf(text)];
  if (date !== undefined) same(dateOf(date.toISOString())?.getTime(), date.getTime(), 'the date');
  // Days have nine digits at most.
  if (seconds && seconds < 86_400 * 1e9) same(durationOf(durationText(seconds)), seconds, 'the duration');
  if (expiry !== undefined) expiryText(expiry);
  return `${date !== undefined} ${seconds !== undefined} ${isDay(text)}`;
}

const listWords = [
  'bad.example',
  '*.bad.example',
  'b*d.example',
  '#domain,#severity',
  'domain',
  'severity',
  '"severity":',
  'silence',
  'Account address,Show boosts',
  '@ana@pix.example',
  'reject_media',
  '"banned": [',
  '"_sha256":',
  'xn--nxasmq6b.example',
  '# c',
];
const lists = {parse: parseList, words: listWords, slowness: 2};

/** @type {Record<string, import('./index.js').Parser>} */
export const parsers = {
  list: {...lists, shapes: ['table', 'table', 'json']},
  instances: {...lists, shapes: ['json']},
  filters: {...lists, shapes: ['json'], words: ['"title":', '"context":', 'expires_at', 'keywords_attributes', '2027-01-31 10:00:00 UTC']},
  targets: {
    parse: parseAllTargets,
    shapes: ['json', 'table', 'lines'],
    words: [...listWords, '"data":', '"acct":', '"url":', 'id,title', '"account":', '"item":', 'https://pix.example/@ana'],
    slowness: 4,
  },
  batch: {
    parse: parseBatch,
    isPart: true,
    shapes: ['lines'],
    words: ['blocks add', '--title=', '--force', '--no-force', '"args":', '"flags":', ' -- ', '-h', '--input=-', '$x', "'", '"'],
    slowness: 2,
  },
  domain: {parse: parseDomain, words: ['https://', '*.', '.', ':443', '[::1]', '127.0.0.1', 'xn--', '▓', '@', '/', '%2e', '。', '\u00ad']},
  account: {parse: parseAccount, words: ['@', 'https://pix.example/@ana', '/users/', '/i/web/profile/', '%40', ':443', '.', '_']},
  time: {parse: parseTime, words: ['2026-02-29', 'T24:00', 'Z', '+14:00', '-00:00', '0d', '90d', 'never', '999999999w', ' ']},
};
