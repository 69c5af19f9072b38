/** Makes odd inputs of good ones. */
import {mutateJson, mutateJsonLines} from './mutate-json.js';
import {mutateTable, mutateYaml} from './mutate-layout.js';

/** Characters of a long repeat, and how many inputs there are to one that has one. */
const longRepeat = 100_000;
const oddsOfLong = 40;

/** Characters of a whole input: a longer one is cut. */
const maxLength = 400_000;

/** What parsers stumble over, whatever they read. */
const oddTexts = [
  '\0',
  '\ufeff',
  '\r\n',
  '\r',
  '\n\n',
  '\t',
  '\u2028',
  '\u00a0',
  '\u202e',
  '\u001b[31m',
  '\u{1f468}\u200d\u{1f469}',
  '\uffff',
  'é',
  'İ',
  'ß',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'undefined',
  'null',
  'NaN',
  '-0',
  '1e400',
  '-1',
  '00',
  '99999999999999999999',
  '9007199254740993',
  '"',
  "'",
  '`',
  '\\',
  '\\"',
  '\\ud83d',
  '$(id)',
  '${x}',
  '%00',
  '%',
  '<script>',
  '<!doctype html>',
  '</p>',
  '#',
  '//',
  '..',
  '../..',
  '@',
  '@@',
  '[::1]',
  'xn--',
  'https://',
  'javascript:alert(1)',
  '1970-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '0000-00-00',
];

function spliced(text, start, end, inner) {
  return text.slice(0, start) + inner + text.slice(end);
}

/** @type {Record<string, (text: string, random: import('./random.js').Random, from: {words: readonly string[], others: readonly string[]}) => string>} */
const ofText = {
  cut: (text, random) => (random.once(2) ? text.slice(0, random.below(text.length + 1)) : text.slice(random.below(text.length + 1))),
  remove: (text, random) => spliced(text, ...random.range(text.length), ''),
  repeat(text, random) {
    const [start, end] = random.range(text.length);
    return spliced(text, end, end, text.slice(start, end).repeat(1 + random.below(6)));
  },
  insert(text, random, {words}) {
    const at = random.below(text.length + 1);
    return spliced(text, at, at, random.pick(words.length > 0 && random.once(2) ? words : oddTexts));
  },
  replace: (text, random, {words}) =>
    spliced(text, ...random.range(text.length), random.pick(words.length > 0 && random.once(2) ? words : oddTexts)),
  character(text, random) {
    const at = random.below(text.length + 1);
    return spliced(text, at, at + 1, String.fromCharCode(random.once(4) ? random.below(0xd800) : random.below(0x80)));
  },
  swap(text, random) {
    const [start, middle] = random.range(text.length);
    const end = Math.min(text.length, middle + random.below(16));
    return text.slice(0, start) + text.slice(middle, end) + text.slice(start, middle) + text.slice(end);
  },
  splice(text, random, {others}) {
    const other = random.pick(others);
    const [start, end] = random.range(other.length);
    return spliced(text, ...random.range(text.length), other.slice(start, end));
  },
  lineEnds: (text, random) => text.replaceAll('\n', random.pick(['\r\n', '\r', '\n\n', '\u2028'])),
  mark: (text) => `\ufeff${text}`,
};

/** Long runs of one character or piece of the text. */
function withLongRepeat(text, random, words) {
  const [start, end] = random.range(text.length);
  const piece =
    random.pick([text.charAt(start), text.slice(start, end), random.pick(oddTexts), random.pick([...words, ' ', '"', '\\', '[', 'a'])]) ||
    ' ';
  const at = random.below(text.length + 1);
  return spliced(text, at, at, piece.repeat(Math.ceil(longRepeat / piece.length)));
}

const ofShape = {json: mutateJson, lines: mutateJsonLines, table: mutateTable, yaml: mutateYaml};

/** Changes single bits and bytes, after which it may be no text. */
function withOddBytes(bytes, random) {
  const odd = Buffer.from(bytes);
  for (let left = 1 + random.below(3); left > 0 && odd.length > 0; left -= 1) {
    const at = random.below(odd.length);
    odd[at] = random.once(2) ? odd[at] ^ (1 << random.below(8)) : random.below(256);
  }
  return odd;
}

/**
 * @param {readonly Buffer[]} pool good inputs, and odd ones that led to something new
 * @param {import('./random.js').Random} random
 * @param {{shapes?: readonly (keyof typeof ofShape)[], words?: readonly string[], finish?: (text: string, random: import('./random.js').Random) => string}} parser
 */
export function mutated(pool, random, {shapes = [], words = [], finish = (text) => text}) {
  const others = [random.pick(pool), random.pick(pool)].map(String);
  let text = others[0];
  for (let left = 1 + random.below(4); left > 0; left -= 1) {
    const shaped = shapes.length > 0 && !random.once(3) ? ofShape[random.pick(shapes)](text, random, words) : undefined;
    text = (shaped ?? ofText[random.pick(Object.keys(ofText))](text, random, {words, others})).slice(0, maxLength);
  }
  if (random.once(oddsOfLong)) text = withLongRepeat(text, random, words);
  const bytes = Buffer.from(finish(text.slice(0, maxLength), random));
  return random.once(12) ? withOddBytes(bytes, random) : bytes;
}
