import {descriptionOf, fill, invocation, summaryOf, topicsOf} from './topics.js';

const notice = '<!-- Made from the code by `npm run generate`. -->';

const isGlobal = (flag) => flag.helpGroup === 'GLOBAL';

/** The pages of the reference by name, one a topic. */
export function referencePages(manifest, {oclif}) {
  const topics = topicsOf(manifest, oclif.topics);
  const globalFlags = new Map(
    Object.values(manifest.commands).flatMap(({flags}) => Object.values(flags).filter(isGlobal).map((flag) => [flag.name, flag])),
  );
  const pages = {
    'README.md': index(topics, oclif.bin),
    'global-flags.md': `# Global flags\n\nEvery command takes these, where they mean something for it.\n\n${flagTable([...globalFlags.values()])}\n`,
    ...Object.fromEntries(topics.map((topic) => [`${topic.name}.md`, page(topic, oclif.bin)])),
  };
  return Object.fromEntries(Object.entries(pages).map(([name, text]) => [name, `${notice}\n\n${text}`]));
}

function index(topics, bin) {
  const sections = topics.map(({name, description, commands}) => {
    const rows = commands.map((command) => `| [\`${invocation(bin, command)}\`](${name}.md#${anchor(bin, command)}) | ${cell(summaryOf(command))} |`);
    return paragraphs(`## ${name}`, description, `| command | |\n|---|---|\n${rows.join('\n')}`);
  });
  return `# Commands\n\nFlags that are common to them are in [global flags](global-flags.md).\n\n${sections.join('\n\n')}\n`;
}

function page({name, description, commands}, bin) {
  return `${paragraphs(`# ${name}`, description, ...commands.map((command) => section(command, bin)))}\n`;
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
    args.length > 0 && `| argument | |\n|---|---|\n${args.map((arg) => `| \`${arg.name.toUpperCase()}\` | ${argText(arg)} |`).join('\n')}`,
    flags.length > 0 && flagTable(flags),
    examples.length > 0 && `Examples:\n\n${fence(examples.join('\n\n'))}`,
  );
}

function usage(command, args, flags, bin) {
  if (command.usage) return [command.usage].flat().map((line) => `${bin} ${fill(line, command, bin)}`).join('\n');
  const words = args.map((arg) => {
    const word = arg.name.toUpperCase() + (arg.multiple ? '...' : '');
    return arg.required ? word : `[${word}]`;
  });
  const required = flags.filter((flag) => flag.required).map((flag) => `--${flag.name}${value(flag)}`);
  return [invocation(bin, command), ...words, ...required, '[FLAGS]'].join(' ');
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
    return `| ${name} | ${cell([flag.summary ?? flag.description, ...notes].filter(Boolean).join('; '))} |`;
  });
  return `| flag | |\n|---|---|\n${rows.join('\n')}`;
}

function argText(arg) {
  return cell([arg.description, !arg.required && 'optional'].filter(Boolean).join('; '));
}

function value(flag) {
  return flag.type === 'option' ? `=${flag.helpValue ?? flag.name.toUpperCase()}` : '';
}

function exampleText(example, command, bin) {
  if (typeof example === 'string') return fill(example, command, bin);
  const line = fill(example.command, command, bin);
  return example.description ? `# ${fill(example.description, command, bin)}\n${line}` : line;
}

/** As renderers of Markdown make the anchor of a heading. */
function anchor(bin, command) {
  return invocation(bin, command).replaceAll(' ', '-').toLowerCase();
}

function paragraphs(...texts) {
  return texts.filter(Boolean).join('\n\n');
}

function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}

function fence(text) {
  return `\`\`\`\n${text}\n\`\`\``;
}
