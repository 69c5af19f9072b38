/** What the server publishes of its configuration. It is compared, never changed. */
import * as z from 'zod/mini';
import type {SectionReader} from '../section/reader.js';
import type {Rule, Section} from '../section/section.js';
import {getConfiguration} from '../../api/config.js';
import {field, isObject, once} from '../../api/schema.js';
import {at} from '../../json/path.js';
import type {Comparison, Difference, Skipped} from '../model/difference.js';
import {compareText} from '../source/location.js';
import type {ConfigRule, ConfigValue} from '../model/policy.js';
import {fetched, fetchedValue, trusted, valueOf} from '../model/server-state.js';

declare module '../model/section-types.js' {
  interface Rules {
    readonly config: readonly ConfigRule[];
  }
  interface Values {
    readonly config: unknown;
  }
  interface Changes {
    readonly config: never;
  }
}

const maybe = z.optional;

const schema = once(() => {
  const plain = z.union([z.boolean(), z.number(), z.string()]);
  const range = z
    .strictObject({min: maybe(field(z.number(), 'the lowest allowed value')), max: maybe(field(z.number(), 'the highest allowed value'))})
    .check(z.refine((value) => Object.keys(value).length > 0, 'expected min, max or both'));
  const configValue = z.union([plain, z.array(plain), range], 'expected a value, or {min, max}');
  const conditional = z.strictObject({
    is: field(configValue, 'the required value'),
    if_offered: maybe(field(z.boolean(), 'whether to skip servers that do not publish it', {default: false})),
  });
  return z.record(z.string(), z.union([plain, z.array(plain), range, conditional], 'expected a value, {min, max}, or {is, if_offered}'));
});

type ConfigData = z.infer<ReturnType<typeof schema>>;

function isList(wanted: ConfigValue): wanted is readonly (boolean | number | string)[] {
  return Array.isArray(wanted);
}

/** Lists are compared as sets: servers return them in any order. */
function holds(wanted: ConfigValue, value: unknown): boolean {
  if (isList(wanted)) return Array.isArray(value) && value.length === wanted.length && wanted.every((one) => value.includes(one));
  if (typeof wanted !== 'object') return value === wanted;
  return typeof value === 'number' && value >= (wanted.min ?? -Infinity) && value <= (wanted.max ?? Infinity);
}

function wantedText(wanted: ConfigValue): string {
  if (isList(wanted) || typeof wanted !== 'object') return JSON.stringify(wanted);
  const {min, max} = wanted;
  return [...(min === undefined ? [] : [`at least ${min}`]), ...(max === undefined ? [] : [`at most ${max}`])].join(', ');
}

function compareConfig(rules: readonly ConfigRule[], config: unknown): Comparison {
  const skipped: Skipped[] = [];
  const differences = rules.flatMap(({path, wanted, isOptional, location}): Difference[] => {
    const {present, value} = at(config, path.split('.'));
    if (present && holds(wanted, value)) return [];
    if (!present && isOptional) {
      skipped.push({kind: 'config', subject: path, why: 'the server does not offer it'});
      return [];
    }
    return [
      {
        rule: 'config',
        kind: 'config',
        subject: path,
        wanted: wantedText(wanted),
        actual: present ? JSON.stringify(value) : 'not there',
        source: location,
        fix: 'only the administrator of the server can change it',
      },
    ];
  });
  return {differences, skipped};
}

/** A server that does not publish its configuration can be neither right nor wrong: that is a difference of its own kind. */
function notOffered(rules: readonly ConfigRule[]): Comparison {
  return {
    differences: rules
      .filter(({isOptional}) => !isOptional)
      .map(({path, wanted, location}) => ({
        rule: 'config',
        kind: 'unchecked',
        subject: path,
        wanted: wantedText(wanted),
        actual: 'cannot be checked here',
        source: location,
        fix: 'the server does not publish its configuration; `{is: VALUE, if_offered: true}` skips such servers',
      })),
    skipped: rules
      .filter(({isOptional}) => isOptional)
      .map(({path}) => ({kind: 'config', subject: path, why: 'the server does not publish its configuration'})),
  };
}

/** All values except the version, which changes with every update of the server. */
function entriesOf(config: unknown, path: readonly string[] = []): [string, ConfigData[string]][] {
  if (typeof config === 'boolean' || typeof config === 'number' || typeof config === 'string')
    return path.join('.') === 'version' ? [] : [[path.join('.'), config]];
  if (Array.isArray(config)) return config.every((one) => typeof one === 'string') ? [[path.join('.'), config.toSorted(compareText)]] : [];
  if (!isObject(config)) return [];
  return Object.entries(config)
    .filter(([name]) => !name.includes('.'))
    .sort(([one], [other]) => compareText(one, other))
    .flatMap(([name, value]: [string, unknown]) => entriesOf(value, [...path, name]));
}

export const config: Section = {
  key: 'config',
  kind: 'config',
  owner: 'server',
  isSet: false,
  words: {
    item: 'config',
    counted: ['setting of the server', 'settings of the server'],
    title: 'Server configuration',
    all: 'the configuration',
    rules: {'': 'The server must be configured like this.'},
  },
  schema: () => field(schema(), 'the published configuration of the server, by dotted path; compared, never changed'),
  rulesIn: (reader: SectionReader<ConfigData>) => ({
    config: reader
      .members((data) => data)
      .map(([name, {value, path}]) => {
        const location = reader.at(path);
        if (typeof value === 'object' && 'is' in value)
          return {location, path: name, wanted: value.is, isOptional: value.if_offered === true};
        return {location, path: name, wanted: value, isOptional: false};
      }),
  }),
  rulesOf: ({config: rules = []}) =>
    rules.map(({path, location}): Rule => ({rule: 'config', kind: 'config', subject: path, source: location})),
  asks: ({config: rules = []}) => rules.length > 0,
  named: ({policy: {config: rules = []}}) => rules.map(({path}) => ({subject: path})),
  compared: (subject) => subject.trim(),
  reads: getConfiguration,
  read: async (client) => ({
    config: await fetched(async () =>
      trusted(z.looseObject({}), (await client.call(getConfiguration, {})).value, client.host, getConfiguration.path),
    ),
  }),
  compare: ({policy: {config: rules = []}}, {config: part}) => compareConfig(rules, valueOf(part)),
  notOffered: ({policy: {config: rules = []}}) => notOffered(rules),
  exported: ({config: part}) => part && {value: Object.fromEntries(entriesOf(fetchedValue(part))), leftOut: []},
  formats: [],
};
