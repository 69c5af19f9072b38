/** What is in a backup, and in which files. */
import {type Kind, kinds} from '../policy/index.js';

/** Lists that were read together, and are restored together. */
export interface Part {
  /** The file that restores them. */
  readonly policy: string;
  /** Whether they are those of the server, and restored only there. */
  readonly isOfServer: boolean;
  readonly sections: readonly Kind[];
}

const partOf = (owner: Kind['owner'], policy: string): Part => ({
  policy,
  isOfServer: owner === 'server',
  sections: kinds.filter((kind) => kind.owner === owner),
});

export const ownPart = partOf('account', 'policy.yml');
export const serverPart = partOf('server', 'server.yml');
export const parts: readonly Part[] = [ownPart, serverPart];

/** What other servers import. */
const importable = ['mastodon-csv', 'mastodon-json', 'mastodon-admin'] as const;
export type ImportableFormat = (typeof importable)[number];

/** The format of another tool that holds a list; undefined where none takes it. A server's blocks have severities. */
const formatOf = ({lists, owner}: Kind): ImportableFormat | undefined =>
  importable.find((format) => lists?.formats.includes(format) && (owner !== 'server' || format === 'mastodon-admin'));

interface ListFiles {
  /** As the server sent it. */
  readonly json: string;
  /** For another tool; undefined where none takes the list. */
  readonly other: {readonly file: string; readonly format: ImportableFormat} | undefined;
}

/** @param key of a section */
export const jsonOf = (key: string): string => `${key}.json`;

export function filesOf(section: Kind): ListFiles {
  const format = formatOf(section);
  const other = format && {file: `${section.key}${format === 'mastodon-json' ? '.mastodon.json' : '.csv'}`, format};
  return {json: jsonOf(section.key), other};
}

/** In a backup beside these. */
export const messagesFolder = 'messages';
export const readmeFile = 'README.md';
/** The name under which the states of restores are saved: `restore.ana@pix.example.state.ndjson`. */
export const restorePolicy = 'restore';

export const keysOf = ({sections}: Part): string[] => sections.map(({key}) => key);
