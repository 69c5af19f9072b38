/** `--output yaml`: an answer as one document, items as one sequence. A YAML library takes seven times as long for the same. */
import {sourceText} from '../json/exact.js';
import type {ItemSetting, ItemWriter} from './format.js';
import {inertData, isActive} from './inert.js';

export function openYaml({isList}: Pick<ItemSetting, 'isList'>): ItemWriter {
  let isEmpty = true;
  return {
    nature: 'data',
    items(items) {
      if (items.length > 0) isEmpty = false;
      return items.map((item) => (isList ? `- ${block(item, '  ')}\n` : `${block(item, '')}\n`)).join('');
    },
    end: () => ({stdout: isList && isEmpty ? '[]\n' : ''}),
  };
}

/** Deeper values are written as JSON: the indentation would grow with the square of the depth. */
const deepestIndent = 128;

/** Writes a value, with all lines but the first indented. */
function block(value: unknown, indent: string): string {
  if (typeof value === 'string') return text(value);
  const scalar = sourceText(value);
  if (scalar !== undefined) return scalar;
  if (typeof value !== 'object' || value === null || indent.length > deepestIndent) return inertData(JSON.stringify(value));
  const [inner, between] = [`${indent}  `, `\n${indent}`];
  if (Array.isArray(value)) return value.length === 0 ? '[]' : value.map((item) => `- ${block(item, inner)}`).join(between);
  let lines = '';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    lines += `${lines === '' ? '' : between}${keyOf(name, indent)}:${isBlock(member, inner) ? `\n${inner}` : ' '}${block(member, inner)}`;
  }
  return lines === '' ? '{}' : lines;
}

/** Whether a value begins on a new line below its key. */
function isBlock(value: unknown, indent: string): boolean {
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value) || indent.length > deepestIndent) return false;
  return Array.isArray(value) ? value.length > 0 : Object.values(value).some((member) => member !== undefined);
}

/** The largest number of characters in a key; a longer key begins with `?`, as YAML demands. */
const longestKey = 1000;

function keyOf(name: string, indent: string): string {
  const key = text(name);
  return key.length > longestKey ? `? ${key}\n${indent}` : key;
}

/** How a text may begin without quotes: not as a number, a time or a mark of YAML. */
const beginning = /^[\p{L}/(_]/u;

/** Words and marks that YAML, or its older version 1.1, takes for something else than a text. */
const marked = /^(?:null|true|false|yes|no|on|off|y|n)$|: | #|[: ]$|[^\S ]|[\ufffe\uffff]/i;

/** A text as it is, or in double quotes, as in JSON, with active characters escaped. */
function text(value: string): string {
  if (beginning.test(value) && !marked.test(value) && !isActive(value)) return value;
  return inertData(JSON.stringify(value).replaceAll(/[\ufffe\uffff]/g, (found) => String.raw`\u${found.charCodeAt(0).toString(16)}`));
}
