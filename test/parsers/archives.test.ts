/** The files of archives and backups, and the pages that are made of them. */
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect} from 'vitest';
import {archiveFolder, ownerOf} from '../../src/lib/archive/archive-folder.js';
import {Catalogue} from '../../src/lib/archive/catalogue.js';
import {damagedMedia} from '../../src/lib/archive/damaged-media.js';
import {indexPage} from '../../src/lib/archive/index-page.js';
import {keptMessagesIn} from '../../src/lib/archive/kept.js';
import {writePage} from '../../src/lib/archive/page.js';
import {ConversationPlace} from '../../src/lib/archive/places.js';
import {Reading} from '../../src/lib/archive/reading.js';
import {readRecord} from '../../src/lib/archive/record.js';
import {backupFolder} from '../../src/lib/backup/backup-folder.js';
import {readGeneration} from '../../src/lib/backup/generation.js';
import {Generations} from '../../src/lib/backup/generations.js';
import {newFolder} from '../e2e/program.js';
import {describeParsers, keptInput} from './behaviour.js';
import {expectOwnPage} from './own-page.js';

const folder = newFolder();
/** The conversation of all files. */
const known = '1029249430941045799';
const generation = '2026-11-23T041005Z';
const owner = JSON.parse(keptInput('archive-owner', 'archive.json'));

function written(name: string, content: Buffer | string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), {recursive: true, mode: 0o700});
  writeFileSync(path, content, {mode: 0o600});
  return path;
}

async function parseOwner(bytes: Buffer): Promise<void> {
  written('owned/archive.json', bytes);
  written('owned/backup.json', bytes);
  await ownerOf(join(folder, 'owned'), archiveFolder);
  await ownerOf(join(folder, 'owned'), backupFolder);
}

/** Nothing outside is read. */
async function parseGeneration(bytes: Buffer): Promise<void> {
  written(`backup/lists/${generation}/blocks.json`, '[]\n');
  written(`backup/lists/${generation}/kept.json`, bytes);
  const {files} = await readGeneration(join(folder, 'backup/lists'), generation);
  expect([...files.keys()].filter((file) => file !== 'blocks.json')).toEqual([]);
}

async function parseLatest(bytes: Buffer): Promise<void> {
  written(`backup/lists/${generation}/blocks.json`, '[]\n');
  written(`backup/lists/${generation}/kept.json`, keptInput('generation', 'kept.json'));
  written('backup/lists/latest', bytes);
  expect((await (await Generations.in(join(folder, 'backup'))).latest())?.name).toBe(generation);
}

/** The pages of the messages in the folder, of each conversation. */
async function expectPages(conversations: Buffer | string): Promise<void> {
  written('archive/conversations.ndjson', conversations);
  const {records} = await Catalogue.open(join(folder, 'archive'), {finishes: false});
  for (const entry of records.slice(0, 3)) {
    await writePage(join(folder, 'archive', known), entry, owner);
    expectOwnPage(readFileSync(join(folder, 'archive', known, 'page.html'), 'utf8'));
  }
  expectOwnPage([...indexPage(records, owner, true)].join(''));
}

async function parseMessages(messages: Buffer | string, index: Buffer | string): Promise<void> {
  const [text, notes] = [written(`archive/${known}/messages.ndjson`, messages), written(`archive/${known}/index.ndjson`, index)];
  for await (const {entry} of keptMessagesIn(text, notes))
    for (const {file = 'media/0.jpg'} of entry?.media ?? []) expect(file).toMatch(/^media\/[\da-f]+\.\w+$/);
  await expectPages(keptInput('archive-conversations', 'conversations.ndjson'));
}

async function parseConversations(bytes: Buffer): Promise<void> {
  written(`archive/${known}/messages.ndjson`, keptInput('archive-messages', 'messages.ndjson'));
  written(`archive/${known}/index.ndjson`, keptInput('archive-index', 'index.ndjson'));
  await expectPages(bytes);
}

async function parseReading(bytes: Buffer): Promise<void> {
  const reading = await Reading.open(written(`archive/${known}/.reading.ndjson`, bytes));
  if (reading !== undefined) await Array.fromAsync(reading.messages());
}

function parseRecord(bytes: Buffer): Promise<unknown> {
  written(`archive/${known}/kept.json`, bytes);
  return readRecord(new ConversationPlace(join(folder, 'archive'), known));
}

function parseDamaged(bytes: Buffer): Promise<unknown> {
  written('archive/5/index.ndjson', keptInput('archive-index', 'index.ndjson'));
  written('archive/5/media/5.jpg', 'x'.repeat(1000));
  written('archive/5/.damaged.json', bytes);
  return damagedMedia(new ConversationPlace(join(folder, 'archive'), '5'), 'lengths');
}

const html = [
  '<b>',
  '&lt;',
  '<!--',
  ']]>',
  '</script>',
  '\\u003cscript>',
  'javascript:alert(1)',
  '\\u202e',
  '\\u0000',
  '<img src=x onerror=alert(1)>',
];

describeParsers({
  'archive-owner': {parse: parseOwner, words: ['"archive":1', '"backup":1', '"server":', '"account":']},
  generation: {
    parse: parseGeneration,
    words: ['"generation":1', '"accepted":true', '"files":', '"blocks.json":', '"../latest":', '"read":'],
  },
  'latest-generation': {parse: parseLatest, words: [generation, '\n', '../', '2026-02-30T000000Z', '+010000-01-01T000000Z']},
  'archive-conversations': {parse: parseConversations, words: [...html, '"people":', '"conversation":', '"folder":', '"name":']},
  'archive-messages': {
    parse: (bytes) => parseMessages(bytes, keptInput('archive-index', 'index.ndjson')),
    words: [...html, '"created_at":', '"media":', '"sender_id":', '"text":'],
  },
  'archive-index': {
    parse: (bytes) => parseMessages(keptInput('archive-messages', 'messages.ndjson'), bytes),
    words: [...html, '"versions":', '"until":', '"media":', '"first_seen":', 'media/../../x.html'],
  },
  'archive-reading': {
    parse: parseReading,
    words: ['{"reading":2', '{"page":[', '"covers":', '"newest":true', '{"end":true}', '"reads":null'],
  },
  'archive-record': {parse: parseRecord, words: [...html, '"kept":1', '"ranges":', '"from":null', '"bound":', '"files":', '"people":']},
  'archive-damaged': {parse: parseDamaged, words: ['"media/5.jpg"', '../../x']},
});
