/** The log beside a state file: what applies send and make, a line each, while they run. Whoever writes the state file next folds it in. */
import {randomUUID} from 'node:crypto';
import type {FileHandle} from 'node:fs/promises';
import {rm} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import * as z from 'zod/mini';
import {Failure, localFailure} from '../../client/failure.js';
import {syncFolder} from '../../files/folder.js';
import {GroupCommit} from '../../files/group-commit.js';
import {linesOf} from '../../files/lines.js';
import {openUntouched} from '../../files/private-file.js';
import {openToWrite} from '../../files/whole-file.js';
import {refuseMismatches} from '../source/mistakes.js';
import {type Edit, RecordDraft} from './draft.js';
import {isOf} from './ownership.js';
import type {Owner, OwnershipFile} from './record.js';
import {logHeader, logLine, ownershipFile} from './schema.js';

/** How every header begins, which distinguishes a log from any other file. */
const headerStart = '{"pixelctl_state_log":';

/** @param stateFile where the state file really is */
export const logOf = (stateFile: string): string => `${stateFile}.log`;

/** A log that this run writes. */
export class StateLog {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #lines: GroupCommit;
  /** Lines name records by their number here. */
  readonly #owners: Owner[] = [];

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
    this.#lines = new GroupCommit(file);
  }

  /** Begins one in place of any that is there. Only for who holds the lock of a state file that names none. @throws Failure `local` */
  static async begin(path: string): Promise<StateLog> {
    return openToWrite(path, 'replace').then(
      (file) => new StateLog(path, file),
      (error: unknown) => {
        throw cannotWrite(path, error);
      },
    );
  }

  /**
   * Begins a new part: a state file that names it has all that earlier parts say.
   * @param records those that applies are changing
   * @returns the name of the part, once it is on disk
   * @throws Failure `local`
   */
  async mark(records: readonly Owner[]): Promise<string> {
    for (const owner of records) this.#numberOf(owner);
    const id = randomUUID();
    await this.#append(JSON.stringify({pixelctl_state_log: 1, id, records: this.#owners}), true);
    // The file itself may be new.
    await syncFolder(dirname(this.#path));
    return id;
  }

  /** @param isDurable whether it has to be on disk when this resolves, and not only with the system @throws Failure `local` */
  async note(owner: Owner, edits: readonly Edit[], isDurable: boolean): Promise<void> {
    if (edits.length === 0) return;
    const record = this.#numberOf(owner);
    await this.#append(edits.map((edit) => JSON.stringify({record, ...edit})).join('\n'), isDurable);
  }

  /** What it says is in the state file by now. Never fails: a log that no state file names does no harm. */
  async remove(): Promise<void> {
    await rm(this.#path, {force: true}).catch(() => {});
    await this.close();
  }

  async close(): Promise<void> {
    await this.#lines.end().catch(() => {});
    await this.#file.close().catch(() => {});
  }

  #numberOf({server, account, policy}: Owner): number {
    const owner = {server, account, policy};
    const known = this.#owners.findIndex((one) => isOf(one, owner));
    return known === -1 ? this.#owners.push(owner) - 1 : known;
  }

  async #append(lines: string, isDurable: boolean): Promise<void> {
    await this.#lines.append(`${lines}\n`, isDurable).catch((error: unknown) => {
      throw cannotWrite(this.#path, error);
    });
  }
}

const cannotWrite = (path: string, error: unknown): Failure =>
  localFailure(`Cannot write ${path}, which belongs to the state file`, error, 'fix this first, because later runs need the file');

const parsed = <Schema extends z.ZodMiniType>(schema: Schema, text: string): z.output<Schema> | undefined => {
  try {
    return z.parse(schema, JSON.parse(text));
  } catch {
    return undefined;
  }
};

/** What a log is to a state file that names none: `ours` can go. */
type FoundLog = 'absent' | 'empty' | 'ours' | 'strange';

/** Looks at the beginning of what may be a log. `empty`: it has no line but the first one. @throws Failure `local` */
export async function lookAtLog(path: string): Promise<FoundLog> {
  return reading(path, async (file) => {
    if (file === undefined) return 'absent';
    let number = 0;
    for await (const {text, isWhole} of linesOf(file)) {
      number += 1;
      const isCut = !isWhole && headerStart.startsWith(text);
      if (number === 1 && !isCut && !text.startsWith(headerStart)) return 'strange';
      if (number > 1 && isWhole) return 'ours';
    }
    return 'empty';
  });
}

/**
 * A state file with what its log says.
 * @param path of the log
 * @returns undefined where there is no such part of a log
 * @throws Failure `local` when it cannot be read, or is damaged
 */
export async function withLog(file: OwnershipFile, id: string, path: string): Promise<OwnershipFile | undefined> {
  const {log: _, ...before} = file;
  const drafts = file.records.map((record) => new RecordDraft(record));
  const found = await reading(path, async (opened) => opened !== undefined && replay(opened, {id, path, drafts}));
  if (!found) return undefined;
  const after = {...before, records: drafts.map(({record}) => record)};
  refuseMismatches(path, ownershipFile, after);
  return after;
}

interface Replay {
  readonly id: string;
  readonly path: string;
  readonly drafts: readonly RecordDraft[];
}

/** @returns whether there is such a part */
async function replay(file: FileHandle, {id, path, drafts}: Replay): Promise<boolean> {
  let owners: readonly Owner[] | undefined;
  let number = 0;
  for await (const {text, isWhole} of linesOf(file)) {
    number += 1;
    // Nothing was sent or told on the strength of a line that is cut.
    if (!isWhole) break;
    if (text.startsWith(headerStart)) {
      const header = parsed(logHeader, text);
      if (header === undefined) throw damaged(path, number);
      // What a later part begins with was going to be in the state file.
      if (owners !== undefined || header.id === id) owners = header.records;
    } else if (owners !== undefined) {
      const line = parsed(logLine, text);
      const owner = line && owners[line.record];
      const draft = owner && drafts.find((one) => isOf(one.owner, owner));
      if (line === undefined || draft === undefined) throw damaged(path, number);
      draft.edit(line);
    } else if (number === 1) return false;
  }
  return owners !== undefined;
}

const damaged = (path: string, line: number): Failure =>
  new Failure('local', `Line ${line} of ${path} is damaged`, {hint: `${keepBoth}. ${withoutIt(path)}`});

const keepBoth = 'put back this file and the state file beside it as they were';

const withoutIt = (path: string): string =>
  `If that is lost, delete the line "log" in ${basename(path, '.log')}: what the apply made that was interrupted stays then, and state adopt takes it over`;

async function reading<Found>(path: string, look: (file: FileHandle | undefined) => Promise<Found>): Promise<Found> {
  try {
    await using file = await openUntouched(path);
    return await look(file);
  } catch (error) {
    throw error instanceof Failure ? error : localFailure(`Cannot read ${path}, which belongs to the state file`, error);
  }
}

/** @param path of a log that has what an apply sent */
export function missingState(stateFile: string, path: string): Failure {
  return new Failure('local', `${path} has what an apply sent, and ${stateFile} is not there`, {
    hint: `put ${basename(stateFile)} back beside it; to start over, move ${basename(path)} away`,
  });
}

/** @param path of the log that a state file names */
export function missingLog(path: string, found: FoundLog): Failure {
  const why = found === 'absent' ? 'is not there' : 'is of another run';
  return new Failure('local', `${basename(path, '.log')} goes on in ${path}, which ${why}`, {
    hint: `put that file back beside it: it has what an interrupted apply sent. ${withoutIt(path)}`,
  });
}
