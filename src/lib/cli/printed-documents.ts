/** The JSON documents that pixelctl makes itself, for the reference and the tests. No run loads this file. */
import * as z from 'zod/mini';
import {field} from '../api/schema.js';
import {errorSchema} from '../client/failure-schema.js';
import {policySchemas} from '../policy/index.js';
import {resultsSchema} from '../run/index.js';

interface JsonDocument {
  /** The name of its schema in `docs/reference/schemas`, and of its chapter in the reference. */
  readonly name: string;
  readonly about: string;
  /** The commands that print only this document, such as `state list`. */
  readonly commands: readonly string[];
  readonly schema: () => z.ZodMiniType;
}

const authStatusSchema = () =>
  z.strictObject({
    profiles: z.array(
      z.strictObject({
        name: field(z.nullable(z.string()), 'name of the profile; `null` for the token of the environment'),
        server: field(z.nullable(z.string()), 'origin of the server; `null` where none is named'),
        account: field(z.nullable(z.string()), 'account that the token is for, as `@ana`; `null` where that is not known'),
        active: field(z.boolean(), 'whether commands use it'),
        source: field(
          z.nullable(z.enum(['flag', 'environment', 'default', 'PIXELCTL_TOKEN', 'PIXELCTL_TOKEN_FILE'])),
          'what makes it the one in use, or the variable of the token',
        ),
        admin: field(z.nullable(z.boolean()), 'whether the token has admin scopes; `null` where that is not known'),
        scopes: field(z.nullable(z.array(z.string())), 'scopes of the token; `null` where they are not known'),
        expires_at: field(z.nullable(z.string()), 'when the token ends; `null` where that is not known'),
        ok: field(z.boolean(), 'whether the server accepts the token'),
        error: field(z.nullable(z.strictObject({code: z.string(), message: z.string()})), 'why it does not'),
        storage: field(z.string(), 'where the token is'),
        protected: field(z.boolean(), 'whether every write with it has to be confirmed'),
      }),
    ),
  });

export const jsonDocuments: readonly JsonDocument[] = [
  {
    name: 'auth-status',
    about: 'The saved profiles, and the token of the environment where that is in use.',
    commands: ['auth status'],
    schema: authStatusSchema,
  },
  {
    name: 'plan',
    about:
      'The changes of a plan, and what to know about them. With several accounts it is a list, with an error for each that could not be read.',
    commands: ['plan'],
    schema: () => policySchemas().plan,
  },
  {
    name: 'audit',
    about: 'What differs. Several audits are a list.',
    commands: ['audit'],
    schema: () => policySchemas().audit,
  },
  {
    name: 'validate',
    about: 'What policies and their lists want, in numbers: one entry for each section that has rules.',
    commands: ['validate'],
    schema: () => policySchemas().validate,
  },
  {
    name: 'diff',
    about: 'What two sides have that the other one has not, or has otherwise.',
    commands: ['diff'],
    schema: () => policySchemas().diff,
  },
  {
    name: 'explain',
    about: 'Of each thing that a name can mean: every rule and list entry about it, and what the server has.',
    commands: ['explain'],
    schema: () => policySchemas().explain,
  },
  {
    name: 'state',
    about: 'Items of state files: those that are listed, adopted, forgotten or moved.',
    commands: ['state adopt', 'state forget', 'state list'],
    schema: () => policySchemas().state,
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
