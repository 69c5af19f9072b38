/** Lists without a header: one domain or one account on a line, as Mastodon, RapidBlock and people write them. */
import {isHandle} from '../../operations/accounts.js';
import {mistakesFailure} from '../mistakes.js';
import {DomainEntries} from './domain-entries.js';
import type {AccountList, DomainList} from './list.js';
import {plainAccount} from './table-list.js';

interface Line {
  readonly line: number;
  readonly text: string;
}

/** What is on the lines, without comments and quotes. */
function contentOf(lines: readonly string[]): Line[] {
  return lines.flatMap((whole, index) => {
    const text = whole
      .replace(/(^|\s)#.*$/, '')
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim();
    return text === '' ? [] : [{line: index + 1, text}];
  });
}

export function readPlain(name: string, lines: readonly string[]): AccountList | DomainList {
  const content = contentOf(lines);
  const isOfAccounts = content.length > 0 && content.every(({text}) => text.includes('@') && isHandle(text));
  return isOfAccounts ? readAccounts(name, content) : readDomains(name, content);
}

function readAccounts(name: string, content: readonly Line[]): AccountList {
  const entries = content.map(({line, text}) => ({account: plainAccount(text), place: {file: name, line}}));
  return {kind: 'accounts', format: 'mastodon-blocks-csv', name, entries, mistakes: []};
}

function readDomains(name: string, content: readonly Line[]): DomainList {
  const [first] = content;
  if (first !== undefined && /[,;\t]/.test(first.text)) {
    const message = 'several columns, and no header that names them, such as #domain,#severity';
    throw mistakesFailure(name, [{file: name, line: first.line, message}]);
  }
  const entries = new DomainEntries(name, 'plain');
  for (const {line, text} of content) entries.add(text, line);
  return entries.list();
}
