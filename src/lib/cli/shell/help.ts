import {CommandHelp, Help, type Command, type Interfaces} from '@oclif/core';
import {helpGroups, leadingFlags} from '../flags.js';
import {paint} from '../../print/palette.js';
import {ioOf} from '../io.js';

export const about = 'Messages, moderation and policies on Pixelfed and similar servers.';

/** What to do first. It stands last, where people at a terminal look. */
const start = `Start here:
  pixelctl auth login SERVER  sign in
  pixelctl sandbox --shell    or try the commands on a test server
  pixelctl COMMAND -h         explains a command
  pixelctl --help             says what each command does`;

interface Group {
  readonly heading: string;
  readonly names: readonly string[];
}

/** Topics of endpoints are missing here, because their records say which heading they belong to. */
const groups: readonly Group[] = [
  {heading: 'ACCOUNT', names: ['auth', 'backup', 'restore']},
  {heading: 'MESSAGES', names: []},
  {heading: 'MODERATION', names: ['report']},
  {heading: 'POLICIES', names: ['validate', 'plan', 'apply', 'undo', 'audit', 'explain', 'export', 'diff', 'state']},
  {heading: 'SCRIPTS', names: ['api', 'commands', 'completion']},
  {heading: 'SERVERS', names: ['config', 'doctor', 'sandbox']},
];

interface Entry {
  readonly name: string;
  readonly about: string;
  readonly heading?: string | undefined;
}

/** The heading of a topic, which package.json has from the records of its endpoints. */
const headingOf = (topic: Interfaces.Topic): string | undefined =>
  'heading' in topic && typeof topic.heading === 'string' ? topic.heading : undefined;

/** The groups with all topics and commands. */
const groupsOf = (entries: readonly Entry[]): readonly Group[] =>
  groups.map(({heading, names}) => ({
    heading,
    names: [...names, ...entries.filter((entry) => entry.heading === heading).map(({name}) => name)],
  }));

const {run, global, ...looked} = helpGroups;

/** The groups of flags that help shows under FLAGS: flags without a group, then the groups that belong to what the command does. */
const ownGroups: readonly (string | undefined)[] = [undefined, ...Object.values(looked)];

/** A blank of one column that oclif does not trim. */
const blank = '\u2800';

/** How many examples `-h` shows. */
const fewExamples = 2;

/** The topic that explains the flags of all commands: `pixelctl help flags`. */
const flagsTopic = 'flags';

/** The first two sentences of a description in plain text. */
function beginning(description: string): string {
  const [paragraph = ''] = description.split('\n\n');
  return /^(?:.*?[.:](?=\s|$)){1,2}/s.exec(paragraph)?.[0].replace(/:$/, '.') ?? paragraph;
}

/** Help for one command: `-h` fits on a screen, and `--help` shows everything. */
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
      generate: ({flags}) => {
        const body = this.flags(flags.filter(({helpGroup}) => helpGroup === run));
        const names = flags.filter(({helpGroup}) => helpGroup === global).map(({name}) => `--${name}`);
        return [
          ...(body === undefined ? [] : [{header: 'FLAGS FOR MANY REQUESTS', body}]),
          {header: 'GLOBAL FLAGS', body: this.wrap(`${names.join(' ')}\nSee \`pixelctl help ${flagsTopic}\`.`)},
        ];
      },
    };
    const order = ['USAGE', ...(this.#isShort ? [] : ['DESCRIPTION']), 'ARGUMENTS', 'FLAGS', 'EXAMPLES'];
    const own = order.flatMap((header) => usual.filter((section) => section.header === header));
    return this.#isShort ? own : [...own, others];
  }

  override generate(): string {
    const more = this.#isShort ? `\n\nUse --help for more. The flags of all commands: \`pixelctl help ${flagsTopic}\`` : '';
    return `${super.generate().replaceAll(blank, ' ')}${more}`;
  }

  beginning(): string {
    return this.wrap(beginning(this.render(this.command.description ?? '')), 0);
  }

  table(header: string, flags: Command.Flag.Any[]): string {
    return this.section(header, this.flags(flags) ?? '').replaceAll(blank, ' ');
  }

  /** Leaves out the summary, which is printed above the usage. */
  protected override description(): string | undefined {
    const {description} = this.command;
    return description === undefined ? undefined : this.wrap(this.render(description));
  }

  /** Writes no brackets, because the usage line shows which arguments are required. */
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
    const all = [examples ?? []].flat();
    const lines = (this.#isShort ? all.slice(0, fewExamples) : all).map((example) => {
      if (typeof example === 'string') return example;
      // A line of a comment begins with # however it is wrapped.
      const comment = this.wrap(example.description ?? '', this.indentSpacing + 2).replaceAll(/^/gm, '# ');
      return `${comment}\n$ ${this.render(example.command)}`;
    });
    return lines.length === 0 ? undefined : lines.join(this.#isShort ? '\n' : '\n\n');
  }
}

