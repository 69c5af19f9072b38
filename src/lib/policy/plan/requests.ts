/** The request for a change. */
import type {PlainInput} from '../../api/endpoint.js';
import type {Operation} from '../../operations/operation.js';
import type {Change} from '../model/change.js';
import {changingOf} from '../sections/index.js';

export interface ChangeRequest {
  readonly endpoint: Operation;
  readonly input: PlainInput;
}

/** @param now the moment of sending, which servers count from */
export function requestOf(change: Change, now: Date): ChangeRequest {
  const {action, kind} = change;
  const changing = changingOf(kind);
  const endpoint = changing.operations[action];
  if (endpoint === undefined) throw new Error(`No request can ${action} a ${kind}`);
  return {endpoint, input: changing.input(change, now)};
}
