/** What people did to what a policy set, over several runs, and in every form in which it is told. */
import {expect, test} from 'vitest';
import {adminDesk} from './desk.js';

const policy = `version: 1
admin_domain_blocks: {must: [low.example, gone.example, kept.example]}
domain_blocks: {must: [away.example]}
blocks: {must: [ben@far.example]}
mutes: {must: [ben@far.example]}
`;

/** An admin whose policy was applied. */
async function applied(text = policy) {
  const desk = await adminDesk({'p.yml': text}, {like: '0.12.6'});
  /** What plans say that people did. */
  const told = async (): Promise<Record<string, unknown>> =>
    Object.fromEntries(
      (await desk.json('plan', 'p.yml')).changes.map(({kind, subject, by_hand}: Record<string, unknown>) => [
        `${String(kind)} ${String(subject)}`,
        by_hand,
      ]),
    );
  await desk.done('apply', 'p.yml', '--yes');
  return {...desk, told};
}

/** A policy that was applied, after which somebody weakened it all. */
async function weakened() {
  const desk = await applied();
  const {done} = desk;
  await done('admin', 'domain-blocks', 'update', 'low.example', '--severity', 'silence', '--yes');
  await done('admin', 'domain-blocks', 'remove', 'gone.example', '--yes');
  await done('domain-blocks', 'remove', 'away.example', '--yes');
  await done('blocks', 'remove', '@ben@far.example', '--yes');
  await done('mutes', 'remove', '@ben@far.example', '--yes');
  return desk;
}

const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
const all = {
  'admin_domain_block low.example': {set: 'suspend', found: 'silence', since},
  'admin_domain_block gone.example': {set: 'suspend', found: null, since},
  'domain_block away.example': {set: 'blocked', found: null, since},
  'block ben@far.example': {set: 'blocked', found: null, since},
  'mute ben@far.example': {set: 'muted', found: null, since},
};

test('what people did is still known after an apply of something else, and no longer once it was put back', async () => {
  await using desk = await weakened();
  desk.write('p.yml', `${policy}filters: {must: [{title: New, context: [home], keywords: [new]}]}\n`);
  await desk.done('apply', 'p.yml', '--only', 'filters', '--yes');
  expect(await desk.told()).toEqual(all);
  await desk.done('apply', 'p.yml', '--yes');
  await desk.done('apply', 'p.yml', '--yes');
  expect(await desk.told()).toEqual({});
});

test('what the policy drops is not told, and what is forgotten counts as new', async () => {
  await using desk = await weakened();
  await desk.done('apply', 'p.yml', '--only', 'mutes', '--yes');
  await desk.done('state', 'forget', 'p.yml', 'gone.example', 'low.example');
  const {'mute ben@far.example': _, ...rest} = all;
  const forgotten = {'admin_domain_block low.example': undefined, 'admin_domain_block gone.example': undefined};
  expect(await desk.told()).toEqual({...rest, ...forgotten});
  desk.write('p.yml', 'version: 1\nadmin_domain_blocks: {must: [kept.example]}\nmutes: {must: [ben@far.example]}\n');
  expect(await desk.told()).toEqual({});
});

test('a block that is lifted and made again by somebody is theirs, and told while it is weaker', async () => {
  await using desk = await applied();
  await desk.done('admin', 'domain-blocks', 'remove', 'gone.example', '--yes');
  await desk.done('apply', 'p.yml', '--only', 'mutes', '--yes');
  await desk.done('admin', 'domain-blocks', 'add', 'gone.example', '--severity', 'silence', '--yes');
  expect(await desk.told()).toEqual({'admin_domain_block gone.example': {set: 'suspend', found: 'silence', since}});
  await desk.done('admin', 'domain-blocks', 'update', 'gone.example', '--severity', 'suspend', '--yes');
  expect(await desk.told()).toEqual({});
});

test.concurrent('explain says what was lifted by hand, and what apply takes back because the policy no longer names it', async () => {
  await using desk = await applied();
  await desk.done('domain-blocks', 'remove', 'away.example');
  const lifted = await desk.run('explain', 'away.example', '--policy', 'p.yml', '-o', 'table');
  expect(lifted).toMatchObject({status: 0, stdout: expect.stringMatching(/lifted by hand since the apply of \d{4}-\d\d-\d\d/)});
  desk.write('p.yml', policy.replace(', kept.example', ''));
  const [left] = await desk.json('explain', 'kept.example', '--policy', 'p.yml');
  expect(left).toMatchObject({wanted: null, there: true, because: [{rule: 'no_longer_named'}]});
});

test.concurrent('undo leaves a block whose comment somebody changed, and says so', async () => {
  await using desk = await applied('version: 1\nadmin_domain_blocks: {must: [{domain: low.example, private_comment: ours}]}\n');
  await desk.done('admin', 'domain-blocks', 'update', 'low.example', '--private-comment', 'theirs', '--yes');
  const {stderr} = await desk.run('undo', 'p.yml', '--yes');
  expect(stderr).toContain('low.example: comment changed by hand');
  expect(await desk.json('admin', 'domain-blocks', 'get', 'low.example')).toMatchObject({private_comment: 'theirs'});
});
