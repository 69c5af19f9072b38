/** The package as users have it: packed, and installed without a network. */
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {installPackage} from '../../scripts/installed-package.js';
import {exportedRecords} from '../../scripts/records.js';
import {isOtherProgram, preloading, root, startProgram} from './program.js';
import {recordedSandbox} from './server.js';

interface Packed {
  readonly files: readonly {readonly path: string; readonly mode: number}[];
  readonly unpackedSize: number;
}

let folder: string;
let packed: Packed;
/** What its installation brought. */
let packages: readonly string[];
beforeAll(() => {
  if (isOtherProgram) return;
  folder = mkdtempSync(join(tmpdir(), 'pixelctl-package-'));
  packed = installPackage(folder);
  packages = readdirSync(join(folder, 'lib/node_modules')).filter((name) => !name.startsWith('.'));
  // A project that has it, too.
  symlinkSync(join(folder, 'lib/node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
});
afterAll(() => {
  if (!isOtherProgram) rmSync(folder, {recursive: true});
});

const installed = (path: string): string => join(folder, 'node_modules/pixelctl', path);
const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  startProgram(process.execPath, [installed('bin/run.js'), ...args], {env}).ended;

const patterns = [
  /^(CHANGELOG\.md|LICENSE|README\.md|package\.json|oclif\.manifest\.json)$/,
  /^bin\/([a-z-]+\.js|package\.json)$/,
  /^bundle\/([a-z-]+\.cjs|client\.mjs|THIRD-PARTY-LICENSES\.txt|xdg-open|jq\.wasm\.br)$/,
  /^bundle\/types\/([a-z]+\/[a-z-]+|zod)\.d\.ts$/,
  /^ci\/[a-z-]+\.(sh|yml)$/,
  /^man\/pixelctl(-[a-z-]+)?\.1$/,
  /^skills\/pixelctl\/SKILL\.md$/,
];

describe.skipIf(isOtherProgram)('the package', () => {
  test('the package has at most 120 files and 5 MB, all of known kinds', () => {
    const paths = packed.files.map(({path}) => path);
    expect(paths.filter((path) => !patterns.some((pattern) => pattern.test(path)))).toEqual([]);
    expect(patterns.filter((pattern) => !paths.some((path) => pattern.test(path)))).toEqual([]);
    expect(paths.length).toBeLessThanOrEqual(120);
    expect(packed.unpackedSize).toBeLessThanOrEqual(5_000_000);
  });

  test('the package needs no other package, and runs no script when it is installed', () => {
    const {dependencies, optionalDependencies, scripts} = JSON.parse(readFileSync(installed('package.json'), 'utf8'));
    expect({dependencies, optionalDependencies}).toEqual({});
    expect(Object.keys(scripts)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(pre|post)?install$|^prepare$/)]));
    expect(packages).toEqual(['pixelctl']);
  });

  test('keeps the scripts that it starts executable', () => {
    const executable = packed.files.filter(({mode}) => (mode & 0o111) !== 0).map(({path}) => path);
    expect(executable).toEqual(expect.arrayContaining(['bin/run.js', 'bundle/xdg-open', 'ci/policy.sh']));
  });

  test('brings its man pages, which npm puts where man finds them', () => {
    const pages = readdirSync(join(folder, 'share/man/man1')).sort();
    expect(pages).toEqual(readdirSync(join(root, 'man')).sort());
    expect(readFileSync(join(folder, 'share/man/man1/pixelctl.1'), 'utf8')).toContain('EXIT STATUS');
  });

  test('the package has the licence of every package in the bundle', () => {
    const text = readFileSync(installed('bundle/THIRD-PARTY-LICENSES.txt'), 'utf8');
    const listed = [...text.matchAll(/^((?:@[\w-]+\/)?[\w.-]+)@\d\S* \((.*)\)$/gm)];
    const names = listed.map(([, name]) => name);
    for (const name of ['@oclif/core', 'undici', 'zod', 'yaml', 'hono', 'inquirer', 'open', 'jq-wasm', 'oauth4webapi']) {
      expect(names).toContain(name);
    }
    expect(names).not.toContain('vitest');
    expect([...new Set(listed.map(([, , license]) => license))].sort()).toEqual(
      ['Apache-2.0', 'ISC', 'MIT'].filter((license) => listed.some(([, , each]) => each === license)),
    );
    expect(text).toContain('Oniguruma');
  });

  test('contains jq, YAML and the sandbox', async () => {
    await using server = await recordedSandbox();
    const list = ['domain-blocks', 'list'];
    expect(await run([...list, '--jq', 'length'], server.env)).toMatchObject({status: 0, stdout: expect.stringMatching(/^\d+\n$/)});
    expect(await run([...list, '--output', 'yaml'], server.env)).toMatchObject({status: 0, stdout: expect.stringMatching(/^- \S+/)});
    const sandbox = startProgram(process.execPath, [installed('bin/run.js'), 'sandbox', '--port', '0'], {stdin: null});
    await sandbox.seen(/http:\/\/127\.0\.0\.1:\d+/);
    sandbox.child.kill('SIGTERM');
    await sandbox.ended;
  });
});

