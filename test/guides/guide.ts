/** The guides' console blocks: what they show, and what really comes when it is typed. A block of code that begins with `// NAME` is a file. */
import {existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {wordsOfShell} from '../shell-words.js';
import {begin, run, type Begun} from '../e2e/in-process.js';
import {isOtherProgram, newFolder, runShell, type Ended} from '../e2e/program.js';

/** A command behind `$ `, and what stands below it. */
export interface Step {
  readonly command: string;
  readonly output: string;
}

const blocks = /^```(console|js)\n([^]*?)^```$/gm;
/** A line that ends in `\` continues on the next one. */
const commandWithOutput = /^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ |```$).*\n)*)/gm;
const fileName = /^\/\/ ([\w.-]+)\n/;

/** The steps of all console blocks. A file of code stands for a `cat` of it. */
export function stepsIn(markdown: string): Step[] {
  return [...markdown.matchAll(blocks)].flatMap(([, language, block = '']) => {
    const [, file] = fileName.exec(block) ?? [];
    if (language === 'js') return file === undefined ? [] : [{command: `cat ${file}`, output: block.trim()}];
    return [...block.matchAll(commandWithOutput)].map(([, command = '', output = '']) => ({command, output: output.trim()}));
  });
}

/** A guide with the outputs of its steps replaced; undefined leaves one as it is, and files of code stay. */
export function withOutputs(markdown: string, outputs: readonly (string | undefined)[]): string {
  let index = 0;
  return markdown.replaceAll(blocks, (text, language: string, block: string) => {
    if (language === 'js') {
      if (fileName.test(block)) index += 1;
      return text;
    }
    return text.replaceAll(commandWithOutput, (step, command: string) => {
      const output = outputs[index++];
      return output === undefined ? step : `$ ${command}\n${output === '' ? '' : `${output}\n`}`;
    });
  });
}

/** The port that guides show; the real one is whatever is free. */
const shownPort = '8080';
const startsServer = ({command}: Step) => /^pixelctl sandbox .*--port 8080/.test(command);

/** Types the steps into a shell, against the sandbox that the guide starts, else one with the demo. */
export async function play(steps: readonly Step[]): Promise<string[]> {
  const folder = newFolder();
  // The package, as scripts import it.
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(import.meta.dirname, '../..'), join(folder, 'node_modules/pixelctl'));
  const outputs: string[] = [];
  const rest = [...steps];
  while (rest.length > 0) {
    const [first] = rest;
    const begins = first !== undefined && startsServer(first);
    const server = startSandbox(begins ? first.command : `pixelctl sandbox --port ${shownPort}`);
    const said = await server.seen(/(?:export PIXELCTL_TOKEN=\S+|--profile \S+)\n\n/);
    const port = /127\.0\.0\.1:(\d+)/.exec(said)?.[1] ?? shownPort;
    if (begins) rest.shift();
    const until = rest.findIndex(startsServer);
    const own = rest.splice(0, until === -1 ? rest.length : until);
    const came = await typed(own, folder, `http://127.0.0.1:${port}`);
    server.signal('SIGTERM');
    await server.ended;
    outputs.push(...[...(begins ? [said.trim()] : []), ...came].map((text) => text.replaceAll(port, shownPort)));
  }
  return outputs;
}

function startSandbox(command: string): Begun {
  const [, ...words] = wordsOfShell(command.replace(`--port ${shownPort}`, '--port 0'));
  return begin(words);
}

/** Types the lines one after the other, as into one shell: each has what those before it exported, and their status. */
async function typed(steps: readonly Step[], folder: string, url: string): Promise<string[]> {
  const home = newFolder();
  const places = {XDG_CACHE_HOME: join(home, 'cache'), XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'data')};
  let env: Record<string, string> = {HOME: home, ...places, PIXELCTL_CONFIG_DIR: '', PIXELCTL_SERVER: url, PIXELCTL_TOKEN: 'sandbox-ana'};
  let status: number | null = 0;
  const outputs: string[] = [];
  for (const step of steps) {
    const line = shellLine({...step, command: step.command.replaceAll(shownPort, new URL(url).port)}, folder);
    const words = ownWords(line);
    let ended: Ended;
    if (words !== undefined) ended = await run(words, {env, folder, together: true});
    else {
      const exported = join(newFolder(), 'exported');
      const script = `exec 2>&1\n(exit ${status})\n${line}\n_status=$?; env -0 >'${exported}'; exit $_status`;
      ended = await runShell(script, {env, folder});
      env = Object.fromEntries(
        readFileSync(exported, 'utf8')
          .split('\0')
          .flatMap((entry) => [...entry.matchAll(/^([^=]+)=([^]*)/g)].map(([, name = '', value = '']) => [name, value])),
      );
    }
    status = ended.status;
    // CSV ends its lines as RFC 4180 asks; guides show lines.
    outputs.push(ended.stdout.replaceAll('\r\n', '\n').trim());
  }
  return outputs;
}

/** The words of a line that needs no shell and no other program. */
function ownWords(line: string): string[] | undefined {
  if (isOtherProgram) return undefined;
  try {
    const [program, ...words] = wordsOfShell(line.replaceAll('\\\n', ''));
    return program === 'pixelctl' ? words : undefined;
  } catch {
    return undefined;
  }
}

/** A `cat` of a file that is not there shows what the file is to contain. */
function shellLine({command, output}: Step, folder: string): string {
  const file = /^cat ([\w.-]+)$/.exec(command)?.[1];
  if (file !== undefined && !existsSync(join(folder, file))) writeFileSync(join(folder, file), `${output}\n`);
  return command;
}
