import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parser} from 'keep-a-changelog';
import {about} from '../dist/lib/cli/shell/help.js';
import {aboutExitStatus, exitStatusRows, files, variablesOf} from './environment.js';
import {filled, heading, indented, paragraphs, section, subsection, terms, verbatim} from './roff.js';
import {root} from './root.js';
import * as topics from './topics.js';

/** The commands whose first examples are shown first. */
const shown = ['auth:login', 'dm:list', 'domain-blocks:add', 'plan', 'sandbox'];

/** The names of the pages, for package.json. */
export const manFiles = (manifest, pjson) => Object.keys(manPages(manifest, pjson)).map((name) => `man/${name}`);

/** A page for each topic by file name, and one about the program. */
export function manPages(manifest, {version, description, oclif: {bin, topics: titles}}) {
  const all = topics.topicsOf(manifest, titles);
  const release = {bin, version, date: dateOf(version)};
  return Object.fromEntries([
    [`${bin}.1`, programPage(all, manifest, {...release, description})],
    ...all.map((topic) => [`${bin}-${topic.name}.1`, topicPage(topic, release)]),
  ]);
}

/** The day of the release; before it, today. */
function dateOf(version) {
  const released = parser(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).findRelease(version)?.date;
  return (released ?? new Date()).toISOString().slice(0, 10);
}

const title = (name, {bin, version, date}) => heading(name.toUpperCase(), '1', date, `${bin} ${version}`, `Manual of ${bin}`);

const reference = (name) => `\`${name}\`(1)`;

const flagTerms = (flags) =>
  terms(
    flags.map((flag) => [
      topics
        .namesOf(flag)
        .map((name) => `\`${name}\``)
        .join(', '),
      topics.flagText(flag),
    ]),
  );

/** A phrase behind a name: without the full stop of a sentence. */
const phrase = (text) => text.replace(/\.$/, '');

const titleOf = ({description, commands}) => description ?? topics.summaryOf(commands[0]);

function programPage(all, manifest, release) {
  const {bin, description} = release;
  const examples = shown.flatMap((id) => topics.examplesOf(manifest.commands[id]).slice(0, 1));
  return page(
    title(bin, release),
    section('NAME', filled(`${bin} - ${phrase(about)}`)),
    section('SYNOPSIS', filled(`\`${bin}\` COMMAND [ARGUMENTS] [flags]`), filled(`\`${bin}\` COMMAND \`--help\``)),
    section('DESCRIPTION', filled(`${phrase(description)}.`), filled('Each group of commands has a page of its own.')),
    section('COMMANDS', terms(all.map((topic) => [reference(`${bin}-${topic.name}`), titleOf(topic)]))),
    section('GLOBAL FLAGS', filled(topics.aboutGlobalFlags), flagTerms(topics.globalFlagsOf(manifest))),
    section('EXIT STATUS', filled(aboutExitStatus), terms(exitStatusRows.map(([status, code, meaning]) => [`${status} ${code}`, meaning]))),
    section('ENVIRONMENT', terms(variablesOf(manifest))),
    section('FILES', terms(files)),
    section('EXAMPLES', ...examples.map((example) => verbatim(example))),
    section('SEE ALSO', filled(all.map(({name}) => reference(`${bin}-${name}`)).join(', '))),
  );
}

function topicPage(topic, release) {
  const {bin} = release;
  const {name, commands} = topic;
  return page(
    title(`${bin}-${name}`, release),
    section('NAME', filled(`${bin}-${name} - ${phrase(titleOf(topic))}`)),
    section('SYNOPSIS', verbatim(commands.map((command) => topics.usageOf(command, bin)).join('\n'))),
    section('COMMANDS', ...commands.map((command) => commandPart(command, bin))),
    section('SEE ALSO', filled(`${reference(bin)}: global flags, exit status, environment variables, files`)),
  );
}

function commandPart(command, bin) {
  const [args, flags, examples] = [topics.argumentsOf(command), topics.ownFlagsOf(command), topics.examplesOf(command)];
  return subsection(
    topics.invocation(bin, command),
    filled(`${phrase(topics.summaryOf(command))}.`),
    topics.descriptionOf(command) !== '' && paragraphs(topics.descriptionOf(command)),
    topics.detailsOf(command) !== '' && paragraphs(topics.detailsOf(command)),
    topics.documentOf(command) &&
      filled(`The reference describes what it prints with \`--json\`: docs/reference/json.md, under ${topics.documentOf(command)}.`),
    args.length > 0 && terms(args.map((arg) => [`\`${arg.name.toUpperCase()}\``, topics.argText(arg)])),
    flagTerms(flags),
    filled(`It also takes the global flags of ${reference(bin)}.`),
    examples.length > 0 && `Examples:\n${indented(verbatim(examples.join('\n\n')))}`,
  );
}

const page = (...parts) => `${parts.join('\n')}\n`;
