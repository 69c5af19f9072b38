import {createHash} from 'node:crypto';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {factsText} from '../../../../src/lib/policy/model/domain-facts.js';
import {readList, refuseRowMistakes} from '../../../../src/lib/policy/lists/read-list.js';
import {expectInProportion} from '../../../processor-time.js';

const domains = (text: string) => readList(text, 'l');

/** Domains with their lines and what is said of them: `3 bad.example suspend, “spam”`. */
function told(text: string): string[] {
  return domains(text).entries.map(({domain, facts, line}) => `${line} ${domain} ${factsText(facts)}`);
}

function refusal(text: string): string {
  try {
    refuseRowMistakes(readList(text, 'l'));
  } catch (error) {
    if (error instanceof Failure && error.code === 'usage') return error.message;
    throw error;
  }
  throw new Error('The list was taken');
}

const admin = '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate';

test.each<[name: string, text: string, entries: readonly string[]]>([
  ["Mastodon's domain blocks without header", 'a.example\nb.example\n', ['1 a.example suspend', '2 b.example suspend']],
  ["Mastodon's domain blocks with header", '#domain\na.example\n', ['2 a.example suspend']],
  [
    "Mastodon's admin domain blocks",
    `${admin}\na.example,silence,TRUE,False,,false\nb.example,suspend,true,true,"a, ""b""",f\n`,
    ['2 a.example silence, reject media', '3 b.example suspend, reject media, reject reports, “a, "b"”'],
  ],
  [
    'FediBlockHole',
    'domain,severity,public_comment\na.example,noop,\nb.example,,\nc.example,limit,x\n',
    ['2 a.example noop', '3 b.example noop', '4 c.example silence, “x”'],
  ],
  [
    'a save file of FediBlockHole with all fields',
    '"domain","severity","public_comment","private_comment","reject_media","reject_reports","obfuscate"\na.example,suspend,"Spam","Seen, by ana",TRUE,TRUE,TRUE\nb*d.example,suspend,,,,,\n',
    ['2 a.example suspend, reject media, reject reports, obfuscate, “Spam”, private: “Seen, by ana”'],
  ],
  ['columns in another order', 'severity,domain\nsilence,a.example\n', ['2 a.example silence']],
  ['RapidBlock CSV', 'a.example\r\nsub.a.example\r\n', ['1 a.example suspend', '2 sub.a.example suspend']],
  [
    'the JSON of an API',
    '[{"domain": "a.example", "severity": "silence", "comment": null},\n {"domain": "b.example"},\n {"domain": "c.example", "severity": null}]',
    ['1 a.example silence', '2 b.example suspend', '3 c.example suspend'],
  ],
  ['what `domain-blocks list --json` prints', '["a.example",\n"b.example"]', ['1 a.example suspend', '2 b.example suspend']],
  [
    'plain lines with comments',
    '# mine\n\nhttps://A.example/about?x=1 # why\n  b.example.  \nbücher.example:443\n',
    ['3 a.example suspend', '4 b.example suspend', '5 xn--bcher-kva.example suspend'],
  ],
  [
    'comments behind domains below a header',
    'domain,severity\na.example # x,suspend\nb.example\t#y,silence\n',
    ['2 a.example suspend', '3 b.example silence'],
  ],
  ['comments with commas behind domains', '#domain\na.example # spam, scams\n', ['2 a.example suspend']],
  ['comments with commas in plain lines', 'a.example # spam, scams\nb.example #y\n', ['1 a.example suspend', '2 b.example suspend']],
  ['a comment before the header', '# made by x\n#domain,#severity\na.example,suspend\n', ['3 a.example suspend']],
  [
    'quotes, CRLF and spaces',
    '"#domain" , "#severity"\r\n "A.EXAMPLE" , "Suspend" \r\n\r\n"b.example",SILENCE',
    ['2 a.example suspend', '4 b.example silence'],
  ],
  ['old line ends', 'domain,severity\ra.example,suspend\rb.example,silence', ['2 a.example suspend', '3 b.example silence']],
  [
    'comments of several lines',
    'domain,public_comment,severity\na.example,"one\r\ntwo\nthree",suspend\nb.example,,silence\n',
    ['2 a.example suspend, “one two three”', '5 b.example silence'],
  ],
  [
    'semicolons, as German spreadsheets write them',
    '#domain;#severity;#public_comment\na.example;silence;"one; ""two"""\n"b.example" ; suspend;\n',
    ['2 a.example silence, “one; "two"”', '3 b.example suspend'],
  ],
  ['tabs', 'domain\tseverity\na.example\tsilence\n', ['2 a.example silence']],
  ['nothing', '', []],
  ['an empty JSON list', '[]', []],
])('reads %s', (_, text, entries) => {
  expect(told(text)).toEqual(entries);
});

