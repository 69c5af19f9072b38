/** Odd JSON documents of good ones: members that are missing, repeated, swapped, of another type, too large or too deep. */

/** Levels: within what is read, beyond it, and beyond any stack. */
const depths = [40, 300, 600, 5000, 100_000];

const oddStrings = [
  '',
  ' ',
  '0',
  '-1',
  '\ud83d',
  '\udc00',
  '\0',
  '__proto__',
  'a\nb',
  '../..',
  'https://',
  '<b>"\'&',
  '\u202e',
  'é'.normalize('NFD'),
];
const oddNumbers = [0, -1, 0.5, 1e21, 9e15, 2 ** 53, -(2 ** 31)];

/** JSON that no value of JavaScript is written as: it is put in place of a mark. */
const rawTexts = [
  '1e400',
  '-0',
  '12345678901234567890',
  '1.50',
  '1E5',
  '-1e-400',
  '"\\ud83d"',
  '"\\u0000"',
  'nul',
  '01',
  '"\\x"',
  '\ufeff1',
];

const mark = (index) => `\u0001raw${index}\u0001`;

/** The places of all members and items, as the object or list that they are in and their key. */
function placesIn(value, found = []) {
  if (typeof value !== 'object' || value === null || found.length > 3000) return found;
  for (const key of Object.keys(value)) {
    found.push({inside: value, key});
    placesIn(value[key], found);
  }
  return found;
}

function set(inside, key, value) {
  // An assignment to __proto__ would make no member.
  Object.defineProperty(inside, key, {value, enumerable: true, configurable: true, writable: true});
}

function remove(inside, key) {
  if (Array.isArray(inside)) inside.splice(Number(key), 1);
  else delete inside[key];
}

const nested = (depth, random) => {
  const isList = random.once(2);
  return isList ? '['.repeat(depth) + ']'.repeat(depth) : '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
};

/** @param {string} text @returns {string | undefined} undefined for what is not JSON */
export function mutateJson(text, random, words = []) {
  let document;
  try {
    document = {whole: JSON.parse(text)};
  } catch {
    return undefined;
  }
  try {
    return changed(document, text, random, words);
  } catch (error) {
    // What is nested so deeply that it cannot be copied is odd enough.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function changed(document, text, random, words) {
  const raws = [];
  const raw = (json) => {
    raws.push(json);
    return mark(raws.length - 1);
  };
  const places = placesIn(document);
  const {inside, key} = random.pick(places);
  const other = random.pick(places);
  const value = inside[key];
  const kinds = {
    remove: () => remove(inside, key),
    null: () => set(inside, key, null),
    type: () => set(inside, key, random.pick([true, false, 7, 'text', [], {}, [value], {a: value}, [[]]])),
    string: () => set(inside, key, random.pick(words.length > 0 && random.once(2) ? words : oddStrings)),
    number: () => set(inside, key, random.pick(oddNumbers)),
    raw: () => set(inside, key, raw(random.pick(rawTexts))),
    swap() {
      const theirs = other.inside[other.key];
      set(other.inside, other.key, value);
      set(inside, key, theirs);
    },
    copy: () => set(inside, key, structuredClone(other.inside[other.key])),
    repeat() {
      // The name twice in one object, or the item once more.
      if (Array.isArray(inside)) inside.splice(Number(key), 0, structuredClone(value));
      else set(inside, raw(JSON.stringify(key)), random.pick([null, value, 'again']));
    },
    rename() {
      if (Array.isArray(inside)) return;
      remove(inside, key);
      set(inside, random.pick(['__proto__', 'constructor', 'toString', '', `${key} `, key.toUpperCase(), '0']), value);
    },
    add: () =>
      Array.isArray(inside) || set(inside, random.pick(['__proto__', 'constructor', 'x', 'id', '']), random.pick([{}, null, 'x', value])),
    deep: () => set(inside, key, raw(nested(random.pick(depths), random))),
    long() {
      if (typeof value === 'string') set(inside, key, value.repeat(1 + random.below(Math.ceil(200_000 / (value.length + 1)))));
      else if (Array.isArray(value))
        set(inside, key, Array.from({length: Math.min(200, Math.ceil(200_000 / text.length))}, () => value).flat());
    },
  };
  kinds[random.pick(Object.keys(kinds))]();
  let written = JSON.stringify(document.whole, null, /^[[{]\s*\n/.test(text) ? 2 : undefined) ?? '';
  for (const [index, json] of raws.entries()) written = written.replaceAll(JSON.stringify(mark(index)), () => json);
  return written;
}

/** Changes one line of JSON lines, or their order. */
export function mutateJsonLines(text, random, words = []) {
  const lines = text.split('\n');
  const [at, other] = [random.below(lines.length), random.below(lines.length)];
  const kinds = {
    remove: () => lines.toSpliced(at, 1),
    repeat: () => lines.toSpliced(other, 0, lines[at]),
    swap: () => lines.with(at, lines[other]).with(other, lines[at]),
    word: () => lines.with(at, words.length > 0 ? random.pick(words) : ''),
    blank: () => lines.toSpliced(at, 0, ''),
    torn: () => lines.slice(0, at),
    joined: () => lines.toSpliced(at, 2, lines.slice(at, at + 2).join('')),
    cut: () => lines.with(at, lines[at].slice(0, random.below(lines[at].length + 1))),
  };
  if (!random.once(4)) return lines.with(at, mutateJson(lines[at], random, words) ?? lines[at]).join('\n');
  return kinds[random.pick(Object.keys(kinds))]().join('\n');
}
