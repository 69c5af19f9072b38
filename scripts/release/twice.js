/** Makes the release of the last commit twice, in circumstances as different as one machine allows, and compares the files: npm run release:twice */
import {spawnSync} from 'node:child_process';
import {cpSync, existsSync, mkdtempSync, readFileSync, rmSync, utimesSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {platforms} from '../binaries/platforms.js';
import {filesIn} from '../files.js';
import {pinnedPackage} from '../pinned-package.js';
import {root} from '../root.js';

/** Beyond all real ones. */
const trialVersion = '1000.0.0';

const person = {GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@pix.example', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@pix.example'};

const builds = [
  {folder: 'one', umask: '022', env: {TZ: 'UTC', LC_ALL: 'C'}},
  {
    folder: 'two/further/down',
    umask: '077',
    env: {TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8'},
    time: new Date('2001-02-03T04:05:06Z'),
  },
];

/** @returns what differs, one line a file */
function releaseTwice() {
  const place = mkdtempSync(join(tmpdir(), 'pixelctl-twice-'));
  try {
    for (const {bun, keyring} of Object.values(platforms))
      for (const name of [`@oven/bun-${bun}`, `@napi-rs/keyring-${keyring}`]) pinnedPackage(name);
    const [source, ...others] = builds.map(({folder}) => join(place, folder));
    clone(root, source);
    prepare(source);
    const version = tagged(source);
    for (const folder of others) {
      clone(source, folder);
      prepare(folder);
    }
    const words = ['run', '-s', 'release', '--', '--no-tests', version];
    for (const {folder, umask, env, time} of builds) {
      const cwd = join(place, folder);
      if (time !== undefined)
        for (const file of run('git', ['ls-files'], {cwd}).trim().split('\n')) utimesSync(join(cwd, file), time, time);
      const script = `umask ${umask} && exec npm "$@"`;
      run('sh', ['-c', script, 'sh', ...words], {
        cwd,
        env: {PIXELCTL_RELEASE_URL: 'https://forge.example/OWNER/pixelctl/releases', ...env},
      });
    }
    const [one, two] = builds.map(({folder}) => join(place, folder, 'release'));
    return {...compared(one, two), version};
  } finally {
    rmSync(place, {recursive: true, force: true});
  }
}

function clone(from, to) {
  run('git', ['clone', '--quiet', from, to], {cwd: root});
}

/** What is installed, in a copy: a link would lead both builds to the same paths. */
function prepare(folder) {
  for (const name of ['node_modules', '.cache/packages'].filter((each) => existsSync(join(root, each))))
    cpSync(join(root, name), join(folder, name), {recursive: true, verbatimSymlinks: true});
}

/** The version that is tagged; for another commit, one is tagged in the copy. */
function tagged(cwd) {
  const {version} = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
  if (run('git', ['tag', '--points-at', 'HEAD'], {cwd}).split('\n').includes(`v${version}`)) return version;
  run('npm', ['version', trialVersion], {cwd});
  return trialVersion;
}

function run(program, args, {cwd, env = {}}) {
  const path = [join(cwd, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const options = {cwd, encoding: 'utf8', maxBuffer: 2 ** 28, env: {...process.env, ...person, PATH: path, ...env}};
  const {status, stdout, stderr} = spawnSync(program, args, options);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr || stdout}`);
  return stdout;
}

/** @returns the number of files, and what differs */
export function compared(one, two) {
  const [names, others] = [one, two].map((folder) => filesIn(folder));
  const problems = [
    ...names.filter((name) => !others.includes(name)).map((name) => `${name} is only in the first build`),
    ...others.filter((name) => !names.includes(name)).map((name) => `${name} is only in the second build`),
  ];
  for (const name of names.filter((each) => others.includes(each))) {
    const [first, second] = [one, two].map((folder) => readFileSync(join(folder, name)));
    if (first.equals(second)) continue;
    const at = first.findIndex((byte, index) => byte !== second[index]);
    problems.push(`${name} differs from byte ${at === -1 ? first.length : at}: it has ${first.length} and ${second.length} bytes`);
  }
  return {files: names.length, problems};
}

if (process.argv[1] === import.meta.filename) {
  const {problems, files, version} = releaseTwice();
  process.stdout.write(`${files} files of ${version} compared\n`);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
