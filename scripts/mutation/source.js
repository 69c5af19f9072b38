/** Reads a source, and puts code into it that asks or tells something while the rest runs as it did. */
import {parseSync} from 'rolldown/utils';

export const isNode = (value) => typeof value?.type === 'string';

/** Types that hold an expression, which alone is run. */
export const wrappers = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSInstantiationExpression',
  'TSTypeAssertion',
]);

export const inOneLine = (text) => text.replaceAll(/\s+/g, ' ').trim();

export function parsed(file, source) {
  const {program, errors} = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  return program;
}

/**
 * @param wraps `{start, end, before, after}`: the texts that are put around parts, of which one can hold others
 * @param called the name of the function that these call, and the address of the CommonJS module that is the function
 */
export function withInsertions(source, wraps, called) {
  const opens = wraps.map(({start, end, before}, order) => ({at: start, text: before, length: end - start, order}));
  const closes = wraps.map(({start, end, after}, order) => ({at: end, text: after, length: end - start, order}));
  // At one place, what was begun last ends first.
  opens.sort((one, other) => one.at - other.at || other.length - one.length || one.order - other.order);
  closes.sort((one, other) => one.at - other.at || one.length - other.length || other.order - one.order);
  const {name} = called;
  const module = JSON.stringify(called.module);
  // One for each process, however many files of it are instrumented.
  let made = `const ${name}=globalThis.${name}OfPixelctl??=process.getBuiltinModule('node:module').createRequire(${module})(${module});`;
  let at = 0;
  while (opens.length > 0 || closes.length > 0) {
    const next = closes.length > 0 && (opens.length === 0 || closes[0].at <= opens[0].at) ? closes.shift() : opens.shift();
    made += source.slice(at, next.at) + next.text;
    at = next.at;
  }
  return made + source.slice(at);
}
