/** What the reference of policies says about domains, besides the descriptions of the schema. */
import type {SectionWords} from './section-words.js';

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
    more: `A share is rounded up. A list that is named twice, or has the same entries as another one, counts once, and a note says so. A policy whose \`agree\` cannot
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