/** oclif's help with our own root page, which fits a screen, and our own order of sections. */
export default class PixelctlHelp extends Help {
  /** Whether nothing was typed. */
  #isBare = false;
  #isShort = false;
  #lines = '';

  override async showHelp(argv: string[]): Promise<void> {
    const end = argv.findIndex((word) => word.startsWith('-'));
    const [first, ...others] = argv.slice(0, end === -1 ? undefined : end);
    this.#isBare = argv.length === 0;
    this.#isShort = argv.includes('-h') && !argv.includes('--help');
    try {
      if (first === flagsTopic && others.length === 0) this.#showGlobalFlags();
      else await super.showHelp(argv);
    } catch (error) {
      if (!(error instanceof Error) || !/^Command .+ not found\.$/s.test(error.message)) throw error;
      const {noCommand} = await import('../guesses.js');
      const words = argv.slice(0, end === -1 ? undefined : end).flatMap((word) => word.split(':'));
      throw noCommand(words, this.config.commandIDs);
    }
    await ioOf(this.config).write(`${this.#lines.trimEnd()}\n`, 'painted');
  }

  /** Leaves out the list of commands that oclif adds below, because it has a section of its own. */
  override async showCommandHelp(command: Command.Loadable): Promise<void> {
    this.log(`${this.summary(command) ?? ''}\n`);
    if (this.#isShort) this.log(`${this.getCommandHelpClass(command).beginning()}\n`);
    this.log(this.formatCommand(command));
  }

  protected override getCommandHelpClass(command: Command.Loadable): OneCommandHelp {
    return new OneCommandHelp(command, this.config, this.opts, this.#isShort);
  }

  /** Collects the lines, to print them together. */
  protected override log(...words: string[]): void {
    this.#lines += `${words.join(' ')}\n`;
  }

  protected override async showRootHelp(): Promise<void> {
    const entries = this.#entries();
    this.log(
      [
        this.wrap(about),
        this.section('USAGE', '$ pixelctl COMMAND [ARGUMENTS] [flags]'),
        (this.#isBare ? this.#names(entries) : this.#overview(entries)).join('\n'),
        start,
      ].join('\n\n'),
    );
  }

  #showGlobalFlags(): void {
    const [command] = this.config.commands;
    if (command === undefined) return;
    const flags = Object.values(command.flags).filter(({helpGroup}) => helpGroup === global);
    const others = Object.keys(leadingFlags).filter((name) => !flags.some((flag) => flag.name === name));
    const table = new OneCommandHelp({...command, flags: {}}, this.config, this.opts, false).table('FLAGS', flags);
    const before = `They can stand before the command, and so can ${others.map((name) => `--${name}`).join(', ')}.`;
    this.log(`Flags of all commands\n\n${table}\n\n${this.wrap(before)}`);
  }

  #names(entries: readonly Entry[]): string[] {
    return this.#besideHeadings(entries, (names, width) => this.wrap(names.join(', '), width).split('\n'));
  }

  /** One line for each topic or command, with the headings beside them; long lines are wrapped. */
  #overview(entries: readonly Entry[]): string[] {
    const nameWidth = Math.max(...entries.map(({name}) => name.length));
    return this.#besideHeadings(entries, (names, width) =>
      names
        .flatMap((name) => entries.find((entry) => entry.name === name) ?? [])
        .flatMap(({name, about: words}) =>
          this.wrap(words, width + nameWidth + 2)
            .split('\n')
            .map((line, index) => `${(index === 0 ? name : '').padEnd(nameWidth)}  ${line}`),
        ),
    );
  }

  /** @param rowsOf makes the lines of a group, which begin in the column `width` */
  #besideHeadings(entries: readonly Entry[], rowsOf: (names: readonly string[], width: number) => string[]): string[] {
    const all = groupsOf(entries);
    const width = Math.max(...all.map(({heading}) => heading.length));
    const {out} = ioOf(this.config);
    return all.flatMap(({heading, names}) =>
      rowsOf(names, width + 2).map((line, index) => `${paint('bold', (index === 0 ? heading : '').padEnd(width), out)}  ${line}`),
    );
  }

  #entries(): Entry[] {
    const topics = this.sortedTopics
      .filter(({name}) => !name.includes(':') && !this.config.commandIDs.includes(name))
      .map((topic) => ({name: topic.name, about: topic.description?.split('\n', 1)[0] ?? '', heading: headingOf(topic)}));
    const commands = this.sortedCommands
      .filter(({id}) => !id.includes(':'))
      .map((command) => ({name: command.id, about: this.summary(command) ?? ''}));
    return [...topics, ...commands];
  }
}
