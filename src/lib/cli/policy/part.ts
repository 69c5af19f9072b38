/** Plans of a part of a policy, and the files that plans and audits write. */
import type {FlagValues} from '../../files/command-text.js';
import {
  needsPolicy,
  partText,
  type PlanPart,
  type PlanReports,
  type Remarks,
  savedName,
  sectionKeys,
  stateFileFor,
} from '../../policy/index.js';
import {type GivenFlags, repeatable} from '../flags.js';
import type {Session} from '../session.js';
import {Failure} from '../../client/failure.js';

/** What of a policy is planned and applied. */
export const partFlags = {
  only: repeatable(`only these sections of the policy: ${sectionKeys.join(', ')}`, 'SECTIONS', {
    delimiter: ',',
    options: [...sectionKeys],
  }),
  target: repeatable('only this domain, account, filter or setting (repeatable; * matches any text)', 'SUBJECT'),
  except: repeatable('not this domain, account, filter or setting (repeatable; * matches any text)', 'SUBJECT'),
};

export const planReportFlags = {
  report: repeatable('also write the plan as Markdown, for a comment on a pull request: markdown=FILE', 'FORMAT=FILE'),
};

/** Writes reports of one run; undefined where none are asked for. @throws Failure `usage` for what is no FORMAT=FILE */
export async function planReportsOf(
  {report}: {readonly report?: readonly string[] | undefined},
  policy: string,
): Promise<PlanReports | undefined> {
  return report && new (await import('../../policy/plan/plan-report.js')).PlanReports(report, policy);
}

/**
 * @param outputs files that are about to be written
 * @param inputs files that are read
 * @throws Failure `usage` when a file is both, or is written twice
 */
export async function refuseOverwrites(outputs: readonly string[], inputs: readonly string[]): Promise<void> {
  const {realPathOf} = await import('../../files/read-file.js');
  const read = new Set(await Promise.all(inputs.map(realPathOf)));
  const written = new Set<string>();
  for (const file of outputs) {
    const path = await realPathOf(file);
    if (read.has(path))
      throw new Failure('usage', `${file} is an input of this command and cannot be an output`, {hint: 'write to another file'});
    if (written.has(path)) throw new Failure('usage', `${file} would be written twice`, {hint: 'use a different file for each output'});
    written.add(path);
  }
}

/** The part of a policy that the flags name; undefined for all of it. */
export function partIn({only, target, except}: GivenFlags<typeof partFlags>): PlanPart | undefined {
  if (only === undefined && target === undefined && except === undefined) return undefined;
  const chosen = only && sectionKeys.filter((section) => only.includes(section));
  return {...(chosen && {only: chosen}), ...(target && {target: [...target]}), ...(except && {except: [...except]})};
}

/**
 * Says what apply needs beside a plan file that is not at or above the folder of its policy.
 * @returns the flags for that command
 */
export function noteNeededPolicy(out: string, policy: string, state: string | undefined, session: Session): FlagValues {
  if (!needsPolicy(out, policy)) return {};
  if (policy === '-') {
    if (state !== undefined) return {};
    session.note(`The policy is from standard input: to apply ${out}, name a state file with --state.`);
    return {state: stateFileFor(savedName, undefined)};
  }
  session.note(`${policy} is not below the folder of ${out}: to apply it, name the policy with --policy, or its state file with --state.`);
  return state === undefined ? {policy} : {};
}

/** Says that a plan is a part. */
export function notePart(part: PlanPart | undefined, session: Session): void {
  if (part !== undefined) session.note(`Only a part: ${partText(part)}`);
}

/**
 * @param all the plans of all accounts
 * @throws Failure `usage` when a name or pattern of a part means nothing in any of them
 */
export function refuseUnmatched(all: readonly Pick<Remarks, 'unmatched'>[]): void {
  const [first, ...others] = all.map(({unmatched = []}) => new Set(unmatched));
  const [name, ...more] = others.reduce((some, next) => some.intersection(next), first ?? new Set<string>());
  if (name === undefined) return;
  throw new Failure('usage', `${[name, ...more].join(', ')}: no match in the policy or its state file`, {
    hint: 'check the spelling, or plan without --target and --except to see all subjects',
  });
}
