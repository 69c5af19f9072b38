/** From start to exit: every kind of run beside a bare Node, and every command. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {build} from 'rolldown';
import {root} from '../root.js';
import {bin, examplePolicy} from '../sandbox.js';
import {inTurns} from './measured.js';

const warmUps = 2;
const bare = {name: 'node -e 0', args: ['-e', '0']};

/** What the examples of commands name. */
const files = {
  'moderation.yml': 'version: 1\ndomain_blocks: {must: [scam.example, spam.example]}\n',
  'operations.txt': '{"command": "dm list"}\n',
  'domains.txt': 'bad.example\n',
  'device-token.txt': 'token-of-a-device\n',
  'harbour.jpg': 'a photo',
};

const kinds = [
  ['--version'],
  ['__complete', 'fish', '1', 'blocks', 'li'],
  ['--help'],
  ['blocks', 'list', '--help'],
  ['blocks', 'list', '--unknown'],
  ['blocks', 'list', '--json'],
  ['blocks', 'list'],
  ['audit', 'policy.yml'],
];

/** @returns what {@link timesInTurns} does for each kind of run, a bare Node first; `inRound` as there */
export async function benchKinds(rounds, env, inRound) {
  const folder = newFolder({'policy.yml': examplePolicy});
  try {
    const get = {name: 'one GET with undici, bundled', args: [await bundledGet(folder)]};
    const runs = [bare, ...kinds.map((words) => ({name: `pixelctl ${words.join(' ')}`, args: [bin, ...words]})), get];
    return await timesInTurns(runs, rounds, {env, cwd: folder}, inRound);
  } finally {
    rmSync(folder, {recursive: true});
  }
}

/** @returns what {@link benchKinds} does, and for two of them the memory in MB */
export async function benchStart(rounds, env) {
  const times = await benchKinds(rounds, env);
  const list = {env, args: [bin, 'blocks', 'list', '--json']};
  const memory = await inTurns({bare: {env, args: bare.args}, list}, Math.min(rounds, 5), 1);
  return {times, memory: {bare: memory.bare.memory, list: memory.list.memory}};
}

/** @returns what {@link benchKinds} does, for each command as its first example in the help has it */
export async function benchCommands(rounds, env, inRound) {
  const folder = newFolder(files);
  try {
    const {commands} = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'));
    const runs = Object.entries(commands)
      // It runs until it is stopped.
      .filter(([id]) => id !== 'sandbox')
      .map(([id, command]) => ({name: id.replaceAll(':', ' '), args: [bin, ...wordsOf(id, command)], isCommand: true}));
    return await timesInTurns([bare, ...runs], rounds, {env, cwd: folder}, inRound);
  } finally {
    rmSync(folder, {recursive: true});
  }
}

function newFolder(texts) {
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-bench-'));
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  return folder;
}

function wordsOf(id, {examples, flags}) {
  const line = examples[0].command.replace(/^.*?(<%= config\.bin %>|pixelctl) /, '').replace(/ [<>|)].*$/, '');
  const words = line.match(/'[^']*'|\S+/g).map((word) => word.replaceAll("'", ''));
  return [...words, ...(flags.yes === undefined ? [] : ['--yes'])];
}

/** The least that a tool with undici can take: one request, with all of undici bundled and its code in Node's compile cache. */
async function bundledGet(folder) {
  const cache = join(folder, 'compiled');
  mkdirSync(cache, {mode: 0o700});
  const source = join(folder, 'source.js');
  writeFileSync(
    source,
    `import {request} from ${JSON.stringify(join(root, 'node_modules/undici/index.js'))};
    const {PIXELCTL_SERVER, PIXELCTL_TOKEN} = process.env;
    request(PIXELCTL_SERVER + '/api/v1/blocks', {headers: {authorization: 'Bearer ' + PIXELCTL_TOKEN}})
      .then(({body}) => body.text()).then((text) => process.stdout.write(text));`,
  );
  await build({input: source, platform: 'node', output: {file: join(folder, 'get.cjs'), format: 'cjs', minify: true}});
  const start = join(folder, 'start.cjs');
  writeFileSync(start, `require('node:module').enableCompileCache(${JSON.stringify(cache)});require('./get.cjs');`);
  return start;
}

/**
 * In turns, so that other load on the machine affects all of them alike.
 * @param runs with `args`, with `file` for another program than Node, and with `status` where only that exit status is right
 * @param inRound which of the runs, with what was measured so far, a round has; rounds below 0 are warm-ups
 * @returns the same with the `times` and `cpu` of all rounds, in milliseconds
 */
export async function timesInTurns(runs, rounds, options, inRound = (all) => all) {
  const all = runs.map((run) => ({...run, times: [], cpu: []}));
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const {file = process.execPath, args, status, times, cpu} of inRound(all, round)) {
      const [time, user, system] = await startToExit([file, ...args], options, status);
      if (round < 0) continue;
      times.push(time);
      cpu.push(user + system);
    }
  }
  return all;
}

/** The shell's own clock also counts the processes that a program starts. @returns milliseconds that passed, and of processor time as user and system */
async function startToExit(words, options, status) {
  const script = 'TIMEFORMAT="%R %U %S"; time "$@" 2> /dev/null';
  const child = spawn('bash', ['-c', script, 'bash', ...words], {...options, stdio: ['ignore', 'pipe', 'pipe']});
  child.stdout.resume();
  const [said, [ended]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (status !== undefined && ended !== status) throw new Error(`${words.slice(0, 3).join(' ')} ended with ${ended}`);
  return said
    .trim()
    .split(' ')
    .map((seconds) => Number(seconds) * 1000);
}
