/** What people do to what a policy made: neither an apply nor an undo takes back what is stricter; what is weaker or gone is put back, and said. */
import {describe, expect, test} from 'vitest';
import {wordsOfShell} from '../../shell-words.js';
import {adminDesk} from './desk.js';

const policyOf = (...domains: readonly string[]) =>
  `version: 1\nadmin_domain_blocks: {must: [${domains.map((domain) => `{domain: ${domain}, severity: silence}`).join(', ')}]}\n`;

const subject = 'bad.example';
const policy = policyOf(subject, 'shop.example');
const without = policyOf('shop.example');

/** An admin whose policy has silenced two servers, one of which another admin then suspended. */
async function raised(like: '0.12.6' | 'mastodon') {
  const desk = await adminDesk({'p.yml': policy}, {like});
  const byHand = (severity: string) => desk.done('admin', 'domain-blocks', 'update', subject, '--severity', severity, '--yes');
  await desk.done('apply', 'p.yml', '--yes');
  await byHand('suspend');
  return {...desk, byHand};
}

describe.each(['0.12.6', 'mastodon'] as const)('on a server like %s', (like) => {
  test('one that was lowered again is the policy’s', async () => {
    await using desk = await raised(like);
    desk.write('p.yml', without);
    expect(await desk.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    await desk.byHand('silence');
    expect(await desk.run('apply', 'p.yml', '--yes', '--allow-removals', '1')).toMatchObject({status: 0});
    expect(await desk.blocks()).toEqual(['shop.example silence']);
  });

  test('a comment that was changed by hand stays, unless must names one, and the block remains the policy’s', async () => {
    await using desk = await raised(like);
    const note = ['admin', 'domain-blocks', 'update', subject, '--severity', 'silence', '--private-comment', 'ticket 91, keep', '--yes'];
    expect(await desk.run(...note)).toMatchObject({status: 0});
    expect(await desk.json('plan', 'p.yml')).toMatchObject({
      changes: [],
      skipped: [expect.objectContaining({subject, why: 'comment changed by hand'})],
    });
    desk.write('p.yml', policy.replace(`domain: ${subject},`, `domain: ${subject}, private_comment: ours,`));
    expect((await desk.json('plan', 'p.yml')).changes).toMatchObject([{action: 'update', subject}]);
    desk.write('p.yml', without);
    expect(await desk.run('apply', 'p.yml', '--yes', '--allow-removals', '1')).toMatchObject({status: 0});
    expect(await desk.blocks()).toEqual(['shop.example silence']);
  });
});

/** What policies set. */
const policies = {
  domain: {section: 'domain_blocks', rules: `{must: [${subject}]}`, subject},
  suspended: {section: 'admin_domain_blocks', rules: `{must: [${subject}]}`, subject},
  silenced: {section: 'admin_domain_blocks', rules: `{must: [{domain: ${subject}, severity: silence, reject_media: true}]}`, subject},
  block: {section: 'blocks', rules: '{must: [ben@far.example]}', subject: 'ben@far.example'},
  mute: {section: 'mutes', rules: '{must: [ben@far.example]}', subject: 'ben@far.example'},
  filter: {
    section: 'filters',
    rules: '{must: [{title: Spoilers, context: [home, tags], action: warn, keywords: [ending, spoiler]}]}',
    subject: 'Spoilers',
  },
} as const;

/** What somebody does to what a policy set: the command, with ID for the id of a filter, and both sides in words. */
type Deed = readonly [title: string, policy: keyof typeof policies, command: string, set: string, found: string | null];

const block = `admin domain-blocks update ${subject} --yes`;

const weaker: readonly Deed[] = [
  ['a domain block that was lifted', 'domain', `domain-blocks remove ${subject}`, 'blocked', null],
  ['a server block that was lifted', 'suspended', `admin domain-blocks remove ${subject} --yes`, 'suspend', null],
  ['a server block that was lowered', 'suspended', `${block} --severity silence`, 'suspend', 'silence'],
  ['a server block that lost a flag', 'silenced', `${block} --no-reject-media`, 'silence, reject media', 'silence'],
  ['an account block that was lifted', 'block', 'blocks remove @ben@far.example', 'blocked', null],
  ['a mute that was lifted', 'mute', 'mutes remove @ben@far.example', 'muted', null],
  ['a filter that was deleted', 'filter', 'filters delete ID --yes', 'warn; in home, tags; keywords: ending, spoiler', null],
  [
    'a filter that lost a keyword',
    'filter',
    'api PUT /api/v2/filters/ID --input body.json',
    'keywords: ending, spoiler',
    'keywords: spoiler',
  ],
  ['a filter that lost a context', 'filter', 'filters update ID --context home', 'in home, tags', 'in home'],
];

const stricter: readonly Deed[] = [
  ['a server block that was raised', 'silenced', `${block} --severity suspend`, 'silence, reject media', 'suspend, reject media'],
  [
    'a server block that got a flag',
    'silenced',
    `${block} --reject-reports`,
    'silence, reject media',
    'silence, reject media, reject reports',
  ],
  ['a server block that is masked', 'suspended', `${block} --obfuscate`, 'suspend', 'suspend, obfuscate'],
  [
    'a filter that got a keyword',
    'filter',
    'filters update ID --keyword twist',
    'keywords: ending, spoiler',
    'keywords: ending, spoiler, twist',
  ],
  ['a filter that got a context', 'filter', 'filters update ID --context home,tags,public', 'in home, tags', 'in home, public, tags'],
  ['a filter that hides by now', 'filter', 'filters update ID --action hide', 'warn', 'hide'],
];

const day = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

/** An account whose policy was applied, and where somebody then did something else. */
async function deskAfter([, policyName, command]: Deed, more = '') {
  const {section, rules} = policies[policyName];
  const like = section === 'admin_domain_blocks' ? 'mastodon' : '2026';
  const text = (own: string) => `version: 1\n${section}: ${own.replace(/^\{/, `{${more}`)}\n`;
  const desk = await adminDesk({'p.yml': text(rules)}, {like});
  const {done} = desk;
  await done('apply', 'p.yml', '--yes');
  desk.write('before.json', (await done('audit', 'p.yml', '--json')).stdout);
  const [one] = section === 'filters' ? await desk.json('filters', 'list') : [];
  const ending = one?.keywords.find(({keyword}: {readonly keyword: string}) => keyword === 'ending');
  desk.write('body.json', JSON.stringify({keywords_attributes: [{id: ending?.id, _destroy: true}]}));
  await done(...command.replace('ID', String(one?.id)).split(' '));
  return {...desk, text};
}

describe.each(weaker)('%s', (...deed) => {
  const [, of, , set, found] = deed;
  const {subject: name, rules} = policies[of];
  const mark = {set, found, since: day};
  const said = found === null ? 'lifted by hand since the apply of 2' : `made weaker by hand (${set} → ${found}) since the apply of 2`;

  test('is told apart in plan, audit and --since, and apply puts it back', async () => {
    await using desk = await deskAfter(deed);
    expect((await desk.json('plan', 'p.yml')).changes).toEqual([expect.objectContaining({subject: name, by_hand: mark})]);
    const planned = await desk.run('plan', 'p.yml');
    expect(planned.stdout).toContain(said);
    expect(planned.stderr).toContain('; 1 of these takes back what was lifted or made weaker by hand');
    expect((await desk.run('audit', 'p.yml')).stdout).toContain(said);
    const {findings} = await desk.json('audit', 'p.yml', '--since', 'before.json');
    expect(findings).toEqual([expect.objectContaining({subject: name, status: 'new', by_hand: mark})]);
    await desk.done('apply', 'p.yml', '--yes');
    expect((await desk.json('audit', 'p.yml')).findings).toEqual([]);
  });

  test('is the policy’s own doing once it dropped it and asks again', async () => {
    await using desk = await deskAfter(deed);
    desk.write('p.yml', desk.text('{must: []}'));
    await desk.done('apply', 'p.yml', '--yes', '--allow-removals', '1');
    desk.write('p.yml', desk.text(rules));
    const [change] = (await desk.json('plan', 'p.yml')).changes;
    expect(change).not.toHaveProperty('by_hand');
  });
});

describe.each(stricter)('%s', (...deed) => {
  const [, of, , set, found] = deed;
  const {section, subject: name} = policies[of];
  const said = `made stricter by hand (${set} → ${found})`;
  const skippedSaying = (advice: string) => [
    expect.objectContaining({subject: name, why: expect.stringContaining(`${said}; to leave it so${advice}`)}),
  ];
  const skipped = skippedSaying(section === 'filters' ? ' for good, write it in the policy' : ': ');

  test.each(['', 'only: true, '])('is nobody’s but the one’s who did it, with %s', async (more) => {
    await using desk = await deskAfter(deed, more);
    expect(await desk.json('plan', 'p.yml')).toMatchObject({changes: [], cannot: [], skipped});
    expect(await desk.json('audit', 'p.yml', '--since', 'before.json')).toMatchObject({ok: true, findings: [], skipped});
    for (const format of ['table', 'json']) {
      const {stdout} = await desk.done('explain', name, '--policy', 'p.yml', '-o', format);
      expect(stdout).toContain(said);
      expect(stdout).not.toMatch(/made weaker|by_hand/);
    }
    await desk.done('apply', 'p.yml', '--yes');
    expect(await desk.run('undo', 'p.yml', '--yes', '--json')).toMatchObject({status: 0, stdout: '[]\n', stderr: ''});
    expect((await desk.run('undo', 'p.yml', '--yes')).stderr).toContain(`${name}: changed by hand (${set} → ${found}), and it stays so`);
  });

  test('is still there when the policy drops it, and says so', async () => {
    await using desk = await deskAfter(deed);
    desk.write('p.yml', desk.text('{must: []}'));
    const [one] = (await desk.json('plan', 'p.yml')).skipped;
    expect(await desk.json('audit', 'p.yml')).toMatchObject({ok: true, skipped: skippedSaying(': ')});
    const [, ...words] = wordsOfShell(String(one.why).split('to leave it so: ')[1] ?? '');
    await desk.done(...words);
    expect(await desk.json('plan', 'p.yml')).toMatchObject({changes: [], cannot: []});
  });
});

test.each(stricter.filter(([, of]) => of !== 'filter'))(
  '%s stays as it is when it is forgotten, though the policy names it',
  async (...deed) => {
    await using desk = await deskAfter(deed);
    await desk.done('state', 'forget', 'p.yml', subject);
    expect(await desk.json('plan', 'p.yml')).toMatchObject({changes: [], cannot: []});
  },
);
