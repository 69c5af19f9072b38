/** Reads policy files: into a policy, or every mistake in it. */
import * as z from 'zod/mini';
import {field, membersOf} from '../../api/schema.js';
import {Failure} from '../../client/failure.js';
import {handleOf} from '../../operations/handle.js';
import {handleIn} from '../../operations/account-name.js';
import {complaintsOf, type Mistake, Mistakes, maxKept, refuseMistakes} from '../source/mistakes.js';
import {type PrivateComments, withoutPrivate} from '../model/domain-facts.js';
import type {Policy, Rules} from '../model/policy.js';
import {isPortable} from '../sections/account-sections.js';
import {kindOf, kinds} from '../sections/index.js';
import {type About, SectionReader} from '../sections/reader.js';
import {withScheme} from '../source/list-origin.js';
import {locationText} from '../source/location.js';
import {YamlSource} from '../source/yaml-source.js';
import {maybe, someText} from '../sections/section-fields.js';

const serverText = someText.check(
  z.refine((text) => URL.parse(withScheme(text)) !== null, 'expected the address of a server, as in https://pix.example'),
);

/** With its server, because a policy is used with accounts of several servers. */
const accountText = someText.check(
  z.refine((text) => accountIn(text) !== undefined, 'expected an account with its server, as in ana@pix.example'),
);

/**
 * The schema of the whole file.
 * @param isNamed whether the file has a section; to make the schemas of all other sections would take longer than to read a file
 */
export function policySchema(isNamed: (key: string) => boolean) {
  const rules: Readonly<Record<string, z.ZodMiniOptional<z.ZodMiniType>>> = Object.fromEntries(
    kinds.map(({key, policy}) => [key, z.optional(isNamed(key) ? policy.schema() : z.unknown())]),
  );
  return z.strictObject({
    version: field(z.literal(1), 'the version of the format'),
    server: maybe(serverText, 'the only server that the policy may be used with; it never decides where a token goes'),
    accounts: maybe(
      z.array(accountText).check(z.minLength(1, 'expected at least one account')),
      'the only accounts that the policy may be used with, such as ana@pix.example',
    ),
    for: maybe(
      z.record(z.string(), z.strictObject(rules)),
      'rules for single accounts, by account name: lists are added to those of the policy, single values replace them',
    ),
    ...rules,
  });
}

type PolicyFile = z.infer<ReturnType<typeof policySchema>>;

export interface PolicySetting {
  /** An entry whose last day is before this time is left out. */
  readonly now?: Date | undefined;
  /** `sent` by default. */
  readonly comments?: PrivateComments | undefined;
}

/**
 * Refuses what does not match a schema.
 * @throws Failure `usage` with every mismatch, at its place
 */
function refuseMismatches(source: YamlSource, schema: z.ZodMiniType): void {
  const complaints = complaintsOf(schema, source.value);
  const first = complaints.slice(0, maxKept).map(({path, key, message}) => ({...source.location(path, key), message}));
  refuseMistakes(source.file, {first, count: complaints.length});
}

/**
 * Reads a policy.
 * @param file names it in messages and findings
 * @throws Failure `usage` with every mistake of its shape; without any, with every other mistake
 */
export function parsePolicy(text: string, file: string, {now = new Date(), comments = 'sent'}: PolicySetting = {}): Policy {
  const source = new YamlSource(text, file);
  if (source.value === null)
    throw new Failure('usage', `${file === '-' ? 'Standard input' : file} is empty`, {hint: 'a policy begins with `version: 1`'});
  const named = sectionsNamedIn(source.value);
  const schema = policySchema((key) => named.has(key));
  refuseMismatches(source, schema);
  const mistakes: Mistake[] = [];
  const policy = readAll(z.parse(schema, source.value), source, {mistakes, now}, comments);
  // The rules of the policy are read again for each account of `for`.
  const first = [...new Map(mistakes.map((one) => [JSON.stringify(one), one])).values()];
  refuseMistakes(file, {first, count: first.length});
  return policy;
}

/** The keys at the top of a file, and those under the accounts of `for`. */
function sectionsNamedIn(value: unknown): ReadonlySet<string> {
  const {for: own, ...rest} = membersOf(value);
  return new Set([rest, ...Object.values(membersOf(own))].flatMap((part) => Object.keys(membersOf(part))));
}

/** Reads the policy, and its variant for each account of `for`. */
function readAll(data: PolicyFile, source: YamlSource, about: About, comments: PrivateComments): Policy {
  const where = (...path: PropertyKey[]) => locationText(source.location(path));
  const server = data.server === undefined ? undefined : {value: new URL(new URL(withScheme(data.server)).origin), where: where('server')};
  const accounts = data.accounts?.map((text, index) => ({value: accountIn(text) ?? text, where: where('accounts', index)}));
  const named = accounts && new Set(accounts.map(({value}) => value));
  const own = data.for ?? {};
  const variants = new Map<string, Policy>();
  for (const name of Object.keys(own)) {
    const complain = (message: string) => about.mistakes.push({...source.location(['for'], name), message});
    const account = accountIn(name);
    if (account === undefined) complain(`"${name.trim()}" is not an account with its server, as in ana@pix.example`);
    else if (variants.has(account)) complain(`${account} is repeated`);
    else if (named?.has(account) === false) complain(`${account} is not one of the accounts of this policy; add it to accounts`);
    variants.set(account ?? name, {...readRules(source, [name], about, comments), server, accounts});
  }
  about.mistakes.push(...contradictions(own, source));
  return {...readRules(source, [], about, comments), server, accounts, variants: variants.size > 0 ? variants : undefined};
}

