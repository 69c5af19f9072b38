/** The files of archives and backups, and the pages that are made of them. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {archiveFolder, backupFolder, ownerOf} from '../../../dist/lib/archive/archive-folder.js';
import {Catalogue} from '../../../dist/lib/archive/catalogue.js';
import {damagedMedia} from '../../../dist/lib/archive/damaged-media.js';
import {indexPage} from '../../../dist/lib/archive/index-page.js';
import {keptMessagesIn} from '../../../dist/lib/archive/kept.js';
import {saysTheSame} from '../../../dist/lib/archive/message.js';
import {writePage} from '../../../dist/lib/archive/page.js';
import {ConversationPlace} from '../../../dist/lib/archive/places.js';
import {Reading} from '../../../dist/lib/archive/reading.js';
import {readGeneration} from '../../../dist/lib/backup/generation.js';
import {Generations} from '../../../dist/lib/backup/generations.js';
import {historyOf} from '../../../dist/lib/backup/history.js';
import {goodInput} from '../corpus.js';
import {ownFolder, written} from '../folder.js';
import {checkPage} from '../html-model.js';
import {Wrong} from '../judge.js';

const good = {
  get owner() {
    return JSON.parse(goodInput('archive-owner', 'archive.json'));
  },
};

async function parseOwner(bytes) {
  const found = [];
  for (const kind of [archiveFolder, backupFolder]) {
    written(`owned/${kind.name}.json`, bytes);
    found.push(await ownerOf(join(ownFolder(), 'owned'), kind).catch((error) => error));
  }
  const [archive, backup] = found;
  if (archive instanceof Error && backup instanceof Error) throw archive;
  return found.map((one) => one instanceof Error).join();
}

const generation = '2026-11-23T041005Z';

/** Nothing outside is read, and what is not whole is told. */
async function parseGeneration(bytes) {
  const lists = join(ownFolder(), 'backup', 'lists');
  written(`backup/lists/${generation}/blocks.json`, '[]\n');
  written(`backup/lists/${generation}/kept.json`, bytes);
  const {kept, files, damage} = await readGeneration(lists, generation);
  if ([...files.keys()].some((file) => file !== 'blocks.json')) throw new Wrong(`the files ${[...files.keys()]}`);
  if (files.size + damage.length === 0 && Object.keys(kept.files).length > 0) throw new Wrong('a file that is neither whole nor damaged');
  const {generations, failure} = await historyOf(join(ownFolder(), 'backup'));
  return `${generations.length} ${kept?.accepted} ${damage.length} ${failure === undefined}`;
}

async function parseLatest(bytes) {
  written(`backup/lists/${generation}/blocks.json`, '[]\n');
  written(`backup/lists/${generation}/kept.json`, goodInput('generation', 'kept.json'));
  written('backup/lists/latest', bytes);
  const {name} = await (await Generations.in(join(ownFolder(), 'backup'))).latest();
  if (name !== generation) throw new Wrong(name);
  return name;
}

async function conversationsIn(content) {
  written('archive/conversations.ndjson', content);
  const catalogue = await Catalogue.open(join(ownFolder(), 'archive'));
  await catalogue[Symbol.asyncDispose]();
  return catalogue.entries;
}

/** The pages of the messages in the folder, of each conversation. */
async function checkPages(entries) {
  const folder = join(ownFolder(), 'archive', 'conversation');
  for (const entry of entries.slice(0, 3)) {
    await writePage(folder, entry, good.owner);
    checkPage(readFileSync(join(folder, 'page.html'), 'utf8'));
  }
  checkPage([...indexPage(entries, good.owner)].join(''));
}

async function parseConversations(bytes) {
  written('archive/conversation/messages.ndjson', goodInput('archive-messages', 'messages.ndjson'));
  written('archive/conversation/index.ndjson', goodInput('archive-index', 'index.ndjson'));
  const entries = await conversationsIn(bytes);
  await checkPages(entries);
  return `${entries.map(({facts: {type}}) => type)}`;
}

