/**
 * Makes everything that a release consists of, in release/: npm run release -- [OPTIONS] VERSION
 *
 *   --dry-run      check what has to be right first, and print the steps; nothing is written
 *   --no-tests     leave out the tests, which have run before
 *   --no-binaries  take the executables that are in dist-binaries, such as signed ones
 *   --publish      at the end, say how to create a draft of the release on GitHub; with --yes, create it
 *
 * PIXELCTL_RELEASE_URL names the address of the releases. `npm version` comes before this: it writes the version and the changelog, and
 * makes the commit and its tag.
 */
import {execFileSync, spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {parseArgs} from 'node:util';
import {parser} from 'keep-a-changelog';
import prerelease from 'semver/functions/prerelease.js';
import valid from 'semver/functions/valid.js';
import {extract} from 'tar';
import {root} from '../root.js';
import {packTar, packZip} from './archives.js';
import {sbomText} from './sbom.js';

// The times in a zip are local ones.
process.env.TZ = 'UTC';

const folder = join(root, 'release');
const binaries = join(root, 'dist-binaries');

/** What an archive has beside the program, where it exists. */
const besides = ['LICENSE', 'bundle/THIRD-PARTY-LICENSES.txt', 'CHANGELOG.md', 'man'];

/** Docker's names of the architectures that the image is made for. */
const imageArchitectures = {amd64: 'linux-x64', arm64: 'linux-arm64'};

const text = (file) => readFileSync(join(root, file), 'utf8');
const say = (line) => process.stdout.write(`${line}\n`);
const git = (...words) => execFileSync('git', words, {cwd: root, encoding: 'utf8'}).trim();
const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** What the steps work on. */
class Release {
  constructor(version) {
    this.version = version;
    this.tag = `v${version}`;
    this.isPreview = prerelease(version) !== null;
    this.address = (process.env.PIXELCTL_RELEASE_URL ?? '').replace(/\/$/, '');
    /** The time of every file, so that a second run makes the same files. */
    this.time = new Date(Number(git('log', '-1', '--format=%ct')) * 1000);
  }

  /** The address of a file of this release. */
  urlOf = (file) => `${this.address}/download/${this.tag}/${file}`;

  /** The section of the changelog. */
  get notes() {
    return parser(text('CHANGELOG.md')).findRelease(this.version);
  }

  /** The archive for a platform. */
  archiveFor = (platform) => {
    const file = `pixelctl-${this.version}-${platform}.tar.gz`;
    if (!existsSync(join(folder, file))) throw new Error(`There is no archive for ${platform}`);
    return file;
  };
}

const write = (file, content) => writeFileSync(join(folder, file), content);

/** What has to be right before anything is made. Each returns what is wrong, if anything. */
const checks = [
  {
    title: 'everything is committed',
    problem: () => (git('status', '--porcelain') === '' ? undefined : 'git status shows changes: commit or remove them'),
  },
  {
    title: 'package.json has the version',
    problem({version}) {
      const found = JSON.parse(text('package.json')).version;
      return found === version ? undefined : `it has ${found}: run npm version ${version}`;
    },
  },
  {
    title: 'the tag of the version is on this commit',
    problem({tag, version}) {
      if (git('tag', '--points-at', 'HEAD').split('\n').includes(tag)) return undefined;
      return git('tag', '--list', tag) === '' ? `there is no tag ${tag}: run npm version ${version}` : `${tag} is on another commit`;
    },
  },
  {
    title: 'CHANGELOG.md has a section for the version',
    problem({notes, version}) {
      if (notes?.date === undefined) return `it has none with a date: run npm version ${version}`;
      return notes.isEmpty() ? 'the section is empty' : undefined;
    },
  },
  {
    title: 'the address of the releases is known',
    problem({address}) {
      if (address === '') return 'set PIXELCTL_RELEASE_URL';
      return URL.canParse(address) && new URL(address).protocol === 'https:' ? undefined : `${address} is not an https address`;
    },
  },
];

function run(program, args) {
  const {status} = spawnSync(program, args, {cwd: root, stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32'});
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`);
}

/** The text of a template: each `{{name argument}}` replaced by what is there under the name. */
function filled(template, values) {
  return template.replaceAll(/\{\{(\w+)(?: ([\w-]+))?\}\}/g, (_, name, argument) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The template has {{${name}}}, which is unknown`);
    return typeof value === 'function' ? value(argument) : value;
  });
}

