/** Odd tables and odd YAML of good ones: both are lines, in which columns count. */

const oddCells = [
  '',
  '"',
  '""',
  '"a',
  'a"b',
  '"a\nb"',
  '=1+1',
  ' x ',
  'true',
  '__proto__',
  'constructor',
  '#',
  '# a',
  '\ufeff',
  '*.bad.example',
];

/** @param {string} text */
export function mutateTable(text, random, words = []) {
  const lines = text.split('\n');
  const at = random.below(lines.length);
  const delimiter = random.pick([',', ',', ';', '\t']);
  const cells = lines[at].split(delimiter);
  const cell = random.below(cells.length);
  const odd = random.pick(words.length > 0 && random.once(2) ? words : oddCells);
  const kinds = {
    cell: () => lines.with(at, cells.with(cell, odd).join(delimiter)),
    quoted: () => lines.with(at, cells.with(cell, `"${cells[cell].replaceAll('"', '""')}"`).join(delimiter)),
    removed: () => lines.with(at, cells.toSpliced(cell, 1).join(delimiter)),
    repeated: () => lines.with(at, cells.toSpliced(cell, 0, cells[cell]).join(delimiter)),
    many: () =>
      lines.with(
        at,
        Array.from({length: Math.min(3000, Math.ceil(200_000 / (cells[cell].length + 1)))}, () => cells[cell]).join(delimiter),
      ),
    row: () => lines.toSpliced(random.below(lines.length + 1), 0, lines[at]),
    without: () => lines.toSpliced(at, 1),
    delimiter: () => lines.map((line) => line.replaceAll(',', random.pick([';', '\t']))),
    header: () => lines.with(0, odd + lines[0]),
    comment: () => lines.toSpliced(at, 0, `# ${odd}`),
  };
  return kinds[random.pick(Object.keys(kinds))]().join('\n');
}

const oddYaml = [
  '&a',
  '*a',
  '<<: *a',
  '!!set',
  '!!omap',
  '!!binary aGk=',
  '!!js/function x',
  '!<tag:yaml.org,2002:str> x',
  '? a\n: b',
  '? [a, b]\n: c',
  '---',
  '...',
  '%YAML 1.1',
  '|',
  '>-',
  '|9',
  '"\\ud800"',
  '"\\x00"',
  "'",
  '2026-02-30',
  '.inf',
  '.nan',
  '0x1F',
  '1_000',
  '12:30',
  '~',
  'yes',
  '{',
  '[',
  '}',
  ': ',
  '- ',
  '-',
  '\t',
  '__proto__: {a: 1}',
  'constructor: x',
  'version: 2',
];

/** Aliases that expand to a hundred million nodes. */
const laughs = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
  .concat(
    Array.from({length: 8}, (_, index) => {
      const [name, before] = ['bcdefghi'[index], 'abcdefgh'[index]];
      return `${name}: &${name} [${Array.from({length: 10}, () => `*${before}`).join(', ')}]`;
    }),
  )
  .join('\n');

/** @param {string} text */
export function mutateYaml(text, random, words = []) {
  const lines = text.split('\n');
  const [at, other] = [random.below(lines.length), random.below(lines.length)];
  const [, margin, rest] = /^(\s*)(.*)$/s.exec(lines[at]);
  const odd = random.pick(words.length > 0 && random.once(3) ? words : oddYaml);
  const depth = random.pick([20, 200, 2000, 20_000]);
  const kinds = {
    odd: () => lines.toSpliced(at, 0, margin + odd),
    value: () => lines.with(at, lines[at].replace(/:.*$/, `: ${odd}`)),
    before: () => lines.with(at, lines[at].replace(/([:-] )(?=\S)/, `$1${odd} `)),
    item: () => lines.with(at, lines[at].replace(/- .*$/, `- ${odd}`)),
    in: () => lines.with(at, `  ${lines[at]}`),
    out: () => lines.with(at, lines[at].replace(/^ {1,2}/, '')),
    tabs: () => lines.with(at, lines[at].replace(/^ +/, '\t')),
    repeat: () => lines.toSpliced(other, 0, lines[at]),
    remove: () => lines.toSpliced(at, 1),
    swap: () => lines.with(at, lines[other]).with(other, lines[at]),
    flow: () =>
      lines.with(
        at,
        `${margin}${rest.replace(/:.*$/, '')}: ${random.pick(['[', '{a: ', '- ', '? '])}`.padEnd(depth, random.pick(['[', '{a: ', '- '])),
      ),
    laughs: () => [...lines, laughs, `${random.pick(['server', 'accounts', 'domain_blocks', 'x'])}: *i`],
    anchored: () => lines.with(at, lines[at].replace(/: /, ': &a ')).concat([`${rest.split(':')[0]}: *a`]),
    many: () => lines.toSpliced(at, 0, ...Array.from({length: 2000}, (_, index) => `${margin}- ${odd}${index}`)),
  };
  return kinds[random.pick(Object.keys(kinds))]().join('\n');
}
