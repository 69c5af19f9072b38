/** A failure as scripts are told it: one line of JSON. */
import {expect} from 'vitest';

export interface Failure {
  readonly code: string;
  readonly exit: number;
  readonly message: string;
  readonly status: number | null;
  readonly method: string | null;
  readonly path: string | null;
  readonly hint: string | null;
  /** `guard`: pixelctl itself stopped the run. */
  readonly reason?: 'guard';
  readonly fate?: 'unknown';
  /** Which of several accounts failed. */
  readonly accounts?: readonly {readonly account: string; readonly error: unknown}[];
  /** The answer of the server, where it came and could not be printed as wanted. */
  readonly body?: unknown;
}

export const isFailure = (value: unknown): value is Failure =>
  typeof value === 'object' &&
  value !== null &&
  /^code,exit,message,status,method,path,hint(,reason)?(,fate)?(,accounts)?(,body)?$/.test(Object.keys(value).join());

/** The failure in a line of JSON. */
export function failureIn(line: string): Failure {
  expect(line).toMatch(/^\{"error":.*\}\n$/);
  const {error}: {readonly error?: unknown} = JSON.parse(line);
  if (!isFailure(error)) throw new Error(`Not the error of the contract: ${line}`);
  return error;
}
