import {hostname} from 'node:os';
import type {SuggestedCommand} from '../api/endpoint.js';
import type {Members} from '../api/schema.js';
import type {LockHeld} from '../files/lock.js';
import {NotPrivate} from '../files/own-folder.js';
import {shellWord} from '../files/command-text.js';
import {isAbsent, NotPlain, systemCode} from '../files/system-error.js';
import {NotText} from '../files/read-text.js';

/** The kind of failure; each has its own exit status. */
export type FailureCode =
  | 'auth'
  | 'bad_answer'
  | 'drift'
  | 'internal'
  | 'interrupted'
  | 'local'
  | 'not_found'
  | 'partial'
  | 'rate_limited'
  | 'refused'
  | 'terminated'
  | 'unavailable'
  | 'usage';

/** Says more than the code, where a hint depends on it. */
export type FailureReason =
  | 'admin'
  | 'admin_scope'
  | 'another_origin'
  | 'another_target'
  | 'cancelled'
  | 'bad_paste'
  | 'connection'
  | 'covered'
  | 'damaged'
  | 'deletion'
  | 'guard'
  | 'hourly_quota'
  | 'login_page'
  | 'no_api'
  | 'no_messages'
  | 'no_object'
  | 'no_token'
  | 'not_yours'
  | 'plain_http'
  | 'proxy'
  | 'scope'
  | 'server_limit'
  | 'shape'
  | 'token'
  | 'typed_note'
  | 'unknown_route'
  | 'unsent'
  | 'wait_too_long'
  | 'withheld_token';

export interface AccountFailure {
  /** `ana@pix.example` */
  readonly account: string;
  readonly failure: Failure;
}

export interface Mistake {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column?: number | undefined;
  readonly message: string;
}

/** Why a change was not made, although the run did not fail. */
export type HeldBackFor = 'covered' | 'own_server' | 'server_limit' | 'top_level';

export interface FailureDetails {
  readonly reason?: FailureReason | undefined;
  readonly heldBack?: HeldBackFor | undefined;
  /** Set for every failed write that the server may have carried out at any attempt. */
  readonly fate?: 'unknown' | undefined;
  /** Set for writes of unknown fate that are safe to repeat. The others are never resent automatically. */
  readonly canRepeat?: true | undefined;
  /** A command that shows people whether the request was carried out. */
  readonly lookWith?: SuggestedCommand | undefined;
  /** The object that exists already, where the server shows it. */
  readonly found?: Members | undefined;
  /** Which requests were carried out before the one that failed, where a command sends several. */
  readonly done?: readonly string[] | undefined;
  /** The server proved that what the request names is gone. */
  readonly gone?: true | undefined;
  /** HTTP status, when there was a response. */
  readonly status?: number | undefined;
  readonly method?: string | undefined;
  /** Path of the request, without its query. */
  readonly path?: string | undefined;
  /** The kind of object that the request names: `filter`. */
  readonly kind?: string | undefined;
  /** The scope that the request needs, as far as it is known. */
  readonly scope?: string | undefined;
  readonly fields?: readonly string[] | undefined;
  /** Advice that only the code that failed can give. Commands in it are in backticks, and get the flags of the account when they are printed. */
  readonly hint?: string | undefined;
  /** Lines to print in place of the message and the hint, for a result that is no error. Differences have them by default. */
  readonly closing?: readonly string[] | undefined;
  readonly accounts?: readonly AccountFailure[] | undefined;
  /** All mistakes, although the message may name only some and count the others. */
  readonly mistakes?: readonly Mistake[] | undefined;
  /** What the server answered, or a part of it, where it could not be printed as requested. */
  readonly body?: unknown;
  readonly cause?: unknown;
}

/** Details of a failure that changed nothing, although the fate of its last request may be unknown. */
export const nothingDone = {fate: undefined, canRepeat: undefined, lookWith: undefined} as const satisfies FailureDetails;