async function parseMessages(messages, index) {
  const paths = [written('archive/conversation/messages.ndjson', messages), written('archive/conversation/index.ndjson', index)];
  const kept = await Array.fromAsync(keptMessagesIn(...paths));
  for (const {id, text, entry} of kept) {
    if (!saysTheSame(text, text)) throw new Wrong('a message differs from itself');
    for (const {file} of entry?.media ?? [])
      if (file !== undefined && !/^media\/[\da-f]+\.\w+$/.test(file)) throw new Wrong(`the file ${file} of ${id}`);
  }
  await checkPages(await conversationsIn(goodInput('archive-conversations', 'conversations.ndjson')));
  return `${kept.map(({entry}) => entry !== undefined).join()}`.slice(0, 60);
}

/** What a run that was killed had read. */
async function parseReading(bytes) {
  const reading = await Reading.open(written('archive/conversation/.reading.ndjson', bytes));
  if (reading === undefined) return 'none';
  const pages = await Array.fromAsync(reading.pages());
  for (const {file} of pages.flatMap(({media}) => [...media.values()]))
    if (file !== undefined && !/^media\/[\da-f]+\.\w+$/.test(file)) throw new Wrong(`the file ${file}`);
  return `${pages.length} ${reading.end === undefined} ${reading.retried.size}`;
}

async function parseDamaged(bytes) {
  const place = new ConversationPlace(join(ownFolder(), 'archive'), '5');
  written('archive/5/index.ndjson', goodInput('archive-index', 'index.ndjson'));
  written('archive/5/media/5.jpg', 'x'.repeat(1000));
  written('archive/5/.damaged.json', bytes);
  return [...(await damagedMedia(place))].join();
}

const html = [
  '<b>',
  '&lt;',
  '"',
  "'",
  '<!--',
  ']]>',
  '</script>',
  '\\u003cscript>',
  'javascript:alert(1)',
  '\\u202e',
  '\\ud83d',
  '\\u0000',
  '"text":',
  '"name":',
  '<img src=x onerror=alert(1)>',
  '&#60;',
];

/** @type {Record<string, import('./index.js').Parser>} */
export const parsers = {
  'archive-owner': {parse: parseOwner, shapes: ['json'], words: ['"archive":1', '"backup":1', '"server":', '"account":']},
  generation: {
    parse: parseGeneration,
    shapes: ['json'],
    words: [
      '"generation":1',
      '"accepted":true',
      '"lists":',
      '"files":',
      '"blocks.json":',
      '"../latest":',
      '"items":',
      '"read":',
      `"${generation}"`,
    ],
  },
  'latest-generation': {parse: parseLatest, words: [generation, '\n', ' ', '../', '2026-02-30T000000Z', '+010000-01-01T000000Z']},
  'archive-conversations': {
    parse: parseConversations,
    shapes: ['lines'],
    words: [...html, '"people":', '"conversation":', '"folder":'],
    slowness: 4,
  },
  'archive-messages': {
    parse: (bytes) => parseMessages(bytes, goodInput('archive-index', 'index.ndjson')),
    shapes: ['lines'],
    words: [...html, '"created_at":', '"media":', '"sender_id":', '"in_reply_to_id":'],
    slowness: 4,
  },
  'archive-index': {
    parse: (bytes) => parseMessages(goodInput('archive-messages', 'messages.ndjson'), bytes),
    shapes: ['lines'],
    words: [...html, '"versions":', '"until":', '"media":', '"first_seen":', 'media/../../x.html'],
    slowness: 4,
  },
  'archive-reading': {
    parse: parseReading,
    shapes: ['lines'],
    words: ['{"reading":1', '{"page":[', '{"media":{', '{"retried":{', '{"end":null}', '"isWithin":', '"order":"up"', 'media/../../x'],
  },
  'archive-damaged': {parse: parseDamaged, shapes: ['json'], words: ['"media/5.jpg"', '../../x', '[', 'null']},
};
