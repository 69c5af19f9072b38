/** Policies, and the files that plan and apply write about them. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import {keysOf, parts} from '../../src/lib/backup/parts.js';
import {openBackup} from '../../src/lib/backup/restored.js';
import {isObject} from '../../src/lib/api/schema.js';
import {textOfBytes} from '../../src/lib/files/text.js';
import {readKeptPlans, sealedPlan} from '../../src/lib/policy/plan/plan-file.js';
import {readPolicy} from '../../src/lib/policy/reading/policy-file.js';
import {isPolicy} from '../../src/lib/policy/reading/policy-or-list.js';
import {readEarlierReport} from '../../src/lib/policy/reports/since.js';
import {ownershipIn, ownershipText, readOwnership} from '../../src/lib/policy/state-file/state-file.js';
import {newFolder} from '../e2e/program.js';
import {describeParsers, keptInput} from './behaviour.js';

const folder = newFolder();

function written(name: string, content: Buffer | string): string {
  const path = join(folder, name);
  writeFileSync(path, content, {mode: 0o600});
  return path;
}

function parsePolicy(bytes: Buffer): void {
  const text = textOfBytes(bytes, 'p.yml');
  isPolicy(text);
  readPolicy(text, 'p.yml', {now: new Date('2027-01-01T00:00:00Z')});
}

async function parseBackupPolicy(bytes: Buffer): Promise<void> {
  for (const part of parts) written(part.policy, bytes);
  written('backup.json', keptInput('archive-owner', 'backup.json'));
  for (const part of parts) await openBackup(folder, keysOf(part).slice(0, 1));
}

function expectKept(file: ReturnType<typeof readOwnership>): void {
  const text = ownershipText(file);
  expect(ownershipText(readOwnership(text, 'p.yml.state.json'))).toBe(text);
}

/** A log that a state file names. */
async function parseStateLog(bytes: Buffer): Promise<void> {
  const state = written('logged.state.json', keptInput('state', 'applied.json').replace('"version": 2,', '"version": 2, "log": "first",'));
  written('logged.state.json.log', bytes);
  expectKept(await ownershipIn(state));
}

/** A digest tells that a plan was edited: whoever wants to break its reader writes the right one. */
function withDigest(text: string): string {
  try {
    const plan: unknown = JSON.parse(text);
    return isObject(plan) ? sealedPlan(plan) : text;
  } catch {
    return text;
  }
}

const words = [
  'version: 1',
  'must:',
  'must_not:',
  'only:',
  'lists:',
  'allow:',
  '- bad.example',
  "- '@bob'",
  'for:',
  'accounts:',
  'agree: 2',
  'expires: 90d',
];

describeParsers({
  policy: {parse: parsePolicy, words: [...words, 'until: 2026-12-31', 'server: https://pix.example']},
  'backup-policy': {parse: parseBackupPolicy, words},
  state: {
    parse: (bytes) => expectKept(readOwnership(bytes, 'p.yml.state.json')),
    words: ['"version": 1', '"kind": "mute"', '2026-01-01T00:00:00.000Z', 'domain_block', 'filter', 'push'],
  },
  'state-log': {
    parse: parseStateLog,
    words: ['"pixelctl_state_log":1', '"record":0', '"touched":', '"owned":', '"gone":', '"hadId":', '"was":null'],
  },
  plan: {
    parse: (bytes) => readKeptPlans(textOfBytes(bytes, 'plan.json'), join(folder, 'plan.json')),
    finish: withDigest,
    words: ['"pixelctl_plan": 2', '"kind": "mute"', '"action": "remove"', 'filter', '../p.yml', '/etc/p.yml', 'C:\\p.yml', '"accounts":'],
  },
  'earlier-report': {
    parse: (bytes) => readEarlierReport(written('earlier.json', bytes)),
    words: ['"findings":', '"skipped":', '"unread":', '"kind":"domain_blocks"', '"details":', '"policy":"./p.yml"'],
  },
});
