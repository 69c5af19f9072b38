/**
 * Schemas of the JSON that commands about policies print. The code that makes it takes its types from them, the reference is made from
 * them, and tests compare printed JSON with them. No run makes them, but for one that reads an earlier report.
 */
import * as z from 'zod/mini';
import {field, once} from '../../api/schema.js';
import {severities} from './domain-facts.js';

export const policySchemas = once(() => {
  const text = z.string;
  const optional = z.optional;
  const count = (about: string) => field(z.int(), about);
  const listOf = <Item extends z.ZodMiniType>(item: Item) => z.readonly(z.array(item));

  // Each section has its own kinds of items.
  const kind = field(text(), 'what it is');
  const subject = field(text(), 'the domain, account or title');
  const where = field(text(), 'where the policy or a list says so: `moderation.yml:3`');
  const about = {
    server: field(text(), 'the origin of the server'),
    account: field(text(), '`@ana`; the host of the server for what its accounts share; `unknown` where the server does not say'),
    policy: field(text(), 'the file, as it was named'),
  };
  const error = z.strictObject({code: text(), message: text()});

  // Pixelfed stores only the domain. The rest is for people, and for lists for other tools.
  const domainFacts = z.strictObject({
    severity: optional(z.enum(severities)),
    public_comment: optional(text()),
    private_comment: optional(field(text(), 'printed with --show-private alone')),
    reject_media: optional(z.boolean()),
    reject_reports: optional(z.boolean()),
    obfuscate: optional(field(z.boolean(), 'whether servers that publish the block mask the domain')),
  });
  const byHand = z.strictObject({
    set: field(text(), 'how the policy had it'),
    found: field(z.nullable(text()), 'how it is; `null`: it is not there any more'),
    since: field(text(), 'when an apply set it'),
  });
  const rowFields = {
    action: field(z.enum(['add', 'update', 'remove', 'cannot']), '`cannot`: no request can change it'),
    kind,
    subject,
    rule: field(text(), 'path of the rule in the policy: `domain_blocks.must`'),
    where,
    wanted: text(),
    actual: text(),
    fix: optional(field(text(), 'what to do about it by hand, in most cases a command')),
    details: optional(field(domainFacts, 'of a domain: what the policy and its lists say about it, merged')),
    lists: optional(field(listOf(text()), 'all places that ask for it, where there are several')),
    by_hand: optional(field(byHand, 'where somebody lifted it, or made it weaker, since an apply set it')),
  };
  const row = z.strictObject(rowFields);
  const list = z.strictObject({
    list: field(text(), 'its file or address'),
    entries: count('domains that it names'),
    obfuscated: count('entries with masked letters, such as `b*d.example` and `*.bad.example`, which are never applied'),
    below_min_severity: count('entries that are not severe enough'),
    invalid: count('rows that `on_mistake` leaves out'),
    skipped: field(listOf(z.strictObject({source: text(), why: text()})), 'the first 100 mistakes in those rows'),
    allows: optional(field(z.literal(true), 'it is a list of `must_not`')),
  });
  const skipped = z.strictObject({
    kind,
    subject: optional(subject),
    why: text(),
    code: optional(
      field(
        text(),
        'of what could not be read, the code of the error; `covered`: the block of a domain above it is enough; `limit`: the policy allows no more',
      ),
    ),
    rule: optional(field(text(), 'the rule that holds it back')),
    where: optional(where),
  });
  const besides = {
    skipped: field(listOf(skipped), 'what was not compared, or is held back'),
    lists: optional(field(listOf(list), 'where the policy names some')),
  };
  const guard = z.strictObject({
    why: text(),
    flag: field(z.enum(['allow-additions', 'allow-removals']), 'the flag that allows it'),
    count: count('the number that the flag needs at least'),
  });
  const planOfOne = z.strictObject({
    ...about,
    only: optional(field(listOf(text()), 'the sections that the plan is limited to')),
    digest: optional(field(text(), 'of all accounts of the run: `apply --expect` does exactly this')),
    changes: field(listOf(row), 'in the order in which apply makes them'),
    cannot: field(listOf(row), 'what differs and no request can change'),
    ...besides,
    guards: optional(field(listOf(guard), 'where apply would refuse the plan as it is')),
  });
  const failedAccount = z.strictObject({...about, error: optional(field(error, 'why it could not be read'))});
  const status = optional(field(z.enum(['new', 'open']), 'with --since'));
  const auditOfOne = z.strictObject({
    ...about,
    ok: field(z.boolean(), 'whether nothing differs and all could be read'),
    findings: listOf(z.strictObject({status, ...rowFields})),
    ...besides,
    since: optional(field(text(), 'the earlier report, with --since')),
    resolved: optional(field(listOf(row), 'findings of the earlier report that are gone')),
    unread: optional(field(listOf(row), 'findings of the earlier report that could not be checked this time')),
    error: optional(field(error, 'why the account could not be read')),
  });
  const counts = z.strictObject({
    policy: field(text(), 'the file, as it was named'),
    account: field(z.nullable(text()), 'the account of `for` whose rules differ; `null`: all others'),
    section: field(text(), 'the key of the policy'),
    wanted: count('items that the policy and its lists want'),
    forbidden: count('items that `must_not` and its lists name'),
    lists: count('lists that the section names'),
  });
  const diff = z.strictObject({
    left: field(text(), 'the first side, as it was named'),
    right: text(),
    differences: listOf(
      z.strictObject({
        kind,
        subject,
        left: field(z.nullable(text()), 'what the first side has; `null`: nothing'),
        right: z.nullable(text()),
      }),
    ),
  });
  const because = z.strictObject({rule: text(), where, says: field(text(), 'what it asks for, and whether it counts')});
  const explanation = z.strictObject({
    kind,
    subject,
    wanted: field(z.nullable(z.boolean()), 'whether the policy wants it; `null`: no rule is about it'),
    there: field(z.nullable(z.boolean()), 'whether the server has it; `null`: it was not read'),
    actual: field(text(), 'what the server has, in words'),
    because: listOf(because),
    by_hand: optional(field(byHand, 'where somebody lifted it, or made it weaker, since an apply set it')),
  });
  const managedItem = z.strictObject({
    kind,
    subject,
    id: optional(field(text(), 'of a filter or a block of a server')),
    was: optional(field(z.unknown(), 'how it was before apply changed it, where apply did not make it')),
    since: field(text(), 'time of the apply, or when it was adopted'),
    account: field(text(), '`ana@pix.example`; the host of the server for what its accounts share'),
    policy: text(),
    file: field(text(), 'the state'),
  });
  return {
    audit: z.union([auditOfOne, listOf(auditOfOne)]),
    diff,
    explain: listOf(explanation),
    plan: z.union([planOfOne, listOf(z.union([planOfOne, failedAccount]))]),
    state: listOf(managedItem),
    validate: listOf(counts),
    parts: {auditOfOne, counts, explanation, kind, list, managedItem, planOfOne, row},
  };
});

type Schemas = ReturnType<typeof policySchemas>;
type Part<Name extends keyof Schemas['parts']> = Readonly<z.infer<Schemas['parts'][Name]>>;

export type RowJson = Part<'row'>;
export type ListJson = Part<'list'>;
export type CountJson = Part<'counts'>;
export type ExplanationJson = Part<'explanation'>;
export type ManagedItemJson = Part<'managedItem'>;
export type DiffJson = Readonly<z.infer<Schemas['diff']>>;
/** A plan without its changes, and an audit without its findings, which are added one by one. */
export type PlanHead = Omit<Part<'planOfOne'>, 'changes'>;
export type AuditHead = Omit<Part<'auditOfOne'>, 'findings'>;
