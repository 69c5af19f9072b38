/** Plans as Markdown: whatever is in them, a forge accepts it, and nothing in it acts. */
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {planOf, type Plan} from '../../../../src/lib/policy/rows/plan.js';
import type {Row} from '../../../../src/lib/policy/sections/policy-kind.js';
import {planMarkdown} from '../../../../src/lib/policy/reports/formats/plan-markdown.js';
import {compared, numbered, row} from '../compared.js';

const empty = planOf(await compared('domain_blocks: {must: []}'));
const noun = ['account', 'accounts'] as const;
const command = `pixelctl apply p.yml --expect ${'0'.repeat(64)}`;

const of = (domains: readonly string[], more: Partial<Plan> = {}): Plan => ({
  ...empty,
  changes: domains.map((domain) => row('domain_blocks.must', domain)),
  findings: domains.map((domain) => row('domain_blocks.must', domain)),
  ...more,
});
const one = (plan: Plan) => planMarkdown([plan], undefined, [command]);
const several = (...plans: readonly Plan[]) => planMarkdown(plans, noun, []);

/** Every character that could steer something. */
const nasty = `<script>alert(1)</script>\u202egnp.exe\u0000\u001b[31m\uffff]]>&"'|\`*_[x](http://evil.example)@ana,line=1 %0A::error::{0}\n\r`;

/** Characters; forges accept 65,536. */
const maxCommentSize = 60_000;

test('shows the changes of one account, and how to apply exactly these', () => {
  expect(one(of(['bad.example']))).toBe(`## Plan for p.yml

1 to add

\`\`\`diff
+ domain block bad.example  # domain_blocks.must: p.yml:3
\`\`\`

To apply exactly this plan:

\`\`\`sh
${command}
\`\`\`
`);
});

test('shows each account under a heading', () => {
  const text = several(
    of(['bad.example', 'own.example'], {label: 'ana@pix.example'}),
    of(['bad.example'], {label: 'ben@pix.example'}),
    of([], {label: 'clara@two.example', failure: new Failure('unavailable', 'no answer')}),
  );
  expect(text.match(/^\+ domain block bad\.example/gm)).toHaveLength(2);
  expect(text.match(/^### .*/gm)).toEqual([
    '### ana&#64;pix.example&#58; 2 to add',
    '### ben&#64;pix.example&#58; 1 to add',
    '### clara&#64;two.example&#58; error&#58; no answer',
  ]);
  expect(text).toContain('3 accounts&#58; 3 to add&#59; 1 account failed');
});

test('says which parts are meant, what apply would ask, and what is held back', async () => {
  const comparison = await compared('domain_blocks: {must: [a.example, b.example], limit: 1, only: true}', {domain_blocks: numbered(6)});
  const plan = planOf({...comparison, given: {...comparison.given, only: ['domain_blocks']}});
  const text = one(plan);
  expect(text).toMatch(/^Only: domain&#95;blocks$/m);
  expect(text).toMatch(/^- it removes 6 items that no rule names, 6 of 6 domain blocks among them .*--allow-removals 6$/m);
  expect(text).toMatch(/^- Held back&#58; domain block b\.example/m);
});

test('folds what is long, and counts what does not fit', () => {
  const some = one(of(numbered(50)));
  expect(some.match(/^\+ domain block/gm)).toHaveLength(50);
  expect(some).toContain('<details><summary>30 more</summary>');
  const all = one(of(numbered(50_000)));
  const shown = all.match(/^\+ domain block/gm)?.length ?? 0;
  expect(shown).toBeGreaterThan(500);
  expect(all).toContain(`… and ${(50_000 - shown).toLocaleString('en')} more, which do not fit here`);
  expect(all).toContain(command);
  expect(all.length).toBeLessThanOrEqual(maxCommentSize);
});

test('the Markdown of plans is never larger than forges accept, whatever the accounts', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.nat(3000)), {maxLength: 20}), (accounts) => {
      const plans = accounts.map(([name, count], index) => of(numbered(count), {label: `${name}${index}@pix.example`}));
      expect(several(...plans).length).toBeLessThanOrEqual(maxCommentSize);
    }),
    {numRuns: 20},
  );
});

test.each([500, 5000])('the Markdown of plans counts the accounts that do not fit: %i of them', (count) => {
  const plans = Array.from({length: count}, (_, index) => of([`own${index}.example`], {label: `${'<'.repeat(150)}${index}@pix.example`}));
  const text = several(...plans);
  expect(text.length).toBeLessThanOrEqual(maxCommentSize);
  const shown = text.match(/^### /gm)?.length ?? 0;
  expect(shown).toBeGreaterThan(20);
  expect(text).toContain(`… and ${(count - shown).toLocaleString('en')} more accounts, which do not fit here`);
});

test('the Markdown of plans counts the remarks that do not fit', () => {
  const held = Array.from({length: 500}, (_, index): Row => ({
    ...row('domain_blocks.must', ''),
    action: 'held',
    says: `${'<'.repeat(600)}${index}`,
  }));
  const text = one(of([], {held}));
  expect(text.length).toBeLessThanOrEqual(maxCommentSize);
  expect(text).toContain('… and 490 more remarks');
});

test('keeps text of servers and lists from ending the block or becoming markup', () => {
  const text = several(of([`${nasty}\n\`\`\`\n<b>`], {label: nasty}));
  expect(text.match(/^```/gm)).toHaveLength(2);
  expect(text.split('```')[0]).not.toMatch(/[<>@[\]`*_\\]/);
  expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
});
