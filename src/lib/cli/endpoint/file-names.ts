/** Refuses names of files where domains are expected: `blocklist.txt` could be a domain, too, and would be blocked. */
import {statSync} from 'node:fs';
import {Failure} from '../../client/failure.js';
import {shellWord} from '../../files/shell-word.js';
import {shorten} from '../../json/text.js';
import {isFileName} from '../../operations/domains.js';

/** The most characters of a name in a message. */
const maxShown = 60;

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** @param takesLists whether the command reads domains from files @throws Failure `usage` */
export function refuseFileName(text: string, takesLists: boolean): void {
  // A number is the id of an entry, even if a file has that name.
  const isThere = !/^\d+$/.test(text) && isFile(text);
  if (!isThere && !isFileName(text)) return;
  const file = isThere ? shellWord(text) : 'FILE';
  throw new Failure('usage', `${shorten(text, maxShown)} is ${isThere ? 'a file' : 'the name of a file, not a domain'}: nothing was sent`, {
    hint: takesLists ? `to read the domains in it: --from ${file}` : 'name one domain',
  });
}
