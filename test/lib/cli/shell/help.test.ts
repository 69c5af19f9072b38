/** Help of a program that has more than this one. */
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {commands} from '../../../../src/commands.js';
import {Io} from '../../../../src/lib/cli/io.js';
import {runWith} from '../../../../src/lib/cli/shell/main.js';
import {testSystem} from '../../../system.js';

const root = join(import.meta.dirname, '../../../..');
const contentOf = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));

/** Help of a copy in which `config` is called `paint`, too, in a topic of its own. */
async function helpWith(topic: Readonly<Record<string, string>>, words: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-help-'));
  const {oclif, ...pack} = contentOf('package.json');
  const {commands: known, ...manifest} = contentOf('oclif.manifest.json');
  const added = {...known.config, id: 'fences:paint', examples: ['pixelctl fences paint']};
  writeFileSync(join(folder, 'package.json'), JSON.stringify({...pack, oclif: {...oclif, topics: {...oclif.topics, fences: topic}}}));
  writeFileSync(join(folder, 'oclif.manifest.json'), JSON.stringify({...manifest, commands: {...known, 'fences:paint': added}}));
  const {system, printed} = testSystem({env: process.env});
  await runWith(
    [...words],
    {root: folder, commands: {...commands, 'fences:paint': () => import('../../../../src/commands/config.js')}},
    new Io(system),
  );
  rmSync(folder, {recursive: true});
  return printed.stdout;
}

test.each([
  [{description: 'Fences'}, 'MORE'],
  [{description: 'Fences', heading: 'GARDEN'}, 'GARDEN'],
])('a topic that is in no group comes last: %j', async (topic, heading) => {
  expect(await helpWith(topic, ['--help'])).toMatch(new RegExp(`\\n${heading}\\b[^]*\\bfences\\b`));
});

test('an example without a description is its line', async () => {
  expect(await helpWith({description: 'Fences'}, ['fences', 'paint', '--help'])).toMatch(/\n\s*pixelctl fences paint\n/);
});
