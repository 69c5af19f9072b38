import {Journal, type JournalIdentity, type JournalOptions} from '../../../src/lib/run/journal.js';

/** Opens a journal for as long as the work takes. */
export async function withJournal<Result>(
  path: string,
  identity: JournalIdentity,
  options: JournalOptions,
  work: (journal: Journal) => Promise<Result>,
): Promise<Result> {
  await using journal = await Journal.open(path, identity, options);
  const result = await work(journal);
  await journal.end();
  return result;
}
