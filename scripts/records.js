import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {endpoints} from '../dist/lib/api/all.js';
import {root} from './root.js';

/** The chapters of the API description, whose numbers the records carry. */
const titles = {
  4.1: 'Conversations and direct messages',
  4.2: 'Legacy one-to-one threads',
  4.3: 'Blocks, mutes, domain blocks',
  4.4: 'Filters',
  4.5: 'Reports',
  4.6: 'Configuration',
  4.7: 'Push settings',
  4.8: 'Notifications',
};

const beyond = {title: 'Not in the API description', about: 'Not in the API description; real servers have these all the same.'};

/** The records by chapter, each with the command that sends its request. */
export async function chaptersOf(manifest) {
  const commands = await commandsByRecord(manifest);
  const entries = endpoints.map((record) => ({record, command: commands.get(record.name)}));
  for (const {record, command} of entries) {
    if (!command) throw new Error(`no command sends "${record.name}"`);
    if (record.section !== null && !titles[record.section])
      throw new Error(`"${record.name}" is of section ${record.section}, which has no title`);
  }
  const chapters = Object.entries(titles).map(([section, title]) => ({
    section,
    title,
    about: `Section ${section} of the API description.`,
  }));
  return [...chapters, {section: null, ...beyond}].map(({section, ...chapter}) => ({
    ...chapter,
    entries: entries.filter(({record}) => record.section === section).sort(byPath),
  }));
}

function byPath({record: {path: one}}, {record: {path: other}}) {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Only an instance of a command knows its record: what is static on its class would land in the manifest. */
async function commandsByRecord({commands}) {
  const found = await Promise.all(
    Object.values(commands).map(async (command) => {
      const {default: Command} = await import(pathToFileURL(join(root, ...command.relativePath)).href);
      return [new Command([], {}).described?.endpoint.name, command];
    }),
  );
  return new Map(found.filter(([name]) => name !== undefined));
}
