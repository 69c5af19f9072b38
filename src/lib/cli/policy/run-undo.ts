/** What `undo` does: sets back what the last apply of a policy, or the last restore of a backup, changed. */
import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import {carryOut, changeAccounts, type changeFlags, type AccountChanges} from './changes.js';
import type {PolicyFlags} from './policy-flags.js';
import type {PolicyRun} from './policy-run.js';
import {undoOf, undoRows} from '../../policy/index.js';
import type {Member} from '../account-driver.js';
import type {GivenFlags} from '../flags.js';
import type {Result} from '../sink.js';
import {Failure} from '../../client/failure.js';
import {commandText} from '../../files/command-text.js';
import {absent} from '../../files/system-error.js';

/** What is undone: a policy, or a backup with its own states. */
export interface UndoneOf {
  /** As it was named. */
  readonly name: string;
  /** The policy as its states name it. */
  readonly file: string;
}

/**
 * What is to be undone: a policy, or the last restore of the backup in a folder.
 * @throws Failure `usage` for a folder within a backup
 */
export async function findUndoTarget(name: string): Promise<UndoneOf> {
  const found = name === '-' ? undefined : await stat(name).catch(absent);
  if (found?.isDirectory() !== true) return {name, file: name};
  const [, backup] = /^(.+)[\\/]lists[\\/][^\\/]+[\\/]?$/.exec(name) ?? [];
  if (backup !== undefined)
    throw new Failure('usage', `${name} is a part of a backup: nothing was sent`, {
      hint: `\`${commandText('undo', {args: [backup]})}\` takes back its last restore`,
    });
  return {name, file: join(name, 'restore')};
}

/** @throws Failure as {@link changeAccounts} */
export async function undo(of: UndoneOf, run: PolicyRun<GivenFlags<typeof changeFlags> & PolicyFlags>): Promise<Result> {
  const {flags} = run;
  if (of.name === '-' && flags.state === undefined)
    throw new Failure('usage', 'A policy from standard input has no state beside it', {hint: 'name it with --state'});
  const given = {policy: {file: of.file, rules: new Map()}, domains: new Map()};
  return changeAccounts({given, question: `Undo the last apply of ${of.name} to`, prepare: (member) => jobOf(member, of, run)}, run);
}

async function jobOf(member: Member, {name, file}: UndoneOf, run: PolicyRun<PolicyFlags>): Promise<AccountChanges> {
  const given = {policy: {file, rules: new Map()}, domains: new Map()};
  const target = await run.target(member, [given], true);
  const {host} = target.server;
  const files = run.session.dryRun ? await run.states(given, target) : await run.stateFiles(given, target);
  const found = await undoOf(file, files, target);
  const shown = {host, advice: target.advice, policy: file};
  if (found === undefined)
    return {
      rows: [],
      lines: {changes: [], cannot: [], shown},
      host,
      notes: [],
      warnings: [],
      question: '',
      nothing: `Nothing to undo: no apply of ${name} is left to take back.`,
      carryOut: async () => {},
    };
  const {rows} = found;
  return {
    rows,
    lines: {changes: rows, cannot: [], shown},
    host,
    notes: [],
    warnings: found.lost,
    ends: found.ends,
    question: `Undo the apply of ${name} (${found.at}) as`,
    nothing: found.isBlind
      ? `Nothing was undone: ${host} shows nothing of what the apply of ${found.at} made.`
      : `Nothing to undo: what the apply of ${found.at} changed is already as it was.`,
    carryOut: (send) => undoRows(found, files, (all, recorder) => carryOut(all, send, {recorder, host})),
  };
}
