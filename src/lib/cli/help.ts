import {CommandHelp, Help} from '@oclif/core';
import {ioOf, paint} from './io.js';

/** Topics and commands by what people come for; with a text of its own, all of a group stand in one line. */
const groups: readonly (readonly [heading: string, names: readonly string[], about?: string])[] = [
  ['MESSAGES', ['dm', 'thread']],
  ['MODERATION', ['blocks', 'mutes', 'domain-blocks', 'filters', 'report']],
  ['POLICY', ['audit', 'plan', 'apply', 'undo', 'explain', 'export', 'diff'], 'Moderation as code'],
  ['YOU', ['auth', 'notifications', 'push']],
  ['SERVER', ['config', 'api', 'batch', 'sandbox', 'doctor']],
  ['SHELL', ['completion']],
];

const headingWidth = Math.max(...groups.map(([heading]) => heading.length));

interface Entry {
  readonly name: string;
  readonly about: string;
}

/** The summary stands above the usage already: it is not said again. */
class DescribedOnce extends CommandHelp {
  protected override description(): string | undefined {
    const {description} = this.command;
    return description === undefined ? undefined : this.wrap(this.render(description));
  }
}

/** oclif's help, but for the front page: that fits a screen, and groups what there is. */
export default class PixelctlHelp extends Help {
  protected override CommandHelpClass = DescribedOnce;
  #lines = '';

  override async showHelp(argv: string[]): Promise<void> {
    try {
      await super.showHelp(argv);
    } catch (error) {
      if (!(error instanceof Error) || !/^Command .+ not found\.$/s.test(error.message)) throw error;
      const {noCommand} = await import('./unknown-command.js');
      const end = argv.findIndex((word) => word.startsWith('-'));
      const words = argv.slice(0, end === -1 ? undefined : end).flatMap((word) => word.split(':'));
      throw noCommand(words, this.config.commandIDs);
    }
    await ioOf(this.config).write(this.#lines, 'painted');
  }

  /** What oclif would print line by line is kept until all of it is there. */
  protected override log(...words: string[]): void {
    this.#lines += `${words.join(' ')}\n`;
  }

  protected override async showRootHelp(): Promise<void> {
    this.log(
      [
        'Works with federated photo-sharing servers (Pixelfed and servers with its API).',
        this.section('USAGE', '$ pixelctl COMMAND [ARGUMENTS] [--flags]'),
        this.#overview(this.#entries()).join('\n'),
        '`pixelctl COMMAND --help` says more. To try it: `pixelctl sandbox`.',
      ].join('\n\n'),
    );
  }

  /** One line for each topic or command; the headings stand beside them, for a screen has few lines. */
  #overview(entries: readonly Entry[]): string[] {
    const known = groups.flatMap(([, names]) => names);
    const others = entries.map(({name}) => name).filter((name) => !known.includes(name));
    const nameWidth = Math.max(...entries.map(({name}) => name.length));
    return [...groups, ['MORE', others] as const].flatMap(([heading, names, together]) => {
      const own = entries.filter(({name}) => names.includes(name));
      const shown = together === undefined ? own : [{name: names.join(', '), about: together}];
      return shown.map(({name, about}, index) => {
        const beside = index === 0 ? heading : '';
        return `${paint('bold', beside.padEnd(headingWidth), ioOf(this.config).out)}  ${name.padEnd(nameWidth)}  ${about}`;
      });
    });
  }

  #entries(): Entry[] {
    const topics = this.sortedTopics
      .filter(({name}) => !name.includes(':'))
      .map(({name, description = ''}) => ({name, about: description}));
    const commands = this.sortedCommands
      .filter(({id}) => !id.includes(':'))
      .map((command) => ({name: command.id, about: this.summary(command) ?? ''}));
    return [...topics, ...commands];
  }
}
