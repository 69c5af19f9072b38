import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {domainBlockChange} from '../../../../src/lib/policy/sections/domain-blocks.js';
import type {AccountPlan} from '../../../../src/lib/policy/plan/plan-text.js';
import {planMarkdown} from '../../../../src/lib/policy/plan/plan-markdown.js';
import {nasty} from '../reports/audits.js';

const grounds = {reason: 'must', because: 'domain_blocks.must: p.yml:3'} as const;
const planOf = (account: string, domains: readonly string[]): AccountPlan => ({
  account,
  plan: {changes: domains.map((domain) => domainBlockChange('add', {domain}, grounds)), cannot: []},
});
const numbered = (count: number): string[] => Array.from({length: count}, (_, index) => `n${index}.example`);
const markdown = (...plans: readonly AccountPlan[]) => planMarkdown({policy: 'p.yml', plans, remarks: []});

/** Characters; forges accept 65,536. */
const maxCommentSize = 60_000;

test('shows the changes of one account', () => {
  expect(markdown(planOf('ana@pix.example', ['bad.example']))).toBe(`## Plan for p.yml

ana&#64;pix.example&#58; 1 to add

\`\`\`diff
+ domain block bad.example  # domain_blocks.must: p.yml:3
\`\`\`
`);
});

test('shows what accounts have in common once, under headings', () => {
  const text = markdown(planOf('ana@pix.example', ['bad.example', 'own.example']), planOf('ben@pix.example', ['bad.example']), {
    account: 'clara@two.example',
    plan: undefined,
    why: 'no answer',
  });
  expect(text.match(/bad\\.example/g) ?? []).toHaveLength(0);
  expect(text.match(/^\+ domain block bad\.example/gm)).toHaveLength(1);
  expect(text).toContain('### In both accounts&#58; 1 to add');
  expect(text).toContain('### clara&#64;two.example&#58; error&#58; no answer');
  expect(text).toContain('3 accounts&#58; 3 to add&#59; 1 account failed');
});

test('folds what is long, and counts what does not fit', () => {
  const some = markdown(planOf('ana@pix.example', numbered(50)));
  expect(some.match(/^\+ domain block/gm)).toHaveLength(50);
  expect(some).toContain('<details><summary>30 more</summary>');
  const all = markdown(planOf('ana@pix.example', numbered(50_000)));
  const shown = all.match(/^\+ domain block/gm)?.length ?? 0;
  expect(shown).toBeGreaterThan(500);
  expect(all).toContain(`… and ${(50_000 - shown).toLocaleString('en')} more, which do not fit here`);
  expect(all.length).toBeLessThanOrEqual(maxCommentSize);
});

test('lines that do not fit are counted from the first one on', () => {
  const shownOf = (text: string) => text.match(/^\+ domain block/gm)?.length ?? 0;
  const most = shownOf(markdown(planOf('ana@pix.example', numbered(5000))));
  for (let count = most - 5; count <= most + 5; count += 1) {
    const text = markdown(planOf('ana@pix.example', numbered(count)));
    const left = count - shownOf(text);
    expect(/… and (\d+) more, which/.exec(text)?.[1]).toBe(left === 0 ? undefined : String(left));
  }
});

test('the Markdown of plans is never larger than forges accept, whatever the accounts', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.nat(3000)), {maxLength: 20}), fc.array(fc.string()), (accounts, remarks) => {
      const plans = accounts.map(([name, count], index) => planOf(`${name}${index}@pix.example`, numbered(count)));
      expect(planMarkdown({policy: 'p.yml', plans, remarks}).length).toBeLessThanOrEqual(maxCommentSize);
    }),
    {numRuns: 20},
  );
});

test.each([500, 5000])('the Markdown of plans counts the accounts and remarks that do not fit: %i of them', (count) => {
  const plans = Array.from({length: count}, (_, index) => planOf(`${'<'.repeat(150)}${index}@pix.example`, [`own${index}.example`]));
  const text = planMarkdown({policy: 'p.yml', plans, remarks: plans.map(({account}) => `${account}: it may not fit`)});
  expect(text.length).toBeLessThanOrEqual(maxCommentSize);
  const shown = text.match(/^### /gm)?.length ?? 0;
  expect(shown).toBeGreaterThan(20);
  expect(text).toContain(`… and ${(count - shown).toLocaleString('en')} more accounts, which do not fit here`);
  expect(text).toContain(`… and ${(count - 10).toLocaleString('en')} more remarks`);
});

test('keeps text of servers and lists from ending the block or becoming markup', () => {
  const text = markdown(planOf(nasty, [`${nasty}\n\`\`\`\n<b>`]));
  expect(text.match(/^```/gm)).toHaveLength(2);
  expect(text.split('```')[0]).not.toMatch(/[<>@[\]`*_\\]/);
  expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
});
