/** Operations on people and posts of a server: each target is looked up first, and final actions are asked about. */
import type {PlainInput} from '../api/endpoint.js';
import {membersOf, type Members} from '../api/schema.js';
import type {Answer} from '../client/answer.js';
import type {Client} from '../client/client.js';
import {Failure, type FailureDetails} from '../client/failure.js';
import type {Request} from '../client/request.js';

/** The person or post that a target names, as the server shows it. */
export interface FoundTarget {
  /** Targets with the same id are one target. */
  readonly id: string;
  /** How messages name it, such as `@spam1`. */
  readonly name: string;
  /** When the person registered, or the post was made, as the server writes it. */
  readonly createdAt?: string | undefined;
  readonly posts?: number | undefined;
  readonly followers?: number | undefined;
  /** What a question says of it besides its name and numbers. */
  readonly about?: string | undefined;
  /** The id of a person's account. The token's own account is refused. */
  readonly accountId?: string | undefined;
  /** Whether the token's own account is allowed. */
  readonly mayBeOneself?: true;
  /** Whether the server does not show it before the action. The facts in the answer are then saved, too. */
  readonly isHidden?: true;
  /** The failure when a number alone names it, and `--yes` skips the question. */
  readonly unnamed?: Failure | undefined;
  /** What `--save` writes of it: no e-mail or IP address. */
  readonly saved: Members;
}

export interface NamedTarget {
  readonly value: string;
  /** The id of the account, where an object named it. */
  readonly profile: string | undefined;
  /** A post as the list that named it shows it, or the file of an earlier change; undefined if neither does. */
  readonly told?: (id: string) => Promise<unknown>;
}

/** How an action that cannot be undone is confirmed. */
export interface Finality {
  /** What `--allow-deletions` counts: `['person', 'people']`. */
  readonly noun: readonly [one: string, several: string];
  /** People confirm by typing how many there are. */
  readonly isTyped?: true;
}

export interface Acting {
  readonly client: Client;
  /** The changes to the target in the file of `--restore` that are not restored yet, the oldest first. */
  readonly saved: readonly Members[];
  /** Writes the earlier state to the file of `--save`, where there is one. Nothing may be sent when it fails. @throws Failure `local` */
  readonly keep: (entry: Members & {readonly action: string}) => Promise<void>;
  /** Adds to that file the facts of a target that only the answer shows. @throws Failure `local` */
  readonly noteAnswer: (entry: Members) => Promise<void>;
  /** Notes in that file that the target was restored. @throws Failure `local` */
  readonly noteRestored: (entry: Members) => Promise<void>;
}

/** Which lines of a file of `--save` can be restored. */
export interface Restoring {
  readonly action: string;
  /** Whom or what such a line is about; undefined for a line that cannot be used. */
  readonly namedIn: (line: Members) => NamedTarget | undefined;
  /** The requests that may be sent, for dry runs. @param saved such lines about one target */
  readonly requests: (target: string, saved: readonly Members[]) => readonly Request[];
}

export interface FindingOperation {
  /**
   * Finds what a target stands for. Only reads.
   * @throws Failure `usage` for a target that the command does not take; `not_found`; `refused` for one that is not acted on; as the requests do
   */
  readonly find: (named: NamedTarget, input: PlainInput, client: Client) => Promise<FoundTarget>;
  /** Reads the target again just before the question, and may make the server count again. @throws Failure */
  readonly ready?: (found: FoundTarget, client: Client) => Promise<FoundTarget>;
  /** How an action that cannot be undone is confirmed; undefined for one that can. */
  readonly final?: (input: PlainInput) => Finality | undefined;
  /** With `--yes`, a number alone names nobody, because small ids of other objects look alike. */
  readonly needsNames?: true;
  /** For operations that undo what a file of `--save` says was changed. */
  readonly restores?: Restoring;
  /** @throws Failure */
  readonly act: (found: FoundTarget, input: PlainInput, acting: Acting) => Promise<Answer>;
}

export const countAt = (value: unknown, name: string): number | undefined => {
  const {[name]: count} = membersOf(value);
  return typeof count === 'number' ? count : undefined;
};

export const pickMembers = (value: unknown, names: readonly string[]): Members =>
  Object.fromEntries(Object.entries(membersOf(value)).filter(([name]) => names.includes(name)));

/** The failure of an answer that lacks what is acted on. */
export const unreadable = ({host}: Client, path: string, what: string, details: FailureDetails = {}): Failure =>
  new Failure('bad_answer', `${host}: ${what}`, {path, reason: 'shape', ...details});
