/** Which code is loaded: what needs no secret knows nothing of keyrings, profiles and OAuth. */
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {isOtherProgram, newFolder, root} from './program.js';
import {recordedSandbox} from './server.js';
import {machine, machineWith, profileOn, type Machine} from './signing-in.js';

const hooks = `
  import {appendFileSync} from 'node:fs';
  import {registerHooks} from 'node:module';
  registerHooks({load(url, context, next) { appendFileSync(process.env.LOADED, url + '\\n'); return next(url, context); }});
  const own = process.moduleLoadList.length;
  process.on('exit', () => {
    for (const name of process.moduleLoadList.slice(own)) appendFileSync(process.env.LOADED, name.replace('NativeModule ', 'node:') + '\\n');
  });
`;

/** What each module of the bundle was made of. */
const sources: Readonly<Record<string, readonly string[]>> = JSON.parse(readFileSync(join(root, '.cache/bundle.json'), 'utf8'));

/** The names of modules of the bundle that ran, which the end of a file in the compile cache lists. */
function ranIn(file: string): readonly string[] {
  const data = readFileSync(file);
  const {modules}: {readonly modules: Readonly<Record<string, unknown>>} = JSON.parse(
    data.toString('utf8', data.length - 4 - data.readUInt32LE(data.length - 4), data.length - 4),
  );
  return Object.keys(modules);
}

/** The files that a command loads, from the folder of the program; of the bundle, what the modules that ran were made of. */
async function loadedBy(around: Machine, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const [file, cache] = [join(newFolder(), 'loaded'), newFolder()];
  const traced = {NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(hooks)}"`, LOADED: file, NODE_COMPILE_CACHE: cache};
  const {stderr} = await around.start(args, {env: {...env, ...traced}}).ended;
  expect(stderr).not.toContain('internal');
  expect(existsSync(file), stderr).toBe(true);
  const kept = readdirSync(cache, {recursive: true, encoding: 'utf8'}).filter((name) => /\.cjs-\w+$/.test(name));
  const ran = kept.flatMap((name) => ranIn(join(cache, name))).flatMap((name) => sources[name] ?? []);
  // A copy of the project has its packages elsewhere.
  const fromFolder = ran.map((name) => name.replace(/^.*?(?=node_modules\/)/, ''));
  const others = readFileSync(file, 'utf8').split('\n');
  return [...fromFolder, ...others.map((url) => url.replace(`file://${root}/`, ''))];
}

const keyringOrOAuth = /@napi-rs|lib\/auth\/keyring|oauth4webapi|lib\/auth\/(oauth|sign-in|browser)|node_modules\/open\//;
const profileStore = /lib\/auth\/(profile-store|profile-token|secrets)/;

const found = (files: readonly string[], what: RegExp): string[] => files.filter((file) => what.test(file));

function expectNoSignIn(loaded: readonly string[]): void {
  expect(found(loaded, /^dist\/main\.js$/)).toHaveLength(1);
  expect([...found(loaded, keyringOrOAuth), ...found(loaded, profileStore)]).toEqual([]);
}

test.concurrent('a list with a profile and its secret in a file loads no keyring and no OAuth', async () => {
  await using server = await recordedSandbox();
  const around = await machineWith([profileOn(server.url), {accessToken: server.sandbox.tokens.all}]);
  expect(found(await loadedBy(around, ['blocks', 'list']), keyringOrOAuth)).toEqual([]);
});

test.concurrent('commands that need these modules load them', async () => {
  const loaded = await loadedBy(
    await machineWith([profileOn('http://127.0.0.1:1', {client: {id: '1'}}), {accessToken: 'a', refreshToken: 'b', clientSecret: 'c'}]),
    ['auth', 'refresh'],
  );
  expect(found(loaded, /oauth4webapi/)).not.toEqual([]);
  expect(found(loaded, profileStore)).not.toEqual([]);
  expect(found(await loadedBy(machine(), ['doctor'], {PIXELCTL_STORAGE: ''}), /lib\/auth\/keyring\.js/)).not.toEqual([]);
});

