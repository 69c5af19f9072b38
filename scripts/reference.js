import {anchor, fence, notice, paragraphs, table} from './markdown.js';
import * as texts from './topics.js';

/** The pages of the reference by name, one for each topic. */
export function referencePages(manifest, {oclif}) {
  const topics = texts.topicsOf(manifest, oclif.topics);
  const pages = {
    'README.md': index(topics, oclif.bin),
    'global-flags.md': globalFlagsPage(manifest),
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
      '- [Environment](environment.md): variables, and where files are',
      '- [Policy](policy.md): every key of a policy, and [its schema](policy.schema.json) for editors',
      '- [JSON](json.md): what commands print with `--json`, and schemas of it for programs',
      '- [Endpoints](endpoints.md): which request each command sends',
      '- [OpenAPI](openapi.json): the same endpoints with their input and answers, for programs',
    ].join('\n'),
    '## Commands',
    ...sections,
  );
}

function globalFlagsPage(manifest) {
  return paragraphs('# Global flags', texts.aboutGlobalFlags, flagTable(texts.globalFlagsOf(manifest)));
}

function page({name, description, commands}, bin) {
  const contents = commands.length > 1 && commandTable(commands, '', bin);
  return paragraphs(`# ${name}`, description, contents, ...commands.map((command) => section(command, bin)));
}

function commandTable(commands, file, bin) {
  return table(
    ['command', ''],
    commands.map((command) => [
      `[\`${texts.invocation(bin, command)}\`](${file}#${anchor(texts.invocation(bin, command))})`,
      texts.summaryOf(command),
    ]),
  );
}

function section(command, bin) {
  const [args, flags, examples] = [texts.argumentsOf(command), texts.ownFlagsOf(command), texts.examplesOf(command)];
  return paragraphs(
    `## ${texts.invocation(bin, command)}`,
    texts.summaryOf(command),
    fence(texts.usageOf(command, bin)),
    texts.descriptionOf(command),
    texts.detailsOf(command),
    texts.documentOf(command) && `What it prints with \`--json\`: [${texts.documentOf(command)}](json.md#${texts.documentOf(command)}).`,
    args.length > 0 &&
      table(
        ['argument', ''],
        args.map((arg) => [`\`${arg.name.toUpperCase()}\``, texts.argText(arg)]),
      ),
    flags.length > 0 && flagTable(flags),
    'It also takes the [global flags](global-flags.md).',
    examples.length > 0 && `Examples:\n\n${fence(examples.join('\n\n'), 'sh')}`,
  );
}

function flagTable(flags) {
  return table(
    ['flag', ''],
    flags.map((flag) => [
      texts
        .namesOf(flag)
        .map((name) => `\`${name}\``)
        .join(', '),
      texts.flagText(flag),
    ]),
  );
}
