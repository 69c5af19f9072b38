import {isDeepStrictEqual} from 'node:util';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {endpoints} from '../dist/lib/api/endpoints.js';
import {root} from './root.js';

const beyond = {title: 'Undocumented', about: 'These are not in the documented API, but servers support them.'};

/** The records by chapter of the reference, each with the command that sends its request. */
export async function chaptersOf(manifest) {
  const entries = await entriesOf(manifest);
  const titles = [...new Set(entries.flatMap(({record}) => record.section ?? []))].sort();
  return [...titles.map((title) => ({section: title, title})), {section: null, ...beyond}].map(({section, ...chapter}) => ({
    ...chapter,
    entries: entries.filter(({record}) => record.section === section).sort(byPath),
  }));
}

/** The titles of topics, which oclif reads from package.json, and their headings: from the records, else those that are there. */
export async function topicTitles(manifest, {oclif}) {
  const titles = new Map();
  for (const {record, command} of await entriesOf(manifest)) {
    const name = command.id.split(':').slice(0, -1).join(':');
    if (name === '') continue;
    const known = titles.get(name) ?? record.topic;
    if (record.topic === undefined || !isDeepStrictEqual(record.topic, known)) {
      throw new Error(`"${record.name}" has the topic ${record.topic?.title}, other commands in ${name} have ${known?.title}`);
    }
    titles.set(name, record.topic);
  }
  const above = (id) => id.split(':').map((_, index, words) => words.slice(0, index).join(':'));
  const names = new Set(Object.keys(manifest.commands).flatMap(above).filter(Boolean));
  return Object.fromEntries(
    [...names].sort().map((name) => {
      const {title, heading} = titles.get(name) ?? {};
      const description = title ?? oclif.topics[name]?.description;
      if (description === undefined)
        throw new Error(`the group of commands ${name} has no title: no record has one, and package.json neither`);
      return [name, {...oclif.topics[name], description, ...(heading && {heading})}];
    }),
  );
}

async function entriesOf(manifest) {
  const commands = await commandsByRecord(manifest);
  return endpoints.map((record) => {
    const command = commands.get(record.name);
    if (!command) throw new Error(`no command sends "${record.name}"`);
    return {record, command};
  });
}

function byPath({record: {path: one}}, {record: {path: other}}) {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Only an instance of a command has the record: statics of its class would be written to the manifest. */
async function commandsByRecord({commands}) {
  const found = await Promise.all(
    Object.values(commands).map(async (command) => {
      const {default: Command} = await import(pathToFileURL(join(root, ...command.relativePath)).href);
      const {spec} = new Command([], {});
      return [spec?.endpoint, spec?.instead?.endpoint].flatMap((record) => (record === undefined ? [] : [[record.name, command]]));
    }),
  );
  return new Map(found.flat());
}
