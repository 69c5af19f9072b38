import {describe, expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {parsePolicy, refuseOthers} from '../../../../src/lib/policy/reading/policy-file.js';
import {desiredOf} from '../../../../src/lib/policy/rows/compare.js';
import {blocks, mutes} from '../../../../src/lib/policy/sections/names.js';
import {wantedBy} from '../wanted.js';

const example = `version: 1
server: https://pix.example          # optional: refuses to run against another
domain_blocks:
  must: [bad.example]                # must be blocked
  must_not: [good.example]           # never blocked, even if a list names it
  only: false                        # true: nothing else may be blocked
  lists:                             # merged in, each entry remembers where it came from
    - {file: lists/tier0.csv, min_severity: suspend}
    - {file: lists/other.csv}
  agree: 1                           # how many lists must name a domain (default 1)
filters:
  must:
    - title: Spoilers
      context: [home, public]
      action: warn
      keywords: [spoiler, {keyword: ending, whole_word: false}]
      expires: never                 # or a date, or 90d: no later than that from now
  only: false
blocks:  {must: [troll@bad.example], must_not: [friend@pix.example]}
mutes:   {must_not: [friend@pix.example]}
`;

/** What the reader says of a text that it refuses. */
function refusal(text: string): string {
  try {
    parsePolicy(text, 'p.yml');
  } catch (error) {
    if (error instanceof Failure) {
      expect(error.code).toBe('usage');
      return error.message;
    }
    throw error;
  }
  throw new Error('The policy was taken');
}

test('reads the example, each rule with its line', () => {
  const policy = parsePolicy(example, 'policies/p.yml');
  const where = (line: number) => `policies/p.yml:${line}`;
  expect(policy).toMatchObject({file: 'policies/p.yml', server: {value: new URL('https://pix.example'), where: where(2)}});
  expect(Object.fromEntries(policy.rules)).toMatchObject({
    domain_blocks: {
      must: [{value: 'bad.example', where: where(4)}],
      mustNot: [{value: 'good.example', where: where(5)}],
      only: undefined,
      lists: [
        {
          where: where(8),
          name: 'policies/lists/tier0.csv',
          isRemote: false,
          minSeverity: 'suspend',
          mayBeEmpty: false,
        },
        {
          where: where(9),
          name: 'policies/lists/other.csv',
          isRemote: false,
          minSeverity: 'silence',
          mayBeEmpty: false,
        },
      ],
      agree: 1,
      merge: {comments: 'joined', severity: 'highest'},
    },
    filters: {
      must: [
        {
          where: where(13),
          value: 'Spoilers',
          filter: {
            context: ['home', 'public'],
            action: 'warn',
            keywords: [
              {keyword: 'ending', whole_word: false},
              {keyword: 'spoiler', whole_word: true},
            ],
            expires: 'never',
          },
        },
      ],
      mustNot: [],
    },
    blocks: {must: [{value: 'troll@bad.example', where: where(19)}], mustNot: [{value: 'friend@pix.example', where: where(19)}]},
    mutes: {must: [], mustNot: [{value: 'friend@pix.example', where: where(20)}]},
  });
});

test.each([
  ['ana', 'ana@pix.example'],
  ['"@ana"', 'ana@pix.example'],
  ['"12345"', '12345'],
  ['Bo@far.example', 'bo@far.example'],
  ['"@Bo@far.example"', 'bo@far.example'],
  ['https://far.example/@bo', 'bo@far.example'],
  ['https://far.example/bo', 'bo@far.example'],
  ['https://far.example/users/bo', 'bo@far.example'],
])('accepts %s as an account', (written, handle) => {
  const given = wantedBy(`version: 1\nblocks: {must: [${written}]}\nmutes: {must_not: [${written}]}`);
  expect([...desiredOf(blocks, given, 'pix.example').want.keys()]).toEqual([handle]);
  expect([...desiredOf(mutes, given, 'pix.example').never.keys()]).toEqual([handle]);
});

test.each(['a b', 'https://far.example/', 'https://far.example/i/web/profile/12', '@', 'a@b@c', "'a,b'"])(
  'refuses %j as an account',
  (written) => {
    expect(refusal(`version: 1\nblocks: {must: ["${written}"]}`)).toContain('is not an account, as in ana@pix.example');
  },
);

test('accepts JSON, with tabs and a byte order mark', () => {
  const text = '\u{feff}{\n\t"version": 1,\n\t"domain_blocks": {\n\t\t"must": ["BÜCHER.example."]\n\t}\n}\n';
  expect(parsePolicy(text, 'p.json').rules.get('domain_blocks')).toMatchObject({
    must: [{value: 'xn--bcher-kva.example', where: 'p.json:4'}],
  });
});

test.each([
  [
    'domain_block: {}',
    '2:1: unknown key "domain_block"; did you mean "domain_blocks"? Allowed: version, server, accounts, for, domain_blocks, admin_domain_blocks, filters, blocks, mutes',
  ],
  [
    'domain_blocks:\n  must:\n    - a.example\n  musn: []',
    '5:3: unknown key "musn"; did you mean "must"? Allowed: must, must_not, only, limit, lists, agree, comments, severity, protect_followed',
  ],
  ['domain_blocks: {must: a.example}', '2:23: a list is expected, got text'],
  ['domain_blocks: {lists: [{file: a, min_severity: bad}]}', '2:49: unsupported min_severity "bad" (supported: noop, silence, suspend)'],
  ['domain_blocks: {lists: [{file: a, url: "https://a.example/l"}]}', '2:25: needs either file or url or server'],
  [
    'domain_blocks: {lists: [{url: "http://a.example/l"}]}',
    '2:31: expected an address that begins with https://, got "http://a.example/l"',
  ],
  [
    'domain_blocks: {must_not: {lists: [{file: a, min_severity: suspend}]}}',
    '2:46: unknown key "min_severity"; allowed: file, url, on_mistake, may_be_empty, sha256',
  ],
  [
    'domain_blocks: {lists: [{file: a, private_comment: x}]}',
    '2:35: unknown key "private_comment"; allowed: file, url, on_mistake, may_be_empty, sha256, server, min_severity, max_severity, fields',
  ],
  ['domain_blocks: {lists: [{file: a}], agree: 2}', '2:44: agree is 2, but there is 1 list: nothing would be blocked'],
  ['domain_blocks: {agree: 6, lists: [{file: a}, {file: b}]}', '2:24: agree is 6, but there are 2 lists: nothing would be blocked'],
  ...['0%', '101%', '50', '1.5%', '-1%', '%'].map((share) => [
    `domain_blocks: {lists: [{file: a}], agree: '${share}'}`,
    `2:44: expected a share from 1% to 100%, got "${share}"`,
  ]),
  [
    'domain_blocks: {agree: true, lists: [{file: a}]}',
    '2:24: a number of lists such as 2, or a share of them such as 50% is expected, got true',
  ],
  ...['ftp://a.example', 'http://a.example', 'https://a.example/list', 'https://u:p@a.example', 'a b', 'https://a.example?x=1'].map(
    (server) => [
      `domain_blocks: {lists: [{server: '${server}'}]}`,
      `2:34: expected the address of a server, as in https://other.example, got "${server}"`,
    ],
  ),
  ['domain_blocks: {must: [b*d.example]}', '2:24: "b*d.example" is not a domain: it contains *'],
  ['domain_blocks: {must: [10.0.0.1]}', '2:24: "10.0.0.1" is not a domain: it is an address'],
  [
    'domain_blocks:\n  must: [https://A.example/]\n  must_not: [a.example]',
    '3:10: a.example is in must, and in must_not of domain_blocks at p.yml:4',
  ],
  [
    'filters: {must: [{title: A, context: [hom], keywords: [a]}]}',
    '2:39: unsupported context "hom" (supported: home, public, tags, notifications, thread, account)',
  ],
  ['filters: {must: [{title: A, context: [home]}]}', '2:18: keywords is missing'],
  [
    'filters: {must: [{title: A, context: [home], keywords: [a, {keyword: b, whole: true}]}]}',
    '2:73: unknown key "whole"; allowed: keyword, whole_word',
  ],
  [
    'filters: {must: [{title: A, context: [home], keywords: [true]}]}',
    '2:57: text or {keyword, whole_word} is expected, got true; put it in quotes',
  ],
  ['filters: {must: [{title: A, context: [home], keywords: [a, " A"]}]}', '2:56: the keyword "a" is repeated'],
  ['filters: {must: [{title: A, context: [home], keywords: []}]}', '2:56: expected at least one keyword'],
  ['domain_blocks: {agree: -1, lists: [{file: a}]}', '2:24: expected a whole number, got -1'],
  ...['soon', '0d'].map((expires) => [
    `filters: {must: [{title: A, context: [home], keywords: [a], expires: ${expires}}]}`,
    `2:70: expected never, a date such as 2027-01-31, or a time such as 90d, got "${expires}"`,
  ]),
  [
    'filters:\n  must_not: [A]\n  must: [{title: A, context: [home], keywords: [a]}]',
    '4:10: "A" is in must, and in must_not of filters at p.yml:3',
  ],
  [
    'filters:\n  must:\n    - {title: A, context: [home], keywords: [a]}\n    - {title: A, context: [home], keywords: [b]}',
    '5:7: two filters are titled "A" (the other at p.yml:4)',
  ],
  ['blocks: {must: [a b]}', '2:17: "a b" is not an account, as in ana@pix.example'],
  ['version: 1', '2:1: Map keys must be unique'],
  ['---\nversion: 1', '2:1: a second document begins here; a policy is one document'],
  ['server: "https://"', '2:9: expected the address of a server, as in https://pix.example, got "https://"'],
  ['filters: !!set {}', '2:10: Unresolved tag: tag:yaml.org,2002:set'],
])('refuses version 1 with %j', (text, message) => {
  expect(refusal(`version: 1\n${text}`)).toBe(`p.yml:${message}`);
});

test.each([
  ['version: 2', 'p.yml:1:10: unsupported version 2 (supported: 1)'],
  ['server: a.example', 'p.yml:1:1: version is missing'],
  ['', 'p.yml is empty'],
  ['%YAML 1.1\n---\nversion: 1\nblocks: !!omap []', 'p.yml:4:9: Unresolved tag: tag:yaml.org,2002:omap'],
])('refuses %j', (text, message) => {
  expect(refusal(text)).toBe(message);
});

test('reports every mistake at once, in the order of the file', () => {
  const text = 'version: 1\ndomain_blocks: {limit: -1, must: [1], agree: 0}\n';
  expect(refusal(text)).toBe(
    [
      'p.yml has 3 mistakes',
      'p.yml:2:24: expected a whole number, got -1',
      'p.yml:2:35: a domain or {domain, public_comment} is expected, got 1; put it in quotes',
      'p.yml:2:46: expected at least 1, got 0',
    ].join('\n'),
  );
});

test.each([
  [
    'shape',
    'version: 2\naccounts: [ana]\ndomain_blocks:\n  musst: [a]\n  must: [1, "a b", {dom: x}]\nfor: {zoe@pix.example: {mutes: {mst: []}}}\n',
    [
      '1:10: unsupported version',
      '2:12: expected an account',
      '4:3: unknown key "musst"',
      '5:10: a domain or',
      '5:20: domain is missing',
      '5:21: unknown key "dom"',
      '6:33: unknown key "mst"',
    ],
  ],
  [
    'meaning',
    'version: 1\ndomain_blocks:\n  must: ["a b", c.example]\n  must_not: [c.example]\nfor: {zoe@pix.example: {mutes: {must: [a b]}}}\n',
    ['3:10: "a b" is not', '3:17: c.example is in must', '5:40: "a b" is not'],
  ],
  ['syntax', 'version: 1\nversion: 1\nblocks: [*.x]\n', ['2:1: Map keys', '3:10: YAML reads *.x']],
])('reports all mistakes of the %s at once', (_, text, places) => {
  const [, ...lines] = refusal(text).split('\n');
  expect(lines.map((line, index) => line.slice('p.yml:'.length, `p.yml:${places[index]}`.length))).toEqual(places);
});

test('refuses a policy for another server', () => {
  const policy = parsePolicy('version: 1\nserver: PIX.example/about', 'p.yml');
  refuseOthers([{policy}], new URL('https://pix.example/'), null);
  refuseOthers([{policy: parsePolicy('version: 1', 'p.yml')}], new URL('https://other.example'), null);
  for (const other of ['https://other.example', 'http://pix.example', 'https://pix.example:8443']) {
    expect(() => refuseOthers([{policy}], new URL(other), null)).toThrow(
      expect.objectContaining({code: 'usage', message: expect.stringContaining('The policy is for pix.example (p.yml:2)')}),
    );
  }
});

test('what a rule names twice counts once, with the place of the first', () => {
  const {rules} = parsePolicy('version: 1\nblocks:\n  must_not:\n    - bo@b.example\n    - bo@b.example\n', 'p.yml');
  expect(rules.get('blocks')).toMatchObject({mustNot: [{where: 'p.yml:4'}]});
});

test.each([
  [
    'unknown keys',
    Array.from({length: 20_000}, (_, index) => `key${index}: 1`).join('\n'),
    /^p\.yml has 20,000 mistakes\np\.yml:2:1: unknown key "key0"/,
  ],
  ['unknown aliases', `blocks: [${'*b, '.repeat(20_000)}]`, /^p\.yml has 20,000 mistakes\np\.yml:2:10: YAML reads \*b as an alias/],
])('counts all mistakes of a policy with 20,000 times %s, and names the first', (_, text, message) => {
  expect(refusal(`version: 1\n${text}`)).toMatch(message);
});

describe('accounts, and what differs for each', () => {
  const base = `version: 1
accounts: [ana@pix.example, '@Bo@other.example']
domain_blocks: {must: [a.example], only: true, agree: 1, lists: [{file: l.txt}]}
blocks: {must: [troll]}
filters: {must: [{title: A, context: [home], keywords: [a]}]}
`;

  test('adds lists, and replaces single values', () => {
    const policy = parsePolicy(
      `${base}for:
  ana@pix.example:
    domain_blocks: {must: [b.example], must_not: {domains: [c.example], lists: [{file: n.txt}]}, only: false, lists: [{file: m.txt}], agree: 2}
    blocks: {must: [bot]}
    mutes: {must: [loud]}
    filters: {must: [{title: B, context: [home], keywords: [b]}]}
`,
      'p.yml',
    );
    const ana = policy.variants?.get('ana@pix.example');
    expect(ana?.rules.get('domain_blocks')).toMatchObject({
      must: [
        {value: 'a.example', where: 'p.yml:3'},
        {value: 'b.example', where: 'p.yml:8'},
      ],
      mustNot: [{value: 'c.example'}],
      only: undefined,
      lists: [{name: 'l.txt'}, {name: 'm.txt', where: 'p.yml:8'}, {name: 'n.txt', spares: true}],
      agree: 2,
    });
    expect(ana?.rules.get('blocks')).toMatchObject({must: [{value: 'troll'}, {value: 'bot'}]});
    expect(ana?.rules.get('mutes')).toMatchObject({must: [{value: 'loud'}]});
    expect(ana?.rules.get('filters')).toMatchObject({must: [{value: 'A'}, {value: 'B'}]});
    expect(policy.rules.get('domain_blocks')).toMatchObject({must: [{value: 'a.example'}]});
    expect(policy.rules.get('mutes')).toBeUndefined();
    expect(ana?.accounts?.map(({value}) => value)).toEqual(['ana@pix.example', 'bo@other.example']);
  });

  test.each([
    [
      'an account without its server',
      'accounts: [ana]',
      'p.yml:2:12: expected an account with its server, as in ana@pix.example, got "ana"',
    ],
    ['no account', 'accounts: []', 'p.yml:2:11: expected at least one account'],
    [
      'a key that is no account',
      'for: {pix.example: {}}',
      'p.yml:2:7: "pix.example" is not an account with its server, as in ana@pix.example',
    ],
    [
      'an account that is not among the accounts',
      'accounts: [ana@pix.example]\nfor: {bo@pix.example: {}}',
      'p.yml:3:7: bo@pix.example is not one of the accounts of this policy; add it to accounts',
    ],
    ['an account twice', "for: {bo@pix.example: {}, '@BO@pix.example': {}}", 'p.yml:2:27: bo@pix.example is repeated'],
    ['a server', 'for: {bo@pix.example: {server: pix.example}}', 'p.yml:2:24: unknown key "server"; allowed: '],
    ['an unknown key', 'for: {bo@pix.example: {mutes: {mst: []}}}', 'p.yml:2:32: unknown key "mst"; did you mean "must"?'],
    ['an invalid domain', 'for: {bo@pix.example: {domain_blocks: {must: ["a b"]}}}', 'p.yml:2:47: '],
    [
      'more agreement than lists',
      'domain_blocks: {lists: [{file: a}]}\nfor: {bo@pix.example: {domain_blocks: {agree: 2}}}',
      'p.yml:3:47: agree is 2, but there is 1 list',
    ],
    [
      'a contradiction',
      'mutes: {must: [bo]}\nfor: {bo@pix.example: {mutes: {must_not: [bo]}}}',
      'p.yml:2:16: @bo is in must, and in must_not of mutes at p.yml:3',
    ],
    [
      'a filter of the same title',
      'filters: {must: [{title: A, context: [home], keywords: [a]}]}\nfor: {bo@pix.example: {filters: {must: [{title: A, context: [home], keywords: [b]}]}}}',
      'p.yml:3:41: two filters are titled "A" (the other at p.yml:2)',
    ],
  ])('rejects %s', (_, text, message) => {
    expect(() => parsePolicy(`version: 1\n${text}\n`, 'p.yml')).toThrow(message);
  });

  test('names a mistake of the policy itself once', () => {
    const text = 'version: 1\nblocks: {must: ["a b"]}\nfor: {ana@pix.example: {}, bo@pix.example: {}}\n';
    expect(() => parsePolicy(text, 'p.yml')).toThrow(/^p\.yml:2:17: "a b" is not an account, as in ana@pix\.example$/);
  });

  test('refuses other accounts, and one that is not known', () => {
    const server = new URL('https://pix.example');
    const policy = parsePolicy(base, 'p.yml');
    refuseOthers([{policy}], server, 'bo@other.example');
    refuseOthers([{policy: parsePolicy('version: 1', 'p.yml')}], server, undefined);
    expect(() => refuseOthers([{policy}], server, 'bo@pix.example')).toThrow(
      'The policy is not for bo@pix.example: its accounts (p.yml:2) do not include it',
    );
    expect(() => refuseOthers([{policy}], server, undefined)).toThrow(
      'p.yml names accounts, and the server did not return the account of this token',
    );
    expect(() => refuseOthers([{policy: parsePolicy('version: 1\nfor: {a@b.example: {}}', 'p.yml')}], server, undefined)).toThrow(
      'p.yml names accounts',
    );
  });
});
