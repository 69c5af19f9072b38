/** Where things are in an archive. */
import {createHash} from 'node:crypto';
import {join} from 'node:path';
import {systemCode} from '../files/system-error.js';

/** Longer names do not fit into every file system. */
const maxDigits = 64;

/** The name of a folder or a file: an id of digits, else its sha256, because servers can send anything. */
export function nameOf(id: string): string {
  return /^\d+$/.test(id) && id.length <= maxDigits ? id : createHash('sha256').update(id).digest('hex');
}

/** Whether a folder can be that of a conversation. */
export const isConversationName = (name: string): boolean => /^(?:\d{1,64}|[\da-f]{64})$/.test(name);

/** In the folder of an account. */
export const accountFiles = {
  conversations: 'conversations.ndjson',
  index: 'index.html',
  dropped: 'dropped',
  lock: '.lock',
} as const;

/** What is replaced together in the folder of a conversation, in this order. */
export const keptFiles = {
  messages: 'messages.ndjson',
  index: 'index.ndjson',
  page: 'page.html',
  record: 'kept.json',
} as const;

/** In the folder of a conversation, beside these: what is of a run under way, and what a verification found. */
export const workFiles = {reading: '.reading.ndjson', damaged: '.damaged.json'} as const;

export const conversationFolders = {media: 'media', whole: '.whole'} as const;

/** A time as part of a name, to the second, in UTC: `2026-01-31T235959Z`. */
export const stampOf = (date: Date): string => `${date.toISOString().slice(0, 19).replaceAll(':', '')}Z`;

/** Makes something under a name that nothing has yet. @param make throws `EEXIST` where there is something @returns what it is called */
export async function underNewName(name: string, make: (name: string) => Promise<unknown>): Promise<string> {
  for (let count = 1; ; count += 1) {
    const tried = count === 1 ? name : `${name}-${count}`;
    try {
      await make(tried);
      return tried;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
}

/** The folder of a conversation. */
export class ConversationPlace {
  readonly name: string;
  readonly folder: string;

  /** @param archive the folder of the account @param name of the folder of the conversation */
  constructor(archive: string, name: string) {
    this.name = name;
    this.folder = join(archive, name);
  }

  /** @param id of the conversation */
  static of(archive: string, id: string): ConversationPlace {
    return new ConversationPlace(archive, nameOf(id));
  }

  get messages(): string {
    return join(this.folder, keptFiles.messages);
  }

  get index(): string {
    return join(this.folder, keptFiles.index);
  }

  get media(): string {
    return join(this.folder, conversationFolders.media);
  }

  /** What was read and is not merged yet. */
  get reading(): string {
    return join(this.folder, workFiles.reading);
  }

  /** Which files a verification found damaged. */
  get damaged(): string {
    return join(this.folder, workFiles.damaged);
  }

  /** Where the next files are written, then under another name once they are whole. */
  get next(): string {
    return join(this.folder, '.next');
  }

  get whole(): string {
    return join(this.folder, conversationFolders.whole);
  }
}
