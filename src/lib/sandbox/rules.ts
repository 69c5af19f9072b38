import {type ReceivedFields, isFields, listOf} from './received-request.js';
import {invalid} from './refusal.js';

interface Attribute {
  /** Names joined by dots: `keywords_attributes.0.keyword`. */
  readonly path: string;
  /** The name in messages: the path of a nested value, otherwise the name with spaces for underscores. */
  readonly name: string;
  readonly value: unknown;
  readonly rules: readonly FieldRule[];
  readonly fields: ReceivedFields;
}

/** Returns what is wrong, or false. */
type Check = (attribute: Attribute, argument: string) => string | false;

/** A rule as the servers' framework writes it, such as `max:100`, or a check that one endpoint has. */
export type FieldRule = Check | string;

/** Rules by path, in which `*` stands for every element. Several rules are joined: `required|max:100`. */
export type FieldRules = Readonly<Record<string, string | readonly FieldRule[]>>;

const isMissing = (value: unknown): boolean => value === null || value === undefined || (Array.isArray(value) && value.length === 0);

const siblingOf = (path: string, name: string): string => path.replace(/[^.]+$/, name);

/** These rules check missing values, too. After one that is broken, nothing else is checked. */
const presence: Readonly<Record<string, Check>> = {
  required: ({name, value}) => isMissing(value) && `The ${name} field is required.`,
  required_without: ({name, value, fields}, other) =>
    isMissing(value) && isMissing(fields[other]) && `The ${name} field is required when ${other.replaceAll('_', ' ')} is not present.`,
  required_without_sibling: ({path, name, value, fields}, other) =>
    isMissing(value) &&
    isMissing(valueAt(fields, siblingOf(path, other))) &&
    `The ${name} field is required when ${siblingOf(path, other)} is not present.`,
  filled: ({name, value}) => value === null && `The ${name} must be a string.`,
};

/** The words "true" and "false" are refused. */
const booleans: readonly unknown[] = [true, false, 0, 1, '0', '1'];

const checks: Readonly<Record<string, Check>> = {
  ...presence,
  integer: ({name, value}) => !isIntegral(value) && `The ${name} must be an integer.`,
  array: ({name, value}) => !Array.isArray(value) && !isFields(value) && `The ${name} must be an array.`,
  string: ({name, value}) => typeof value !== 'string' && `The ${name} must be a string.`,
  boolean: ({name, value}) => !booleans.includes(value) && `The ${name} field must be true or false.`,
  in: ({name, value}, allowed) => !allowed.split(',').includes(String(value)) && `The selected ${name} is invalid.`,
  min(attribute, least) {
    const does = isOf(attribute, 'array') ? 'have' : 'be';
    return sizeOf(attribute) < Number(least) && `The ${attribute.name} must ${does} at least ${least}${unitOf(attribute)}.`;
  },
  max(attribute, most) {
    const does = isOf(attribute, 'array') ? 'have more' : 'be greater';
    return sizeOf(attribute) > Number(most) && `The ${attribute.name} may not ${does} than ${most}${unitOf(attribute)}.`;
  },
  /** Requires that all elements of a list differ. Every element that has a duplicate is reported. */
  distinct({path, name, value, fields}) {
    const siblings = listOf(valueAt(fields, path.replace(/\.\d+$/, '')));
    return siblings.filter((sibling) => String(sibling) === String(value)).length > 1 && `The ${name} field has a duplicate value.`;
  },
};

/** Checks all fields and throws one refusal with everything that is wrong. */
export function validate(fields: ReceivedFields, rulesByPath: FieldRules): void {
  const errors: Record<string, string[]> = {};
  for (const [pattern, given] of Object.entries(rulesByPath)) {
    const all: readonly FieldRule[] = typeof given === 'string' ? [given] : given;
    const rules = all.flatMap((rule): FieldRule[] => (typeof rule === 'string' ? rule.split('|') : [rule]));
    for (const path of expand(fields, pattern.split('.'))) {
      const name = path.includes('.') ? path : path.replaceAll('_', ' ');
      const found = faultsOf({path, name, value: valueAt(fields, path), rules, fields});
      if (found.length > 0) errors[path] = found;
    }
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

function faultsOf(attribute: Attribute): string[] {
  const messages: string[] = [];
  for (const rule of attribute.rules) {
    const [word = '', argument = ''] = typeof rule === 'string' ? rule.split(/:(.*)/s) : [];
    if (!(word in presence) && (attribute.value === null || attribute.value === undefined)) continue;
    const check = typeof rule === 'string' ? checks[word] : rule;
    if (check === undefined) throw new Error(`There is no rule ${word}`);
    const message = check(attribute, argument);
    if (message === false) continue;
    messages.push(message);
    if (word in presence) break;
  }
  return messages;
}

function expand(value: unknown, [part, ...rest]: readonly string[]): string[] {
  if (part === undefined) return [''];
  const names = part === '*' ? (typeof value === 'object' && value !== null ? Object.keys(value) : []) : [part];
  return names.flatMap((name) => expand(valueAt(value, name), rest).map((deeper) => (deeper === '' ? name : `${name}.${deeper}`)));
}

function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) {
    if (Array.isArray(found)) found = found[Number(name)];
    else found = isFields(found) ? found[name] : undefined;
  }
  return found;
}

function isIntegral(value: unknown): boolean {
  return typeof value === 'number' ? Number.isInteger(value) : typeof value === 'string' && /^[+-]?\d{1,19}$/.test(value);
}

const isOf = ({rules}: Attribute, type: 'array' | 'integer'): boolean => rules.includes(type);

/** A number counts as itself, a list by its items, a file in kilobytes, everything else by its characters. */
function sizeOf(attribute: Attribute): number {
  const {value} = attribute;
  if (isOf(attribute, 'integer') && isIntegral(value)) return Number(value);
  if (Array.isArray(value)) return value.length;
  if (value instanceof File) return value.size / 1024;
  return isFields(value) ? Object.keys(value).length : [...String(value)].length;
}

function unitOf(attribute: Attribute): string {
  if (isOf(attribute, 'integer')) return '';
  return isOf(attribute, 'array') ? ' items' : attribute.value instanceof File ? ' kilobytes' : ' characters';
}