describe.skipIf(isOtherProgram)('the keyring, whose package is not installed', () => {
  const keyring = {PIXELCTL_STORAGE: 'keyring', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent'};

  test.each([
    [
      'keyring',
      9,
      /^Error: The keyring cannot be used: the package @napi-rs\/keyring is not installed\nHint: run `npm install --global @napi-rs/,
    ],
    [
      '',
      0,
      /No keyring is available: the token is stored in \S+, which only you can read\. For the keyring, run `npm install --global @napi-rs/,
    ],
  ])('is told with the command that installs it, with PIXELCTL_STORAGE=%s', async (storage, status, told) => {
    await using server = await recordedSandbox();
    const login = [installed('bin/run.js'), 'auth', 'login', '--with-token', '--server', server.url];
    const circumstances = {env: {...keyring, PIXELCTL_STORAGE: storage}, stdin: server.sandbox.tokens.all};
    const ended = await startProgram(process.execPath, login, circumstances).ended;
    expect(ended).toMatchObject({status, stderr: expect.stringMatching(told)});
  });

  test.each([
    {words: ['doctor'], status: 3, says: /^keyring +ok +none: tokens are in a file/m},
    {words: ['auth', 'login', '--with-token'], status: 0, says: /@napi-rs\/keyring/},
  ])('the keyring, whose package is not installed is not looked for by a second process: $words', async ({words, status, says}) => {
    await using server = await recordedSandbox();
    const log = join(folder, `processes-${words.join('-')}`);
    const logged = preloading(`import {appendFileSync} from 'node:fs'; appendFileSync(${JSON.stringify(log)}, process.argv[1] + '\\n');`);
    const circumstances = {env: {...logged, PIXELCTL_SERVER: server.url}, stdin: server.sandbox.tokens.all};
    const ended = await startProgram(process.execPath, [installed('bin/run.js'), ...words], circumstances).ended;
    expect(ended).toMatchObject({status});
    expect(`${ended.stdout}${ended.stderr}`).toMatch(says);
    expect(readFileSync(log, 'utf8').trim().split('\n')).toHaveLength(1);
  });

  test('the keyring, whose package is not installed is found when it is installed beside pixelctl', async () => {
    mkdirSync(join(folder, 'node_modules/@napi-rs'));
    symlinkSync(join(root, 'node_modules/@napi-rs/keyring'), join(folder, 'node_modules/@napi-rs/keyring'), 'junction');
    const {stdout} = await run(['doctor'], keyring);
    rmSync(join(folder, 'node_modules/@napi-rs'), {recursive: true});
    expect(stdout).toMatch(/keyring/);
    expect(stdout).not.toContain('not installed');
  });
});

const script = `import {createClient, Failure, listBlocks} from 'pixelctl/client';

const client = createClient({server: new URL(process.env['PIXELCTL_SERVER'] ?? ''), token: async () => process.env['PIXELCTL_TOKEN']});
try {
  const {value: blocked} = await client.call(listBlocks, {query: {limit: 2}});
  const names: string[] = blocked.map(({acct}) => acct);
  console.log(names.length, names.every((name) => name.length > 0));
} catch (error) {
  if (error instanceof Failure) console.error(error.code);
} finally {
  await client.close();
}
`;

/** Fails to compile where the types of a record in the package differ from those of zod. */
const comparison = `import type * as installed from 'pixelctl/client';
import type {Input, Output} from '${join(root, 'dist/lib/operations/index.js')}';
type Same<One, Other> = 0 extends 1 & One ? false : [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
type Parts<Given> = {[Part in keyof Given]-?: Exclude<Given[Part], undefined>};
const same: true[] = [];
${exportedRecords
  .flatMap(({file, name}) => {
    const source = `typeof import('${join(root, file.replace('src/', 'dist/').replace('.ts', '.js'))}').${name}`;
    return [
      `same.push(true satisfies Same<installed.Output<typeof installed.${name}>, Output<${source}>>);`,
      `same.push(true satisfies Same<Parts<installed.Input<typeof installed.${name}>>, Parts<Input<${source}>>>);`,
    ];
  })
  .join('\n')}
`;

describe.skipIf(isOtherProgram)('pixelctl/client', () => {
  const guide = readFileSync(join(root, 'docs/guides/typed-client.md'), 'utf8');
  const examples = [...guide.matchAll(/^```js\n\/\/ (\w+)\.mjs\n([^]*?)^```/gm)].map(([, name = '', text = '']) => ({name, text}));

  test('the guide has examples', () => {
    expect(examples.map(({name}) => name)).toEqual(['tidy', 'more']);
  });

  const strict = {strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true};
  const base = {...strict, target: 'es2024', lib: ['esnext'], types: ['node'], noEmit: true, allowJs: true, checkJs: true};

  /** @returns what the compiler finds in these files, as `FILE: CODE` */
  function mistakesIn(files: Readonly<Record<string, string>>, options: object): string[] {
    mkdirSync(join(folder, 'node_modules/@types'), {recursive: true});
    rmSync(join(folder, 'node_modules/@types/node'), {force: true});
    symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'), 'junction');
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({compilerOptions: {...base, ...options}, files: Object.keys(files)}));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const {stdout} = spawnSync(process.execPath, [compiler, '--singleThreaded', '--pretty', 'false'], {cwd: folder, encoding: 'utf8'});
    // The lines below a mistake say why it is one.
    return stdout.split('\n').flatMap((line) => (/^(?:$| )/.test(line) ? [] : line.replace(/\(\d+,\d+\): error (TS\d+).*/, ': $1')));
  }

  const scripts = {
    'script.ts': script,
    'wrong.ts': script.replace('names: string[]', 'names: number[]').replace('{limit: 2}', '{limit: true}'),
    ...Object.fromEntries(examples.flatMap(({name, text}) => ['mts', 'mjs'].map((extension) => [`${name}.${extension}`, text]))),
  };

  // Declarations are checked once, without those of zod, which are large.
  test.each([
    {module: 'nodenext', skipLibCheck: false, files: scripts},
    {module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true, files: {...scripts, 'comparison.ts': comparison}},
  ])('scripts, examples of the guide and the types of zod fit those of pixelctl/client with the module $module', ({files, ...options}) => {
    expect(mistakesIn(files, options)).toEqual(['wrong.ts: TS2322', 'wrong.ts: TS2322', 'wrong.ts: TS2339']);
  });

  test('pixelctl/client has short lines, because Node prints the line of an uncaught error', () => {
    const lines = readFileSync(installed('bundle/client.mjs'), 'utf8').split('\n');
    // The only long ones are WebAssembly of undici in base64.
    expect(lines.filter((line) => line.length > 5000 && !/[A-Za-z0-9+/]{5000}/.test(line))).toEqual([]);
  });

  test('runs the script', async () => {
    await using server = await recordedSandbox();
    writeFileSync(join(folder, 'script.ts'), script);
    const env = {...server.env, NODE_NO_WARNINGS: '1'};
    const {stdout, stderr} = await startProgram(process.execPath, [join(folder, 'script.ts')], {env, folder}).ended;
    expect({stdout, stderr}).toEqual({stdout: '2 true\n', stderr: ''});
  });
});
