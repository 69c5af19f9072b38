/** The things that a command acts on, when it takes many. */
import {localFailure} from '../../client/failure.js';
import {readText} from '../../files/read-file.js';
import {readStandardInput} from '../standard-streams.js';
import {parseTargets} from './target-list.js';

export interface Target {
  /** Undefined where the command takes none, or gets it by `--input`. */
  readonly value: string | undefined;
  /** `Line 3 of standard input`; undefined for an argument. */
  readonly place: string | undefined;
}

export interface Targets {
  readonly targets: readonly Target[];
  /** Lines that name no target, each with its place. */
  readonly problems: readonly string[];
  /** Exactly one was given as an argument: its answer is printed as it is, not as a result. */
  readonly isSingle: boolean;
}

export interface TargetSources {
  /** Of an object, the fields that hold the target, before `target` and `id`. */
  readonly fields: readonly string[];
  /** Value of `--from`. */
  readonly from?: string | undefined;
}

async function readList(file: string): Promise<{text: string; source: string}> {
  if (file === '-') return {text: await readStandardInput(), source: 'standard input'};
  const text = await readText(file, 'file or pipe').catch((error: unknown) => {
    throw localFailure(`Cannot read the targets in ${file}`, error);
  });
  return {text, source: file};
}

/**
 * Targets from arguments, with `-` read from standard input, and from `--from`; what comes twice goes once.
 * @throws Failure `local` when a file cannot be read
 */
export async function collectTargets(given: readonly string[], {fields, from}: TargetSources): Promise<Targets> {
  const targets = new Map<string, Target>();
  const problems: string[] = [];
  const addList = async (file: string) => {
    const {text, source} = await readList(file);
    const listed = parseTargets(text, fields, source);
    for (const target of listed.targets) if (!targets.has(target.value)) targets.set(target.value, target);
    for (const problem of listed.problems) problems.push(problem);
  };
  for (const value of given) {
    if (value === '-') await addList('-');
    else if (!targets.has(value)) targets.set(value, {value, place: undefined});
  }
  if (from !== undefined) await addList(from);
  return {
    targets: [...targets.values()],
    problems,
    isSingle: from === undefined && given.length === 1 && given[0] !== '-',
  };
}
