/** What the reference and the man pages say about commands. Text in backticks is code. */
import {jsonDocuments} from '../dist/lib/cli/printed-documents.js';
import {helpGroups} from '../dist/lib/cli/flags.js';

/** Commands by topic, sorted; a command without a topic is a topic of its own. */
export function topicsOf({commands}, descriptions) {
  const topics = new Map();
  for (const command of Object.values(commands)) {
    if (command.hidden) continue;
    const name = command.id.split(':')[0];
    if (!topics.has(name)) topics.set(name, {name, description: descriptions[name]?.description, commands: []});
    topics.get(name).commands.push(command);
  }
  return [...topics.values()];
}

export function invocation(bin, command) {
  return [bin, ...command.id.split(':')].join(' ');
}

/** As in oclif: the summary, else the first line of the description. */
export function summaryOf(command) {
  return fill(command.summary ?? (command.description ?? '').split('\n')[0], command);
}

export function descriptionOf(command) {
  const text = command.summary ? (command.description ?? '') : (command.description ?? '').split('\n').slice(1).join('\n');
  return fill(text, command).trim();
}

/** What is worth knowing beyond the help. */
export const detailsOf = (command) => fill(command.details ?? '', command).trim();

/** The document of the reference about JSON that a command prints; undefined: it prints others. */
export const documentOf = ({id}) => jsonDocuments.find(({commands}) => commands.includes(id.replaceAll(':', ' ')))?.name;

/** The two templates that oclif fills in its help. */
export function fill(text, command, bin = 'pixelctl') {
  return text.replaceAll('<%= config.bin %>', bin).replaceAll('<%= command.id %>', command.id.replaceAll(':', ' '));
}

/** Flags that every command has are described once, as global flags. */
export function globalFlagsOf({commands}) {
  const flags = Object.values(commands).flatMap((command) => Object.values(command.flags));
  const global = flags.filter(({helpGroup}) => helpGroup === helpGroups.global);
  return [...new Map(global.map((flag) => [flag.name, flag])).values()];
}

export const aboutGlobalFlags =
  'Every command takes these, and `--yes`, so that scripts may pass it to all of them. A flag takes precedence over the environment.';

const order = [undefined, ...Object.values(helpGroups)];

/** The flags that are listed with a command, as its help lists them. */
export const ownFlagsOf = (command) =>
  Object.values(command.flags)
    .filter(({hidden, helpGroup}) => !hidden && helpGroup !== helpGroups.global)
    .sort((one, other) => order.indexOf(one.helpGroup) - order.indexOf(other.helpGroup));

export const argumentsOf = (command) => Object.values(command.args).filter((arg) => !arg.hidden);

/** One line for each form of a command. */
export function usageOf(command, bin) {
  if (command.usage)
    return [command.usage]
      .flat()
      .map((line) => `${bin} ${fill(line, command, bin)}`)
      .join('\n');
  const words = argumentsOf(command).map((arg) => {
    const word = arg.name.toUpperCase() + (arg.multiple ? '...' : '');
    return arg.required ? word : `[${word}]`;
  });
  const required = ownFlagsOf(command).filter((flag) => flag.required);
  return [invocation(bin, command), ...words, ...required.map((flag) => `--${flag.name}${value(flag)}`), '[flags]'].join(' ');
}

function value(flag) {
  return flag.type === 'option' ? `=${flag.helpValue ?? flag.name.toUpperCase()}` : '';
}

/** `-o` and `--output=FORMAT` */
export function namesOf(flag) {
  const name = `--${flag.allowNo ? '[no-]' : ''}${flag.name}${value(flag)}`;
  return flag.char ? [`-${flag.char}`, name] : [name];
}

export function flagText(flag) {
  const notes = [
    flag.required && 'required',
    flag.multiple && 'may be repeated',
    flag.options && `one of ${flag.options.map((option) => `\`${option}\``).join(', ')}`,
    flag.default !== undefined && `default \`${flag.default}\``,
    flag.env && `environment: \`${flag.env}\``,
  ].filter(Boolean);
  return [flag.summary ?? flag.description, ...notes].filter(Boolean).join('; ');
}

export function argText(arg) {
  return [arg.description, arg.multiple && 'one or more; `-` reads them from standard input'].filter(Boolean).join('; ');
}

/** Lines of shell, each below what it is for. */
export function examplesOf(command, bin) {
  return [command.examples ?? []].flat().map((example) => {
    if (typeof example === 'string') return fill(example, command, bin);
    const line = fill(example.command, command, bin);
    return example.description ? `# ${fill(example.description, command, bin)}\n${line}` : line;
  });
}
