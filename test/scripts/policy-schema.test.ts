/** The JSON Schema of policies, and the page about their keys. */
import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import * as z from 'zod';
import {parsePolicy} from '../../src/lib/policy/reading/policy-file.js';

const text = (name: string) => readFileSync(new URL(`../../docs/reference/${name}`, import.meta.url), 'utf8');
const page = text('policy.md');
const document = JSON.parse(text('policy.schema.json'));
// zod does not take `required` by itself for a condition: what `oneOf` says is looked at by hand.
const plain: z.core.JSONSchema.JSONSchema = JSON.parse(JSON.stringify(document, (key, value) => (key === 'oneOf' ? undefined : value)));
const schema = z.fromJSONSchema(plain);

function isRead(policy: string): boolean {
  try {
    return parsePolicy(policy, 'p.yml').file === 'p.yml';
  } catch {
    return false;
  }
}

test.each([
  ['version: 1', true],
  ['version: 2', false],
  ['version: 1\ndomain_blocks: {must: [a.example], only: true, lists: [{file: l, min_severity: silence}], agree: 1}', true],
  ['version: 1\ndomain_block: {}', false],
  ['version: 1\ndomain_blocks: {lists: [{url: "http://a.example/l"}]}', false],
  ['version: 1\nfilters: {must: [{title: A, context: [home], keywords: [a, {keyword: b, whole_word: false}], expires: 90d}]}', true],
  ['version: 1\ndomain_blocks: {lists: [{file: l, on_mistake: skip, may_be_empty: true}]}', true],
  ['version: 1\ndomain_blocks: {lists: [{file: l, on_mistake: {max: 5}}]}', false],
  ['version: 1\nfilters: {only: soon}', false],
  ['version: 1\nfilters: {must: [{title: A, context: [], keywords: [a]}]}', false],
  ['version: 1\nfilters: {must: [{title: A, context: [home], keywords: [{word: a}]}]}', false],
  ['version: 1\ndomain_blocks: {must: [a.example], limit: 1.5}', false],
  ['version: 1\nmutes: {least: 1}', false],
])('validates %j as the JSON Schema does', (policy, isFit) => {
  expect(isRead(policy)).toBe(isFit);
  expect(z.safeParse(schema, parse(policy)).success).toBe(isFit);
});

test('allows one of file, url and server', () => {
  const either = (...names: string[]) => names.map((name) => ({required: [name]}));
  const {domain_blocks: blocks} = document.properties;
  expect(blocks.properties.lists.items.oneOf).toEqual(either('file', 'url', 'server'));
});

test('describes every key of a policy, as the page about them does', () => {
  const silent: string[] = [];
  const look = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) look(inner, `${path}.${key}`);
    if (!path.endsWith('.properties') || path.includes('anyOf')) return;
    for (const [key, inner] of Object.entries(value))
      if (typeof inner.description !== 'string' || !page.includes(`${key}\``)) silent.push(`${path}.${key}`);
  };
  look(document, '');
  expect(silent).toEqual([]);
});

test.each([...page.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, example = '']) => example))('its example is a policy: %s', (example) => {
  expect(parsePolicy(example, 'p.yml').file).toBe('p.yml');
  expect(z.safeParse(schema, parse(example)).error).toBeUndefined();
});
