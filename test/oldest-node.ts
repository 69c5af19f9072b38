/**
 * Takes from a process of tests what the oldest supported Node does not have: the tests run on a newer one, and would not notice what is
 * missing there. `test/fixtures/oldest-node.json` says what it has.
 */
import {nameOf, places} from './builtins.js';
import text from './fixtures/oldest-node.json' with {type: 'json'};

type Names = Readonly<Record<string, string>>;

const {version, members, modules}: {readonly version: string; readonly members: Names; readonly modules: Names} = text;

export const oldestNode = {
  version,
  /** What a module of Node exports. */
  exportsOf: (module: string): readonly string[] => modules[module]?.split(' ') ?? [],
};

/** @returns what this process has had, and the oldest Node does not have */
export function forgetNewer(): string[] {
  const newer: string[] = [];
  for (const [place, value, keys] of places()) {
    const known = members[place]?.split(' ');
    for (const key of keys) {
      // A place that it does not have at all goes as a member of another one.
      if (known?.includes(nameOf(key)) !== false) continue;
      newer.push(`${place} ${nameOf(key)}`);
      Reflect.deleteProperty(value, key);
    }
  }
  return newer;
}
