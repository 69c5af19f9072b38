import {spawnSync} from 'node:child_process';
import {readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {hasTerminal, startProgram} from '../e2e/program.js';
import {play, stepsIn, withOutputs, type Step} from './guide.js';

const root = join(import.meta.dirname, '../..');
const guides = ['README.md', ...readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`)]
  .map((file) => ({file, steps: stepsIn(readFileSync(join(root, file), 'utf8'))}))
  .filter(({steps}) => steps.length > 0);

/** Times and columns move, guides show times as a terminal does, and the README tells of a server with a name. */
function comparable(text: string): string {
  return (
    text
      .replaceAll(/(?:https?:\/\/)?127\.0\.0\.1:8080|https:\/\/pix\.example/g, 'pix.example')
      .replaceAll(/\d+ (?:s|min|h) ago|just now|in \d+ (?:min|h|days?)|\d{4}-\d\d-\d\dT\d\d:?\d\d:?\d\dZ/g, 'some time ago')
      // A digest has the address of the sandbox in it, which is another one in each run.
      .replaceAll(/\b[\da-f]{64}\b/g, 'a digest')
      .replaceAll(/ +/g, ' ')
  );
}

const hasTools = ['curl', 'jq', 'seq'].every((tool) => spawnSync('which', [tool]).status === 0);

/** The README shows a real server, whose address begins with https. */
const named = (text: string): string =>
  text.replaceAll('http://127.0.0.1:8080', 'https://pix.example').replaceAll('127.0.0.1:8080', 'pix.example');

/** `UPDATE_GUIDES=1 npm run test:guides` writes what comes into the guides: look at the difference before you commit it. */
const updates = process.env['UPDATE_GUIDES'] === '1';

function update(file: string, steps: readonly Step[], came: readonly string[]): void {
  const outputs = steps.map(({output}, index) => {
    const now = came[index] ?? '';
    const isSame = comparable(now) === comparable(output) || (output.endsWith('\n…') && now.startsWith(output.slice(0, -1)));
    return isSame ? undefined : file === 'README.md' ? named(now) : now;
  });
  const path = join(root, file);
  writeFileSync(path, withOutputs(readFileSync(path, 'utf8'), outputs));
}

describe.skipIf(!hasTools).concurrent('what a guide shows is what comes', () => {
  test.each(guides)('$file', async ({file, steps}) => {
    const came = await play(steps);
    if (updates) return update(file, steps, came);
    const shown = steps.map(({output}, index) => {
      // An ellipsis at the end stands for the rest.
      const beginning = output.endsWith('\n…') ? output.slice(0, -1) : undefined;
      return beginning !== undefined && came[index]?.startsWith(beginning) ? came[index] : output;
    });
    const told = (outputs: readonly string[]) => steps.map(({command}, index) => `$ ${command}\n${comparable(outputs[index] ?? '')}`);
    expect(told(came)).toEqual(told(shown));
  });
});

test.skipIf(!hasTerminal)('the picture in the README shows what a run prints', async () => {
  const {status, stderr} = await startProgram(process.execPath, [join(root, 'scripts/picture.js'), '--check'], {folder: root}).ended;
  expect({status, stderr}).toEqual({status: 0, stderr: ''});
});
