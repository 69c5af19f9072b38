/** What a script means, on the embedded server of both generations. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {addBlock, addMute, listBlocks, listDomainBlocks, listMutes, removeBlock, removeMute} from '../../../src/lib/api/blocks.js';
import {acceptConversation} from '../../../src/lib/api/direct.js';
import {createFilter, getFilter} from '../../../src/lib/api/filters.js';
import {
  createClient,
  domainBlock,
  domainUnblock,
  filterUpdate,
  messageSending,
  performOperation,
} from '../../../src/lib/operations/index.js';
import type {Generation} from '../../sandbox/start.js';
import {sandboxWith} from '../sandbox/asking.js';
import {newFolder} from '../../new-folder.js';

async function clientOn(like: Generation) {
  const sandbox = await sandboxWith({like});
  const client = createClient({server: new URL(sandbox.url), token: async () => sandbox.tokens.all});
  onTestFinished(() => client.close());
  return client;
}

describe.each<Generation>(['0.12.6', '2026'])('on a server like %s, a script', (like) => {
  test.each(['bücher.example', 'https://xn--bcher-kva.example/about'])('blocks and unblocks %s', async (domain) => {
    const client = await clientOn(like);
    const blocked = async () => (await client.call(listDomainBlocks, {})).value;
    await performOperation(client, domainBlock, {body: {domain}});
    expect(await blocked()).toContain('xn--bcher-kva.example');
    await performOperation(client, domainUnblock, {body: {domain}});
    expect(await blocked()).not.toContain('xn--bcher-kva.example');
  });

  test.each([
    ['blocks', addBlock, removeBlock, listBlocks],
    ['mutes', addMute, removeMute, listMutes],
  ] as const)('%s an account by its handle, and takes it back', async (_, add, remove, list) => {
    const client = await clientOn(like);
    const names = async () => (await client.call(list, {query: {limit: 80}})).value.map(({acct}) => acct);
    await performOperation(client, add, {path: {id: '@marie@pixel.example.fr'}});
    expect(await names()).toContain('marie@pixel.example.fr');
    await performOperation(client, remove, {path: {id: '@marie@pixel.example.fr'}});
    expect(await names()).not.toContain('marie@pixel.example.fr');
  });

  test('changes the title of a filter without naming a keyword', async () => {
    const client = await clientOn(like);
    const keywords_attributes = [{keyword: 'offside', whole_word: true}];
    const {value} = await client.call(createFilter, {body: {title: 'Football', context: ['home'], expires_in: 3600, keywords_attributes}});
    expect(value.expires_at).not.toBeNull();
    await performOperation(client, filterUpdate, {path: {id: value.id}, body: {title: 'World cup', expires_in: 0}});
    const changed = await client.call(getFilter, {path: {id: value.id}});
    expect(changed.value).toMatchObject({title: 'World cup', expires_at: null, keywords: [{keyword: 'offside'}]});
  });

  test.each(['', 'no host', '@', 'https://'])('a script is refused %j as a domain or an account before anything is sent', async (text) => {
    const client = await clientOn(like);
    await expect(performOperation(client, domainBlock, {body: {domain: text}})).rejects.toMatchObject({code: 'usage'});
    await expect(performOperation(client, addBlock, {path: {id: text}})).rejects.toMatchObject({code: 'usage'});
  });
});

describe('on a server with conversations, a script', () => {
  test('sends a message with a file to the conversation with an account', async () => {
    const folder = newFolder();
    const photo = join(folder, 'photo.jpg');
    writeFileSync(photo, Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'));
    const client = await clientOn('2026');
    const {value} = await performOperation(client, messageSending, {path: {id: '@bob'}, body: {message: 'Low tide', media: [photo]}});
    expect(value).toMatchObject({text: 'Low tide', type: 'photo', is_author: true});
  });

  test('is refused a message that is longer than the server allows, before anything is sent', async () => {
    const client = await clientOn('2026');
    await expect(performOperation(client, messageSending, {path: {id: '@bob'}, body: {message: 'x'.repeat(2001)}})).rejects.toMatchObject({
      code: 'usage',
      message: '2,001 characters; this server allows 2,000: nothing was sent',
    });
  });

  test('accepts the conversation with an account', async () => {
    const client = await clientOn('2026');
    expect((await performOperation(client, acceptConversation, {path: {id: '@sly'}})).value.state).toBe('active');
  });
});
