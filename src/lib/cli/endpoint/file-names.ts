/** Arguments that are files, where domains are meant: the name of a list is a domain, too, and would be blocked. */
import {statSync} from 'node:fs';
import {Failure} from '../../client/failure.js';
import {shellWord} from '../../files/shell-word.js';
import {shorten} from '../../json/text.js';
import {isFileName} from '../../operations/domains.js';

/** Characters of a name in a message. */
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
  // The id of an entry is no file, whatever is called like it.
  const isThere = !/^\d+$/.test(text) && isFile(text);
  if (!isThere && !isFileName(text)) return;
  const file = isThere ? shellWord(text) : 'FILE';
  throw new Failure('usage', `${shorten(text, maxShown)} is ${isThere ? 'a file' : 'the name of a file, not a domain'}: nothing was sent`, {
    hint: takesLists ? `to read the domains in it: --from ${file}` : 'name one domain',
  });
}
