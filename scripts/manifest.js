import {homedir} from 'node:os';
import {Plugin} from '@oclif/core';
import {root} from './root.js';

/** All other statics of a command class (its record, its schemas) are loaded with the class. */
const commandKeys = (
  'aliases args deprecateAliases deprecationOptions description details enableJsonFlag examples flags hasDynamicHelp ' +
  'hidden hiddenAliases id isESM lists pluginName pluginType relativePath state strict summary usage'
).split(' ');

/** What help reads instead of loading every command; the same as `oclif manifest` makes. */
export async function readManifest() {
  const plugin = new Plugin({root, isRoot: true, ignoreManifest: true, errorOnManifestCreate: true, respectNoCacheDefault: true});
  await plugin.load();
  const {commands, version} = plugin.manifest;
  const ids = Object.keys(commands).sort();
  if (ids.length === 0) throw new Error('there are no commands in dist');
  return {version, commands: Object.fromEntries(ids.map((id) => [id, entry(commands[id])]))};
}

/**
 * One command or shared flag a line, so that diffs show which one changed. A flag that several commands have is written once, and is
 * null in the commands: `commandsIn` in src/lib/cli/shell/program-config.ts reads that.
 */
export function manifestText({version, commands}) {
  const flags = sharedFlags(Object.values(commands));
  const isShared = (flag) => JSON.stringify(flags[flag.name]) === JSON.stringify(flag);
  const stored = mapValues(commands, (command) => ({
    ...command,
    flags: mapValues(command.flags, (flag) => (isShared(flag) ? null : flag)),
  }));
  const text = `{\n  "version": ${JSON.stringify(version)},\n  "flags": ${lines(flags)},\n  "commands": ${lines(stored)}\n}\n`;
  for (const place of [root, homedir()]) {
    if (text.includes(JSON.stringify(place).slice(1, -1))) throw new Error(`a default in it names a folder of this machine: ${place}`);
  }
  return text;
}

/** By name, the form of a flag that most commands have, where there are two at least. */
function sharedFlags(commands) {
  const forms = Map.groupBy(
    commands.flatMap(({flags}) => Object.values(flags)),
    (flag) => JSON.stringify(flag),
  );
  const shared = {};
  for (const uses of [...forms.values()].sort((one, other) => other.length - one.length)) {
    const [flag] = uses;
    if (uses.length > 1) shared[flag.name] ??= flag;
  }
  return shared;
}

function lines(values) {
  return `{\n${Object.entries(values)
    .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n')}\n  }`;
}

function mapValues(values, change) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

function entry(command) {
  const kept = Object.fromEntries(commandKeys.filter((key) => key in command).map((key) => [key, command[key]]));
  return {...kept, args: withoutNoes(command.args), flags: withoutNoes(command.flags)};
}

/** Leaves out properties that are false (required, hidden …). Flags stay in the order of the help. */
function withoutNoes(parts) {
  return mapValues(parts, (part) =>
    Object.fromEntries(Object.entries(part).filter(([key, value]) => value !== false || key === 'default')),
  );
}