test('a header below entries is no header', () => {
  const list = readList('a.example\ndomain,severity\nb.example,silence\n', 'l');
  expect(list.entries.map(({domain}) => domain)).toEqual(['a.example']);
});

test('keeps comments and flags of an entry in JSON, as APIs of Mastodon return them', () => {
  const said = {severity: 'silence', private_comment: 'seen', reject_media: true, reject_reports: false, obfuscate: true};
  const text = JSON.stringify([
    {id: '1', domain: 'a.example', ...said, public_comment: 'Spam'},
    {domain: 'b.example', digest: 'x', severity: 'suspend', comment: 'Of the public API'},
    {domain: 'c.example', severity: 'suspend', comment: null, obfuscate: null},
    {domain: 'd.example', public_comment: 'null \0 and half \ud800'},
  ]);
  expect(domains(text).entries.map(({facts}) => facts)).toEqual([
    {...said, public_comment: 'Spam'},
    {severity: 'suspend', public_comment: 'Of the public API'},
    {severity: 'suspend'},
    {severity: 'suspend', public_comment: 'null \u{fffd} and half \u{fffd}'},
  ]);
});

test.each([
  ['not a domain', 'l:1: "not…" is not a domain: more than one word'],
  ['a.example;suspend', 'l:1: several columns without a header, such as #domain,#severity'],
  ['a.example\nlocal_host\n', 'l:2: "local_host" is not a domain: it has no dot'],
  ['a.example\n10.0.0.1\n', 'l:2: "10.0.0.1" is not a domain: it is an address'],
  ['#domain;#severity\na.example,suspend\n', 'l:2: "a.example…" is not a domain'],
  ['<!doctype html>\n<title>Log in</title>', 'l:1: a web page, not a list'],
  ['\n  <div id="cf-error-details">Checking your browser</div>', 'l:2: "<div…" is not a domain: more than one word'],
  ['# by x\n<html><body>Just a moment...</body></html>', 'l:2: a web page, not a list'],
  [`${admin}\na.example,suspend,,,,\n<html lang="en", class="no-js">\n`, 'l:3: a web page, not a list'],
  [`${admin}\n<b>a.example</b>,suspend,,,,\n`, 'l:2: "<b>a.example</b>" is not a domain'],
  ['<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>', 'l:1: a web page, not a list'],
  [
    'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n',
    'l has 3 mistakes\nl:1: "version…" is not a domain: more than one word\nl:2: "oid…" is not a domain: more than one word\nl:3: "size…" is not a domain: more than one word',
  ],
  ['{}', 'l is JSON, but not a known format of lists'],
  ['{"error": "The access token is invalid"}', 'l is JSON, but not a known format of lists'],
  ['"unauthorized"\n', 'l:1: "unauthorized" is not a domain: it has no dot'],
  ['a.example\nana@b.example\n', 'l:2: "ana@b.example" is an account, not a domain'],
  ['Account address,Hide notifications\nana@a.example,true\n', 'l:1: several columns without a header, such as #domain,#severity'],
  ['a.example,suspend', 'l:1: several columns without a header, such as #domain,#severity'],
  ['# by x\n#domain,severity,#Domain\na.example,suspend,b.example\n', 'l:2: two columns are named "domain"'],
  ['domain,severity,severity\na.example,silence,suspend\n', 'l:1: two columns are named "severity"'],
  [`${admin}\n,suspend,,,,`, 'l:2: no domain'],
  [`${admin}\na.example,ban,,,,`, 'l:2: the severity is "ban"; allowed: noop, silence, suspend'],
  [`${admin}\na.example,suspend,maybe,,,`, 'l:2: reject_media is "maybe"; allowed: true, false'],
  ['domain,severity\na.example,suspend,x', 'l:2: 3 cells, where 2 are expected'],
  ['domain,public_comment\na.example,"never closed\nb.example,x\n', 'l:2: a quote is opened here and never closed'],
  ['[{"domain": "a.example"},\n{"severity": "suspend"}]', 'l:2: no domain'],
  ['[{"domain": "a.example", "severity": "ban"}]', 'l:1: the severity is "ban"; allowed: noop, silence, suspend'],
  ['["a.example",\n', 'l is not valid JSON, or incomplete'],
  ['{"banned": 5, "blocks": [], "custom_filters": {}}', 'l is JSON, but not a known format of lists'],
  ['\n\n <?XML?>', 'l:3: a web page, not a list'],
  ['a.example\tsuspend\n', 'l:1: several columns without a header, such as #domain,#severity'],
  ['[\n"a.example",\nno]', 'l is not valid JSON, or incomplete'],
  ['[\n"a.example"\n"b.example"]', 'l is not valid JSON, or incomplete'],
  ['[\n"a.example",\n]', 'l is not valid JSON, or incomplete'],
  ['{"blocks":\n{},\n"b": {,}}', 'l is not valid JSON, or incomplete'],
  ['[\n"a.example",\n', 'l is not valid JSON, or incomplete'],
])('names the wrong row of %j', (text, message) => {
  expect(refusal(text)).toBe(message);
});

