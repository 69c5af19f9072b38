/** Reads policy files: into a policy, or every mistake in it. */
import * as z from 'zod/mini';
import {field, membersOf} from '../../api/schema.js';
import {Failure} from '../../client/failure.js';
import {at} from '../../json/path.js';
import {handleOf} from '../../operations/handle.js';
import {handleIn} from '../../operations/account-name.js';
import {complaintsOf, type Mistake, maxKept, mistakesFailure} from '../source/mistakes.js';
import {type PrivateComments, withoutPrivate} from '../model/domain-facts.js';
import type {Located, Policy, Rules} from '../model/policy.js';
import {kinds} from '../sections/index.js';
import {type About, placed, SectionReader} from '../sections/reader.js';
import {YamlSource} from '../source/yaml-source.js';
import {maybe, someText} from '../sections/section-fields.js';

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
    server: maybe(someText, 'the only server that the policy may be used with; it never decides where a token goes'),
    accounts: maybe(
      z.array(someText).check(z.minLength(1, 'expected at least one account')),
      'the only accounts that the policy may be used with, such as ana@pix.example',
    ),
    for: maybe(
      z.record(z.string(), z.strictObject(rules)),
      'rules for single accounts, by account name: lists are added to those of the policy, single values replace them',
    ),
    ...rules,
  });
}

/** Keys are the names of sections. */
type RulesData = Readonly<Record<string, unknown>>;

type PolicyFile = z.infer<ReturnType<typeof policySchema>>;

export interface PolicySetting {
  /** An entry whose last day is before this time is left out. */
  readonly now?: Date | undefined;
  /** `sent` by default. */
  readonly comments?: PrivateComments | undefined;
}

/**
 * Reads a policy as far as that is possible, and finds the mistakes in it.
 * @param file names it in messages and findings
 * @throws Failure `usage` for a file that is empty or no YAML, or has too many mistakes to look for more
 */
export function parsePolicy(
  text: string,
  file: string,
  {now = new Date(), comments = 'sent'}: PolicySetting = {},
): {readonly policy: Policy; readonly mistakes: readonly Mistake[]} {
  const source = new YamlSource(text, file);
  const {value} = source;
  if (value === null)
    throw new Failure('usage', `${file === '-' ? 'Standard input' : file} is empty`, {hint: 'a policy begins with `version: 1`'});
  const named = sectionsNamedIn(value);
  const schema = policySchema((key) => named.has(key));
  const complaints = complaintsOf(schema, value);
  const mistakes = complaints.slice(0, maxKept).map(({path, key, message}) => ({...source.location(path, key), message}));
  if (complaints.length > maxKept) throw mistakesFailure(file, {first: mistakes, count: complaints.length});
  const isWhole = complaints.length === 0;
  const data = isWhole ? z.parse(schema, value) : rightPartOf(source, schema);
  const policy = data === undefined ? {file, rules: new Map()} : readAll(data, source, {mistakes, now, isWhole}, comments);
  // The rules of the policy are read again for each account of `for`.
  return {policy, mistakes: [...new Map(mistakes.map((one) => [JSON.stringify(one), one])).values()]};
}

/** The valid part of a file with mistakes, in which more mistakes can be found; undefined if it cannot be separated. */
function rightPartOf(source: YamlSource, schema: ReturnType<typeof policySchema>): PolicyFile | undefined {
  for (;;) {
    const value = {...membersOf(source.value), version: 1};
    const complaints = complaintsOf(schema, value);
    if (complaints.length === 0) return z.parse(schema, value);
    if (!source.leaveOut(complaints.map(({path, key}) => (key === undefined ? path : [...path, key])))) return undefined;
  }
}

/** The keys at the top of a file, and those under the accounts of `for`. */
function sectionsNamedIn(value: unknown): ReadonlySet<string> {
  const {for: own, ...rest} = membersOf(value);
  return new Set([rest, ...Object.values(membersOf(own))].flatMap((part) => Object.keys(membersOf(part))));
}

/** Reads the policy, and its variant for each account of `for`. */
function readAll(data: PolicyFile, source: YamlSource, about: About, comments: PrivateComments): Policy {
  const {isWhole} = about;
  const policy = readRules(source, [], about, comments);
  const head = new SectionReader(data, '', (path) => source.location(path), about);
  const server = serverIn(head);
  const accounts = data.accounts && head.readEach(placed(data.accounts, 'accounts'), readAccount).map(({value}) => value);
  const named = accounts && new Set(accounts.map(({value}) => value));
  const variants = new Map<string, Policy>();
  for (const name of Object.keys(data.for ?? {})) {
    const complain = (message: string) => about.mistakes.push({...source.location(['for'], name), message});
    const account = accountIn(name);
    if (account === undefined) complain(notAnAccount(name));
    else if (variants.has(account)) complain(`${account} is repeated`);
    else if (isWhole && named?.has(account) === false) complain(`${account} is not one of the accounts of this policy; add it to accounts`);
    variants.set(account ?? name, {...readRules(source, [name], about, comments), server, accounts});
  }
  if (isWhole) about.mistakes.push(...uselessAgree(data, source), ...contradictions(data.for ?? {}, source));
  return {...policy, server, accounts, variants: variants.size > 0 ? variants : undefined};
}