/** @returns the files for people to download, without the list of checksums */
const downloads = () =>
  readdirSync(folder, {withFileTypes: true})
    .filter((entry) => entry.isFile() && !['SHA256SUMS', 'notes.md'].includes(entry.name))
    .map(({name}) => name)
    .sort();

const steps = [
  {title: 'Run all tests: npm test', unless: 'no-tests', make: () => run('npm', ['test'])},
  {
    title: 'Make the package for Node: npm pack',
    async make({version, time}) {
      run('npm', ['pack', '--loglevel=error', '--pack-destination', folder]);
      // npm keeps the modes that this user's umask gave the files, and compresses with the zlib of the Node that it runs on.
      const [file, place] = [join(folder, `pixelctl-${version}.tgz`), join(folder, 'unpacked')];
      mkdirSync(place);
      await extract({file, cwd: place});
      await packTar(place, 'package', file, time);
      rmSync(place, {recursive: true});
    },
  },
  {
    title: 'Make the single executables: npm run build:binaries',
    unless: 'no-binaries',
    make: () => run('npm', ['run', '-s', 'build:binaries']),
  },
  {
    title: 'Pack each executable with the licences: pixelctl-VERSION-PLATFORM.tar.gz, .zip for Windows',
    async make({version, time}) {
      const programs = readdirSync(binaries).filter((file) => file.startsWith('pixelctl-'));
      for (const program of programs) {
        const isWindows = program.endsWith('.exe');
        const name = `pixelctl-${version}-${program.replace(/^pixelctl-|\.exe$/g, '')}`;
        const place = join(folder, 'unpacked');
        mkdirSync(join(place, name), {recursive: true});
        cpSync(join(binaries, program), join(place, name, isWindows ? 'pixelctl.exe' : 'pixelctl'));
        for (const file of besides.filter((each) => existsSync(join(root, each))))
          cpSync(join(root, file), join(place, name, basename(file)), {recursive: true});
        if (isWindows) await packZip(place, name, join(folder, `${name}.zip`), time);
        else await packTar(place, name, join(folder, `${name}.tar.gz`), time);
        rmSync(place, {recursive: true});
      }
    },
  },
  {
    title: 'List what is inside, for audits: pixelctl-VERSION.cdx.json (CycloneDX)',
    make: (release) => write(`pixelctl-${release.version}.cdx.json`, sbomText(release.time)),
  },
  {
    title: 'Fill in the address of the releases: install.sh',
    make(release) {
      const empty = "filled_in_release_url=''";
      const script = text('install.sh');
      if (script.split(empty).length !== 2) throw new Error(`install.sh does not contain ${empty} once`);
      if (/[^\w:/.-]/.test(release.address)) throw new Error(`${release.address} cannot be put into install.sh as it is`);
      write('install.sh', script.replace(empty, `filled_in_release_url='${release.address}'`));
    },
  },
  {
    title: 'Fill in the formula for Homebrew: pixelctl.rb',
    make(release) {
      const {version, address: releases, archiveFor, urlOf} = release;
      const values = {
        version,
        releases,
        url: (platform) => urlOf(archiveFor(platform)),
        sha256: (platform) => sha256(join(folder, archiveFor(platform))),
      };
      write('pixelctl.rb', filled(text('scripts/release/formula.rb'), values));
    },
  },
  {
    title: 'Put the executables where the Dockerfile takes them from: docker/',
    make() {
      for (const [architecture, platform] of Object.entries(imageArchitectures)) {
        mkdirSync(join(folder, 'docker', architecture), {recursive: true});
        cpSync(join(binaries, `pixelctl-${platform}`), join(folder, 'docker', architecture, 'pixelctl'));
      }
      mkdirSync(join(folder, 'docker/config'));
      for (const file of ['Dockerfile', ...besides.filter((each) => each !== 'man' && existsSync(join(root, each)))])
        cpSync(join(root, file), join(folder, 'docker', basename(file)));
    },
  },
  {
    title: 'Copy the section of the changelog: notes.md',
    make: (release) => write('notes.md', `${release.notes.toString()}\n`),
  },
  {
    title: 'List the checksums of all files: SHA256SUMS',
    make: () =>
      write(
        'SHA256SUMS',
        downloads()
          .map((file) => `${sha256(join(folder, file))}  ${file}\n`)
          .join(''),
      ),
  },
];

