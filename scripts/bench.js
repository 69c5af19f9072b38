/**
 * Measures runs of the program beside other runs in the same turns, and prints the ratios of the medians:
 * npm run bench -- [ROUNDS] [--check] [start|commands|applies|binary|tables|fleet|RUN]...
 * With --check it compares them with the goals in docs/performance.md, and ends with 1 where one is not reached.
 */
import {fork, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {executableFor, hostPlatform} from './binaries/platforms.js';
import {root} from './root.js';
import {bin, examplePolicy, startSandbox} from './sandbox.js';

const bare = {name: 'node -e 0', args: ['-e', '0']};

/** What the examples of commands name. */
const exampleFiles = {
  'moderation.yml': 'version: 1\ndomain_blocks: {must: [scam.example, spam.example]}\n',
  'domains.txt': 'bad.example\n',
  'device-token.txt': 'token-of-a-device\n',
  'harbour.jpg': 'a photo',
};

const kinds = [
  ['--version'],
  ['__complete', '1', 'blocks', 'li'],
  ['--help'],
  ['blocks', 'list', '--help'],
  ['blocks', 'list', '--unknown'],
  ['blocks', 'list', '--json'],
  ['blocks', 'list'],
  ['audit', 'policy.yml'],
];

const account = (id) => ({
  id: String(id),
  username: `user${id}`,
  acct: `user${id}@far-${id}.example`,
  display_name: `Ben of the Harbour ${id}`,
  followers_count: id * 3,
  statuses_count: id * 7,
  note: '<p>Photos of harbours</p>',
  created_at: '2023-05-01T10:00:00.000Z',
  url: `https://far-${id}.example/user${id}`,
});

/** What servers answer, by their names; each runs in a process of its own. */
const answers = {
  nothing: (url) => (url.endsWith('/verify_credentials') ? account(1) : []),
  rows: () => Array.from({length: 40}, (_, index) => account(1_000_000_000 + index)),
};

function serve(answer) {
  const server = createServer((request, response) => {
    const body = JSON.stringify(answer(request.url));
    request
      .resume()
      .on('end', () => response.writeHead(200, {'content-type': 'application/json', 'content-length': Buffer.byteLength(body)}).end(body));
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  process.on('disconnect', () => process.exit());
}

/** @param {keyof typeof answers} name @returns its address; it ends with the stack */
async function serverOf(name, stack) {
  const server = fork(import.meta.filename, ['--serve', name]);
  stack.push(() => server.disconnect());
  const [port] = await once(server, 'message');
  return `http://127.0.0.1:${port}`;
}

function newFolder(files, stack) {
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-bench-'));
  stack.push(() => rmSync(folder, {recursive: true}));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

const linesOf = (count, line) => Array.from({length: count}, (_, index) => line(index)).join('');
const listPolicy = (file) => `version: 1\ndomain_blocks:\n  lists: [{file: ${file}}]\n`;
const hasExecutable = () => existsSync(executableFor(hostPlatform()));

/** The first example in the help of a command, as words. */
function exampleOf(id, {examples, flags}) {
  const line = examples[0].command.replace(/^.*?(<%= config\.bin %>|pixelctl) /, '').replace(/ [<>|)].*$/, '');
  const words = line.match(/'[^']*'|\S+/g).map((word) => word.replaceAll("'", ''));
  return {name: id.replaceAll(':', ' '), args: [bin, ...words, ...(flags.yes === undefined ? [] : ['--yes'])], isCommand: true};
}

/**
 * What is measured together: runs, each with `args`, `file` for another program than Node, `status` where only that exit status is right,
 * what happens `before` it, and the run that it is `beside`; and how many rounds there are at `most`. Each takes the environment of the sandbox, and a stack for what it starts.
 */
const groups = {
  start(env, stack) {
    const runs = kinds.map((words) => ({name: `pixelctl ${words.join(' ')}`, args: [bin, ...words], beside: bare.name}));
    return {runs: [bare, ...runs], env, cwd: newFolder({'policy.yml': examplePolicy}, stack)};
  },

  commands(env, stack) {
    const {commands} = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'));
    // The sandbox runs until it is stopped.
    const runs = Object.entries(commands).flatMap(([id, command]) =>
      id === 'sandbox' ? [] : {...exampleOf(id, command), beside: bare.name},
    );
    return {runs: [bare, ...runs], env, cwd: newFolder(exampleFiles, stack)};
  },

  async applies(env, stack) {
    const cwd = newFolder({'list.txt': linesOf(10_000, (index) => `spam-${index}.example\n`), 'policy.yml': listPolicy('list.txt')}, stack);
    // The server knows of no block, and each run begins without a record of one.
    const before = () => globSync('{journal,*.state.ndjson}', {cwd}).forEach((file) => rmSync(join(cwd, file)));
    const add = ['domain-blocks', 'add', '--from', 'list.txt', '--concurrency', '1', '--journal', 'journal', '--yes', '--quiet'];
    const runs = [
      {name: 'domain-blocks add of 10,000', args: [bin, ...add], status: 0, before},
      {
        name: 'apply of 10,000 changes',
        args: [bin, 'apply', 'policy.yml', '--yes', '--quiet'],
        status: 0,
        before,
        beside: 'domain-blocks add of 10,000',
      },
    ];
    return {runs, env: {...env, PIXELCTL_SERVER: await serverOf('nothing', stack)}, cwd};
  },

  /** The single executable beside gh, a native program, which asks the same server for the same list. */
  binary({PIXELCTL_SERVER: server, PIXELCTL_TOKEN: token, ...env}) {
    if (!hasExecutable()) return {why: 'there is no executable of this machine: npm run build:binaries -- host makes it'};
    if (spawnSync('gh', ['--version']).status !== 0) return {why: 'gh is not installed'};
    const file = executableFor(hostPlatform());
    const list = ['blocks', 'list'];
    const runs = [
      {name: 'gh --version', file: 'gh', args: ['--version']},
      {name: 'executable --version', file, args: ['--version'], beside: 'gh --version'},
      {name: 'gh api', file: 'gh', args: ['api', '-H', `Authorization: Bearer ${token}`, `${server}/api/v1/blocks`]},
      {name: 'executable blocks list --json', file, args: [...list, '--json'], beside: 'gh api'},
      {name: 'executable blocks list', file, args: list, beside: 'gh api'},
    ];
    // gh sends no request without a token of its own, and would look for a newer gh.
    const own = {GH_TOKEN: token, GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1'};
    return {runs: runs.map((run) => ({...run, status: 0})), env: {...env, PIXELCTL_SERVER: server, PIXELCTL_TOKEN: token, ...own}};
  },

  async tables(env, stack) {
    const programs = {pixelctl: {args: [bin]}, ...(hasExecutable() && {executable: {file: executableFor(hostPlatform()), args: []}})};
    const runs = Object.entries(programs).flatMap(([program, {args, ...how}]) => {
      const [json, table] = [`${program} blocks list --json, 40 rows`, `${program} blocks list, 40 rows`];
      return [
        {...how, name: json, args: [...args, 'blocks', 'list', '--json'], status: 0},
        {...how, name: table, args: [...args, 'blocks', 'list'], status: 0, beside: json},
      ];
    });
    return {runs, env: {...env, PIXELCTL_SERVER: await serverOf('rows', stack)}};
  },

  /** Audits of 50,000 domains on 20 accounts that block none, with every report and without. */
  async fleet({PIXELCTL_SERVER: _, PIXELCTL_TOKEN: __, ...env}, stack) {
    const {ProfileStore} = await import('../dist/lib/auth/profile-store.js');
    const {reportFormats} = await import('../dist/lib/policy/reports/formats/index.js');
    const header = '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate\n';
    const line = (index) => `spam-${index}.example,suspend,TRUE,FALSE,"spam, harassment",FALSE\n`;
    const cwd = newFolder({'list.csv': header + linesOf(50_000, line), 'policy.yml': listPolicy('list.csv')}, stack);
    const server = await serverOf('nothing', stack);
    const store = new ProfileStore(join(cwd, 'profiles'), {storage: 'file'});
    const rest = {scopes: ['read', 'write'], expiresAt: null, isProtected: false, isAdmin: false, client: null};
    for (let id = 1; id <= 20; id += 1) {
      const name = `account${id}`;
      await store.save({...rest, name, server, account: {id: String(id), acct: name}}, {accessToken: name});
    }
    const audit = [bin, 'audit', 'policy.yml', '--all-profiles'];
    const json = 'pixelctl audit --json, 20 accounts';
    const reports = Object.keys(reportFormats).flatMap((format) => ['--report', `${format}=report.${format}`]);
    const runs = [
      {name: json, args: [...audit, '--json'], status: 10},
      {name: 'pixelctl audit, 20 accounts, all reports', args: [...audit, ...reports], status: 10, beside: json},
    ];
    // Each takes half a minute.
    return {runs, most: 3, env: {...env, PIXELCTL_CONFIG_DIR: join(cwd, 'profiles'), PIXELCTL_STORAGE: 'file'}, cwd};
  },
};

/** The shell's own clock also counts the processes that a program starts. @returns milliseconds that passed, and of processor time */
async function startToExit({file = process.execPath, args, status}, options) {
  const script = 'TIMEFORMAT="%R %U %S"; time "$@" 2> /dev/null';
  const child = spawn('bash', ['-c', script, 'bash', file, ...args], {...options, stdio: ['ignore', 'pipe', 'pipe']});
  child.stdout.resume();
  const [said, [ended]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (status !== undefined && ended !== status) throw new Error(`${args.slice(0, 3).join(' ')} ended with ${ended}`);
  const [time, user, system] = said
    .trim()
    .split(' ')
    .map((seconds) => Number(seconds) * 1000);
  return {time, cpu: user + system};
}

/** The middle one, or the mean of the two in the middle. */
function median(numbers) {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @param page the text of docs/performance.md; its goals are the table with this head */
export function goalsIn(page) {
  const [, table] = page.split('| run | beside | processor time, at most |\n|---|---|---|\n');
  if (table === undefined) throw new Error('docs/performance.md has no table of goals');
  return table
    .slice(0, table.indexOf('\n\n'))
    .split('\n')
    .map((line) => {
      const [, run, beside, most] = line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
      if (!(Number(most) > 0)) throw new Error(`docs/performance.md: "${most}" is no goal for ${run}`);
      return {run, beside, most: Number(most)};
    });
}

/**
 * Compares processor times, not times: those of a busy machine say nothing.
 * @returns for each run that was measured and has a goal `run`, `beside`, `most` and `ratio`
 */
export function compareWithGoals(goals, runs) {
  return runs.flatMap(({name, cpu, isCommand}) => {
    const goal = goals.find(({run}) => run === name) ?? (isCommand ? goals.find(({run}) => run === 'every command') : undefined);
    const base = runs.find((other) => other.name === goal?.beside);
    if (base === undefined || cpu.length === 0) return [];
    return [{run: name, beside: goal.beside, most: goal.most, ratio: median(cpu) / median(base.cpu)}];
  });
}

/** Measures the runs of a group in turns, so that other load on the machine affects all of them alike. */
async function measure({runs, most = Infinity, ...options}, {rounds, names}) {
  const isChosen = ({name}) => names.length === 0 || names.some((word) => name === word || name === `pixelctl ${word}`);
  const bases = new Set(runs.filter(isChosen).map(({beside}) => beside));
  const all = runs.filter((run) => isChosen(run) || bases.has(run.name)).map((run) => ({...run, times: [], cpu: []}));
  // The first round is not counted.
  for (let round = 0; round <= Math.min(rounds, most); round += 1) {
    for (const run of all) {
      run.before?.();
      const {time, cpu} = await startToExit(run, options);
      if (round === 0) continue;
      run.times.push(time);
      run.cpu.push(cpu);
    }
  }
  return all;
}

const say = (line) => process.stdout.write(`${line}\n`);

function report(runs) {
  for (const {name, times, cpu, beside} of runs) {
    const other = runs.find((run) => run.name === beside);
    const ratios = other && [median(times) / median(other.times), median(cpu) / median(other.cpu)].map((ratio) => ratio.toFixed(2));
    say(
      `${name}: ${median(cpu).toFixed(0)} ms of processor time${ratios ? `; ${ratios[0]} × the time and ${ratios[1]} × the processor time of ${beside}` : ''}`,
    );
  }
}

/** Says which goals are reached, the worst last. @returns the others */
function verdicts(goals, runs) {
  const compared = compareWithGoals(goals, runs).toSorted((one, other) => one.ratio / one.most - other.ratio / other.most);
  for (const {run, beside, most, ratio} of compared)
    say(`${ratio > most ? 'over' : 'ok'}  ${ratio.toFixed(2)} of ${most.toFixed(2)} × ${beside}  ${run}`);
  return compared.filter(({most, ratio}) => ratio > most);
}

async function main(words) {
  const isCheck = words.includes('--check');
  const rounds = Number(words.find((word) => /^\d+$/.test(word)) ?? 20);
  const named = words.filter((word) => word !== '--check' && !/^\d+$/.test(word));
  const chosen = named.filter((word) => Object.hasOwn(groups, word));
  const names = named.filter((word) => !chosen.includes(word));
  const goals = isCheck ? goalsIn(readFileSync(join(root, 'docs/performance.md'), 'utf8')) : [];
  const sandbox = await startSandbox({limitsRate: false});
  const [over, stack] = [[], []];
  try {
    for (const [name, group] of Object.entries(groups)) {
      if (chosen.length > 0 && !chosen.includes(name)) continue;
      const ready = await group(sandbox.env, stack);
      if (ready.why !== undefined) {
        say(`skipped  ${name}: ${ready.why}`);
        continue;
      }
      const runs = await measure(ready, {rounds, names});
      if (isCheck) over.push(...verdicts(goals, runs));
      else report(runs);
    }
  } finally {
    for (const end of stack) end();
    sandbox.stop();
  }
  if (over.length > 0) throw new Error(`These goals of docs/performance.md are not reached: ${over.map(({run}) => run).join(', ')}`);
  say(`Medians of ${rounds} rounds on Node ${process.versions.node}`);
}

if (process.argv[2] === '--serve') serve(answers[process.argv[3]]);
else if (process.argv[1] === import.meta.filename) {
  await main(process.argv.slice(2)).catch((error) => {
    process.stderr.write(`The benchmark failed: ${error.message}\n`);
    process.exitCode = 1;
  });
}
