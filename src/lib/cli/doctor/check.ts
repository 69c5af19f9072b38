import type {ListView} from '../../api/view.js';
import {Failure} from '../../client/failure.js';
import {suggester, type Suggest} from '../../client/suggest.js';
import {hintFor} from '../failure/hints.js';

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** What was found. */
  readonly detail: string;
  /** What to do about it, when it is not well. */
  readonly fix?: string | undefined;
  /** The failure behind it; decides about the exit status. */
  readonly failure?: Failure | undefined;
}

export function well(name: string, detail: string): Check {
  return {name, ok: true, detail};
}

export function unwell(name: string, detail: string, fix: string, failure?: Failure): Check {
  return {name, ok: false, detail, fix, failure: failure ?? new Failure('local', `${name}: ${detail}`, {hint: fix})};
}

/** The check that looks at something and takes a Failure for what is wrong with it. */
/** @param suggest for the account that is looked at, where there is one */
export async function checking(
  name: string,
  look: () => Promise<Check | string> | Check | string,
  suggest: Suggest = suggester(),
): Promise<Check> {
  try {
    const found = await look();
    return typeof found === 'string' ? well(name, found) : found;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return unwell(name, error.message, hintFor(error, suggest) ?? 'see `pixelctl --help`', error);
  }
}

export const checksView: ListView = {
  kind: 'list',
  columns: [
    {header: 'check', path: 'name'},
    {header: 'result', path: 'ok', words: ['ok', 'not ok']},
    {header: 'what was found', path: 'detail', flexible: true, priority: 2},
    {header: 'what to do', path: 'fix', none: '', flexible: true},
  ],
  empty: 'Nothing was checked.',
};