/** What no list needs. */
const otherRooms = /^dist\/(commands\/(?!blocks\/list)|lib\/(archive|backup|policy|sandbox)\/|lib\/cli\/(archive|backup|policy|sign-in)\/)/;

/** The modules are those of this build, and other releases of Node tell the trace of more modules of their own. */
const testOfClone = isOtherProgram ? test.skip : test.concurrent;

testOfClone.each<[line: string, most: number, packages: readonly string[]]>([
  ['--version', 8, []],
  ['__complete 1 blocks li', 10, []],
  ['__complete 2 filters get ', 10, []],
  ['--help', 45, ['@oclif']],
  ['blocks list --json', 85, ['@oclif', 'undici', 'zod']],
  ['blocks list', 90, ['@oclif', 'cli-table3', 'undici', 'zod']],
])('%s loads at most %i modules, no other room and no other package', async (line, most, packages) => {
  await using server = await recordedSandbox();
  const loaded = await loadedBy(machine(), line.split(' '), server.env);
  const own = found(loaded, /^dist\//);
  expectNoSignIn(loaded);
  expect(own.length, own.join('\n')).toBeLessThanOrEqual(most);
  expect(found(own, otherRooms)).toEqual([]);
  const direct = '@oclif chalk cli-table3 hono inquirer jq-wasm oauth4webapi open string-width undici yaml zod'.split(' ');
  expect(direct.filter((name) => loaded.some((file) => file.startsWith(`node_modules/${name}/`)))).toEqual(packages);
  expect(found(loaded, /^node:(child_process|crypto|fs\/promises|http2|https|readline|tls|worker_threads|zlib)$/)).toEqual([]);
});

/** What policies can have, and a policy of a few domains has not: files of plans and their schemas, filters, reports, tables of lists. */
const policy = [
  'lib/policy/lists/remote-list',
  'lib/policy/reports/formats/html',
  'lib/policy/reports/formats/json',
  'lib/policy/reports/formats/sarif',
  'lib/policy/reports/formats/junit',
  'lib/policy/reports/formats/markdown',
  'lib/files/whole-file',
  'lib/files/lock',
  'lib/run/journal',
];

testOfClone.each<[line: string, absent: readonly string[], packages: readonly string[]]>([
  ['plan policy.yml', policy, ['cli-table3', 'inquirer']],
  ['audit policy.yml', policy, ['inquirer']],
  ['explain bad.example --policy policy.yml', policy, ['inquirer']],
  ['export --only domain_blocks', policy, ['cli-table3', 'chalk', 'inquirer']],
  // A message there is in Japanese.
  ['dm list', ['lib/run/journal', 'lib/policy/sections/index'], ['inquirer', 'string-width', 'yaml']],
  // A name there contains a family emoji.
  ['dm mutuals', ['lib/run/journal', 'lib/policy/sections/index'], ['inquirer', 'string-width', 'yaml']],
  ['blocks contains @ana', ['lib/run/journal', 'lib/files/lock', 'lib/policy/sections/index'], ['inquirer', 'yaml']],
])('%s loads none of what it does not use', async (line, absent, packages) => {
  await using server = await recordedSandbox();
  const policyFile = join(newFolder(), 'policy.yml');
  writeFileSync(policyFile, 'version: 1\ndomain_blocks: {must: [bad.example]}\n');
  const loaded = await loadedBy(machine(), line.replace('policy.yml', policyFile).split(' '), server.env);
  expect(found(loaded, /^dist\/commands\//)).not.toEqual([]);
  expectNoSignIn(loaded);
  expect(absent.filter((name) => loaded.includes(`dist/${name}.js`))).toEqual([]);
  expect(packages.filter((name) => loaded.some((file) => file.startsWith(`node_modules/${name}/`)))).toEqual([]);
  expect(found(loaded, /^node:(child_process|http2|https|readline|tls|worker_threads|zlib)$/)).toEqual([]);
});
