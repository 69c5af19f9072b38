/** What the program prints for a shell, and what it reads as one does; and programs of jq. */
import {execFileSync} from 'node:child_process';
import {completeCommand} from '../../../dist/lib/cli/account-in-use.js';
import {commandText} from '../../../dist/lib/files/command-text.js';
import {shellWord, singleQuoted, wordsOfShell} from '../../../dist/lib/files/shell-word.js';
import {compileJq, openJq} from '../../../dist/lib/print/jq.js';
import {written} from '../folder.js';
import {same, Wrong} from '../judge.js';
import {ran} from '../program.js';
import {MoreThanWords, wordsOf} from '../shell-model.js';

/** Lines that a shell is asked about in one go, with the words that they are meant to be. */
const pending = [];

/** Characters of a line that are worth a shell's time. */
const maxAsked = 2000;

function askLater(line, words) {
  if (line.length <= maxAsked && words.every((word) => !word.includes('\0'))) pending.push({line, words});
}

/** What `sh` reads of all the lines is what was meant. */
async function askShell() {
  const all = pending.splice(0);
  if (all.length === 0) return;
  const script = ['say() { printf "%s\\0" "$#" "$@"; }', ...all.map(({line}) => `say ${line}`)].join('\n');
  const said = execFileSync('sh', [written('lines.sh', `${script}\n`)], {env: {}, maxBuffer: 2 ** 28})
    .toString()
    .split('\0');
  for (const {line, words} of all) {
    const found = said.splice(0, Number(said[0]) + 1).slice(1);
    if (JSON.stringify(found) !== JSON.stringify(words))
      throw Object.assign(new Wrong(`sh reads ${JSON.stringify(found)} of ${line}`), {input: words.join('\n')});
  }
}

/** Lines are words to quote, and each a line to split. */
function parseShell(bytes) {
  const text = bytes.toString();
  const words = text.split('\n');
  for (const quote of [shellWord, singleQuoted]) {
    const line = words.map(quote).join(' ');
    same(JSON.stringify(wordsOf(line)), JSON.stringify(words), 'the words of the model');
    same(JSON.stringify(wordsOfShell(line)), JSON.stringify(words), 'the words that batch reads');
    askLater(line, words);
  }
  const [flag = '', ...args] = words;
  const suggested = wordsOf(completeCommand(commandText('dm list', {args, flags: {title: words}}), {flags: {profile: flag}}));
  for (const word of words)
    if (!suggested.some((one) => one === word || one === `--title=${word}`)) throw new Wrong(`${word} is not suggested`);
  return words.slice(0, 5).map(splitAlike).join();
}

