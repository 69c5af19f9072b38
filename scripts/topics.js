/** What the reference and the man pages say about commands. Text in backticks is code. */
import {jsonDocuments} from '../dist/lib/cli/printed-documents.js';
import {helpGroups} from '../dist/lib/cli/flags.js';

/** Commands by topic, sorted; a command without a topic is a topic of its own. */
export function topicsOf({commands}, descriptions) {
  const topics = new Map();
  for (const command of Object.values(commands)) {
    const name = command.id.split(':')[0];
    if (!topics.has(name)) topics.set(name, {name, description: descriptions[name]?.description, commands: []});
    topics.get(name).commands.push(command);
  }
  return [...topics.values()];
}

export function invocation(bin, command) {
  return [bin, ...command.id.split(':')].join(' ');
}

export const summaryOf = (command) => fill(command.summary, command);

export const descriptionOf = (command) => fill(command.description, command).trim();

/** What is worth knowing beyond the help. */
export const detailsOf = (command) => fill(command.details ?? '', command).trim();

/** The document of the reference about JSON that a command prints; undefined: it prints others. */
export const documentOf = ({id}) => jsonDocuments.find(({commands}) => commands.includes(id.replaceAll(':', ' ')))?.name;

/** The template that oclif fills in its help. */
export const fill = (text, {id}) => text.replaceAll('<%= command.id %>', id.replaceAll(':', ' '));

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

export const argumentsOf = (command) => Object.values(command.args);

export const usageOf = (command, bin) => `${bin} ${fill(command.usage, command)}`;

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
  ].filter(Boolean);
  return [flag.description, ...notes].filter(Boolean).join('; ');
}

export function argText(arg) {
  const isSaid = arg.description.includes('-: ');
  return [arg.description, arg.multiple && 'one or more', arg.multiple && !isSaid && '`-` reads them from standard input']
    .filter(Boolean)
    .join('; ');
}

/** Lines of shell, each below what it is for. */
export const examplesOf = ({examples}) => examples.map(({description, command: line}) => `# ${description}\n${line}`);
