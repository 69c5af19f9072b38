/** What the reference says about the keys of a policy, besides the descriptions of the schema. */
const filter = (more: string): string => `filters:
  must:
    - title: Spoilers
      context: [home, public]
      ${more}`;

export const filtersWords: SectionWords = {
  must: {example: filter('keywords: [spoiler]')},
  'must[].title': {
    more: 'A filter with another title is another filter. Of several filters with one title the second, by id, is called `Title (2)`.',
    example: filter('keywords: [spoiler]'),
  },
  'must[].context': {example: filter('keywords: [spoiler]')},
  'must[].action': {example: filter('action: hide\n      keywords: [spoiler]')},
  'must[].keywords': {example: filter('keywords: [spoiler, {keyword: ending, whole_word: false}]')},
  'must[].keywords[].keyword': {example: filter('keywords: [{keyword: ending, whole_word: false}]')},
  'must[].keywords[].whole_word': {example: filter('keywords: [{keyword: ending, whole_word: false}]')},
  'must[].expires': {example: filter('keywords: [spoiler]\n      expires: 90d')},
  must_not: {example: 'filters: {must_not: [Old jokes]}'},
  only: {example: 'filters: {must: [{title: Spoilers, context: [home], keywords: [spoiler]}], only: true}'},
};

interface KeyWords {
  /** Sentences in Markdown, besides the description that the schema has. */
  readonly more?: string;
  /** A policy in YAML, without its version, that has the key. */
  readonly example: string;
}

/** The words on the keys of a section, by their path in it: `must[].until`. */
export type SectionWords = Readonly<Record<string, KeyWords>>;

/** An account section, whose items are named as in `must`. @param item an account as policies name it */
export function namedSetWords(section: string, item: string): SectionWords {
  const example = (rules: string): string => `${section}: {${rules}}`;
  return {
    must: {example: example(`must: ['${item}']`)},
    'must[].account': {example: example(`must: [{account: '${item}', until: 2026-12-31}]`)},
    must_not: {example: example(`must_not: ['${item}']`)},
    only: {example: example(`must: ['${item}'], only: true`)},
  };
}

const pulled = `It is fetched without a token and without a proxy, from public addresses by https, within 30 seconds (\`--timeout\`) and 10 MiB. Addresses of this
machine are allowed only when the account's own server is on it too.`;

