/** What is in a backup, and in which files. */
import {type Kind, kinds} from '../policy/index.js';

/** Lists that were read together, and are restored together. */
export interface Part {
  /** The file that restores them. */
  readonly policy: string;
  /** Whether the lists belong to the server, and are restored only there. */
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

/** The file that has a list as the server sent it. @param key of a section */
export const jsonOf = (key: string): string => `${key}.json`;

export const messagesFolder = 'messages';
export const readmeFile = 'README.md';
/** The name under which the states of restores are saved: `restore.ana@pix.example.state.ndjson`. */
export const restorePolicy = 'restore';

export const keysOf = ({sections}: Part): string[] => sections.map(({key}) => key);