test('every wrong row is counted, and the first five are named', () => {
  const lines = refusal('a\n'.repeat(130_000)).split('\n');
  expect([lines.length, lines[0], lines[1], lines.at(-1)]).toEqual([
    7,
    'l has 130,000 mistakes',
    'l:1: "a" is not a domain: it has no dot',
    'and 129,995 more',
  ]);
});

test.each([
  ['plain lines', 'a.example\nn-0\nb.example\n'],
  ['a table', '#domain,#severity\na.example,suspend\nn-0,suspend\nb.example,suspend\n'],
  ['a table with a wrong cell', '#domain,#severity\na.example,suspend\nc.example,ban\nb.example,suspend\n'],
  ['JSON', '["a.example", "n-0", "b.example"]'],
  ['JSON with a member of another shape', '["a.example", {"severity": "suspend"}, "b.example"]'],
])('keeps the usable rows of %s apart from the wrong ones', (_, text) => {
  const {entries, mistakes} = domains(text);
  expect(entries.map(({domain}) => domain)).toEqual(['a.example', 'b.example']);
  expect(mistakes.first).toHaveLength(1);
});

test('reads comments that contain markup', () => {
  const text = `${admin}\na.example,suspend,,,"<!doctype html>\n<html>",\n`;
  expect(domains(text).entries).toMatchObject([{domain: 'a.example', facts: {public_comment: '<!doctype html>\n<html>'}}]);
});

test('what only mentions a page, XML or Git LFS is a list', () => {
  const said = 'version https://git-lfs.github.com/spec/v1 <?xml <p>';
  for (const text of [`#domain,#public_comment\na.example,${said}\n`, `a.example # ${said}\n`, `# x\n# ${said}\na.example\n`])
    expect(readList(text, 'l').entries).toMatchObject([{domain: 'a.example'}]);
});

test('each member of a list in JSON has its line and its mistake', () => {
  const text =
    '[\n"a.example",\n5, {"domain": "b.example"},\n{"domain": 5}, {"severity": "noop"}, {"domain": "c.example", "severity": "ban"},\n{"domain": "d.example", "reject_media": "maybe"}]';
  const list = readList(text, 'l');
  expect(list.entries.map(({domain, line}) => `${domain}:${line}`)).toEqual(['a.example:2', 'b.example:3']);
  expect([list.mistakes.count, list.mistakes.first.map(({line, message}) => `${line}: ${message}`)]).toEqual([
    5,
    [
      '3: no domain',
      '4: "5" is not a domain: it is an address',
      '4: no domain',
      '4: the severity is "ban"; allowed: noop, silence, suspend',
      '5: reject_media is "maybe"; allowed: true, false',
    ],
  ]);
});

test.each([
  ['a line', 'password = hunter2 and more'],
  ['a line without spaces', 'password=hunter2'],
  ['a line of colons', 'password:x:0:0:hunter2:/bin/sh'],
  ['a quoted line', "password'hunter2'"],
  ['a cell of a table', '#domain,#severity\npassword = hunter2,suspend\n'],
  ['a severity', '#domain,#severity\na.example,password = hunter2\n'],
  ['a flag', '#domain,#reject_media\na.example,password = hunter2\n'],
  ['a member of JSON', '["password = hunter2"]'],
  ['a severity in JSON', '[{"domain": "a.example", "severity": "password = hunter2"}]'],
])('quotes no more than the first word of %s', (_, text) => {
  expect(refusal(text)).toContain('"password…"');
  expect(refusal(text)).not.toContain('hunter2');
});

test.each<[name: string, text: (rows: number) => string]>([
  [
    'a table',
    (rows) =>
      `${admin}\n${Array.from({length: rows}, (_, row) => `server-${row}.example,suspend,TRUE,FALSE,"spam, ""lots""",false`).join('\r\n')}`,
  ],
  ['plain lines', (rows) => Array.from({length: rows}, (_, row) => `https://server-${row}.example/ # why`).join('\n')],
  ['JSON on one line', (rows) => JSON.stringify(Array.from({length: rows}, (_, row) => `server-${row}.example`))],
])('reads 20,000 rows of %s in time that grows with their number', async (_, text) => {
  expect(domains(text(20_000)).entries.length).toBe(20_000);
  await expectInProportion(8000, text, domains);
});

