/** What `--jq` prints: one result a line, strings as what they say. */
import {kindOf, stringOf} from '../json/slices.js';
import type {ItemWriter, Terminal} from './format.js';
import {inert, inertJson} from './inert.js';
import type {JqFilter} from './jq.js';

interface JqSetting {
  /** Whether every item is filtered by itself; else all of them as one array. */
  readonly isEach: boolean;
  readonly terminal: Terminal;
}

export function openJq(filter: JqFilter, {isEach, terminal: {isTerminal}}: JqSetting): ItemWriter {
  const kept: string[] = [];
  let failure: string | undefined;

  function filtered(text: string): string {
    const {results, error} = filter.run(text);
    failure ??= error;
    return results.map((result) => `${raw(result, isTerminal)}\n`).join('');
  }

  return {
    items(texts) {
      if (isEach) return texts.length === 0 ? '' : filtered(texts.join('\n'));
      for (const text of texts) kept.push(text);
      return '';
    },
    end() {
      const stdout = isEach ? '' : filtered(`[${kept.join(',')}]`);
      return failure === undefined ? {stdout} : {stdout, failure};
    },
  };
}

function raw(result: string, isTerminal: boolean): string {
  if (kindOf(result) !== 'string') return isTerminal ? inertJson(result) : result;
  const said = stringOf(result);
  // Tabs are kept: they put the columns of @tsv in line.
  return isTerminal ? said.split('\t').map((part) => inert(part, {keepLines: true})).join('\t') : said;
}
