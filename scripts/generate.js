/**
 * Writes generated files: node scripts/generate.js [--check] [generator...]
 *
 * With --check it writes nothing, and fails when a file is out of date.
 */
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {endpointsPage} from './endpoints-page.js';
import {environmentPage, exitStatusPage} from './environment.js';
import {settle} from './files.js';
import {manifestText, readManifest} from './manifest.js';
import {manFiles, manPages} from './man-pages.js';
import {jsonDocumentFiles, jsonDocumentsPage} from './json-documents.js';
import {openapiText} from './openapi.js';
import {policyPage, policySchemaText} from './policy-page.js';
import {checkRecords, checkReferences, topicTitles} from './records.js';
import {referencePages} from './reference.js';
import {root} from './root.js';
import {skillText} from './skill.js';

/** Each makes one file, or all files of a folder: others there are removed. What is not committed is made anew, without a word. */
const generators = [
  {name: 'package', file: 'package.json', make: (_, pjson) => `${JSON.stringify(pjson, null, 2)}\n`},
  {name: 'manifest', file: 'oclif.manifest.json', make: manifestText},
  {name: 'exit-status', file: 'docs/reference/exit-status.md', make: exitStatusPage},
  {name: 'environment', file: 'docs/reference/environment.md', make: environmentPage},
  {name: 'endpoints', file: 'docs/reference/endpoints.md', make: endpointsPage},
  {name: 'openapi', file: 'docs/reference/openapi.json', make: openapiText},
  {name: 'policy-schema', file: 'docs/reference/policy.schema.json', make: policySchemaText},
  {name: 'policy', file: 'docs/reference/policy.md', make: policyPage},
  {name: 'json', file: 'docs/reference/json.md', make: jsonDocumentsPage},
  {name: 'json-schemas', folder: 'docs/reference/schemas', make: jsonDocumentFiles},
  {name: 'skill', file: 'skills/pixelctl/SKILL.md', make: skillText},
  {name: 'reference', folder: 'docs/reference', make: referencePages},
  {name: 'man', folder: 'man', make: manPages, isCommitted: false},
];
const ownFiles = new Set(generators.flatMap(({file, folder}) => [file, folder]));

const {values, positionals} = parseArgs({allowPositionals: true, options: {check: {type: 'boolean'}}});
const chosen = generators.filter(({name}) => positionals.length === 0 || positionals.includes(name));

try {
  // Defaults of flags may come from the environment, but generated files must not.
  for (const name of Object.keys(process.env)) if (name.startsWith('PIXELCTL_')) delete process.env[name];
  const manifest = await readManifest();
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  pjson.oclif.topics = await topicTitles(manifest, pjson);
  pjson.man = manFiles(manifest, pjson);
  checkRecords();
  for (const generator of chosen) {
    const made = await generator.make(manifest, pjson);
    if (generator.file?.startsWith('docs/') && generator.file.endsWith('.json')) checkReferences(generator.file, made);
    const wanted = generator.folder ? inFolder(generator.folder, made) : {[generator.file]: made};
    const surplus = generator.folder ? filesIn(generator.folder).filter((file) => !(file in wanted) && !ownFiles.has(file)) : [];
    const isQuiet = generator.isCommitted === false;
    for (const file of [...surplus, ...Object.keys(wanted)]) settle(file, wanted[file], values.check && !isQuiet, isQuiet);
  }
} catch (error) {
  process.stderr.write(`Generated files: ${error.message}\n`);
  process.exitCode = 1;
}

function inFolder(folder, files) {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}

function filesIn(folder) {
  return existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map((name) => `${folder}/${name}`) : [];
}
