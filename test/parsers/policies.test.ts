/** Policies, and the files that plan and apply write about them. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import {keysOf, parts} from '../../src/lib/backup/parts.js';
import {openBackup} from '../../src/lib/backup/restored.js';
import {isObject} from '../../src/lib/api/schema.js';
import {textOfBytes} from '../../src/lib/files/read-text.js';
import {parsePolicy} from '../../src/lib/policy/reading/policy-file.js';
import {isPolicy} from '../../src/lib/policy/reading/read-policy.js';
import {readEarlierReport} from '../../src/lib/policy/reports/since.js';
import {sealLine} from '../../src/lib/files/chain.js';
import {readState} from '../../src/lib/policy/state/file.js';
import {State} from '../../src/lib/policy/model/policy-state.js';
import {newFolder} from '../e2e/program.js';
import {describeParsers, keptInput} from './behaviour.js';

const folder = newFolder();

function written(name: string, content: Buffer | string): string {
  const path = join(folder, name);
  writeFileSync(path, content, {mode: 0o600});
  return path;
}

function parsePolicyFile(bytes: Buffer): void {
  const text = textOfBytes(bytes, 'p.yml');
  isPolicy(text);
  parsePolicy(text, 'p.yml', new Date('2027-01-01T00:00:00Z'));
}

async function parseBackupPolicy(bytes: Buffer): Promise<void> {
  for (const part of parts) written(part.policy, bytes);
  written('backup.json', keptInput('archive-owner', 'backup.json'));
  for (const part of parts) await openBackup(folder, keysOf(part).slice(0, 1));
}

/** What it says, folded, can be written again. */
function parseState(bytes: Buffer): void {
  const read = readState(bytes, 'p.state.ndjson');
  const state = new State(read?.of ?? '', read?.lines);
  expect(new State(state.of, state.listKept()).owned).toEqual(state.owned);
}

/** Whoever wants to break the reader of a state writes the right sums. */
function withSums(text: string): string {
  let x = '';
  return text
    .split('\n')
    .map((line) => {
      try {
        const value: unknown = JSON.parse(line);
        if (!isObject(value)) return line;
        const {x: _, ...rest} = value;
        const made = sealLine(x, JSON.stringify(rest));
        x = made.x;
        return made.line;
      } catch {
        return line;
      }
    })
    .join('\n');
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
  policy: {parse: parsePolicyFile, words: [...words, 'until: 2026-12-31', 'server: https://pix.example']},
  'backup-policy': {parse: parseBackupPolicy, words},
  state: {
    parse: parseState,
    finish: withSums,
    words: [
      '{"try":{"key":"mute a@b.example","was":null,"set":true}}',
      '{"done":"mute a@b.example"}',
      '{"end":true}',
      '"run":',
      '"undo":',
      '"own":',
    ],
  },
  'earlier-report': {
    parse: (bytes) => readEarlierReport(written('earlier.json', bytes)),
    words: ['"findings":', '"skipped":', '"unread":', '"kind":"domain_blocks"', '"details":', '"policy":"./p.yml"'],
  },
});
