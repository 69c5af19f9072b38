/** Policies, and the files that plan and apply write about them. */
import {join} from 'node:path';
import {parts, keysOf} from '../../../dist/lib/backup/parts.js';
import {openBackup} from '../../../dist/lib/backup/restored.js';
import {textOfBytes} from '../../../dist/lib/files/text.js';
import {readKeptPlans, sealedPlan} from '../../../dist/lib/policy/plan/plan-file.js';
import {isPolicy} from '../../../dist/lib/policy/reading/policy-or-list.js';
import {readPolicy} from '../../../dist/lib/policy/reading/policy-file.js';
import {comparedWith, readEarlierReport} from '../../../dist/lib/policy/reports/since.js';
import {ownershipIn, ownershipText, readOwnership} from '../../../dist/lib/policy/state-file/state-file.js';
import {goodInput} from '../corpus.js';
import {ownFolder, written} from '../folder.js';
import {same, Wrong} from '../judge.js';

const now = new Date('2027-01-01T00:00:00Z');

function parsePolicy(bytes) {
  const text = textOfBytes(bytes, 'p.yml');
  const isOne = isPolicy(text);
  const policy = readPolicy(text, 'p.yml', {now});
  return `${isOne} ${Object.keys(policy).filter((key) => policy[key] !== undefined)}`;
}

async function parseBackupPolicy(bytes) {
  const folder = join(ownFolder(), 'backup');
  for (const part of parts) written(`backup/${part.policy}`, bytes);
  written('backup/backup.json', goodInput('archive-owner', 'backup.json'));
  const opened = await Promise.allSettled(parts.map((part) => openBackup(folder, {only: keysOf(part).slice(0, 1)})));
  const [read] = opened.filter(({status}) => status === 'fulfilled');
  if (read === undefined) throw opened[0].reason;
  return `${Object.keys(read.value)}`;
}

function parseState(bytes) {
  const file = readOwnership(bytes, 'p.yml.state.json');
  const text = ownershipText(file);
  same(ownershipText(readOwnership(text, 'p.yml.state.json')), text, 'the state');
  return `${file.records.length}`;
}

/** A log that a state file names. */
async function parseStateLog(bytes) {
  const state = written('logged.state.json', goodInput('state', 'applied.json').replace('"version": 2,', '"version": 2, "log": "first",'));
  written('logged.state.json.log', bytes);
  const file = await ownershipIn(state);
  const text = ownershipText(file);
  same(ownershipText(readOwnership(text, state)), text, 'the state');
  return `${file.records.map(({owned}) => Math.min(owned.length, 9))}`;
}

function parsePlan(bytes) {
  const plans = readKeptPlans(textOfBytes(bytes, 'plan.json'), join(ownFolder(), 'plan.json'));
  for (const {policy} of plans) if (policy.includes('..')) throw new Wrong(`the policy ${policy}`);
  return `${plans.length} ${plans.map(({changes}) => changes.map(({kind, action}) => `${kind} ${action}`))}`.slice(0, 100);
}

async function parseEarlierReport(bytes) {
  const report = await readEarlierReport(written('earlier.json', bytes));
  const audited = {server: 'https://pix.example', account: 'ana', policy: 'p.yml', findings: [], skipped: []};
  const {since, remarks} = comparedWith(report, audited, false);
  if (since.resolved.some(({details}) => details?.private_comment !== undefined)) throw new Wrong('a private comment');
  return `${Math.min(since.resolved.length, 2)} ${remarks.length}`;
}

/** A digest tells that a plan was edited: whoever wants to break its reader writes the right one. */
function withDigest(text, random) {
  if (random.once(5)) return text;
  try {
    const plan = JSON.parse(text);
    return typeof plan === 'object' && plan !== null && !Array.isArray(plan) ? sealedPlan(plan) : text;
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
  'server: https://pix.example',
  'agree: 2',
  'until: 2026-12-31',
  'expires: 90d',
];

/** @type {Record<string, import('./index.js').Parser>} */
export const parsers = {
  policy: {parse: parsePolicy, shapes: ['yaml'], words, slowness: 4},
  'backup-policy': {parse: parseBackupPolicy, shapes: ['yaml'], words, slowness: 8, share: 0.3},
  state: {
    parse: parseState,
    shapes: ['json'],
    words: ['"version": 1', '"kind": "mute"', 'https://pix.example', '2026-01-01T00:00:00.000Z', 'domain_block', 'filter', 'push'],
  },
  'state-log': {
    parse: parseStateLog,
    shapes: ['lines'],
    words: [
      '"pixelctl_state_log":1',
      '"id":"first"',
      '"record":0',
      '"touched":',
      '"untouched":',
      '"owned":',
      '"gone":',
      '"hadId":',
      '"was":null',
    ],
  },
  plan: {
    parse: parsePlan,
    shapes: ['json'],
    finish: withDigest,
    words: [
      '"pixelctl_plan": 2',
      '"kind": "mute"',
      '"action": "remove"',
      'filter',
      'push',
      '../p.yml',
      '/etc/p.yml',
      'C:\\p.yml',
      '"accounts":',
    ],
  },
  'earlier-report': {
    parse: parseEarlierReport,
    shapes: ['json'],
    words: ['"findings":', '"skipped":', '"unread":', '"kind":"domain_blocks"', '"details":', '"private_comment":', '"policy":"./p.yml"'],
  },
};
