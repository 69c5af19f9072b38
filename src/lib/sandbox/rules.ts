import {type ReceivedFields, isFields, listOf} from './request.js';
import {invalid} from './refusal.js';

/** One value under test. */
interface Attribute {
  /** With dots: `keywords_attributes.0.keyword`. */
  readonly path: string;
  /** What messages call it: nested ones by their path, others with spaces. */
  readonly name: string;
  readonly value: unknown;
  readonly rules: readonly Rule[];
  readonly fields: ReceivedFields;
}

interface Rule {
  /** The type that sizes are counted by. */
  readonly type?: 'array' | 'integer';
  /** Holds for missing values too; nothing else is checked after it. */
  readonly presence?: true;
  /** What is wrong, or null. */
  readonly check: (attribute: Attribute) => string | null;
}

const missing = (value: unknown): boolean => value === null || value === undefined || (Array.isArray(value) && value.length === 0);

const when = (wrong: boolean, message: string): string | null => (wrong ? message : null);

export const required: Rule = {
  presence: true,
  check: ({name, value}) => when(missing(value), `The ${name} field is required.`),
};

export const requiredWithout = (other: string): Rule => ({
  presence: true,
  check: ({name, value, fields}) =>
    when(missing(value) && missing(fields[other]), `The ${name} field is required when ${other.replaceAll('_', ' ')} is not present.`),
});

/** Required unless the same element carries the other field. */
export const requiredUnlessBeside = (other: string): Rule => ({
  presence: true,
  check: ({path, name, value, fields}) => {
    const beside = valueAt(fields, path.replace(/[^.]+$/, other));
    return when(missing(value) && missing(beside), `The ${name} field is required when ${path.replace(/[^.]+$/, other)} is not present.`);
  },
});

/** A field that may be left out, and is not empty where it is sent. */
export const filledText: Rule = {
  presence: true,
  check: ({name, value}) => when(value === null, `The ${name} must be a string.`),
};

export const integerRule: Rule = {
  type: 'integer',
  check: ({name, value}) => when(!isIntegral(value), `The ${name} must be an integer.`),
};

export const array: Rule = {
  type: 'array',
  check: ({name, value}) => when(!Array.isArray(value) && !isFields(value), `The ${name} must be an array.`),
};

export const string: Rule = {
  check: ({name, value}) => when(typeof value !== 'string', `The ${name} must be a string.`),
};

/** The words "true" and "false" are refused. */
export const boolean: Rule = {
  check: ({name, value}) =>
    when(![true, false, 0, 1, '0', '1'].some((allowed) => allowed === value), `The ${name} field must be true or false.`),
};

export const oneOf = (allowed: readonly string[]): Rule => ({
  check: ({name, value}) => when(!allowed.includes(String(value)), `The selected ${name} is invalid.`),
});

export const matching = (pattern: RegExp, problem?: string): Rule => ({
  check: ({name, value}) => when(!pattern.test(String(value)), problem ?? `The ${name} format is invalid.`),
});

export const min = (least: number): Rule => ({
  check: (attribute) => when(sizeOf(attribute) < least, `The ${attribute.name} must ${few(least, attribute)}.`),
});

export const max = (most: number): Rule => ({
  check: (attribute) => when(sizeOf(attribute) > most, `The ${attribute.name} may not ${many(most, attribute)}.`),
});

/** No two elements of the list are the same; every one that has a twin is named. */
export const distinct: Rule = {
  check: ({path, name, value, fields}) => {
    const siblings = listOf(valueAt(fields, path.replace(/\.\d+$/, '')));
    const twins = siblings.filter((sibling) => String(sibling) === String(value));
    return when(twins.length > 1, `The ${name} field has a duplicate value.`);
  },
};

/** A rule of one endpoint's own: what is wrong, or null. */
export const custom = (check: (value: unknown) => string | null): Rule => ({
  check: ({value}) => check(value),
});

/** Checks all fields and throws one refusal with everything that is wrong. `*` in a path stands for every element. */
export function validate(fields: ReceivedFields, rulesByPath: Readonly<Record<string, readonly Rule[]>>): void {
  const errors: Record<string, string[]> = {};
  for (const [pattern, rules] of Object.entries(rulesByPath)) {
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
    if (!rule.presence && (attribute.value === null || attribute.value === undefined)) continue;
    const message = rule.check(attribute);
    if (message === null) continue;
    messages.push(message);
    if (rule.presence) break;
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

const isOf = ({rules}: Attribute, type: Rule['type']): boolean => rules.some((rule) => rule.type === type);

/** A number counts as itself, a list by its items, a file in kilobytes, everything else by its characters. */
function sizeOf(attribute: Attribute): number {
  const {value} = attribute;
  if (isOf(attribute, 'integer') && isIntegral(value)) return Number(value);
  if (Array.isArray(value)) return value.length;
  if (value instanceof File) return value.size / 1024;
  return isFields(value) ? Object.keys(value).length : [...String(value)].length;
}

function few(least: number, attribute: Attribute): string {
  if (isOf(attribute, 'integer')) return `be at least ${least}`;
  return isOf(attribute, 'array') ? `have at least ${least} items` : `be at least ${least} ${unitOf(attribute)}`;
}

function many(most: number, attribute: Attribute): string {
  if (isOf(attribute, 'integer')) return `be greater than ${most}`;
  return isOf(attribute, 'array') ? `have more than ${most} items` : `be greater than ${most} ${unitOf(attribute)}`;
}

const unitOf = ({value}: Attribute): string => (value instanceof File ? 'kilobytes' : 'characters');
