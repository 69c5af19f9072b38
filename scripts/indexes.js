/**
 * Writes the lists of files that are sources themselves, before they are compiled: node scripts/indexes.js [--check]
 *
 * A new file with records, with a kind of object, or with sandbox behaviour, is found by what it exports: nobody adds it to a list.
 */
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {filesIn} from './files-in.js';
import {settle} from './generated-file.js';
import {root} from './root.js';

const api = 'src/lib/api';
const kinds = `${api}/kinds`;
const behaviour = 'src/lib/sandbox/routes';
const formats = 'src/lib/policy/reports/formats';

const {values} = parseArgs({options: {check: {type: 'boolean'}}});

settle(`${api}/index.ts`, apiIndex(), values.check);
settle(`${api}/kind-name.ts`, kindNames(), values.check);
settle(`${kinds}/index.ts`, kindsIndex(), values.check);
settle(`${behaviour}/index.ts`, behaviourIndex(), values.check);
settle(`${formats}/index.ts`, formatsIndex(), values.check);
settle('src/commands.ts', commandTable(), values.check);

/** Names of the modules in a folder whose text matches. */
function modulesIn(folder, text = /(?:)/) {
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.ts') && file !== 'index.ts' && text.test(readFileSync(join(root, folder, file), 'utf8')))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
}

function textOf(folder, module) {
  return readFileSync(join(root, folder, `${module}.ts`), 'utf8');
}

function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}

function nameOf(module) {
  return module.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());
}

function apiIndex() {
  const modules = modulesIn(api, /^import \{[^}]*\bendpoint\b[^}]*\} from '\.\/endpoint\.js';$/m);
  return `/** Every record. Written by \`npm run generate\` from the files beside it: do not edit. */
import type {Endpoint} from './endpoint.js';
${modules.map((module) => `import * as ${nameOf(module)} from './${module}.js';`).join('\n')}

${modules.map((module) => `export * from './${module}.js';`).join('\n')}

const records = Object.values<Endpoint>({
${modules.map((module) => `  ...${nameOf(module)},`).join('\n')}
});

/** Every endpoint that has a command. For what needs them all: commands import their own. */
export const endpoints: readonly Endpoint[] = records.filter(({internal}) => !internal);
`;
}

function kindNames() {
  const names = modulesIn(kinds).map((module) => `'${nameOf(module)}'`);
  return `/** The names of all kinds of objects. Written by \`npm run generate\` from the files in \`kinds\`: do not edit. */
export type KindName =
${names.map((name) => `  | ${name}`).join('\n')};
`;
}

function kindsIndex() {
  const modules = modulesIn(kinds);
  for (const module of modules) {
    const wanted = `export const ${nameOf(module)}Kind: ObjectKind =`;
    if (!textOf(kinds, module).includes(wanted)) refuse(`${kinds}/${module}.ts exports no kind of that name: write \`${wanted} {…}\``);
  }
  return `/** Every kind of object. Written by \`npm run generate\` from the files beside it: do not edit. */
import type {ObjectKind} from '../kind.js';
${modules.map((module) => `import {${nameOf(module)}Kind} from './${module}.js';`).join('\n')}
import type {KindName} from '../kind-name.js';

export const kinds: Readonly<Record<KindName, ObjectKind>> = {
${modules.map((module) => `  ${nameOf(module)}: ${nameOf(module)}Kind,`).join('\n')}
};
`;
}

function behaviourIndex() {
  const modules = modulesIn(behaviour, /^export const routes\b/m);
  return `/** Every route of the sandbox. Written by \`npm run generate\` from the files beside it: do not edit. */
import type {Route} from '../route.js';
${modules.map((module) => `import {routes as ${nameOf(module)}} from './${module}.js';`).join('\n')}

export const routes: readonly Route[] = Object.values({
${modules.map((module) => `  ${nameOf(module)},`).join('\n')}
}).flat();
`;
}

function formatsIndex() {
  const modules = modulesIn(formats);
  const entries = modules.map((module) => {
    const name = nameOf(module);
    const text = textOf(formats, module);
    const wanted = `export const ${name}: ReportFormat = {`;
    const [, record = ''] = text.split(wanted);
    const facts = ['extension', 'about'].map((fact) => new RegExp(`^  ${fact}: '.+',$`, 'm').exec(record)?.[0]);
    if (facts.includes(undefined))
      refuse(
        `${formats}/${module}.ts exports no format of that name: write \`${wanted}\`, with \`extension: '…',\` and \`about: '…',\` on lines of their own`,
      );
    return `  ${name}: {
${facts.map((fact) => `  ${fact}\n`).join('')}    load: async () => (await import('./${module}.js')).${name},
  },`;
  });
  return `/** Every format of reports. Written by \`npm run generate\` from the files beside it: do not edit. */
import type {ListedFormat} from '../format.js';

export const reportFormats = {
${entries.join('\n')}
} satisfies Readonly<Record<string, ListedFormat>>;
`;
}

function commandTable() {
  const files = filesIn(join(root, 'src/commands')).filter((file) => file.endsWith('.ts'));
  const names = files.map((file) => file.slice(0, -'.ts'.length)).sort();
  const lines = names.map((name) => `  ${quoted(name.replaceAll('/', ':'))}: () => import('./commands/${name}.js'),`);
  return `/** How each command is loaded. Written by \`npm run generate\` from the folder beside it: do not edit. */
import type {CommandTable} from './lib/cli/shell/config.js';

export const commands: CommandTable = {
${lines.join('\n')}
};
`;
}

/** A key as the formatter writes it. */
function quoted(key) {
  return /^\w+$/.test(key) ? key : `'${key}'`;
}
