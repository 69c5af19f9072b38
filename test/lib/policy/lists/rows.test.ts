/** Rows under a header: which columns and comments they may have, and what is wrong with them. */
import {expect, test} from 'vitest';
import {headerOf, readList} from '../../../../src/lib/policy/lists/read-list.js';

function read(text: string) {
  const list = readList(text, 'l.csv');
  return {
    entries: list.entries.map(({domain}) => domain),
    mistakes: list.mistakes.first.map(({line, message}) => `${line}: ${message}`),
  };
}

test.each<[string, object | undefined]>([
  ['#domain', {columns: ['domain'], delimiter: ','}],
  ['# Domain , Reject  media', {columns: ['domain', 'reject_media'], delimiter: ','}],
  ['"#domain","#severity"', {columns: ['domain', 'severity'], delimiter: ','}],
  ['domain\tseverity', {columns: ['domain', 'severity'], delimiter: '\t'}],
  ['severity;domain', {columns: ['severity', 'domain'], delimiter: ';'}],
  ['Account address,Show boosts', undefined],
  ['domains,severity', undefined],
  ['a.example', undefined],
  [`domain,${'x'.repeat(9993)}`, {columns: ['domain', 'x'.repeat(9993)], delimiter: ','}],
  [`domain,${'x'.repeat(9994)}`, undefined],
])('a header names its columns, or is none: %.40s', (line, header) => {
  expect(headerOf(line)).toEqual(header);
});

test.each<[text: string, entries: readonly string[], mistakes: readonly string[]]>([
  ['#domain\na.example # spam, and more, words\nb.example#c\n', ['a.example', 'b.example'], []],
  ['severity,domain\nsuspend,a.example # one, two\n', ['a.example'], []],
  ['domain,severity\na.example # one, two,suspend\n', [], ['2: 3 cells, where 2 are expected']],
  ['domain,severity\na.example,suspend # one, two\n', [], ['2: 3 cells, where 2 are expected']],
  ['domain,severity\na.example,suspend,,\n', ['a.example'], []],
  ['domain,severity\na.example,suspend,,x\n', [], ['2: 4 cells, where 2 are expected']],
  ['domain\na.example,x\n', [], ['2: 2 cells, where 1 is expected']],
  ['severity,domain\nsuspend\nnoop,\nnoop, # none\n', [], ['2: no domain', '3: no domain', '4: no domain']],
  ['domain,severity\na.example\n', ['a.example'], []],
  ['domain,severity,obfuscate\na.example,ban,maybe\n', [], ['2: the severity is "ban"; allowed: noop, silence, suspend']],
])('a row is an entry or a mistake: %j', (text, entries, mistakes) => {
  const found = read(text);
  expect(found.entries).toEqual(entries);
  expect(found.mistakes).toEqual(mistakes);
});
