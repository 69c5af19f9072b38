import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import * as z from 'zod';
import {readPolicyText} from '../../src/lib/policy/reading/policy-file.js';

const at = (path: string) => new URL(`../../${path}`, import.meta.url);
const text = (path: string) => readFileSync(at(path), 'utf8');
const page = text('docs/reference/policy.md');
const document = JSON.parse(text('docs/reference/policy.schema.json'));
// zod does not take `required` by itself for a condition.
const plain: z.core.JSONSchema.JSONSchema = JSON.parse(JSON.stringify(document, (key, value) => (key === 'oneOf' ? undefined : value)));
const schema = z.fromJSONSchema(plain);
const keys = [...page.matchAll(/^### `(.+)`\n\n([^]*?)(?=^##|^Keys that|$(?![^]))/gm)].map(([, key = '', about = '']) => ({key, about}));

test.each(keys)('$key has a description, values and an example that is a policy', ({about}) => {
  const [description = '', values = ''] = about.split('\n\n');
  expect(description).toMatch(/^[^a-z\n].*\.$/);
  expect(values).toMatch(/^Values: .+\.$/);
  const [, example = ''] = /^```yaml\n([^]*?)^```$/m.exec(about) ?? [];
  const policy = example.startsWith('version: 1\n') ? example : `version: 1\n${example}`;
  expect(readPolicyText(policy, 'p.yml').file).toBe('p.yml');
  expect(z.safeParse(schema, parse(policy)).error).toBeUndefined();
});

test('the page has every key of the schema', () => {
  const missing: string[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'properties') missing.push(...Object.keys(inner).filter((key) => !page.includes(`${key}\``)));
      look(inner);
    }
  };
  look(document);
  expect(missing).toEqual([]);
});
