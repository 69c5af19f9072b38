/** Plans of a part of a policy, and the files that plans and audits write. */
import type {FlagValues} from '../../files/command-text.js';
import {needsPolicy, partText, type PlanPart, type PlanReports, savedName, sectionKeys, stateFileFor} from '../../policy/index.js';
import {type GivenFlags, repeatable} from '../flags.js';
import type {Session} from '../session.js';
import {Failure} from '../../client/failure.js';

/** What of a policy is planned and applied. */
export const partFlags = {
  only: repeatable(`only these sections of the policy: ${sectionKeys.join(', ')}`, 'SECTIONS', {
    delimiter: ',',
    options: [...sectionKeys],
  }),
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

/** The part of a policy that the flag names; undefined for all of it. */
export function partIn({only}: GivenFlags<typeof partFlags>): PlanPart | undefined {
  return only && {only: sectionKeys.filter((section) => only.includes(section))};
}

/**
 * Says what apply needs beside a plan file that is not at or above the folder of its policy.
 * @returns the flags for that command
 */
export function noteNeededPolicy(out: string, policy: string, state: string | undefined, session: Session): FlagValues {
  if (!needsPolicy(out, policy)) return {};
  if (state !== undefined) return {};
  if (policy === '-') {
    session.note(`The policy is from standard input: to apply ${out}, name a state file with --state.`);
    return {state: stateFileFor(savedName, undefined)};
  }
  session.note(`${policy} is not below the folder of ${out}: to apply it, name its state file with --state.`);
  return {state: stateFileFor(policy, undefined)};
}

/** Says that a plan is a part. */
export function notePart(part: PlanPart | undefined, session: Session): void {
  if (part !== undefined) session.note(`Only a part: ${partText(part)}`);
}
