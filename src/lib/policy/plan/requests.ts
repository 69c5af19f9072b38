/** The request for a change. */
import type {Change} from '../model/change.js';
import {changingOf} from '../sections/index.js';
import type {ChangeRequest} from '../section/section.js';

/** @param now the moment of sending, which servers count from */
export function requestOf(change: Change, now: Date): ChangeRequest {
  return changingOf(change.kind).request(change, now);
}
