/** The format of policy files. The JSON Schema for editors is made from this. */
import * as z from 'zod/mini';
import {field} from '../../api/schema.js';
import {someText} from '../section/fields.js';
import {sections} from '../sections/index.js';

const maybe = z.optional;

/**
 * The whole file.
 * @param isNamed whether the file says something about a section; the schemas of the others take longer to make than a file to read
 */
export function policySchema(isNamed: (key: string) => boolean) {
  const rules: Readonly<Record<string, z.ZodMiniOptional<z.ZodMiniType>>> = Object.fromEntries(
    sections.map((section) => [section.key, maybe(isNamed(section.key) ? section.schema() : z.unknown())]),
  );
  return z.strictObject({
    version: field(z.literal(1), 'the version of the format'),
    server: maybe(field(someText, 'the only server that the policy may be used with; it never decides where a token goes')),
    accounts: maybe(
      field(
        z.array(someText).check(z.minLength(1, 'expected at least one account')),
        'the only accounts that the policy may be used with, such as ana@pix.example',
      ),
    ),
    for: maybe(
      field(
        z.record(z.string(), z.strictObject(rules)),
        'rules for single accounts, by account name: lists are added to those of the policy, single values replace them',
      ),
    ),
    ...rules,
  });
}

/** The rules of a section, by its name. */
export type RulesData = Readonly<Record<string, unknown>>;

export type PolicyFile = z.infer<ReturnType<typeof policySchema>>;