/** The paths of a section in the policy and in the rules of accounts, which add to it. */
const pathsOf = (key: string, accounts: readonly string[]): string[][] => [[key], ...accounts.map((name) => ['for', name, key])];

/** The mistakes of sections that have `agree`, but no lists for any account. */
function uselessAgree(data: PolicyFile, source: YamlSource): Mistake[] {
  return kinds.flatMap(({key}) => {
    const all = pathsOf(key, Object.keys(data.for ?? {})).map((path) => ({path, rules: membersOf(at(data, path).value)}));
    const asking = all.find(({rules: {agree}}) => typeof agree === 'number' && agree > 1);
    if (asking === undefined || all.some(({rules: {lists}}) => Array.isArray(lists) && lists.length > 0)) return [];
    return [{...source.location([...asking.path, 'agree']), message: `agree is ${String(asking.rules['agree'])}, but there are no lists`}];
  });
}

/** The mistakes of sections that the accounts of a server share, where their rules are not the same for all of them. */
function contradictions(all: Readonly<Record<string, RulesData>>, source: YamlSource): Mistake[] {
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

/** The account in a text; undefined without a server, because a policy is used with accounts of several servers. */
function accountIn(text: string): string | undefined {
  const handle = handleIn(text);
  return handle?.includes('@', 1) === true ? handleOf(handle, '') : undefined;
}

function serverIn(head: SectionReader<PolicyFile>): Located<URL> | undefined {
  const found = head.value('server');
  if (found === undefined) return undefined;
  const url = URL.parse(/^https?:\/\//i.test(found.value) ? found.value : `https://${found.value}`);
  if (url !== null) return {...found, value: new URL(url.origin)};
  head.complain(['server'], `"${found.value}" is not the address of a server, as in https://pix.example`);
  return undefined;
}

function readAccount(text: string): {readonly value: string} {
  const account = accountIn(text);
  if (account !== undefined) return {value: account};
  throw new Failure('usage', notAnAccount(text));
}

function notAnAccount(text: string): string {
  return `"${text.trim()}" is not an account with its server, as in ana@pix.example`;
}

/**
 * @param server the server that policies are about to be used with
 * @param account as in `ana@pix.example`; null: not known yet, undefined: the server does not say
 * @throws Failure `usage` when one of the policies is not for them
 */
export function refuseOthers(policies: readonly {readonly policy: Policy}[], server: URL, account: string | null | undefined): void {
  for (const {policy} of policies) {
    refuseOtherServer(policy, server);
    if (account !== null) refuseOtherAccount(policy, account);
  }
}

/**
 * @param other the server that the policy is about to be used with
 * @throws Failure `usage` when the policy is for another server
 */
function refuseOtherServer({server}: Policy, other: URL): void {
  if (server === undefined || server.value.origin === other.origin) return;
  throw new Failure('usage', `The policy is for ${server.value.host} (${server.where}), not for ${other.host}`);
}

/** @param account as in `ana@pix.example`; undefined where it is not known @throws Failure `usage` when the policy is not for it */
function refuseOtherAccount({file, accounts, variants}: Policy, account: string | undefined): void {
  if (account === undefined) {
    if (accounts === undefined && variants === undefined) return;
    throw new Failure('usage', `${file} names accounts, and the server did not return the account of this token: nothing was sent`, {
      hint: 'sign in again with a token that has the scope read',
    });
  }
  if (accounts === undefined || accounts.some(({value}) => value === account)) return;
  const [first] = accounts;
  const where = first?.where ?? file;
  throw new Failure('usage', `The policy is not for ${account}: its accounts (${where}) do not include it`, {
    hint: 'use the profile of one of its accounts, or add this one to accounts',
  });
}

/**
 * Reads rules that match the schema. This is the only place where private comments are taken out.
 * @param accounts of `for` whose rules are added to those of the policy
 */
function readRules(source: YamlSource, accounts: readonly string[], about: About, comments: PrivateComments): Policy {
  const rules = new Map<string, Rules>();
  for (const {key, policy, owner} of kinds) {
    const hasPrivate = comments === 'all' || (comments === 'sent' && owner === 'server');
    const part = source.merge(pathsOf(key, accounts));
    if (part === undefined) continue;
    const data = hasPrivate ? part.value : withoutPrivate(part.value);
    rules.set(key, policy.read(new SectionReader(data, key, part.at, {...about, hasPrivate})));
  }
  return {file: source.file, rules};
}
