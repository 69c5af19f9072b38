/** What commands print with `--json`, where it is not the answer of a server: for the reference, and for the tests. No run loads it. */
import type * as z from 'zod/mini';
import {errorSchema} from '../client/failure-schema.js';
import {policySchemas} from '../policy/index.js';
import {resultsSchema} from '../run/index.js';

interface JsonDocument {
  /** That of its schema in `docs/reference/schemas`, and of its chapter in the reference. */
  readonly name: string;
  readonly about: string;
  /** The commands that print nothing else, as `state list`. */
  readonly commands: readonly string[];
  readonly schema: () => z.ZodMiniType;
}

export const jsonDocuments: readonly JsonDocument[] = [
  {
    name: 'plan',
    about:
      'The changes of a plan, and what to know about them. With several accounts it is a list, with an error for each that could not be read.',
    commands: ['plan'],
    schema: policySchemas.plan,
  },
  {
    name: 'audit',
    about: 'What differs. Several audits are a list.',
    commands: ['audit'],
    schema: policySchemas.audit,
  },
  {
    name: 'validate',
    about: 'What policies and their lists want, in numbers: one entry for each section that has rules.',
    commands: ['validate'],
    schema: policySchemas.validate,
  },
  {
    name: 'diff',
    about: 'What two sides have that the other one has not, or has otherwise.',
    commands: ['diff'],
    schema: policySchemas.diff,
  },
  {
    name: 'explain',
    about: 'Of each thing that a name can mean: every rule and list entry about it, and what the server has.',
    commands: ['explain'],
    schema: policySchemas.explain,
  },
  {
    name: 'state',
    about: 'Items of state files: those that are listed, adopted, forgotten or moved.',
    commands: ['state adopt', 'state forget', 'state list'],
    schema: policySchemas.state,
  },
  {
    name: 'error',
    about: 'Why a command failed: one line on standard error.',
    commands: [],
    schema: errorSchema,
  },
  {
    name: 'results',
    about: 'A result for each change or target, in the order in which they were made. Commands with many targets print it, too.',
    commands: ['apply', 'undo'],
    schema: resultsSchema,
  },
];