export const accountDomainsWords: SectionWords = {
  must: {
    more: `A name without a dot, such as \`cf\`, is a whole top-level domain. Only [Mastodon](../guides/server-blocks.md#pixelfed-and-mastodon) can block one, for
everyone on the server. Elsewhere, such names on lists are skipped and counted, and one in \`must\` is a difference that stays.`,
    example: `domain_blocks:
  must: [bad.example, {domain: ads.example, public_comment: Advertising}]`,
  },
  'must[].domain': {example: 'domain_blocks: {must: [{domain: bad.example, severity: silence}]}'},
  'must[].severity': {
    more: 'A server keeps only the domain for an account. The severity is shown by `explain`, `plan` and reports, and written by `export --from`.',
    example: 'domain_blocks: {must: [{domain: bad.example, severity: silence}]}',
  },
  'must[].public_comment': {
    more: '`explain`, `plan` and reports show it, and `export --from` writes it.',
    example: 'domain_blocks: {must: [{domain: bad.example, public_comment: Spam}]}',
  },
  'must[].private_comment': {
    more: `Without \`--show-private\`, private comments are left out of everything that is printed, in every format, and of reports. Only \`admin_domain_blocks\` sends
them to a server. Its state holds them, and \`--dry-run\` and \`--verbose\` print them in requests.`,
    example: 'domain_blocks: {must: [{domain: bad.example, private_comment: see report 12}]}',
  },
  'must[].reject_media': {
    more: 'Pixelfed has no such setting. Mastodon has, for `admin_domain_blocks`; for an account it only stands in exported lists.',
    example: 'domain_blocks: {must: [{domain: bad.example, reject_media: true}]}',
  },
  'must[].reject_reports': {
    more: 'The same servers have it as `reject_media`.',
    example: 'domain_blocks: {must: [{domain: bad.example, reject_reports: true}]}',
  },
  'must[].obfuscate': {
    more: 'The same servers have it as `reject_media`.',
    example: 'domain_blocks: {must: [{domain: bad.example, obfuscate: true}]}',
  },
  'must[].until': {
    more: `After that day the entry is as if it were not written: \`apply\` removes what it made for it. Items that existed before stay, and so do items that a list
names. If two entries name the same item, the one that ends later holds. \`explain\` shows the day.`,
    example: 'domain_blocks: {must: [{domain: bad.example, until: 2026-12-31}]}',
  },
  must_not: {
    more: `What lists name below such a domain is not added either, and where a block covers subdomains, one that covers it is held. If \`must\` names a domain that a list of \`must_not\` has, the domain is blocked: the entry of the list has no effect, and a
note says so. \`plan\`, \`audit\`, reports and \`explain\` show what is held back or kept.`,
    example: `domain_blocks:
  must_not: [casino.example.com, {domain: good.example, note: our sister server}]`,
  },
  'must_not[].domain': {example: 'domain_blocks: {must_not: [{domain: good.example, note: our sister server}]}'},
  'must_not[].note': {example: 'domain_blocks: {must_not: [{domain: good.example, note: our sister server}]}'},
  'must_not.domains': {example: 'domain_blocks: {must_not: {domains: [casino.example.com], lists: [{file: allowed.txt}]}}'},
  'must_not.lists': {
    more: `Domains on such a list, and below it, are not added. What an earlier apply blocked of them is unblocked, which counts for \`--allow-removals\`. Domains that a
person blocked stay blocked, and are no difference.`,
    example: 'domain_blocks: {must_not: {lists: [{file: allowed.txt}]}}',
  },
  protect_followed: {
    more: `Accounts on subdomains count too. Both lists are read from the server, and the counts are kept for a day, in a private file for each account. \`plan\` says how
old they are; \`apply\` reads them again after ten minutes, and \`plan\` says how many follows end. \`domain-blocks add DOMAIN\` blocks a domain anyway.

If the counts cannot be read, \`plan\`, \`audit\`, \`explain\` and reports name the domains as not checked (10), and \`apply\` refuses (5). \`--only\` applies the other
parts of the policy.`,
    example: 'domain_blocks: {must: [bad.example], protect_followed: 3}',
  },
  only: {
    more: 'Removals by this rule count for `--allow-removals`.',
    example: 'domain_blocks: {must: [bad.example], only: true}',
  },
  limit: {
    more: `Existing blocks count. Domains of the policy itself come first, then those that most lists agree on, the most severe first, then by name. Domains
beyond the limit are listed as held back (\`held_back\` in \`--json\`), and are no difference (0). Exceeding the server's own limit is a difference (10).`,
    example: 'domain_blocks: {limit: 100, lists: [{file: long.csv}]}',
  },
  lists: {
    more: `Lists are read as Mastodon, FediBlockHole, RapidBlock and Pixelfed write them, with commas, semicolons or tabs, as JSON or as plain lines. Obfuscated entries
(\`b*d.example\`, \`*.bad.example\`) are skipped and counted. A web page, a login page, XML, a JSON error or any other file in place of a list is always refused. A list that cannot be
read never counts as empty.

Each list needs one of \`file\`, \`url\` and \`server\`. \`explain\`, \`plan\` and reports show what lists say about a domain.`,
    example: `domain_blocks:
  lists: [{file: tier0.csv, min_severity: suspend}]`,
  },
  'lists[].file': {
    more: 'Links are followed before the folder is checked. `--allow-outside` allows files elsewhere.',
    example: 'domain_blocks: {lists: [{file: tier0.csv}]}',
  },
  'lists[].url': {more: pulled, example: "domain_blocks: {lists: [{url: 'https://lists.example/tier0.csv'}]}"},
  'lists[].on_mistake': {
    more: 'A refused list is shown with the number of such rows and the first five lines. Rows that are left out are counted: the first ones are shown with file and line, and `--json` has up to a hundred.',
    example: 'domain_blocks: {lists: [{file: tier0.csv, on_mistake: {max: 10}}]}',
  },
  'lists[].on_mistake.max': {example: 'domain_blocks: {lists: [{file: tier0.csv, on_mistake: {max: 10}}]}'},
  'lists[].may_be_empty': {
    more: 'By default an empty list is refused, because it would remove everything that it named before.',
    example: 'domain_blocks: {lists: [{file: tier0.csv, may_be_empty: true}]}',
  },
  'lists[].sha256': {
    more: 'A list with other content is refused, so only the reviewed list is applied.',
    example: `domain_blocks:
  lists:
    - url: https://lists.example/tier0.csv
      sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08`,
  },
  'lists[].server': {
    more: `The list comes from Mastodon's API for published blocks. Masked entries are counted, and never applied. ${pulled}`,
    example: "domain_blocks: {lists: [{server: 'https://other.example'}]}",
  },
  'lists[].min_severity': {
    more: 'With `noop`, and `severity: lowest` for the section, the list can retract what other lists name.',
    example: 'domain_blocks: {lists: [{file: tier0.csv, min_severity: suspend}]}',
  },
  'lists[].max_severity': {
    more: 'With `noop` the list blocks nothing.',
    example: 'domain_blocks: {lists: [{file: trends.csv, max_severity: silence}]}',
  },
  'lists[].fields': {example: 'domain_blocks: {lists: [{file: tier0.csv, fields: [public_comment]}]}'},
  agree: {
    more: `A share is rounded up. A list that is named twice counts once. A policy whose \`agree\` cannot
be reached is refused.`,
    example: 'domain_blocks: {agree: 50%, lists: [{file: one.csv}, {file: two.csv}, {file: three.csv}]}',
  },
  comments: {
    more: 'Comments are in the order of the lists.',
    example: 'domain_blocks: {comments: first, lists: [{file: one.csv}, {file: two.csv}]}',
  },
  severity: {
    more: 'With `highest`, every flag that a list sets is set. A domain whose merged severity is `noop` is not blocked.',
    example: 'domain_blocks: {severity: lowest, lists: [{file: one.csv}, {file: two.csv, min_severity: noop}]}',
  },
};

