/** Operations on people and posts of a server: each target is looked up first, and final actions are asked about. */
import type {PlainInput} from '../api/endpoint.js';
import type {Members} from '../api/schema.js';
import {answerFrom, type Answer} from '../client/answer.js';
import type {Client} from '../client/client.js';
import {asFailure, type Failure} from '../client/failure.js';
import type {Request} from '../client/request.js';

/** What a target stands for, as the server shows it. */
export interface FoundTarget {
  /** Targets with the same one are one target. */
  readonly id: string;
  /** `@spam1` */
  readonly name: string;
  /** When the person registered, or the post was made, as the server writes it. */
  readonly createdAt?: string | undefined;
  readonly posts?: number | undefined;
  readonly followers?: number | undefined;
  /** What else a question says of it. */
  readonly about?: string | undefined;
  /** The account of a person; one's own is refused. */
  readonly accountId?: string | undefined;
  /** Whether one's own account is not refused. */
  readonly mayBeOneself?: true;
  /** Whether the server does not show it before the action. Then the facts in the answer are saved, too. */
  readonly isHidden?: true;
  /** Why a number alone does not name it where nobody is asked. */
  readonly unnamed?: Failure | undefined;
  /** Why nothing is done about it, where that is known before anything is sent. */
  readonly refused?: Failure | undefined;
  /** What `--save` keeps of it: no e-mail or IP address. */
  readonly saved: Members;
}

/** How a target was named. */
export interface NamedTarget {
  readonly value: string;
  /** The id of the account, where an object named it. */
  readonly profile: string | undefined;
  /** A post as the list that named it shows it, or the record of an earlier change; undefined where none does. */
  readonly told?: (id: string) => Promise<unknown>;
}

/** How an action that cannot be undone is confirmed. */
export interface Finality {
  /** What `--allow-deletions` counts: `['person', 'people']`. */
  readonly noun: readonly [one: string, several: string];
  /** Who confirms has to type how many there are. */
  readonly isTyped?: true;
}

/** What an action is given besides its input. */
export interface Acting {
  readonly client: Client;
  /** The changes that the file of `--restore` has of the target and that are not restored yet, the oldest first. */
  readonly saved: readonly Members[];
  /** Writes the earlier state to the file of `--save`, where there is one. Nothing may be sent when it fails. @throws Failure `local` */
  readonly keep: (entry: Members & {readonly action: string}) => Promise<void>;
  /** Adds to that file the facts of a target that only the answer shows. @throws Failure `local` */
  readonly noteAnswer: (entry: Members) => Promise<void>;
  /** Notes in that file that the target was restored. @throws Failure `local` */
  readonly noteRestored: (entry: Members) => Promise<void>;
}

/** Which lines of a record can be restored. */
export interface Restoring {
  /** Their action. */
  readonly action: string;
  /** Who or what such a line is about; undefined for one that cannot be used. */
  readonly namedIn: (line: Members) => NamedTarget | undefined;
  /** What may be sent, for dry runs. @param saved such lines about one target */
  readonly requests: (target: string, saved: readonly Members[]) => readonly Request[];
}

/** An operation whose targets are looked up before anything is asked or sent. */
export interface FindingOperation {
  /**
   * Finds what a target stands for. Only reads.
   * @throws Failure `usage` for a target that the command does not take; `not_found`; as the requests do
   */
  readonly find: (named: NamedTarget, input: PlainInput, client: Client) => Promise<FoundTarget>;
  /** Reads the target again just before the question, and may have the server count anew. @throws Failure */
  readonly ready?: (found: FoundTarget, client: Client) => Promise<FoundTarget>;
  /** How an action that cannot be undone is confirmed; undefined for one that can. */
  readonly final?: (input: PlainInput) => Finality | undefined;
  /** Without a question, a number alone names nobody: small ids of other things look alike. */
  readonly needsNames?: true;
  /** For operations that set back what a record says was changed. */
  readonly restores?: Restoring;
  /** @throws Failure */
  readonly act: (found: FoundTarget, input: PlainInput, acting: Acting) => Promise<Answer>;
}

/** Milliseconds in which a request may still act whose answer was lost. */
const late = 1000;

/**
 * Finds out whether a write was carried out whose answer was lost, after it had time to act.
 * @param error how the write failed
 * @param look reads whether it was carried out; undefined where it was not, or where that cannot be told
 * @throws the error of the write, also where looking fails
 */
export async function afterLostAnswer<Found>(error: unknown, client: Client, look: () => Promise<Found | undefined>): Promise<Found> {
  const {fate, reason} = asFailure(error).details;
  // An answer about something else was not lost: what it did, no read of this shows.
  if (fate !== 'unknown' || reason === 'another_target') throw error;
  let found: Found | undefined;
  try {
    await client.rest(late);
    found = await look();
  } catch {
    throw error;
  }
  if (found === undefined) throw error;
  return found;
}

/** Stands for a lost answer, where a read shows that the write was carried out. @param warning what people are told */
export const answerSettled = (warning: string): Answer => answerFrom(null, {warnings: [warning]});
