/** Push settings, and what the server says of itself. */
import {at} from '../json/path.js';
import type {Comparison, Finding} from './finding.js';
import type {ConfigRule, ConfigWish, PushRule} from './policy.js';

export function comparePush(rules: readonly PushRule[], settings: Readonly<Record<string, boolean>>): Comparison {
  const findings = rules
    .filter(({setting, wanted}) => settings[setting] !== wanted)
    .map(({setting, wanted, place}): Finding => ({
      rule: `push.${setting}`,
      kind: 'push',
      subject: setting,
      wanted: String(wanted),
      actual: String(settings[setting]),
      source: place,
      fix: `pixelctl push update DEVICE_TOKEN --${wanted ? '' : 'no-'}${setting === 'notify_enabled' ? 'notify' : setting.replace('notify_', '')}`,
      isAppliable: false,
    }));
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
  const findings = rules.flatMap(({path, wanted, place}): Finding[] => {
    const {present, value} = at(config, path.split('.'));
    if (present && holds(wanted, value)) return [];
    const actual = present ? JSON.stringify(value) : 'not there';
    return [
      {
        rule: 'config',
        kind: 'config',
        subject: path,
        wanted: wishText(wanted),
        actual,
        source: place,
        fix: 'only who runs the server can change it',
        isAppliable: false,
      },
    ];
  });
  return {findings, skipped: []};
}
