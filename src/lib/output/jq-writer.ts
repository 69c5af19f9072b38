/** What `--jq` prints: one result a line, strings as what they say. */
import {kindOf, stringOf} from '../json/slices.js';
import type {ItemWriter} from './format.js';
import type {JqFilter} from './jq.js';

/** @param isEach whether every item is filtered by itself; else all of them as one array */
export function openJq(filter: JqFilter, isEach: boolean): ItemWriter {
  const kept: string[] = [];
  let failure: string | undefined;

  function filtered(text: string): string {
    const {results, error} = filter.run(text);
    failure ??= error;
    return results.map((result) => `${raw(result)}\n`).join('');
  }

  return {
    nature: 'data',
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

function raw(result: string): string {
  return kindOf(result) === 'string' ? stringOf(result) : result;
}
