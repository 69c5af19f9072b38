/** What a script means, on the embedded server of both generations. */
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {listBlocks, listDomainBlocks, listMutes} from '../../../src/lib/api/blocks.js';
import {getFilter} from '../../../src/lib/api/filters.js';
import {
  addFilter,
  blockAccount,
  blockDomain,
  changeFilter,
  createClient,
  findAccount,
  findConversation,
  moveConversation,
  muteAccount,
  unblockAccount,
  unblockDomain,
  unmuteAccount,
  writeMessage,
} from '../../../src/lib/operations/index.js';
import type {Generation} from '../../sandbox/start.js';
import {sandboxWith} from '../sandbox/asking.js';

async function clientOn(like: Generation) {
  const sandbox = await sandboxWith({like});
  const client = createClient({server: new URL(sandbox.url), token: async () => sandbox.tokens.all});
  onTestFinished(() => client.close());
  return client;
}

describe.each<Generation>(['0.12.6', '2026'])('on a server like %s, a script', (like) => {
  test.each(['bücher.example', 'https://xn--bcher-kva.example/about', 'BÜCHER.example.'])('blocks and unblocks %s', async (domain) => {
    const client = await clientOn(like);
    const blocked = async () => (await client.call(listDomainBlocks, {})).value;
    await blockDomain(client, domain);
    expect(await blocked()).toContain('xn--bcher-kva.example');
    await unblockDomain(client, domain);
    expect(await blocked()).not.toContain('xn--bcher-kva.example');
  });

  test.each([
    ['blocks', blockAccount, unblockAccount, listBlocks],
    ['mutes', muteAccount, unmuteAccount, listMutes],
  ] as const)('%s an account by its handle, and takes it back', async (_, add, remove, list) => {
    const client = await clientOn(like);
    const names = async () => (await client.call(list, {query: {limit: 80}})).value.map(({acct}) => acct);
    expect((await add(client, '@marie@pixel.example.fr')).value.id).toBe(await findAccount(client, '@marie@pixel.example.fr'));
    expect(await names()).toContain('marie@pixel.example.fr');
    await remove(client, '@marie@pixel.example.fr');
    expect(await names()).not.toContain('marie@pixel.example.fr');
  });

  test('makes a filter, and changes its title without naming a keyword', async () => {
    const client = await clientOn(like);
    const settings = {title: 'Football', context: ['home'], action: 'hide', ends: 3600};
    const added = await addFilter(client, {...settings, keywords: [{keyword: 'offside'}]});
    expect(added.value).toMatchObject({title: 'Football', filter_action: 'hide', keywords: [{keyword: 'offside', whole_word: true}]});
    expect(added.value.expires_at).not.toBeNull();
    await changeFilter(client, added.value.id, {title: 'World cup', ends: 'never'});
    const {value} = await client.call(getFilter, {path: {id: added.value.id}});
    expect(value).toMatchObject({title: 'World cup', filter_action: 'hide', expires_at: null, keywords: [{keyword: 'offside'}]});
  });

  test('changes the keywords of a filter', async () => {
    const client = await clientOn(like);
    const {value} = await addFilter(client, {title: 'A', context: ['home'], keywords: [{keyword: 'one'}, {keyword: 'two'}]});
    const [one, two] = value.keywords.map(({id}) => Number(id));
    await changeFilter(client, value.id, {
      keywords: {remove: [one ?? 0], change: [{id: two ?? 0, whole_word: false}], add: [{keyword: 'three'}]},
    });
    const changed = await client.call(getFilter, {path: {id: value.id}});
    expect(changed.value.keywords.map(({keyword, whole_word}) => [keyword, whole_word])).toEqual([
      ['two', false],
      ['three', true],
    ]);
  });

  test.each(['', 'no host', '@', 'https://'])('a script is refused %j as a domain or an account before anything is sent', async (text) => {
    const client = await clientOn(like);
    await expect(async () => blockDomain(client, text)).rejects.toMatchObject({code: 'usage'});
    await expect(async () => blockAccount(client, text)).rejects.toMatchObject({code: 'usage'});
  });
});

describe('on a server with conversations, a script', () => {
  test('sends a message with a file to the conversation with an account', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pixelctl-script-'));
    onTestFinished(() => rmSync(folder, {recursive: true}));
    const photo = join(folder, 'photo.jpg');
    writeFileSync(photo, Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'));
    const client = await clientOn('2026');
    const {value} = await writeMessage(client, '@bob', {message: 'Low tide', media: [photo]});
    expect(value).toMatchObject({text: 'Low tide', type: 'photo', is_author: true});
    expect(value.conversation_id).toBe(await findConversation(client, '@bob'));
  });

  test('on a server with conversations, a script is refused a message that is longer than the server allows, before anything is sent', async () => {
    const client = await clientOn('2026');
    await expect(writeMessage(client, '@bob', {message: 'x'.repeat(2001)})).rejects.toMatchObject({
      code: 'usage',
      message: '2,001 characters; this server allows 2,000: nothing was sent',
    });
  });

  test('accepts, mutes and hides the conversation with an account', async () => {
    const client = await clientOn('2026');
    expect((await moveConversation(client, '@sly', 'accept')).value.state).toBe('active');
    expect((await moveConversation(client, '@sly', 'mute')).value.muted).toBe(true);
    expect((await moveConversation(client, '@sly', 'hide')).value.hidden).toBe(true);
  });
});
