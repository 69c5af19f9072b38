/** The files of archives and backups, and the pages that are made of them. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {archiveFolder, ownerOf} from '../../../dist/lib/archive/archive-folder.js';
import {Catalogue} from '../../../dist/lib/archive/catalogue.js';
import {damagedMedia} from '../../../dist/lib/archive/damaged-media.js';
import {indexPage} from '../../../dist/lib/archive/index-page.js';
import {keptMessagesIn} from '../../../dist/lib/archive/kept.js';
import {saysTheSame} from '../../../dist/lib/archive/message.js';
import {writePage} from '../../../dist/lib/archive/page.js';
import {ConversationPlace} from '../../../dist/lib/archive/places.js';
import {Reading} from '../../../dist/lib/archive/reading.js';
import {backupFolder} from '../../../dist/lib/backup/backup-folder.js';
import {readGeneration} from '../../../dist/lib/backup/generation.js';
import {Generations} from '../../../dist/lib/backup/generations.js';
import {historyOf} from '../../../dist/lib/backup/history.js';
import {isUnfinished, notRead, readRecord} from '../../../dist/lib/archive/record.js';
import {compareIds} from '../../../dist/lib/json/compare-ids.js';
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
/** The conversation of the other files, in the folder of which it has to be. */
const known = '1029249430941045799';

async function conversationsIn(content) {
  written('archive/conversations.ndjson', content);
  return (await Catalogue.open(join(ownFolder(), 'archive'), {finishes: false})).records;
}

/** The pages of the messages in the folder, of each conversation. */
async function checkPages(entries) {
  const folder = join(ownFolder(), 'archive', known);
  for (const entry of entries.slice(0, 3)) {
    await writePage(folder, entry, good.owner);
    checkPage(readFileSync(join(folder, 'page.html'), 'utf8'));
  }
  checkPage([...indexPage(entries, good.owner)].join(''));
}

async function parseConversations(bytes) {
  written(`archive/${known}/messages.ndjson`, goodInput('archive-messages', 'messages.ndjson'));
  written(`archive/${known}/index.ndjson`, goodInput('archive-index', 'index.ndjson'));
  const entries = await conversationsIn(bytes);
  await checkPages(entries);
  return `${entries.map(({facts: {type}}) => type)}`;
}

async function parseMessages(messages, index) {
  const paths = [written(`archive/${known}/messages.ndjson`, messages), written(`archive/${known}/index.ndjson`, index)];
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
  const reading = await Reading.open(written(`archive/${known}/.reading.ndjson`, bytes));
  if (reading === undefined) return 'none';
  const messages = await Array.fromAsync(reading.messages());
  const ids = messages.map(({id}) => id);
  if (ids.some((id, index) => index > 0 && compareIds(ids[index - 1], id) >= 0)) throw new Wrong('messages out of order');
  return `${messages.length} ${reading.isEnded} ${reading.covers.length}`;
}

/** What is known of a conversation. */
async function parseRecord(bytes) {
  written(`archive/${known}/kept.json`, bytes);
  const record = await readRecord(new ConversationPlace(join(ownFolder(), 'archive'), known));
  if (record === undefined) return 'none';
  await checkPages([record]);
  return `${notRead(record).length} ${isUnfinished(record)}`;
}

async function parseDamaged(bytes) {
  const place = new ConversationPlace(join(ownFolder(), 'archive'), '5');
  written('archive/5/index.ndjson', goodInput('archive-index', 'index.ndjson'));
  written('archive/5/media/5.jpg', 'x'.repeat(1000));
  written('archive/5/.damaged.json', bytes);
  return [...(await damagedMedia(place, 'lengths'))].join();
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
    words: ['{"reading":2', '{"page":[', '"covers":', '"newest":true', '{"end":true}', '"isWithin":', '"reads":null', '"conversation":'],
  },
  'archive-record': {
    parse: parseRecord,
    shapes: ['json'],
    words: [...html, '"kept":1', '"ranges":', '"from":null', '"bound":', '"files":', '"people":', '"conversation":'],
    slowness: 4,
  },
  'archive-damaged': {parse: parseDamaged, shapes: ['json'], words: ['"media/5.jpg"', '../../x', '[', 'null']},
};
