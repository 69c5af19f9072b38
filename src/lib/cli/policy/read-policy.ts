/** A policy with its lists, read as the flags allow. */
import type {Typed} from '../command.js';
import type {Session} from '../session.js';
import {Failure} from '../../client/failure.js';
import type {WantedDomains} from '../../policy/lists/merge.js';
import {readWanted, type Wanted} from '../../policy/policy-file.js';

/** Lines of a list that are named in a note. */
const mostLines = 5;

/**
 * Mistakes stand on lines of their own, as compilers tell them and editors read them; an error is a line or two.
 * @throws Failure of the reading
 */
export async function toldByLine<Value>(reading: () => Promise<Value> | Value, session: Session): Promise<Value> {
  try {
    return await reading();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const [first = '', ...mistakes] = error.message.split('\n');
    if (mistakes.length === 0) throw error;
    if (session.format === 'json' || session.format === 'ndjson')
      throw new Failure(error.code, `${first}: ${mistakes.join('; ')}`, error.details);
    for (const mistake of mistakes) session.tell(mistake);
    throw new Failure(error.code, first, error.details);
  }
}

/** @throws Failure `local` or `usage` for what cannot be read or used */
export async function readPolicyAndLists(file: string, {flags}: Typed, session: Session): Promise<Wanted> {
  const {timeout, userAgent} = session;
  const fetchList = async (url: string) => {
    const {fetchRemoteList} = await import('../../policy/lists/remote-list.js');
    return fetchRemoteList(url, {timeout, userAgent});
  };
  const access = {
    fetchList: flags['allow-remote-lists'] === true ? fetchList : undefined,
    isOutsideAllowed: flags['allow-outside'] === true,
  };
  const wanted = await toldByLine(() => readWanted(file, access), session);
  if (wanted.domains !== undefined) noteLists(wanted.domains, session);
  return wanted;
}

/** Of many lines the first ones. */
function linesText(lines: readonly number[]): string {
  const rest = lines.length - mostLines;
  const shown = lines.slice(0, mostLines).join(', ');
  return `${lines.length === 1 ? 'line' : 'lines'} ${shown}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** What a list leaves out is never left out in silence. */
function noteLists({summaries, wanted}: WantedDomains, session: Session): void {
  for (const {list, obfuscated, skippedLines, tooMild} of summaries) {
    const parts = [
      ...(skippedLines.length > 0 ? [`${skippedLines.length} wrong (${linesText(skippedLines)})`] : []),
      ...(obfuscated > 0 ? [`${obfuscated} obfuscated, never applied`] : []),
      ...(tooMild > 0 ? [`${tooMild} too mild`] : []),
    ];
    if (parts.length > 0) session.note(`${list}: left out ${parts.join(', ')}`);
  }
  const covered = [...wanted.values()].filter(({coveredBy}) => coveredBy !== undefined);
  const [first] = covered;
  if (first === undefined) return;
  const others = covered.length > 1 ? `, and ${covered.length - 1} more like it` : '';
  session.note(`${first.domain} is below ${first.coveredBy}, which has to be blocked as well${others}`);
}