/** An expected failure, which can be shown to people as it is. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  readonly details: FailureDetails;

  constructor(code: FailureCode, message: string, details: FailureDetails = {}) {
    super(message, {cause: details.cause});
    this.code = code;
    this.details = details;
  }

  /** The lines to print for a difference, which is a result; undefined for errors. @param hint the hint that is shown */
  closingWith(hint: string | null | undefined): readonly string[] | undefined {
    const {closing} = this.details;
    if (closing !== undefined || this.code !== 'drift') return closing;
    return [/[.!?]$/.test(this.message) ? this.message : `${this.message}.`, ...(hint ? [`Hint: ${hint}`] : [])];
  }

  /** The message, continued in the same sentence: the full stop that servers write is removed. @param more begins with its punctuation */
  messageWith(more: string): string {
    return more === '' ? this.message : `${this.message.replace(/(?<!\.)\.$/, '')}${more}`;
  }

  /** A copy with a message that goes on, as in {@link messageWith}. @param details replace those of the failure */
  saying(more: string, details: FailureDetails = {}): Failure {
    return new Failure(this.code, this.messageWith(more), {...this.details, ...details});
  }

  /** A copy of the failure with more details; existing details stay. */
  with(details: FailureDetails): Failure {
    const known = Object.fromEntries(Object.entries(this.details).filter(([, value]) => value !== undefined));
    return new Failure(this.code, this.message, {...details, ...known});
  }
}

/** Stops a run that would do more than the user agreed to. Nothing was sent. */
export const guardFailure = (message: string, hint: string): Failure => new Failure('refused', message, {reason: 'guard', hint});

/** Turns anything thrown into a failure. An unexpected error becomes `internal`, without its details. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof NotText) return new Failure('usage', error.message, {hint: error.advice});
  const name = error instanceof Error ? error.name : typeof error;
  return new Failure('internal', `pixelctl failed unexpectedly (${name})`, {cause: error});
}

/** Whether somebody stopped the program, and nothing is wrong. */
export const isInterruption = ({code}: Failure): boolean => code === 'interrupted' || code === 'terminated';

export const repairOf = ({command}: NotPrivate): string =>
  command === undefined ? 'run it as the owner of the folder, or use your own folder' : `run \`${command.map(shellWord).join(' ')}\``;

/** The failure for a file that another process is using. @param what names the file */
export function lockedFailure(what: string, {holder: {pid, host}, path}: Pick<LockHeld, 'holder' | 'path'>): Failure {
  const isHere = host === hostname();
  return new Failure('local', `Another pixelctl (process ${pid}${isHere ? '' : ` on ${host}`}) is using ${what}: nothing was sent`, {
    hint: `wait for it to end, then run this again${isHere ? '' : `; if ${host} is gone, remove ${path}`}`,
  });
}

/**
 * Makes a function for `catch`, where a text is read.
 * @param what the file as messages name it: `the policy moderation.yml`
 * @param hint what to do where there is no such file
 * @throws Failure `usage` for a file that is not text, else `local`
 */
export const cannotRead =
  (what: string, hint?: string) =>
  (error: unknown): never => {
    throw error instanceof NotText ? asFailure(error) : localFailure(`Cannot read ${what}`, error, isAbsent(error) ? hint : undefined);
  };

/** A failure of this machine: a file that cannot be read, a disk that is full. */
export function localFailure(what: string, error: unknown, hint?: string): Failure {
  const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : '';
  const known: Readonly<Record<string, readonly [why: string, repair?: string]>> = {
    EACCES: ['permission denied', 'check its permissions'],
    EFBIG: ['it is too large'],
    EISDIR: ['it is a folder', 'give the path of a file'],
    ENOENT: ['no such file', 'check the path'],
    ENOSPC: ['the disk is full', 'free some space'],
    ENOTDIR: [`part of the path ${what.includes(path) ? '' : `${path} `}is not a folder`, 'check the path'],
    ENOTFILE: ['it is not a regular file', 'give the path of a file'],
    EPERM: ['it may not be changed', 'check its permissions'],
    EROFS: ['the disk is read-only', 'give a path on another disk'],
  };
  const code = systemCode(error) ?? '';
  if (error instanceof NotPlain) {
    const found = what.includes(error.path) ? `it is ${error.kind}` : error.message;
    return new Failure('local', `${what}: ${found}`, {cause: error, hint: hint ?? 'remove it, or give another path'});
  }
  if (error instanceof NotPrivate) return new Failure('local', `${what}: ${error.message}`, {cause: error, hint: repairOf(error)});
  const [why = code || 'it failed', repair] = known[code] ?? [];
  return new Failure('local', `${what}: ${why}`, {cause: error, hint: hint ?? repair});
}
