/** Push settings, and the configuration that the server publishes. */
import type {Suggest} from '../client/suggest.js';
import {at} from '../json/path.js';
import type {PushChange} from './change.js';
import type {Comparison, Difference, Skipped} from './difference.js';
import {locationText} from './location.js';
import type {ConfigRule, ConfigValue, PushRule} from './policy.js';

type Settings = Readonly<Record<string, boolean>>;

export function comparePush(rules: readonly PushRule[], settings: Settings, suggest: Suggest): Comparison {
  const change = pushOff(rules, settings);
  const differences = rules
    .filter(({setting, wanted}) => settings[setting] !== wanted)
    .map(({setting, wanted, location}): Difference => {
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
        change,
      };
    });
  return {differences, skipped: []};
}

/** Push can be turned off as a whole, which also turns off every single setting and forgets the device. */
function pushOff(rules: readonly PushRule[], settings: Settings): PushChange | undefined {
  const off = rules.find(({setting, wanted}) => setting === 'notify_enabled' && !wanted);
  if (off === undefined || settings['notify_enabled'] !== true || rules.some(({wanted}) => wanted)) return undefined;
  return {
    action: 'update',
    kind: 'push',
    subject: 'notify_enabled',
    details: {notify_enabled: false},
    reason: 'must',
    because: `push.${off.setting}: ${locationText(off.location)}`,
  };
}

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

export function compareConfig(rules: readonly ConfigRule[], config: unknown): Comparison {
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
export function configNotOffered(rules: readonly ConfigRule[]): Comparison {
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
