/** Tells what runs the program: Node, or Bun inside a single executable. */

export type Environment = Readonly<Record<string, string | undefined>>;

const {bun, node} = process.versions;

/** Whether this is a single executable, which starts itself without naming a file, and has all packages inside. */
export const isSingleFile = bun !== undefined;

export const runtime = bun === undefined ? {name: 'Node', version: node} : {name: 'Bun', version: bun};
