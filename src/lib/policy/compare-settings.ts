/** Push settings, and what the server says of itself. */
import type {Suggest} from '../client/suggest.js';
import {at} from '../json/path.js';
import type {Comparison, Finding, Skipped} from './finding.js';
import type {ConfigRule, ConfigWish, PushRule} from './policy.js';

export function comparePush(rules: readonly PushRule[], settings: Readonly<Record<string, boolean>>, suggest: Suggest): Comparison {
  const findings = rules
    .filter(({setting, wanted}) => settings[setting] !== wanted)
    .map(({setting, wanted, location}): Finding => {
      const flag = setting.replace('notify_', '');
      const flags = {notify: settings['notify_enabled'] === true, ...(flag === 'enabled' ? {notify: wanted} : {[flag]: wanted})};
      return {
        rule: `push.${setting}`,
        kind: 'push',
        subject: setting,
        wanted: String(wanted),
        actual: String(settings[setting]),
        source: location,
        fix: suggest(['push', 'update'], {args: ['DEVICE_TOKEN'], flags}),
        isAppliable: false,
      };
    });
  return {findings, skipped: []};
}

function isList(wish: ConfigWish): wish is readonly (boolean | number | string)[] {
  return Array.isArray(wish);
}

/** Lists are sets: servers give them in any order. */
function holds(wish: ConfigWish, value: unknown): boolean {
  if (isList(wish)) return Array.isArray(value) && value.length === wish.length && wish.every((one) => value.includes(one));
  if (typeof wish !== 'object') return value === wish;
  return typeof value === 'number' && value >= (wish.min ?? -Infinity) && value <= (wish.max ?? Infinity);
}

function wishText(wish: ConfigWish): string {
  if (isList(wish) || typeof wish !== 'object') return JSON.stringify(wish);
  const {min, max} = wish;
  return [...(min === undefined ? [] : [`at least ${min}`]), ...(max === undefined ? [] : [`at most ${max}`])].join(', ');
}

export function compareConfig(rules: readonly ConfigRule[], config: unknown): Comparison {
  const skipped: Skipped[] = [];
  const findings = rules.flatMap(({path, wanted, isOptional, location}): Finding[] => {
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
        wanted: wishText(wanted),
        actual: present ? JSON.stringify(value) : 'not there',
        source: location,
        fix: 'only who runs the server can change it',
        isAppliable: false,
      },
    ];
  });
  return {findings, skipped};
}

/** Of a server that does not publish its configuration nobody can say what it is; that is no agreement. */
export function configNotOffered(rules: readonly ConfigRule[]): Comparison {
  const required = rules.filter(({isOptional}) => !isOptional);
  return {
    findings: required.map(({path, wanted, location}) => ({
      rule: 'config',
      kind: 'unchecked',
      subject: path,
      wanted: wishText(wanted),
      actual: 'cannot be checked here',
      source: location,
      fix: 'the server does not publish its configuration; `{is: VALUE, if_offered: true}` passes such servers over',
      isAppliable: false,
    })),
    skipped: rules
      .filter(({isOptional}) => isOptional)
      .map(({path}) => ({kind: 'config', subject: path, why: 'the server does not publish its configuration'})),
  };
}
