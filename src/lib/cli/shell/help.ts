import {CommandHelp, Help, type Command, type Interfaces} from '@oclif/core';
import {helpGroups} from '../flags.js';
import {paint} from '../../print/palette.js';
import {ioOf} from '../io.js';

/** What the program is for. */
export const about = 'Messages, moderation and policies on Pixelfed and similar servers.';

/** Topics and commands by what people want to do. A folded group takes one line. */
interface Group {
  readonly heading: string;
  readonly names: readonly string[];
  readonly about: string;
  readonly isFolded?: true;
}

/** Topics of endpoints are not named here: their records have the heading. */
const groups: readonly Group[] = [
  {heading: 'ACCOUNT', names: ['auth', 'backup', 'restore'], about: 'Sign in, and keep what is yours', isFolded: true},
  {heading: 'MESSAGES', names: [], about: 'Messages and notifications'},
  {heading: 'MODERATION', names: ['report'], about: 'Blocks, filters and reports'},
  {
    heading: 'POLICIES',
    names: ['audit', 'plan', 'apply', 'undo', 'explain', 'export', 'diff', 'state'],
    about: 'Policy files',
    isFolded: true,
  },
  {heading: 'SCRIPTS', names: ['api', 'batch', 'completion'], about: 'Scripts and the shell'},
  {heading: 'SERVERS', names: ['config', 'doctor', 'sandbox'], about: 'The server, and one for tests'},
];

/** Lines that the groups have on a screen of 24, with what is above and below them. */
const maxLines = 17;

interface Entry {
  readonly name: string;
  readonly about: string;
  readonly heading?: string | undefined;
}

/** The heading that the record of a topic has, by way of package.json. */
const headingOf = (topic: Interfaces.Topic): string | undefined =>
  'heading' in topic && typeof topic.heading === 'string' ? topic.heading : undefined;

/** The groups with all that is in them; what is in none comes last. */
function groupsOf(entries: readonly Entry[]): readonly Group[] {
  const known = new Set(groups.flatMap(({names}) => names));
  const others = Map.groupBy(
    entries.filter(({name}) => !known.has(name)),
    ({heading = 'MORE'}) => heading,
  );
  const more = [...others.keys()].filter((heading) => !groups.some((group) => group.heading === heading));
  return [...groups, ...more.map((heading) => ({heading, names: [], about: 'More commands'}))].map((group) => ({
    ...group,
    names: [...group.names, ...(others.get(group.heading) ?? []).map(({name}) => name)],
  }));
}

const {run, global, ...looked} = helpGroups;

/** The groups of flags that help shows as a command's own: its very own, then those that people look for there. */
const ownGroups: readonly (string | undefined)[] = [undefined, ...Object.values(looked)];

/** A character of one column that is not trimmed. */
const blank = '\u2800';

/** Help for one command. `-h` ends after the examples; `--help` goes on with the flags that all commands have. */
class OneCommandHelp extends CommandHelp {
  readonly #isShort: boolean;

  constructor(command: Command.Loadable, config: Interfaces.Config, options: Interfaces.HelpOptions, isShort: boolean) {
    super(command, config, {...options, flagSortOrder: 'none'});
    this.#isShort = isShort;
  }

  protected override sections() {
    const usual = super.sections();
    const others: (typeof usual)[number] = {
      header: 'GLOBAL FLAGS',
      generate: ({flags}) =>
        [
          {header: 'FLAGS FOR MANY REQUESTS', group: run},
          {header: 'GLOBAL FLAGS', group: global},
        ].flatMap(({header, group}) => {
          const body = this.flags(flags.filter(({helpGroup}) => helpGroup === group));
          return body === undefined ? [] : [{header, body}];
        }),
    };
    const below: (typeof usual)[number] = {header: 'COMMANDS', generate: () => this.#commandsBelow('COMMANDS')};
    const order = ['USAGE', 'DESCRIPTION', 'ARGUMENTS', 'FLAGS', 'COMMANDS', 'EXAMPLES'];
    const own = order.flatMap((header) => [...usual, below].filter((section) => section.header === header));
    return this.#isShort ? own : [...own, others];
  }

  /** The commands of the topic that has the name of this command. */
  #commandsBelow(header: string) {
    const found = this.config.commands.filter(({id}) => id.startsWith(`${this.command.id}:`));
    const body = found.map(({id, summary}): [string, string | undefined] => [id.replaceAll(':', ' '), summary]);
    return body.length === 0 ? [] : [{header, body}];
  }

  override generate(): string {
    const more = this.#isShort ? '\n\nUse --help to show the global flags, too.' : '';
    return `${super.generate().replaceAll(blank, ' ')}${more}`;
  }

  /** Without the summary, which is printed above the usage. */
  protected override description(): string | undefined {
    const {description} = this.command;
    return description === undefined ? undefined : this.wrap(this.render(description));
  }

