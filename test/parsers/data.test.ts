/** Data in formats that everybody writes, bytes that may be text, and programs of jq. What is read and written again is asserted beside each module. */
import {parse as parseYaml} from 'yaml';
import {csvRows, delimiters, UnclosedQuote} from '../../src/lib/files/csv.js';
import {textOfBytes} from '../../src/lib/files/read-text.js';
import {parseBothWays, parseExact, TooDeep} from '../../src/lib/json/exact.js';
import {itemsOf} from '../../src/lib/json/path.js';
import {indent} from '../../src/lib/json/text.js';
import {compileJq, JqError} from '../../src/lib/print/jq.js';
import {openYaml} from '../../src/lib/print/yaml.js';
import {expect} from 'vitest';
import {describeParsers} from './behaviour.js';

function parseJson(bytes: Buffer): void {
  const text = bytes.toString();
  const {value, exact} = parseBothWays(text);
  expect(JSON.parse(indent(text))).toEqual(value);
  expect(JSON.parse(JSON.stringify(exact))).toEqual(value);
}

/** JSON as YAML that other programs read as the same. */
function writeYaml(bytes: Buffer): void {
  const text = bytes.toString();
  const {isList, items} = itemsOf(parseExact(text));
  const writer = openYaml({isList});
  const read: unknown = parseYaml(writer.items(items) + writer.end().stdout, {maxAliasCount: 0, uniqueKeys: false});
  expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(text)));
}

const item = '{"id":"1029249428955471394","n":12345678901234567890,"acct":"ana","list":[1,null,{"a":"\\ud83d"}]}';

async function runJq(bytes: Buffer): Promise<void> {
  const {results} = (await compileJq(bytes.toString())).run(`${item}\n${item}\n[]`);
  for (const result of results) JSON.parse(result);
}

const isNotJson = (error: unknown) => error instanceof SyntaxError || error instanceof TooDeep;

describeParsers({
  json: {parse: parseJson, isOwn: isNotJson, words: ['-0.0e-0', '"data":']},
  csv: {
    parse: (bytes) => delimiters.map((delimiter) => [...csvRows(bytes.toString(), 1, delimiter)]),
    isOwn: (error) => error instanceof UnclosedQuote,
    words: ['""', ';', '\t', '\r', '",'],
  },
  bytes: {parse: (bytes) => textOfBytes(bytes, 'the file'), words: ['\u001f\u008b', 'PK']},
  'yaml-output': {parse: writeYaml, isOwn: isNotJson, words: ['- ', '? ', '|', '~', 'yes', '=', '0o17', '1_0', '12:30', '---', '...']},
  jq: {
    parse: runJq,
    isOwn: (error) => error instanceof JqError,
    words: ['.[]', '$ENV', 'input', 'error', '?//', 'def f: .;', '\\(.id)', 'halt', '$__prog_args', 'import "a" as a;', 'tojson'],
    share: 0.3,
  },
});
