/** The names of the files and folders of an archive. */
import {createHash} from 'node:crypto';
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {absent} from '../files/system-error.js';

/** Longer names do not fit into every file system. */
const maxDigits = 64;

/** The name of a folder or a file: an id of digits, else its sha256, because servers can send anything. */
export function nameOf(id: string): string {
  return /^\d+$/.test(id) && id.length <= maxDigits ? id : createHash('sha256').update(id).digest('hex');
}

/** Whether a folder of this name can belong to a conversation. */
export const isConversationName = (name: string): boolean => /^(?:\d{1,64}|[\da-f]{64})$/.test(name);

export const accountFiles = {conversations: 'conversations.ndjson', index: 'index.html', lock: '.lock'} as const;

/** Files in the folder of a conversation. The log is the archive, and the other files are made from it. */
export const conversationFiles = {
  log: 'log.ndjson',
  sum: 'log.sum',
  messages: 'messages.ndjson',
  index: 'index.ndjson',
  page: 'page.html',
} as const;

export const derivedFiles = ['messages', 'index', 'page'] as const;

export const mediaFolder = 'media';

const damagedLog = /^log\.damaged-(\d+)\.ndjson$/;

/** The damaged logs among the names in a folder, the oldest first. */
export const damagedLogsIn = (names: readonly string[]): string[] =>
  names.filter((name) => damagedLog.test(name)).toSorted((one, other) => numberIn(one) - numberIn(other));

const numberIn = (name: string): number => Number(damagedLog.exec(name)?.[1]);

/** The name under which a damaged log is put aside. */
export const nextDamagedLog = (names: readonly string[]): string =>
  `log.damaged-${Math.max(0, ...damagedLogsIn(names).map(numberIn)) + 1}.ndjson`;

export class ConversationPlace {
  readonly name: string;
  readonly folder: string;

  /** @param archive the folder of the account @param name that of the folder in it */
  constructor(archive: string, name: string) {
    this.name = name;
    this.folder = join(archive, name);
  }

  pathOf(file: keyof typeof conversationFiles): string {
    return join(this.folder, conversationFiles[file]);
  }

  get media(): string {
    return join(this.folder, mediaFolder);
  }
}

/** The conversations of an archive. @param archive the folder of the account, which need not be there */
export const conversationsOf = async (archive: string): Promise<ConversationPlace[]> =>
  ((await readdir(archive).catch(absent)) ?? []).filter(isConversationName).map((name) => new ConversationPlace(archive, name));
