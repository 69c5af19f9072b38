import {homedir} from 'node:os';
import {Plugin} from '@oclif/core';
import {root} from './root.js';

/** All other statics of a command class (its record, its schemas) are loaded with the class. */
const commandKeys = [
  'aliases',
  'args',
  'deprecateAliases',
  'deprecationOptions',
  'description',
  'enableJsonFlag',
  'examples',
  'flags',
  'hasDynamicHelp',
  'hidden',
  'hiddenAliases',
  'id',
  'isESM',
  'pluginName',
  'pluginType',
  'relativePath',
  'state',
  'strict',
  'summary',
  'usage',
];

/** What oclif reads at start instead of loading every command; the same as `oclif manifest` makes. */
export async function readManifest() {
  const plugin = new Plugin({root, isRoot: true, ignoreManifest: true, errorOnManifestCreate: true, respectNoCacheDefault: true});
  await plugin.load();
  const {commands, version} = plugin.manifest;
  const ids = Object.keys(commands).sort();
  if (ids.length === 0) throw new Error('there are no commands in dist');
  return {version, commands: Object.fromEntries(ids.map((id) => [id, entry(commands[id])]))};
}

/** One command a line: diffs show which command changed, and the file is short. */
export function manifestText({version, commands}) {
  const lines = Object.entries(commands).map(([id, command]) => `    ${JSON.stringify(id)}: ${JSON.stringify(command)}`);
  const text = `{\n  "version": ${JSON.stringify(version)},\n  "commands": {\n${lines.join(',\n')}\n  }\n}\n`;
  for (const place of [root, homedir()]) {
    if (text.includes(JSON.stringify(place).slice(1, -1))) throw new Error(`a default in it names a folder of this machine: ${place}`);
  }
  return text;
}

function entry(command) {
  const kept = Object.fromEntries(commandKeys.filter((key) => key in command).map((key) => [key, command[key]]));
  return {...kept, args: withoutNoes(command.args), flags: withoutNoes(command.flags)};
}

/** Leaves out properties that are false (required, hidden …). Flags stay in the order of the help. */
function withoutNoes(parts) {
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [
      name,
      Object.fromEntries(Object.entries(part).filter(([key, value]) => value !== false || key === 'default')),
    ]),
  );
}
