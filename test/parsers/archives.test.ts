/** The files of archives and backups, and the pages that are made of them. */
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect} from 'vitest';
import {archiveFolder, ownerOf} from '../../src/lib/archive/archive-folder.js';
import {derive} from '../../src/lib/archive/export-conversations.js';
import {summarize} from '../../src/lib/archive/facts.js';
import {Log} from '../../src/lib/archive/log.js';
import {indexPage} from '../../src/lib/archive/page.js';
import {ConversationPlace} from '../../src/lib/archive/archive-places.js';
import {backupFolder, DatedFolders} from '../../src/lib/backup/index.js';
import {sealLine} from '../../src/lib/files/chain.js';
import {sumsOf} from '../e2e/backups.js';
import {newFolder} from '../e2e/program.js';
import {describeParsers, keptInput} from './behaviour.js';
import {expectOwnPage} from './own-page.js';

const folder = newFolder();
const date = '2026-11-23T041005Z';
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
async function parseSums(bytes: Buffer): Promise<void> {
  written(`backup/lists/${date}/blocks.json`, '[]\n');
  written(`backup/lists/${date}/SHA256SUMS`, bytes);
  const {files} = await (await DatedFolders.in(join(folder, 'backup'))).read(date);
  expect([...files.keys()].filter((file) => file !== 'blocks.json')).toEqual([]);
}

/** A mutation of a line would not be looked at without its proof. */
function sealed(text: string): string {
  let x = '';
  const seal = (line: string): string => {
    const body = line.replace(/,"x":"[\da-f]{12}"\}$/, '}');
    const one = sealLine(x, body);
    ({x} = one);
    return `${one.line}\n`;
  };
  return text.split('\n').filter(Boolean).map(seal).join('');
}

async function parseLog(bytes: Buffer): Promise<void> {
  const [, id = '0'] = /"id":"(\d{1,40})"/.exec(bytes.toString()) ?? [];
  written(`archive/${id}/log.ndjson`, bytes);
  await using log = await Log.openToLook(new ConversationPlace(join(folder, 'archive'), id));
  for (const {file = 'media/0.jpg'} of log.conversation.media.values()) expect(file).toMatch(/^media\/[\da-f]+(?:-\d+)?\.\w+$/);
  if (log.isEmpty) return;
  await derive(log, owner);
  expectOwnPage(readFileSync(join(folder, 'archive', id, 'page.html'), 'utf8'));
  expectOwnPage(indexPage([summarize(log)], owner));
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
  'backup-sums': {
    parse: parseSums,
    finish: (text) => sumsOf(text.split('\n').slice(0, -2)),
    words: ['blocks.json', '../blocks.json', '  ', '\n', '*blocks.json'],
  },
  'archive-log': {
    parse: parseLog,
    finish: sealed,
    words: [
      ...html,
      '"created_at":',
      '"sender_id":',
      '"text":',
      '"edited_at":',
      '{"gone":',
      '{"back":',
      '{"media":',
      '{"person":',
      '"covers":',
      '"conversation":',
      'media/../../x.html',
    ],
  },
});
