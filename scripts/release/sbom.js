/** The software bill of materials: what is in the bundle, in the JSON format of CycloneDX. npm knows the packages, rolldown what it took from them. */
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {bundledPackages} from '../licenses/index.js';
import {root} from '../root.js';

const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** What can be installed beside the bundle, such as native modules, and what that needs in turn: `name@version`. */
function packagesBeside(packages, {dependencies, optionalDependencies, peerDependencies} = packages['']) {
  const names = Object.keys({...dependencies, ...optionalDependencies, ...peerDependencies});
  return names.flatMap((name) => {
    const found = packages[`node_modules/${name}`];
    return found === undefined ? [] : [`${name}@${found.version}`, ...packagesBeside(packages, found)];
  });
}

/** A UUID made from a text. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const bunVersions = (runtimes) => Object.entries(runtimes).flatMap(([name, {version}]) => (name.startsWith('@oven/bun-') ? [version] : []));

/** The runtime that is inside the single executables. */
function runtime() {
  const versions = new Set(bunVersions(readJson('scripts/runtimes.json')));
  if (versions.size !== 1) throw new Error('The runtimes of the single executables have different versions');
  const [version] = versions;
  return {
    'bom-ref': `bun@${version}`,
    type: 'platform',
    name: 'bun',
    version,
    scope: 'optional',
    description: 'The runtime inside the single executables',
    licenses: [{license: {id: 'MIT'}}],
    purl: `pkg:npm/bun@${version}`,
  };
}

/** @param time the time of the release: the text depends on nothing else but the files of the checkout */
export function sbomText(time) {
  const inside = new Set(bundledPackages().map(({id}) => id));
  const wanted = new Set([...inside, ...packagesBeside(readJson('package-lock.json').packages)]);
  const bom = JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 100_000_000,
      shell: process.platform === 'win32',
    }),
  );
  const {name, version, description, license} = readJson('package.json');
  const self = `${name}@${version}`;
  const components = bom.components
    .filter((component) => wanted.has(component['bom-ref']))
    // Being a development dependency says nothing about a package that is in the bundle.
    .map(({properties: _, ...component}) => ({...component, scope: inside.has(component['bom-ref']) ? 'required' : 'optional'}));
  const found = new Set(components.map((component) => component['bom-ref']));
  const missing = [...wanted].filter((each) => !found.has(each));
  if (missing.length > 0) throw new Error(`npm sbom knows nothing of ${missing.join(', ')}`);
  const dependencies = bom.dependencies
    .filter(({ref}) => found.has(ref))
    .map(({ref, dependsOn = []}) => ({ref, dependsOn: dependsOn.filter((each) => found.has(each))}));
  const bun = runtime();
  const content = {
    metadata: {
      timestamp: time.toISOString(),
      lifecycles: [{phase: 'build'}],
      // Without its version: any npm makes the same text.
      tools: bom.metadata.tools.map(({version: _, ...tool}) => tool),
      // Not as a package of npm: the name is not ours there.
      component: {
        'bom-ref': self,
        type: 'application',
        name,
        version,
        description,
        licenses: [{license: {id: license}}],
        purl: `pkg:generic/${self}`,
      },
    },
    components: [...components, bun],
    dependencies: [{ref: self, dependsOn: [...found, bun['bom-ref']]}, ...dependencies, {ref: bun['bom-ref'], dependsOn: []}],
  };
  const head = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
  };
  return `${JSON.stringify({...head, ...content}, undefined, 2)}\n`;
}