/** Whatever batch splits, a shell splits in the same way, unless it would do more. */
function splitAlike(text) {
  let own;
  try {
    own = wordsOfShell(text);
  } catch (error) {
    if (/^(a quote is not closed|.{1,2} has to be quoted|\$ and ` have to stand in single quotes)$/su.test(error.message))
      return error.message.slice(1);
    throw error;
  }
  try {
    same(JSON.stringify(own), JSON.stringify(wordsOf(text)), 'the words of a line');
  } catch (error) {
    if (!(error instanceof MoreThanWords)) throw error;
    return `more: ${error.message.slice(2)}`;
  }
  return Math.min(own.length, 3);
}

const secret = 'the-token-of-nobody';

const account = {PIXELCTL_SERVER: 'https://pix.example', PIXELCTL_TOKEN: secret};

/** On a command line. */
const maxFields = 50;

/** The first line is a path, the second a header, the others fields. */
async function parseCurl(bytes) {
  const [path = '', header = '', ...values] = bytes
    .toString()
    .replaceAll('\r', '')
    .split('\n')
    .map((line) => line.slice(0, 3000));
  const fields = values.map((value, index) => [`f${index}`, value]);
  if (values.length > maxFields) return 'a longer command line than anybody types';
  // A command line has no NUL.
  if ([path, header, ...values].some((word) => word.includes('\0'))) return 'no command line';
  const given = [
    'api',
    'POST',
    `/api/v1/x${path}`,
    `--header=x-own: ${header}`,
    ...fields.map(([name, value]) => `--field=${name}=${value}`),
  ];
  const {stdout, stderr, status} = await ran([...given, '--dry-run', '-o', 'curl'], account);
  if (status !== 0) {
    if (status === 1 || stdout !== '' || !/^Error: .+/.test(stderr)) throw new Wrong(`status ${status}: ${stderr.slice(0, 200)}`);
    return stderr.replaceAll(/"[^"]*"/g, '').slice(0, 40);
  }
  if (stdout.includes(secret)) throw new Wrong('a token was printed');
  const words = wordsOf(stdout.replaceAll(' \\\n', ' ').trimEnd(), new Map([['PIXELCTL_TOKEN', 'T']]));
  const of = (name) => words.flatMap((word, index) => (words[index - 1] === name ? [word] : []));
  same(words.slice(0, 3).join(' '), 'curl --request POST', 'the command');
  same(new URL(words[3]).origin, 'https://pix.example', 'the server');
  if (!of('--header').includes('authorization: Bearer T')) throw new Wrong('no token is sent');
  same(
    of('--header')
      .find((one) => one.startsWith('x-own:'))
      ?.slice('x-own:'.length)
      .trim(),
    header.trim(),
    'the header',
  );
  if (fields.length > 0) same(JSON.stringify(JSON.parse(of('--data-raw')[0])), JSON.stringify(Object.fromEntries(fields)), 'the body');
  askLater(
    stdout.replaceAll('"authorization: Bearer $PIXELCTL_TOKEN"', 'T').trimEnd(),
    words.map((word) => (word === 'authorization: Bearer T' ? 'T' : word)),
  );
  return `${words.length}`;
}

const item = '{"id":"1029249428955471394","n":12345678901234567890,"acct":"ana","list":[1,null,{"a":"\\ud83d"}]}';

async function parseJq(bytes) {
  const filter = await compileJq(bytes.toString());
  const {results, error} = filter.run(`${item}\n${item}\n[]`);
  for (const result of results) JSON.parse(result);
  const each = openJq(filter, true);
  each.items([item]);
  each.end();
  return `${results.length} ${error?.slice(0, 20)}`;
}

/** @type {Record<string, import('./index.js').Parser>} */
export const parsers = {
  shell: {
    parse: parseShell,
    settle: askShell,
    words: [
      "'",
      '"',
      '\\',
      ' ',
      '$',
      '`',
      '!',
      '~',
      '#',
      '-',
      '--',
      '=',
      '{a,b}',
      '*',
      '\u0085',
      '\u00a0',
      '\u2003',
      '\v',
      '\f',
      '&&',
      '$(',
      "'\\''",
    ],
  },
  curl: {
    parse: parseCurl,
    settle: askShell,
    shapes: ['lines'],
    words: ["'", '"', '\\', '$PIXELCTL_TOKEN', '`', '!', '?a=b&c', '#x', '[1-3]', '{a,b}', '%2f', ' ', '@file', '=', '/../'],
    slowness: 10,
  },
  jq: {
    parse: parseJq,
    words: [
      '.',
      '[',
      ']',
      '{',
      '}',
      '(',
      ')',
      '|',
      ',',
      '#',
      '\\',
      '"',
      '.id',
      '.[]',
      'select(.n)',
      'tostring',
      '@csv',
      '$ENV',
      'env',
      'input',
      'error',
      'try',
      'catch',
      'reduce .[] as $x (0; . + 1)',
      '?//',
      'as $x',
      'def f: .;',
      'limit(1; .)',
      '\\(.id)',
      'halt',
      '$__prog_args',
      'import "a" as a;',
      'getpath(["a"])',
      'tojson',
      'ltrimstr("a")',
    ],
    isOwn: (error) => error?.name === 'JqError',
    share: 0.2,
    slowness: 30,
  },
};
