/** Data in formats that everybody writes: JSON, CSV, YAML; and bytes that may be text. */
import {parse as parseYaml} from 'yaml';
import {textOfBytes} from '../../../dist/lib/files/text.js';
import {csvLine, csvRows, delimiters} from '../../../dist/lib/files/csv.js';
import {parseExact, parseInput} from '../../../dist/lib/json/exact.js';
import {memberTexts} from '../../../dist/lib/json/members.js';
import {identifierAt} from '../../../dist/lib/json/path.js';
import {isDeeper} from '../../../dist/lib/json/scan.js';
import {fieldTexts, itemsOf, itemTexts, itemLinesAt, itemTextsAt, kindOf, stringOf} from '../../../dist/lib/json/slices.js';
import {compact, indent} from '../../../dist/lib/json/text.js';
import {openYaml} from '../../../dist/lib/print/yaml.js';
import {same, Wrong} from '../judge.js';

/** Levels that recursion of JavaScript's own stands. */
const deepest = 1000;

function valueOf(text) {
  try {
    return {ok: true, value: JSON.parse(text)};
  } catch {
    return {ok: false};
  }
}

const isNamed =
  (...names) =>
  (error) =>
    names.includes(error?.name) || names.includes(error?.constructor?.name);

function checkParts(text, value) {
  const kind = kindOf(text);
  if (kind === 'object') {
    const fields = fieldTexts(text);
    same(JSON.stringify([...fields.keys()].toSorted()), JSON.stringify(Object.keys(value).toSorted()), 'the names of fields');
    for (const [name, field] of fields) same(JSON.stringify(JSON.parse(field)), JSON.stringify(value[name]), `the field ${name}`);
    for (const path of [['data'], ['a', 'b']])
      same(itemLinesAt(text, path)?.length, itemTextsAt(text, path)?.length, 'the lines of a list');
  } else if (kind === 'list') {
    const items = itemTexts(text);
    same(items.map((item) => JSON.stringify(JSON.parse(item))).join(), value.map((item) => JSON.stringify(item)).join(), 'the items');
    same(String(itemsOf(text).texts), String(items), 'the items of an answer');
  } else if (kind === 'string') same(stringOf(text), value, 'a string');
  identifierAt(text, ['id']);
  return kind;
}

function parseJson(bytes) {
  const text = bytes.toString();
  const {ok, value} = valueOf(text);
  const opener = text.search(/[[{]/);
  if (opener !== -1) Array.from(collected(text, opener));
  if (!ok) {
    for (const parse of [parseExact, parseInput]) {
      try {
        parse(text);
      } catch (error) {
        if (error instanceof SyntaxError || error.name === 'TooDeep') continue;
        throw error;
      }
      throw new Wrong('what is not JSON was parsed');
    }
    return 'not JSON';
  }
  parseExact(text);
  if (isDeeper(text, deepest)) {
    compact(text);
    indent(text);
    return 'deep';
  }
  const written = JSON.stringify(value);
  for (const form of [compact(text), indent(text)]) same(JSON.stringify(JSON.parse(form)), written, 'the value in another form');
  same(compact(indent(text)), compact(text), 'the compact form');
  const exact = JSON.stringify(parseExact(text));
  same(JSON.stringify(parseExact(exact)), exact, 'the exact value');
  return checkParts(text, value);
}

function* collected(text, start) {
  try {
    yield* memberTexts(text, start, true);
  } catch (error) {
    if (error.constructor.name !== 'NotJson') throw error;
  }
}

function parseCsv(bytes) {
  const text = bytes.toString();
  const counts = delimiters.map((delimiter) => {
    const rows = [...csvRows(text, 1, delimiter)];
    for (const {line} of rows) if (line < 1) throw new Wrong(`a row on line ${line}`);
    const again = [...csvRows(rows.map(({cells}) => csvLine(cells)).join(''))];
    same(JSON.stringify(again.map(({cells}) => cells)), JSON.stringify(rows.map(({cells}) => cells)), 'the cells');
    return Math.min(rows.length, 4);
  });
  return String(counts);
}

/** JSON as YAML that other programs read as the same. */
function parseForYaml(bytes) {
  const text = compact(bytes.toString());
  const {ok, value} = valueOf(text);
  if (!ok || isDeeper(text, deepest)) return 'not for YAML';
  const {isList, texts} = itemsOf(text);
  const writer = openYaml({isList});
  const yaml = writer.items(texts) + writer.end().stdout;
  const read = parseYaml(yaml, {maxAliasCount: 0, uniqueKeys: false});
  same(JSON.stringify(read), JSON.stringify(isList || texts.length === 0 ? value : JSON.parse(texts[0])), 'the value');
  return kindOf(text);
}

/** @type {Record<string, import('./index.js').Parser>} */
export const parsers = {
  json: {
    parse: parseJson,
    shapes: ['json'],
    words: ['[', '{', '}', ']', ',', ':', '\\u0041', 'true', 'null', '1.0', '-0.0e-0', '"data":'],
    isOwn: isNamed('SyntaxError'),
  },
  csv: {parse: parseCsv, shapes: ['table'], words: ['"', '""', ',', ';', '\t', '\r', '",'], isOwn: isNamed('UnclosedQuote')},
  bytes: {parse: (bytes) => typeof textOfBytes(bytes, 'the file'), words: ['\ufeff\ufeff', '\u001f\u008b', 'PK']},
  'yaml-output': {
    parse: parseForYaml,
    shapes: ['json'],
    words: ['- ', '? ', ': ', '|', '>', '~', 'yes', '=', '0o17', '1_0', '12:30', '---', '...'],
  },
};
