/** What the reference says holds without a field: a policy that writes it out is the same. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import * as z from 'zod/mini';
import {factsOf, isObject} from '../../../../src/lib/api/schema.js';
import {asFailure} from '../../../../src/lib/client/failure.js';
import {policySchema} from '../../../../src/lib/policy/reading/policy-file.js';
import {readPolicy} from '../../../../src/lib/policy/reading/read-policy.js';
import {compareAccount} from '../../../../src/lib/policy/rows/compare.js';
import {planDigest} from '../../../../src/lib/policy/rows/digest.js';
import type {Target} from '../../../../src/lib/policy/rows/target.js';
import {StateFile} from '../../../../src/lib/policy/state/file.js';
import {newFolder} from '../../../new-folder.js';
import {having} from '../compared.js';

type Schema = z.core.JSONSchema.BaseSchema;

/** The defaults in a schema, with the fields that lead to them. */
function* defaultsIn(
  schema: Schema,
  path: readonly string[] = [],
): Generator<{readonly path: readonly string[]; readonly preset: unknown}> {
  if (schema.default !== undefined) yield {path, preset: schema.default};
  const inner = [schema.items, ...(schema.anyOf ?? [])].flat();
  for (const one of inner) if (typeof one === 'object') yield* defaultsIn(one, path);
  for (const [name, one] of Object.entries(schema.properties ?? {})) if (typeof one === 'object') yield* defaultsIn(one, [...path, name]);
}

const whole = z.toJSONSchema(
  policySchema(() => true),
  {
    io: 'input',
    unrepresentable: 'any',
    override: ({zodSchema, jsonSchema}) => void Object.assign(jsonSchema, {default: factsOf(zodSchema)?.default}),
  },
);

const must = [{domain: 'own.example', public_comment: 'mine'}];
const lists = [{file: 'one.csv'}, {file: 'two.csv'}];
const domains = {must, must_not: {lists: [{file: 'allow.txt'}]}, lists};
const filter = {title: 'A', context: ['home'], action: 'warn', keywords: [{keyword: 'word'}]};
const sections: Readonly<Record<string, object>> = {
  domain_blocks: domains,
  admin_domain_blocks: {...domains, max_followed_severity: 'silence'},
  filters: {must: [filter]},
  blocks: {must: ['bo@b.example']},
  mutes: {must: ['bo@b.example']},
};
const block = {severity: 'suspend'} as const;
const items = {
  domain_blocks: ['other.example'],
  admin_domain_blocks: {'other.example': block},
  filters: {Other: {context: ['home'], keywords: [{keyword: 'word', whole_word: true}]}},
  blocks: ['other@b.example'],
  mutes: ['other@b.example'],
};
const account: Target = {...having(items), measures: async (names) => new Map(names.map((name) => [name, 1]))};

function withField(value: unknown, [name = '', ...rest]: readonly string[], preset: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => withField(one, [name, ...rest], preset));
  if (!isObject(value)) return value;
  return {...value, [name]: rest.length === 0 ? preset : withField(Object.entries(value).find(([key]) => key === name)?.[1], rest, preset)};
}

/** The digest of the plan of one section, or why there is none. @param path of the field that the lists have to suit */
async function outcome([section = '', ...path]: readonly string[], rules: unknown): Promise<string | undefined> {
  const folder = newFolder();
  const rows = (severity: string, comment: string) =>
    `domain,severity,public_comment,reject_media\nnoop.example,noop,,\nmild.example,silence,,\nlisted.example,${severity},${comment},true\n`;
  const odd = {may_be_empty: '# none\n', on_mistake: 'a.example\nn-0\n'}[path.at(-1) ?? ''];
  const [ofMustNot, ofMust] = path.includes('must_not') ? [odd] : [undefined, odd];
  writeFileSync(join(folder, 'allow.txt'), ofMustNot ?? 'fine.example\n');
  writeFileSync(join(folder, 'one.csv'), ofMust ?? rows('suspend', 'spam'));
  writeFileSync(join(folder, 'two.csv'), ofMust ?? rows('silence', 'hate'));
  writeFileSync(join(folder, 'p.json'), JSON.stringify({version: 1, [section]: rules}));
  const states = {account: StateFile.inMemory('ana@pix.example'), server: StateFile.inMemory('@pix.example')};
  try {
    return planDigest([await compareAccount(await readPolicy(join(folder, 'p.json')), account, states)]);
  } catch (error) {
    return asFailure(error).message.replaceAll(folder, '');
  }
}

const defaults = [...defaultsIn(whole)].map(({path, preset}) => ({name: path.join('.'), path, preset}));

test.each(defaults)('$name is $preset by default', async ({name, path, preset}) => {
  const [section = '', ...inner] = path;
  const rules = sections[section];
  const plain = await outcome(path, rules);
  expect(await outcome(path, withField(rules, inner, preset))).toBe(plain);
  if (typeof preset !== 'boolean') return;
  const isSame = (await outcome(path, withField(rules, inner, !preset))) === plain;
  // Accounts block domains without more.
  expect(isSame).toBe(name.startsWith('domain_blocks.must.'));
});
