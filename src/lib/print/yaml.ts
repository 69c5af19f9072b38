/** `--output yaml`: an answer as one document, items as one sequence. */
import {stringify, type CreateNodeOptions, type DocumentOptions, type ScalarTag, type SchemaOptions, type ToStringOptions} from 'yaml';
import {fieldTexts, itemTexts, kindOf, stringOf} from '../json/slices.js';
import {compact} from '../json/text.js';
import type {ItemSetting, ItemWriter} from './format.js';
import {inertData, isActive} from './inert.js';

export function openYaml({isList}: Pick<ItemSetting, 'isList'>): ItemWriter {
  let isEmpty = true;
  return {
    nature: 'data',
    items(texts) {
      if (!isList) return texts.map(documentOf).join('');
      if (texts.length > 0) isEmpty = false;
      return portions(texts, ({length}) => length)
        .map((some) => yaml(some.map((text) => valueOf(text))))
        .join('');
    },
    end: () => ({stdout: isList && isEmpty ? '[]\n' : ''}),
  };
}

/** Characters that become YAML at once, as its writer takes a hundred times their room in memory. */
const portion = 20_000;

/** Neighbours together, as long as they are not too long. */
function portions<Part>(parts: readonly Part[], lengthOf: (part: Part) => number): Part[][] {
  const all: Part[][] = [];
  let length = portion;
  for (const part of parts) {
    if (length >= portion) {
      all.push([]);
      length = 0;
    }
    all.at(-1)?.push(part);
    length += lengthOf(part);
  }
  return all;
}

function documentOf(text: string): string {
  const fields = kindOf(text) === 'object' ? [...fieldTexts(text)] : [];
  if (fields.length === 0) return yaml(valueOf(text));
  return portions(fields, ([, {length}]) => length)
    .map((some) => yaml(new Map(some.map(([name, field]) => [name, valueOf(field, 1)]))))
    .join('');
}

/** JSON that is YAML as it stands. */
class Verbatim {
  constructor(readonly json: string) {}
}

/** What is nested deeper than this is written as JSON: the indentation would grow with the square of the depth. */
const deepest = 64;

function valueOf(text: string, depth = 0): unknown {
  const kind = kindOf(text);
  if (kind === 'string') return stringOf(text);
  if (kind === 'number' || depth === deepest) return new Verbatim(inertData(compact(text)));
  if (kind === 'list') return itemTexts(text).map((item) => valueOf(item, depth + 1));
  if (kind === 'object') return new Map([...fieldTexts(text)].map(([name, field]) => [name, valueOf(field, depth + 1)]));
  return JSON.parse(text);
}

const verbatim: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof Verbatim,
  resolve: (text) => text,
  stringify: ({value}) => (value instanceof Verbatim ? value.json : ''),
};

/** Characters that YAML does not have or takes for line breaks or controls, and what YAML 1.1 takes for more than text. */
const unsafeInYaml = /[\u2028\u2029\ufeff\ufffe\uffff]|^=$/;

const quotedText: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) => typeof value === 'string' && (unsafeInYaml.test(value) || isActive(value)),
  resolve: (text) => text,
  stringify: ({value}) => inertData(JSON.stringify(value)).replaceAll(/[\ufeff\ufffe\uffff]/g, escaped),
};

function escaped(character: string): string {
  return String.raw`\u${character.charCodeAt(0).toString(16)}`;
}

const options: CreateNodeOptions & DocumentOptions & SchemaOptions & ToStringOptions = {
  aliasDuplicateObjects: false,
  blockQuote: 'literal',
  // Many readers still follow YAML 1.1, in which "no" and "12:30" are no strings.
  compat: 'yaml-1.1',
  customTags: (tags) => [verbatim, quotedText, ...tags],
  lineWidth: 0,
};

function yaml(value: unknown): string {
  return stringify(value, options);
}
