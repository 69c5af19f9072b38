/** What `--jq` prints: one result a line, strings as what they say. */
import {kindOf, stringOf} from '../json/slices.js';
import type {ItemWriter} from './format.js';
import type {JqFilter} from './jq.js';

/** Characters. */
const mostKept = 1024 * 1024;

/** @param isEach whether every item is filtered by itself; else all of them as one array */
export function openJq(filter: JqFilter, isEach: boolean): ItemWriter {
  const kept: string[] = [];
  let failure: string | undefined;
  const failedOn: string[] = [];
  let keptSize = 0;

  /** Of a long list only the first items on which the filter failed are kept. */
  function keep(texts: readonly string[]): void {
    for (const text of texts) {
      if (keptSize >= mostKept) return;
      keptSize += text.length;
      failedOn.push(text);
    }
  }

  function filtered(texts: readonly string[]): string {
    const {results, error} = filter.run(texts.join('\n'));
    if (error !== undefined) {
      failure ??= error;
      keep(texts);
    }
    return results.map((result) => `${raw(result)}\n`).join('');
  }

  return {
    nature: 'data',
    items(texts) {
      if (isEach) return texts.length === 0 ? '' : filtered(texts);
      for (const text of texts) kept.push(text);
      return '';
    },
    end() {
      const stdout = isEach ? '' : filtered([`[${kept.join(',')}]`]);
      if (failure === undefined) return {stdout};
      const [only = 'null'] = failedOn;
      return {stdout, failure, failedOn: failedOn.length === 1 ? only : `[${failedOn.join(',')}]`};
    },
  };
}

function raw(result: string): string {
  return kindOf(result) === 'string' ? stringOf(result) : result;
}