/** Where the blocks of a server differ. */
export const serverDomainsWords: SectionWords = {
  must: {
    more: `An entry can also have comments, flags and a last day. [Block lists for a whole server](../guides/server-blocks.md) shows how servers differ.`,
    example: `admin_domain_blocks:
  must: [bad.example, {domain: ads.example, severity: silence, private_comment: see ticket 12}]`,
  },
  'must[].severity': {example: 'admin_domain_blocks: {must: [{domain: ads.example, severity: silence}]}'},
  lists: {
    more: 'A domain without a severity is suspended. Entries with `noop`, and entries whose only effect is `reject_media`, are skipped and counted.',
    example: 'admin_domain_blocks: {lists: [{file: tier0.csv}, {file: trends.csv, max_severity: silence}]}',
  },
  'lists[].private_comment': {
    more: `It tells those who look at the server's own page why a domain is blocked. \`{list}\` is the file or the host of the list, \`{date}\` the day of the apply. It is
never compared: what somebody writes instead stays, and so do notes that the server already has. It cannot be combined with \`send_comments: none\`.`,
    example: "admin_domain_blocks: {lists: [{file: tier0.csv, private_comment: 'from {list}, {date}'}]}",
  },
  max_followed_severity: {
    more: `A suspension ends these follows. Domains that are already suspended stay suspended. It needs the scope \`admin:read\`: without it, no new domain is blocked with a
higher severity.`,
    example: 'admin_domain_blocks: {max_followed_severity: silence, followed_limit: 5, lists: [{file: tier0.csv}]}',
  },
  followed_limit: {example: 'admin_domain_blocks: {max_followed_severity: silence, followed_limit: 5, lists: [{file: tier0.csv}]}'},
  send_comments: {
    more: 'With `private`, nothing is published.',
    example: 'admin_domain_blocks: {send_comments: both, lists: [{file: tier0.csv}]}',
  },
};

/** The keys beside the sections. */
export const policyWords: SectionWords = {
  version: {example: 'domain_blocks: {must: [bad.example]}'},
  server: {
    more: 'A policy for another server is refused (2), and nothing is sent.',
    example: 'server: https://pix.example',
  },
  accounts: {
    more: 'Any other account is refused (2), and nothing is sent. Without it, the policy is for any account. `--profile` selects the accounts of a run.',
    example: 'accounts: [ana@pix.example, bob@pix.example]',
  },
  for: {
    more: 'See [Several accounts](../guides/policy-accounts.md).',
    example: `accounts: [ana@pix.example, shop@other.example]
domain_blocks: {must: [bad.example]}
for:
  shop@other.example:
    domain_blocks: {must: [rival.example]}
    blocks: {must: ['@dailydeals@shop.example.com']}`,
  },
};

const named = `An account is \`ana\`, \`@ana@pix.example\` or an id; \`@123\` is the account named 123. Each account is looked up once, when it is added.`;

/** What a section says about all of its keys. */
export const sectionNotes: Partial<Record<string, string>> = {
  admin_domain_blocks: `These blocks hold for everyone on the server: see [Block lists for a whole server](../guides/server-blocks.md).`,
  filters: 'See also [Filters from the shell](../guides/filters.md).',
  blocks: named,
  mutes: named,
};

export const sectionWords: Readonly<Record<string, SectionWords>> = {
  domain_blocks: accountDomainsWords,
  admin_domain_blocks: serverDomainsWords,
  filters: filtersWords,
  blocks: namedSetWords('blocks', '@dailydeals@shop.example.com'),
  mutes: {},
};
