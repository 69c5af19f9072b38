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
  if (typeof value === 'string') return text(value, indent);
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
  const key = name.includes('\n') ? quoteText(name) : text(name, indent);
  return key.length > longestKey ? `? ${key}\n${indent}` : key;
}

/** Text that needs quotes, because it begins with, contains or ends with marks of YAML. */
const marked = /^[\t ,[\]{}#&*!|>'"%@`]|^[?-]$|^[?-][ \t]|:[ \t]|[\t ]#|[\t :-]$|^(?:---|\.\.\.)/;

/** Text that readers take for another type. Many readers still follow YAML 1.1, in which "no" and "12:30" are not strings. */
const meaning = new RegExp(
  [
    '(?:~|[Nn]ull|NULL|[Yy]|[Yy]es|YES|[Tt]rue|TRUE|[Oo]n|ON|[Nn]|[Nn]o|NO|[Ff]alse|FALSE|[Oo]ff|OFF|<<|=)?',
    String.raw`[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN`,
    // Numbers in all bases, including sixty, as in 12:30.
    String.raw`0o[0-7]+|[-+]?0x[\dA-Fa-f_]+|[-+]?0b[01_]+|[-+]?\d[\d_]*(?::[0-5]?\d)*(?:\.[\d_]*)?|[-+]?\.[\d_]*`,
    String.raw`[-+]?(?:\d[\d_]*)?(?:\.[\d_]*)?[Ee][-+]?\d+`,
    String.raw`\d{4}-\d\d?-\d\d?(?:(?:[Tt]|[\t ]+)\d\d?:\d\d?:\d\d?(?:\.\d+)?(?:[\t ]*(?:Z|[-+][012]?\d(?::\d\d)?))?)?`,
  ]
    .map((pattern) => `^(?:${pattern})$`)
    .join('|'),
);

/** Characters that YAML does not allow, or takes for line breaks or controls. */
const unsafe = /[\u2028\u2029\ufeff\ufffe\uffff]/;

function text(value: string, indent: string): string {
  if (unsafe.test(value) || isActive(value)) return quoteText(value);
  if (value.includes('\n')) return lines(value, indent);
  if (!marked.test(value) && !meaning.test(value)) return value;
  return value.includes('"') && !value.includes("'") ? `'${value}'` : quoteText(value);
}

function lines(value: string, indent: string): string {
  let end = value.length;
  while (value[end - 1] === '\n') end -= 1;
  const whole = value.slice(0, end);
  // Readers drop a last line of spaces, and a text that consists of such lines.
  if (/(?:^|\n)[\t ]*$/.test(whole)) return quoteText(value);
  const ends = value.length - whole.length;
  // The number tells the indentation, for which readers would otherwise take spaces at the beginning of the text.
  const header = `|${/^\n* /.test(value) ? '2' : ''}${ends === 0 ? '-' : ends === 1 ? '' : '+'}`;
  const inner = indent || '  ';
  return `${header}\n${whole.startsWith('\n') ? '' : inner}${whole.replaceAll(/\n+/g, (breaks) => breaks + inner)}${'\n'.repeat(Math.max(0, ends - 1))}`;
}

/** Writes a text in double quotes, as in JSON, with active characters escaped. */
function quoteText(value: string): string {
  return inertData(JSON.stringify(value).replaceAll(/[\ufffe\uffff]/g, escapeCharacter));
}

function escapeCharacter(character: string): string {
  return String.raw`\u${character.charCodeAt(0).toString(16)}`;
}
