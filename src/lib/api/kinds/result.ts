import type {ObjectKind} from '../kind.js';
import {idText, membersOf} from '../schema.js';

/** The members of a result of a command with many targets, in their order. */
export const resultMembers = ['target', 'ok', 'status', 'body', 'error', 'resumed', 'unknown', 'held_back'] as const;

/** The result of a command with many targets. Its target is what the next command wants. */
export const resultKind: ObjectKind = {
  one: 'result',
  several: 'results',
  article: 'a',
  title: (item) => idText(membersOf(item)['target']),
  members: () => [...resultMembers, 'contained', 'line'],
  marks: ['target'],
  named: [],
  elsewhere: 'nothing',
  contains: {},
  standsFor: ['target'],
};
