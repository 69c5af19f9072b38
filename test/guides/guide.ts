/** The guides' console blocks: what they show, and what really comes when it is typed. A block of code that begins with `// NAME` is a file. */
import {existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
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
    const [, name, assigned] = /^export (\w+)=\$\((.*)\)$/.exec(line) ?? [];
    const [, told] = /^(.*); echo "status \$\?"$/.exec(line) ?? [];
    const pipeline = pipelineIn(assigned ?? told ?? line, env);
    let ended: Ended;
    if (pipeline !== undefined) {
      ended = await flow(pipeline, {env, folder});
      if (name !== undefined) {
        env = {...env, [name]: ended.stdout.trim()};
        ended = {...ended, stdout: ''};
      } else if (told !== undefined) ended = {...ended, stdout: `${ended.stdout}status ${ended.status}\n`, status: 0};
    } else {
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

/** A command of a pipeline. */
interface Stage {
  /** As it is written. */
  readonly text: string;
  /** Of pixelctl, which runs in this process; undefined for another program. */
  readonly words: readonly string[] | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Where what comes in stands, and where what goes out is put. */
  readonly from: string | undefined;
  readonly to: {readonly file: string; readonly isAddedTo: boolean} | undefined;
  readonly errors: 'lost' | 'shown' | 'with the output';
}

const redirections = /\s+(?:(2> ?\/dev\/null)|(2>&1)|(>>?) ?([\w./-]+)|< ?([\w.-]+))$/;

function stageIn(text: string): Stage {
  let [rest, from, to, errors]: [string, Stage['from'], Stage['to'], Stage['errors']] = [text.trim(), undefined, undefined, 'shown'];
  for (let found = redirections.exec(rest); found !== null; found = redirections.exec(rest)) {
    const [, lost, joined, arrow, target = '', source] = found;
    if (lost !== undefined) errors = 'lost';
    if (joined !== undefined) errors = 'with the output';
    if (arrow !== undefined) to = {file: target, isAddedTo: arrow === '>>'};
    from = source ?? from;
    rest = rest.slice(0, found.index);
  }
  const all = wordsOfShell(rest);
  const begin = all.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const env = Object.fromEntries(all.slice(0, begin).map((word) => word.split(/=(.*)/s)));
  const [program, ...words] = begin === -1 ? [] : all.slice(begin);
  if (program === undefined) throw new Error('there is no command');
  return {text, words: program === 'pixelctl' ? words : undefined, env, from, to, errors};
}

/** The commands of a line that runs pixelctl and needs no shell but to connect them, and to put in what was exported. */
export function pipelineIn(line: string, env: Readonly<Record<string, string>> = {}): readonly Stage[] | undefined {
  if (isOtherProgram) return undefined;
  const texts = [''];
  for (const [part] of line.replaceAll('\\\n', '').matchAll(/'[^']*'|"(?:[^"\\]|\\[^])*"|\\[^]|\||[^'"\\|]+|['"\\]/g)) {
    if (part === '|') texts.push('');
    else texts[texts.length - 1] += part.startsWith("'") ? part : part.replaceAll(/\$(\w+)/g, (text, name: string) => env[name] ?? text);
  }
  try {
    const stages = texts.map(stageIn);
    return stages.some(({words}) => words !== undefined) ? stages : undefined;
  } catch {
    return undefined;
  }
}

/** Runs one command after the other; what is told of the errors of those before it comes before the last one's output. */
export async function flow(
  stages: readonly Stage[],
  around: {readonly env: Readonly<Record<string, string>>; readonly folder: string},
): Promise<Ended> {
  let [told, stdin, ended]: [string, string, Ended | undefined] = ['', '', undefined];
  for (const [index, {text, words, from, to, errors, ...stage}] of stages.entries()) {
    const isLast = index === stages.length - 1;
    if (from !== undefined) stdin = readFileSync(join(around.folder, from), 'utf8');
    const circumstances = {...around, env: {...around.env, ...stage.env}, stdin};
    const isJoined = errors === 'with the output' || (isLast && errors === 'shown' && to === undefined);
    ended =
      words === undefined ? await runShell(text, circumstances) : await run(words, {...circumstances, ...(isJoined && {together: true})});
    if (errors === 'shown') told += ended.stderr;
    stdin = ended.stdout;
    if (words === undefined || to === undefined) continue;
    writeFileSync(resolve(around.folder, to.file), stdin, {flag: to.isAddedTo ? 'a' : 'w'});
    stdin = '';
  }
  return {stdout: told + stdin, stderr: '', status: ended?.status ?? null, signal: null};
}

/** A `cat` of a file that is not there shows what the file is to contain. */
function shellLine({command, output}: Step, folder: string): string {
  const file = /^cat ([\w.-]+)$/.exec(command)?.[1];
  if (file !== undefined && !existsSync(join(folder, file))) writeFileSync(join(folder, file), `${output}\n`);
  return command;
}
