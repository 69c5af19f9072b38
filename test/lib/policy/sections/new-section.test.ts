/** A section of a new kind, names in a set, is a file of twenty lines: it is read, planned, applied, explained and undone as the others are. */
import {afterAll, beforeAll, expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {readPolicy} from '../../../../src/lib/policy/reading/read-policy.js';
import {type Changes, prepareApply, Sending} from '../../../../src/lib/policy/rows/change.js';
import {explain} from '../../../../src/lib/policy/rows/explain.js';
import {linesOf} from '../../../../src/lib/policy/rows/plan.js';
import type {Target} from '../../../../src/lib/policy/rows/target.js';
import {prepareUndo} from '../../../../src/lib/policy/rows/undo.js';
import {kinds} from '../../../../src/lib/policy/sections/index.js';
import {StateFile} from '../../../../src/lib/policy/state/file.js';
import {followedTags} from '../../../fixtures/new-section/followed-tags.js';
import {answeringServer} from '../../operations/answering-server.js';
import {ana} from '../compared.js';

beforeAll(() => void kinds.push(followedTags));
afterAll(() => void kinds.splice(kinds.indexOf(followedTags), 1));

const text = 'version: 1\nfollowed_tags: {must: ["#Harbour", birds], must_not: [ads]}';

/** A server with tags, and an account whose rows are sent to it. */
async function tagServer(tags: Set<string>) {
  const {client, asked} = await answeringServer(({line}) => {
    const [, name = '', verb] = /\/tags\/(.+)\/(\w+)$/.exec(line) ?? [];
    if (verb === 'follow') tags.add(name);
    if (verb === 'unfollow') tags.delete(name);
    if (verb !== undefined) return {name};
    return line.includes('followed_tags') ? Array.from(tags, (one) => ({name: one})) : [];
  });
  const target: Target = {...ana, client};
  const via = {client, accounts: () => Promise.reject(new Error('no accounts'))};
  const send = async (changes: Changes, at: string) => {
    const sending = new Sending(changes);
    await sending.begin({at});
    for (const {request} of sending.steps) await sending.send(request, via);
    expect(await sending.end(undefined)).toBeUndefined();
  };
  return {asked, target, send};
}

test('tags of a policy are followed, explained, and given up again', async () => {
  const tags = new Set(['Ads', 'sky']);
  const {target, send} = await tagServer(tags);
  const given = await readPolicy('p.yml', undefined, {text, now: target.now()});
  const files = {account: StateFile.inMemory('ana@pix.example')};
  const ready = await prepareApply(given, target, files);
  expect([...linesOf(ready)]).toEqual([
    '- followed tag ads  # followed_tags.must_not: p.yml:2',
    '+ followed tag harbour  # followed_tags.must: p.yml:2',
    '+ followed tag birds  # followed_tags.must: p.yml:2',
  ]);
  await send(ready, '2026-11-20T12:00:00.000Z');
  expect([...tags]).toEqual(['sky', 'harbour', 'birds']);
  const {document} = await explain('#birds', given, target);
  expect(document).toContainEqual(
    expect.objectContaining({kind: 'followed_tag', subject: 'birds', wanted: true, there: true, actual: 'followed'}),
  );
  const undo = await prepareUndo({name: 'p.yml', file: 'p.yml', verb: 'apply'}, files, target);
  await send(undo, '2026-11-20T12:00:01.000Z');
  expect([...tags].toSorted()).toEqual(['ads', 'sky']);
});

test('a policy that asks for a tag and forbids it is refused', async () => {
  const contradiction = readPolicy('p.yml', undefined, {text: text.replace('[ads]', '[BIRDS]')});
  await expect(contradiction).rejects.toThrow(Failure);
  await expect(contradiction).rejects.toThrow('birds is in must, and in must_not of followed_tags at p.yml:2');
});