test.each<[name: string, text: (rows: number) => string]>([
  ['empty objects', (rows) => `[${'{},'.repeat(rows)}{}]`],
  ['empty objects on lines', (rows) => `[${'{},\n'.repeat(rows)}{}]`],
  ['numbers', (rows) => `[${'7,'.repeat(rows)}7]`],
  ['words', (rows) => 'w-rd\n'.repeat(rows)],
  ['rows of a table', (rows) => `domain,severity\n${'word,x\n'.repeat(rows)}`],
])('counts every mistake of 24,000 invalid %s, and keeps the first hundred', async (_, text) => {
  const {mistakes} = readList(text(24_000), 'l');
  expect(mistakes.first).toHaveLength(100);
  expect([24_000, 24_001]).toContain(mistakes.count);
  await expectInProportion(24_000, text, (made) => readList(made, 'l'));
});

test('accepts as JSON what JSON.parse accepts, and nothing else', () => {
  const pieces = fc.constantFrom('[', ']', '{', '}', ',', ':', '"a.example"', '"blocks"', '1', ' ', '\n', 'x', '"');
  fc.assert(
    fc.property(fc.array(pieces, {maxLength: 12}), (parts) => {
      const text = `[${parts.join('')}`;
      const isJson = (() => {
        try {
          return Array.isArray(JSON.parse(text));
        } catch {
          return false;
        }
      })();
      const isTaken = (() => {
        try {
          return readList(text, 'l').name === 'l';
        } catch {
          return false;
        }
      })();
      expect(isTaken).toBe(isJson);
    }),
    {numRuns: 500},
  );
});

test('finds an unclosed quote at once, however much follows', async () => {
  const unclosed = (rows: number) => `domain,public_comment\na.example,"${'x,y\n'.repeat(rows)}`;
  await expectInProportion(24_000, unclosed, (text) => expect(refusal(text)).toContain('l:2'));
});

test.each([
  ['quotes alone', '"'.repeat(300_000)],
  ['quotes alone in a cell', `#domain,#public_comment\na.example,${'"'.repeat(300_000)}`],
  ['quotes alone in an odd number', `#domain,#public_comment\na.example,${'"'.repeat(2_999_999)}`],
  ['pairs of quotes between commas', `#domain,#public_comment\n${'"",'.repeat(1_000_000)}`],
  ['one word', 'a'.repeat(300_000)],
  ['spaces', ' '.repeat(300_000)],
  ['brackets', '['.repeat(300_000)],
])('reads 300,000 characters of %s to the end', (_, text) => {
  try {
    expect(readList(text, 'l').name).toBe('l');
  } catch (error) {
    expect(error).toMatchObject({code: 'usage'});
  }
});

describe('what servers publish', () => {
  const digest = (domain: string) => createHash('sha256').update(domain).digest('hex');
  const published = (entries: readonly object[]) => domains(JSON.stringify(entries));

  test('keeps severities and comments, and applies nothing whose domain is masked', () => {
    const {entries, obfuscated, mistakes} = published([
      {domain: 'Bad.example', digest: digest('bad.example'), severity: 'suspend', comment: 'Spam'},
      {domain: 'mild.example', digest: digest('mild.example').toUpperCase(), severity: 'silence', comment: ''},
      {domain: 'no-digest.example', digest: null, severity: 'suspend', comment: null},
      {domain: 'h*****l.example', digest: digest('hateful.example'), severity: 'suspend'},
      {domain: 'hxxxxxl.example', digest: digest('hateful.example'), severity: 'suspend'},
      {domain: '*.example', digest: digest('a.example'), severity: 'suspend'},
      {domain: 'other-digest.example', digest: 'ab12', severity: 'suspend'},
    ]);
    expect(entries.map(({domain, facts: {severity, public_comment}}) => [domain, severity, public_comment])).toEqual([
      ['bad.example', 'suspend', 'Spam'],
      ['mild.example', 'silence', undefined],
      ['no-digest.example', 'suspend', undefined],
      ['other-digest.example', 'suspend', undefined],
    ]);
    expect(obfuscated).toBe(3);
    expect(mistakes.first).toEqual([]);
  });

  const part = fc.constantFrom(undefined, null, 1, true, '', 'x', [], {}, ['bad.example'], {domain: 'bad.example'});
  const wrongPart = fc.tuple(fc.constantFrom('domain', 'digest', 'severity', 'comment'), part);

  test('takes no wrong part for a domain', () => {
    fc.assert(
      fc.property(fc.array(wrongPart, {minLength: 1}), (parts) => {
        const whole = {domain: 'bad.example', digest: digest('bad.example'), severity: 'suspend', comment: 'Spam'};
        const {entries, obfuscated, mistakes} = published([{...whole, ...Object.fromEntries(parts)}]);
        expect([entries.length + obfuscated > 0, mistakes.count > 0].filter(Boolean)).toHaveLength(1);
        expect(entries.every(({domain}) => domain === 'bad.example')).toBe(true);
      }),
    );
  });
});
