/** The command lines that a page shows in its fenced blocks, held against the commands that there are. */
import type {Command} from '@oclif/core';
import {stepsIn} from './guides/guide.js';
import {commandWith} from './manifest.js';

/** Words of a shell: quoted, an operator, or plain. */
const word = /[^\S\n]*(?:#[^\n]*|((?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s|;&<>'"\\])+)|(\|\||&&|[|;&<>\n]))/gy;
const beforeCommands = /^(?:do|then|else|!|[A-Z_]+=.*)$/;

/** The words after `pixelctl`, of each time that it is called. */
export function commandLines(markdown: string): string[][] {
  const scripts = [...markdown.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  const texts = [...scripts, ...stepsIn(markdown).map(({command}) => command)];
  return texts.flatMap((text) => calls(text.replaceAll('\\\n', ' ')).flatMap(([name, ...words]) => (name === 'pixelctl' ? [words] : [])));
}

function calls(text: string): string[][] {
  const found: string[][] = [[]];
  let redirected = false;
  for (const [, plain, operator] of text.matchAll(word)) {
    const current = found.at(-1) ?? [];
    if (operator !== undefined) {
      redirected = /^[<>]/.test(operator);
      if (!redirected) found.push([]);
    } else if (plain !== undefined && redirected) {
      redirected = false;
    } else if (plain !== undefined && !(current.length === 0 && beforeCommands.test(plain))) {
      current.push(plain);
    }
  }
  return found;
}

/** What is wrong with a command line, if anything. */
export function complaint(words: readonly string[]): string | undefined {
  const id = [3, 2, 1].map((count) => words.slice(0, count).join(':')).find((name) => commandWith(name) !== undefined) ?? words[0] ?? '';
  const command = commandWith(id);
  if (command === undefined) return id.startsWith('-') ? undefined : `${words.slice(0, 2).join(' ')}: there is no such command`;
  const end = words.indexOf('--');
  const unknown = words
    .slice(0, end === -1 ? undefined : end)
    .find((each) => /^--?[a-z]/i.test(each) && !isFlag(each.split('=', 1)[0] ?? '', command.flags));
  return unknown === undefined ? undefined : `${id.replaceAll(':', ' ')}: there is no flag ${unknown}`;
}

function isFlag(given: string, flags: Command.Cached['flags']): boolean {
  const name = given.replace(/^-+/, '');
  if (!given.startsWith('--')) return Object.values(flags).some(({char}) => char === name);
  return name === 'help' || name in flags || allowsNo(flags[name.replace(/^no-/, '')]);
}

const allowsNo = (flag: Command.Flag.Cached | undefined): boolean => flag?.type === 'boolean' && flag.allowNo === true;

/** Commands in a text for people: in backticks, or behind a colon up to the end of the line. */
export function suggestionsIn(text: string): string[] {
  const inTicks = [...text.matchAll(/`(pixelctl [^`]+)`/g)].map(([, command = '']) => command);
  const behindColons = [...text.matchAll(/: (pixelctl [^`\n]+)$/gm)].map(([, command = '']) => command);
  return [...inTicks, ...behindColons];
}