/** The mistakes of sections that the accounts of a server share, where their rules are not the same for all of them. */
function contradictions(all: NonNullable<PolicyFile['for']>, source: YamlSource): Mistake[] {
  const byHost = Map.groupBy(Object.entries(all), ([name]) => accountIn(name)?.split('@')[1]);
  return [...byHost].flatMap(([host, [first, ...others]]) =>
    host === undefined || first === undefined
      ? []
      : others.flatMap(([name, rules]) =>
          kinds.flatMap(({key, owner, item}) => {
            if (owner !== 'server' || JSON.stringify(rules[key]) === JSON.stringify(first[1][key])) return [];
            const place = source.location(['for', name], key in rules ? key : undefined);
            return {...place, message: `${key} differs from that of ${first[0]}, and the ${item}s are those of ${host}`};
          }),
        ),
  );
}

/** The account in a text, as `ana@pix.example`; undefined without a server. */
function accountIn(text: string): string | undefined {
  const handle = handleIn(text);
  return handle?.includes('@', 1) === true ? handleOf(handle, '') : undefined;
}

/**
 * @param server the server that policies are about to be used with
 * @param account as in `ana@pix.example`; null: not known yet, undefined: the server does not say
 * @throws Failure `usage` when one of the policies is not for them
 */
export function refuseOthers(policies: readonly {readonly policy: Policy}[], server: URL, account: string | null | undefined): void {
  for (const {policy} of policies) {
    const {file, accounts, variants} = policy;
    const only = policy.server;
    if (only !== undefined && only.value.origin !== server.origin)
      throw new Failure('usage', `The policy is for ${only.value.host} (${only.where}), not for ${server.host}`);
    if (account === undefined && (accounts ?? variants) !== undefined)
      throw new Failure('usage', `${file} names accounts, and the server did not return the account of this token: nothing was sent`, {
        hint: 'sign in again with a token that has the scope read',
      });
    if (account === undefined || account === null || accounts === undefined || accounts.some(({value}) => value === account)) continue;
    throw new Failure('usage', `The policy is not for ${account}: its accounts (${accounts[0]?.where ?? file}) do not include it`, {
      hint: 'use the profile of one of its accounts, or add this one to accounts',
    });
  }
}

/**
 * Reads rules that match the schema. This is the only place where private comments are taken out.
 * @param accounts of `for` whose rules are added to those of the policy
 */
function readRules(source: YamlSource, accounts: readonly string[], about: About, comments: PrivateComments): Policy {
  const rules = new Map<string, Rules>();
  for (const {key, policy, owner} of kinds) {
    const hasPrivate = comments === 'all' || owner === 'server';
    const part = source.merge([[key], ...accounts.map((name) => ['for', name, key])]);
    if (part === undefined) continue;
    const data = hasPrivate ? part.value : withoutPrivate(part.value);
    rules.set(key, policy.read(new SectionReader(data, key, part.at, {...about, hasPrivate})));
  }
  return {file: source.file, rules};
}

type MustRules = Readonly<Record<string, {readonly must?: unknown}>>;

interface Expected {
  readonly keys: readonly string[];
  /** Whether the policy is for one server, which it then has to name. Otherwise it is for any. */
  readonly hasServer: boolean;
}

/**
 * Reads the policy of a backup, which somebody may have edited: it has only `must`, and names accounts the same on every server. Its entries
 * are checked when it is read as a policy.
 * @throws Failure `usage` with every mistake in it
 */
export function mustRulesIn(text: string, file: string, {keys, hasServer}: Expected): MustRules {
  const source = new YamlSource(text, file);
  const rules = z.strictObject({must: z.optional(z.unknown())});
  const schema = z.strictObject({
    version: z.literal(1),
    ...(hasServer && {server: z.string()}),
    ...Object.fromEntries(keys.map((key) => [key, z.optional(rules)])),
  });
  refuseMismatches(source, schema);
  const data = membersOf(source.value);
  const found = new Mistakes();
  const read: Record<string, {readonly must?: unknown}> = {};
  for (const key of keys.filter((one) => one in data)) {
    const {must} = membersOf(data[key]);
    read[key] = {must};
    const kind = kindOf(key);
    for (const [index, entry] of (Array.isArray(must) ? must : []).entries()) {
      const account = typeof entry === 'string' ? entry : membersOf(entry)['account'];
      if (kind === undefined || typeof account !== 'string' || isPortable(kind, account)) continue;
      found.add(source.location([key, 'must', index]), () => `"${account}" is not an account with its server, as in ana@pix.example`);
    }
  }
  refuseMistakes(file, found);
  return read;
}