  /** Without brackets: the usage line shows what is required. */
  protected override args(args: Command.Arg.Any[]): [string, string | undefined][] | undefined {
    const described = args.filter(({description}) => description !== undefined);
    if (described.length === 0) return undefined;
    return described.map(({name, multiple, description}) => [`${name}${multiple === true ? '...' : ''}`, description]);
  }

  /** oclif trims the first row, so its indent must not look like one. */
  protected override flags(flags: Command.Flag.Any[]): [string, string | undefined][] | undefined {
    return super.flags(flags)?.map(([label, description]) => [label.replace(/^ /, blank), description]);
  }

  protected override groupFlags(flags: Command.Flag.Any[]) {
    return {mainFlags: ownGroups.flatMap((group) => flags.filter(({helpGroup}) => helpGroup === group)), flagGroups: {}};
  }

  protected override examples(examples: Command.Example[] | string | undefined): string | undefined {
    const lines = [examples ?? []].flat().map((example) => {
      if (typeof example === 'string') return example;
      return `# ${example.description}\n$ ${this.render(example.command)}`;
    });
    return lines.length === 0 ? undefined : lines.join('\n\n');
  }
}

/** oclif's help with our own root page, which fits a screen, and our own order of sections. */
export default class PixelctlHelp extends Help {
  #isShort = false;
  #lines = '';

  override async showHelp(argv: string[]): Promise<void> {
    const end = argv.findIndex((word) => word.startsWith('-'));
    this.#isShort = argv.includes('-h') && !argv.includes('--help');
    try {
      await super.showHelp(argv);
    } catch (error) {
      if (!(error instanceof Error) || !/^Command .+ not found\.$/s.test(error.message)) throw error;
      const {noCommand} = await import('../unknown-command.js');
      const words = argv.slice(0, end === -1 ? undefined : end).flatMap((word) => word.split(':'));
      throw noCommand(words, this.config.commandIDs);
    }
    await ioOf(this.config).write(`${this.#lines.trimEnd()}\n`, 'painted');
  }

  /** Without the list of commands that oclif adds below, which has a section of its own. */
  override async showCommandHelp(command: Command.Loadable): Promise<void> {
    this.log(`${this.summary(command) ?? ''}\n`);
    this.log(this.formatCommand(command));
  }

  protected override getCommandHelpClass(command: Command.Loadable): CommandHelp {
    return new OneCommandHelp(command, this.config, this.opts, this.#isShort);
  }

  /** Collects the lines, to print them together. */
  protected override log(...words: string[]): void {
    this.#lines += `${words.join(' ')}\n`;
  }

  protected override async showRootHelp(): Promise<void> {
    this.log(
      [
        this.wrap(about),
        this.section('USAGE', '$ pixelctl COMMAND [ARGUMENTS] [flags]'),
        this.#overview(this.#entries()).join('\n'),
        this.wrap('Run `pixelctl COMMAND --help` for details, `pixelctl sandbox` to try it.'),
      ].join('\n\n'),
    );
  }

  /** One line for each topic or command. Where that is too long for a screen, the last groups are folded. */
  #overview(entries: readonly Entry[]): string[] {
    const all = groupsOf(entries);
    for (let unfolded = all.length; ; unfolded -= 1) {
      const lines = this.#linesOf(
        all.map((group, index) => (index < unfolded ? group : {...group, isFolded: true})),
        entries,
      );
      if (lines.length <= maxLines || unfolded === 0) return lines;
    }
  }

  /** The headings are beside the entries to save lines; longer ones are wrapped. */
  #linesOf(all: readonly Group[], entries: readonly Entry[]): string[] {
    const headingWidth = Math.max(...all.map(({heading}) => heading.length));
    const nameWidth = Math.max(...entries.map(({name}) => name.length));
    const indent = headingWidth + 2;
    return all.flatMap(({heading, names, about: together, isFolded}) => {
      const rows = entries
        .filter(({name}) => names.includes(name))
        .flatMap(({name, about}) =>
          this.wrap(about, indent + nameWidth + 2)
            .split('\n')
            .map((line, index) => `${(index === 0 ? name : '').padEnd(nameWidth)}  ${line}`),
        );
      const lines = isFolded && names.length > 1 ? this.wrap(`${names.join(', ')}  ${together}`, indent).split('\n') : rows;
      return lines.map(
        (line, index) => `${paint('bold', (index === 0 ? heading : '').padEnd(headingWidth), ioOf(this.config).out)}  ${line}`,
      );
    });
  }

  #entries(): Entry[] {
    const topics = this.sortedTopics
      .filter(({name}) => !name.includes(':') && !this.config.commandIDs.includes(name))
      .map((topic) => ({name: topic.name, about: topic.description ?? '', heading: headingOf(topic)}));
    const commands = this.sortedCommands
      .filter(({id}) => !id.includes(':'))
      .map((command) => ({name: command.id, about: this.summary(command) ?? ''}));
    return [...topics, ...commands];
  }
}
