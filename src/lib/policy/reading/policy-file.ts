/** Reads policy files: into a policy, or every mistake in it. */
import * as z from 'zod/mini';
import {field, membersOf} from '../../api/schema.js';
import {Failure} from '../../client/failure.js';
import {isAddress} from '../../client/request.js';
import {handleOf} from '../../operations/handle.js';
import {handleIn} from '../../operations/account-name.js';
import {complaintsOf, maxKept, type Mistake, mistakesFailure, refuseMistakes} from '../source/mistakes.js';
import type {Policy, Rules} from '../model/policy.js';
import {kindOf, kinds} from '../sections/index.js';
import {type About, SectionReader} from '../sections/reader.js';
import {locationText} from '../source/location.js';
import {YamlSource} from '../source/yaml-source.js';
import {maybe, someText, withScheme} from '../sections/section-fields.js';

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
    kinds.map(({key, section}) => [key, z.optional(isNamed(key) ? section.schema() : z.unknown())]),
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

/** @throws Failure `usage` with every mismatch of a file with a schema, at its place */
function matchSchema<Schema extends z.ZodMiniType>(source: YamlSource, schema: Schema): z.output<Schema> {
  const {success, data} = z.safeParse(schema, source.value);
  if (success) return data;
  const complaints = complaintsOf(schema, source.value);
  const first = complaints.slice(0, maxKept).map(({path, key, message}) => ({...source.location(path, key), message}));
  throw mistakesFailure(source.file, {first, count: complaints.length});
}

/**
 * Reads a policy, and its variant for each account of `for`.
 * @param file names it in messages and findings @param now an entry whose last day is before is left out
 * @throws Failure `usage` with every mistake of its shape; without any, with every other mistake
 */
export function parsePolicy(text: string, file: string, now = new Date()): Policy {
  const source = new YamlSource(text, file);
  if (source.value === null)
    throw new Failure('usage', `${file === '-' ? 'Standard input' : file} is empty`, {hint: 'a policy begins with `version: 1`'});
  const parts = [source.value, ...Object.values(membersOf(membersOf(source.value)['for']))];
  const named = new Set(parts.flatMap((part) => Object.keys(membersOf(part))));
  const data = matchSchema(
    source,
    policySchema((key) => named.has(key)),
  );
  const mistakes: Mistake[] = [];
  const where = (...path: PropertyKey[]) => locationText(source.location(path));
  const server = data.server === undefined ? undefined : {value: new URL(new URL(withScheme(data.server)).origin), where: where('server')};
  const accounts = data.accounts?.map((one, index) => ({value: accountIn(one) ?? one, where: where('accounts', index)}));
  const readFor = (...names: readonly string[]): Policy => ({file, server, accounts, rules: readRules(source, names, {mistakes, now})});
  const {for: own = {}} = data;
  const variants = new Map<string, Policy>();
  for (const name of Object.keys(own)) {
    const complain = (message: string) => mistakes.push({...source.location(['for'], name), message});
    const account = accountIn(name);
    if (account === undefined) complain(`"${name.trim()}" is not an account with its server, as in ana@pix.example`);
    else if (variants.has(account)) complain(`${account} is repeated`);
    else if (accounts?.every(({value}) => value !== account))
      complain(`${account} is not one of the accounts of this policy; add it to accounts`);
    variants.set(account ?? name, readFor(name));
  }
  mistakes.push(...contradictions(own, source));
  const policy = {...readFor(), variants: variants.size > 0 ? variants : undefined};
  // The rules of the policy are read again for each account of `for`.
  const first = [...new Map(mistakes.map((one) => [JSON.stringify(one), one])).values()];
  refuseMistakes(file, {first, count: first.length});
  return policy;
}

/** @param accounts of `for` whose rules are added to those of the policy */
function readRules(source: YamlSource, accounts: readonly string[], about: About): Policy['rules'] {
  const rules = new Map<string, Rules>();
  for (const {key, section} of kinds) {
    const part = source.merge([[key], ...accounts.map((name) => ['for', name, key])]);
    if (part !== undefined) rules.set(key, section.readRules(new SectionReader(part.value, key, part.at, about)));
  }
  return rules;
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
 * Reads the policy of a backup, which somebody may have edited: it has only `must`, and names accounts the same on every server. Its entries
 * are checked when it is read as a policy.
 * @param hasServer whether it is for one server, which it then has to name; otherwise it is for any
 * @returns its members
 * @throws Failure `usage` with every mistake in it
 */
export function mustRulesIn(
  text: string,
  file: string,
  {keys, hasServer}: {readonly keys: readonly string[]; readonly hasServer: boolean},
): Readonly<Record<string, unknown>> {
  const rules = keys.map((key) => {
    const ofAccounts = kindOf(key)?.section.noun === 'account';
    // An id, and an account without its server, is another one elsewhere.
    const isFit = (entry: unknown): boolean => {
      const account = typeof entry === 'string' ? entry : membersOf(entry)['account'];
      return !ofAccounts || typeof account !== 'string' || (!isAddress(account.trim()) && accountIn(account) !== undefined);
    };
    const entry = z.unknown().check(z.refine(isFit, 'expected an account with its server, as in ana@pix.example'));
    return [key, z.optional(z.strictObject({must: z.optional(z.array(entry))}))] as const;
  });
  const server = hasServer && {server: z.string()};
  return matchSchema(new YamlSource(text, file), z.strictObject({version: z.literal(1), ...server, ...Object.fromEntries(rules)}));
}
