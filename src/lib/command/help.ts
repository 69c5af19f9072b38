import {CommandHelp, Help} from '@oclif/core';

/** Topics and commands by what people come for. */
const groups: readonly (readonly [heading: string, names: readonly string[]])[] = [
  ['MESSAGES', ['dm', 'thread']],
  ['MODERATION', ['blocks', 'mutes', 'domain-blocks', 'filters', 'report']],
  ['YOU', ['notifications', 'push']],
  ['SERVER', ['config', 'api', 'sandbox']],
  ['SHELL', ['completion']],
];

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

  protected override async showRootHelp(): Promise<void> {
    const entries = this.#entries();
    const named = groups.map(([heading, names]) => this.#group(heading, entries.filter(({name}) => names.includes(name))));
    const known = groups.flatMap(([, names]) => names);
    const others = this.#group('MORE', entries.filter(({name}) => !known.includes(name)));
    this.log(
      [
        'Works with federated photo-sharing servers (Pixelfed and servers with its API).',
        this.section('USAGE', '$ pixelctl COMMAND [ARGUMENTS] [--flags]'),
        ...named,
        ...others === '' ? [] : [others],
        '`pixelctl COMMAND --help` says more. To try it: `pixelctl sandbox`.',
      ].join('\n\n'),
    );
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

  #group(heading: string, entries: readonly Entry[]): string {
    return entries.length === 0 ? '' : this.section(heading, entries.map(({name, about}) => [name, about]));
  }
}
