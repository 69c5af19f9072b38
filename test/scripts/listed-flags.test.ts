/** The flags of every command, as its help, the reference and its man page list them. */
import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {manPages} from '../../scripts/man-pages.js';
import {readManifest} from '../../scripts/manifest.js';
import {referencePages} from '../../scripts/reference.js';
import {commands} from '../manifest.js';
import {runCommand} from '../run-command.js';

const manifest = await readManifest();
const about = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const man: Readonly<Record<string, string>> = manPages(manifest, about);
const reference: Readonly<Record<string, string>> = referencePages(manifest, about);

/** The text from a line to the next one that begins in the same way. */
function partOf(page: string | undefined, begin: string, line: string): string {
  const [, part = ''] = `${page}\n${begin}`.split(`${begin}${line}\n`);
  return part.split(`\n${begin}`, 1)[0] ?? '';
}

const named = (lines: readonly string[], pattern: RegExp): string[] => lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);

/** `--[no-]whole-word` without its value. */
const name = String.raw`--(?:\[no-\])?([a-z][a-z-]*)`;
/** Two columns: a sentence can begin with a flag, too. */
const inHelp = new RegExp(String.raw`^ +(?:-\w, +)?${name}(?:=\S+)?(?:  |$)`);
const inTable = new RegExp(String.raw`^\| (?:\`-\w\`, )?\`${name}`);
const inMan = new RegExp(String.raw`^(?:\\fB-\w\\fR, )?\\fB${name}`);

const globalFlags = named((reference['global-flags.md'] ?? '').split('\n'), inTable);

test('the global flags are on a page of the reference and in the man page of the program', () => {
  expect(globalFlags).toContain('output');
  expect(named(plain(man['pixelctl.1'] ?? '').split('\n'), inMan)).toEqual(expect.arrayContaining(globalFlags));
});

/** Roff with plain minus signs. */
function plain(roff: string): string {
  return roff.replaceAll(String.raw`\-`, '-');
}

describe.each(commands.filter(({hidden}) => hidden !== true))('$id', ({id, flags}) => {
  const [topic = ''] = id.split(':');
  const words = id.split(':');
  const page = named(partOf(reference[`${topic}.md`], '## ', `pixelctl ${words.join(' ')}`).split('\n'), inTable);

  test('has the same flags in its help, in the reference and in its man page', async () => {
    const {stdout} = await runCommand([...words, '--help']);
    const [own = '', global = ''] = stdout.split(/^GLOBAL FLAGS$/m);
    const help = [...named(own.split('\n'), inHelp), ...global.split(/\s+/).flatMap((word) => /^--(\S+)/.exec(word)?.[1] ?? [])];
    expect([...new Set([...page, ...globalFlags])].toSorted()).toEqual(help.toSorted());
    const manual = plain(man[`pixelctl-${topic}.1`] ?? '');
    expect(named(partOf(manual, '.SS ', `"pixelctl ${words.join(' ')}"`).split('\n'), inMan)).toEqual(page);
  });

  test('lists every flag that it has', () => {
    const shown = Object.values(flags).flatMap((flag) => (flag.hidden === true ? [] : flag.name));
    expect([...new Set([...page, ...globalFlags])].toSorted()).toEqual(shown.toSorted());
  });
});