/** The names of the image: all releases of a kind move along, a preview has its own name only. */
function imageTags({version, isPreview}) {
  const [major, minor] = version.split('.');
  return isPreview ? [version] : [version, `${major}.${minor}`, major, 'latest'];
}

/** What is left to do by hand. */
function sayWhatIsLeft(release) {
  const tags = imageTags(release).map((tag) => `--tag IMAGE:${tag}`);
  say('\nNot done by this script:');
  say(`- the image: docker buildx build --platform linux/amd64,linux/arm64 --build-arg BASE=… ${tags.join(' ')} release/docker`);
  say('- the formula: copy release/pixelctl.rb into the tap');
  say('- signatures for macOS and Windows, before the archives are packed: docs/releasing.md');
}

function publishCommand({tag, isPreview}) {
  const files = [...downloads(), 'SHA256SUMS'].map((file) => `release/${file}`);
  const kind = isPreview ? ['--prerelease'] : [];
  return ['release', 'create', tag, '--draft', '--verify-tag', ...kind, '--title', tag, '--notes-file', 'release/notes.md', ...files];
}

function publish(release, isSure) {
  const words = publishCommand(release);
  say(`\ngh ${words.join(' ')}`);
  if (!isSure) throw new Error('Nothing was published. To create a draft of the release with these files: --yes');
  run('gh', words);
}

function checkAll(release) {
  let isRight = true;
  for (const {title, problem} of checks) {
    const found = problem(release);
    say(found === undefined ? `ok      ${title}` : `not ok  ${title}: ${found}`);
    isRight &&= found === undefined;
  }
  return isRight;
}

async function main() {
  const {values, positionals} = parseArgs({
    allowPositionals: true,
    options: {
      'dry-run': {type: 'boolean', default: false},
      'no-tests': {type: 'boolean', default: false},
      'no-binaries': {type: 'boolean', default: false},
      publish: {type: 'boolean', default: false},
      yes: {type: 'boolean', default: false},
    },
  });
  if (positionals.length !== 1) throw new Error('Name one version: npm run release -- [--dry-run] VERSION');
  const version = positionals[0].replace(/^v/, '');
  if (valid(version) !== version) throw new Error(`${version} is no version: give it as 1.2.3 or 1.2.3-beta.1`);
  const release = new Release(version);
  const wanted = steps.filter(({unless}) => values[unless] !== true);
  if (!checkAll(release)) process.exitCode = 1;
  if (values['dry-run']) {
    say('\nA run without --dry-run would:');
    for (const [index, {title}] of wanted.entries()) say(`${index + 1}. ${title}`);
    if (values.publish) say(`${wanted.length + 1}. Create a draft of the release: gh release create ${release.tag} --draft`);
    return sayWhatIsLeft(release);
  }
  if (process.exitCode === 1) throw new Error('Nothing was made');
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder);
  for (const [index, {title, make}] of wanted.entries()) {
    say(`\n${index + 1}/${wanted.length} ${title}`);
    await make(release);
  }
  say('\nMade in release/:');
  for (const file of [...downloads(), 'SHA256SUMS', 'notes.md']) say(`  ${file}`);
  sayWhatIsLeft(release);
  return values.publish ? publish(release, values.yes) : say('\nNothing was published. To create a draft of the release, add --publish.');
}

try {
  await main();
} catch (error) {
  process.stderr.write(`Release: ${error.message}\n`);
  process.exitCode = 1;
}
