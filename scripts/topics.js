/** What the reference and the man pages say about commands. Text in backticks is code. */

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

/** The two templates that oclif fills in its help. */
export function fill(text, command, bin = 'pixelctl') {
  return text.replaceAll('<%= config.bin %>', bin).replaceAll('<%= command.id %>', command.id.replaceAll(':', ' '));
}

/** Flags that several commands have are described once, as global flags. */
const isGlobal = (flag) => flag.helpGroup !== undefined;

export const aboutGlobalFlags = {
  common: 'Every command takes these. A flag takes precedence over the environment.',
  rare: 'Some commands also take these; `--help` lists the ones of a command.',
};

/** The global flags: those of every command, and those of some. */
export function globalFlagsOf(commands) {
  const all = commands.flatMap(({flags}) => Object.values(flags).filter(isGlobal));
  const flags = [...new Map(all.map((flag) => [flag.name, flag])).values()];
  const isCommon = ({name}) => commands.every((command) => name in command.flags);
  return {common: flags.filter(isCommon), rare: flags.filter((flag) => !isCommon(flag))};
}

export const ownFlagsOf = (command) => Object.values(command.flags).filter((flag) => !flag.hidden && !isGlobal(flag));

export const argumentsOf = (command) => Object.values(command.args).filter((arg) => !arg.hidden);

/** Global flags that a command has and that matter for it: whether it asks, and whether it can be dry-run. */
export function sharedFlagsText({flags}, others) {
  const own = ['dry-run', 'yes', 'no-limits'].filter((name) => name in flags && !flags[name].hidden).map((name) => `\`--${name}\``);
  return `It also takes ${own.length > 0 ? `${own.join(', ')} and ` : ''}the ${others}.`;
}

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
