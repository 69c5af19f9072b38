import {anchor, fence, notice, paragraphs, table} from './markdown.js';
import {descriptionOf, fill, invocation, summaryOf, topicsOf} from './topics.js';

/** Flags that several commands have are described once, on the page of global flags. */
const isGlobal = (flag) => flag.helpGroup !== undefined;

/** The pages of the reference by name, one for each topic. */
export function referencePages(manifest, {oclif}) {
  const topics = topicsOf(manifest, oclif.topics);
  const pages = {
    'README.md': index(topics, oclif.bin),
    'global-flags.md': globalFlagsPage(Object.values(manifest.commands)),
    ...Object.fromEntries(topics.map((topic) => [`${topic.name}.md`, page(topic, oclif.bin)])),
  };
  return Object.fromEntries(Object.entries(pages).map(([name, text]) => [name, `${notice}\n\n${text}\n`]));
}

function index(topics, bin) {
  const sections = topics.map(({name, description, commands}) =>
    paragraphs(`### ${name}`, description, commandTable(commands, `${name}.md`, bin)),
  );
  return paragraphs(
    '# Reference',
    [
      '- [Commands](#commands), and the [flags](global-flags.md) that they share',
      '- [Exit status](exit-status.md): the number of every kind of failure',
      '- [Endpoints](endpoints.md): which request each command sends',
      '- [OpenAPI](openapi.json): the same endpoints with their input and answers, for programs',
    ].join('\n'),
    '## Commands',
    ...sections,
  );
}

function globalFlagsPage(commands) {
  const flags = new Map(
    commands.flatMap((command) =>
      Object.values(command.flags)
        .filter(isGlobal)
        .map((flag) => [flag.name, flag]),
    ),
  );
  const [common, rare] = [[], []];
  for (const flag of flags.values()) (commands.every((command) => flag.name in command.flags) ? common : rare).push(flag);
  return paragraphs(
    '# Global flags',
    'Every command takes these. A flag takes precedence over the environment.',
    flagTable(common),
    'Some commands also take these; `--help` lists the ones of a command.',
    flagTable(rare),
  );
}

function page({name, description, commands}, bin) {
  const contents = commands.length > 1 && commandTable(commands, '', bin);
  return paragraphs(`# ${name}`, description, contents, ...commands.map((command) => section(command, bin)));
}

function commandTable(commands, file, bin) {
  return table(
    ['command', ''],
    commands.map((command) => [`[\`${invocation(bin, command)}\`](${file}#${anchor(invocation(bin, command))})`, summaryOf(command)]),
  );
}

function section(command, bin) {
  const flags = Object.values(command.flags).filter((flag) => !flag.hidden && !isGlobal(flag));
  const args = Object.values(command.args).filter((arg) => !arg.hidden);
  const examples = [command.examples ?? []].flat().map((example) => exampleText(example, command, bin));
  return paragraphs(
    `## ${invocation(bin, command)}`,
    summaryOf(command),
    fence(usage(command, args, flags, bin)),
    descriptionOf(command),
    args.length > 0 &&
      table(
        ['argument', ''],
        args.map((arg) => [`\`${arg.name.toUpperCase()}\``, argText(arg)]),
      ),
    flags.length > 0 && flagTable(flags),
    sharedFlags(command),
    examples.length > 0 && `Examples:\n\n${fence(examples.join('\n\n'), 'sh')}`,
  );
}

/** Global flags that a command has and that matter for it: whether it asks, and whether it can be dry-run. */
function sharedFlags({flags}) {
  const own = ['dry-run', 'yes', 'no-limits'].filter((name) => name in flags && !flags[name].hidden).map((name) => `\`--${name}\``);
  return `It also takes ${own.length > 0 ? `${own.join(', ')} and ` : ''}the [global flags](global-flags.md).`;
}

function usage(command, args, flags, bin) {
  if (command.usage)
    return [command.usage]
      .flat()
      .map((line) => `${bin} ${fill(line, command, bin)}`)
      .join('\n');
  const words = args.map((arg) => {
    const word = arg.name.toUpperCase() + (arg.multiple ? '...' : '');
    return arg.required ? word : `[${word}]`;
  });
  const required = flags.filter((flag) => flag.required).map((flag) => `--${flag.name}${value(flag)}`);
  return [invocation(bin, command), ...words, ...required, '[flags]'].join(' ');
}

function flagTable(flags) {
  const rows = flags.map((flag) => {
    const name = `${flag.char ? `\`-${flag.char}\`, ` : ''}\`--${flag.allowNo ? '[no-]' : ''}${flag.name}${value(flag)}\``;
    const notes = [
      flag.required && 'required',
      flag.multiple && 'may be repeated',
      flag.options && `one of ${flag.options.map((option) => `\`${option}\``).join(', ')}`,
      flag.default !== undefined && `default \`${flag.default}\``,
      flag.env && `environment: \`${flag.env}\``,
    ].filter(Boolean);
    return [name, [flag.summary ?? flag.description, ...notes].filter(Boolean).join('; ')];
  });
  return table(['flag', ''], rows);
}

function argText(arg) {
  return [arg.description, arg.multiple && 'one or more; `-` reads them from standard input'].filter(Boolean).join('; ');
}

function value(flag) {
  return flag.type === 'option' ? `=${flag.helpValue ?? flag.name.toUpperCase()}` : '';
}

function exampleText(example, command, bin) {
  if (typeof example === 'string') return fill(example, command, bin);
  const line = fill(example.command, command, bin);
  return example.description ? `# ${fill(example.description, command, bin)}\n${line}` : line;
}
