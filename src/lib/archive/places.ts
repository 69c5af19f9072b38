/** Where things are in an archive. */
import {createHash} from 'node:crypto';
import {join} from 'node:path';

/** Longer names do not fit into every file system. */
const maxDigits = 64;

/** The name of a folder or a file: an id of digits, else its sha256, because servers can send anything. */
export function nameOf(id: string): string {
  return /^\d+$/.test(id) && id.length <= maxDigits ? id : createHash('sha256').update(id).digest('hex');
}

/** In the folder of an account. */
export const accountFiles = {
  conversations: 'conversations.ndjson',
  index: 'index.html',
  lock: '.lock',
} as const;

/** What is replaced together in the folder of a conversation. */
export const keptFiles = {
  messages: 'messages.ndjson',
  index: 'index.ndjson',
  page: 'page.html',
} as const;

/** The folder of a conversation. */
export class ConversationPlace {
  readonly name: string;
  readonly folder: string;

  /** @param archive the folder of the account */
  constructor(archive: string, id: string) {
    this.name = nameOf(id);
    this.folder = join(archive, this.name);
  }

  get messages(): string {
    return join(this.folder, keptFiles.messages);
  }

  get index(): string {
    return join(this.folder, keptFiles.index);
  }

  get media(): string {
    return join(this.folder, 'media');
  }

  /** What was read and is not merged yet. */
  get reading(): string {
    return join(this.folder, '.reading.ndjson');
  }

  /** Which files a verification found damaged. */
  get damaged(): string {
    return join(this.folder, '.damaged.json');
  }

  /** Where the next files are written, then under another name once they are whole. */
  get next(): string {
    return join(this.folder, '.next');
  }

  get whole(): string {
    return join(this.folder, '.whole');
  }
}
