/** Push settings. */
import {commandText} from '../../files/command-text.js';
import * as z from 'zod/mini';
import {onDrift} from '../section/fields.js';
import type {SectionReader} from '../section/reader.js';
import type {Rule, Section} from '../section/section.js';
import {disablePush, getPushState} from '../../api/push.js';
import {field, once} from '../../api/schema.js';
import type {ByHand} from '../model/by-hand.js';
import {changeSchema} from '../model/change.js';
import type {Difference, Skipped} from '../model/difference.js';
import {compareText, locationText} from '../source/location.js';
import type {PushRule} from '../model/policy.js';
import {fetched, fetchedValue, trusted, valueOf} from '../model/server-state.js';

type Settings = Readonly<Record<string, boolean>>;

declare module '../model/section-types.js' {
  interface Rules {
    readonly push: readonly PushRule[];
  }
  interface Values {
    readonly push: Settings;
  }
  interface Changes {
    readonly push: PushChange;
  }
}

/** Servers need the device's token to change a push setting, but not to turn all of them off. */
const pushOff = once(() =>
  changeSchema(z.literal('update'), 'push', z.strictObject({notify_enabled: z.literal(false)})).check(
    z.refine(({subject}) => subject === 'notify_enabled', {error: 'only notify_enabled can be changed', path: ['subject']}),
  ),
);

type PushChange = z.infer<ReturnType<typeof pushOff>>;

const maybe = z.optional;

const schema = once(() =>
  z.strictObject({
    notify_enabled: maybe(field(z.boolean(), 'push notifications as a whole')),
    notify_like: maybe(field(z.boolean(), 'notifications of likes')),
    notify_follow: maybe(field(z.boolean(), 'notifications of new followers')),
    notify_mention: maybe(field(z.boolean(), 'notifications of mentions and direct messages')),
    notify_comment: maybe(field(z.boolean(), 'notifications of comments')),
    on_drift: onDrift,
  }),
);

/** What a server says of the same. */
const shape = once(() =>
  z.object({
    notify_enabled: z.boolean(),
    notify_like: z.boolean(),
    notify_follow: z.boolean(),
    notify_mention: z.boolean(),
    notify_comment: z.boolean(),
  }),
);

/** Push can be turned off as a whole, which also turns off every single setting and forgets the device. */
function changeFor(rules: readonly PushRule[], settings: Settings, byHand: ByHand | undefined): PushChange | undefined {
  const off = rules.find(({setting, wanted}) => setting === 'notify_enabled' && !wanted);
  if (off === undefined || settings['notify_enabled'] !== true || rules.some(({wanted}) => wanted)) return undefined;
  return {
    action: 'update',
    kind: 'push',
    subject: 'notify_enabled',
    details: {notify_enabled: false},
    reason: 'must',
    because: `push.${off.setting}: ${locationText(off.location)}`,
    ...(byHand && {by_hand: byHand}),
  };
}

export const push: Section = {
  key: 'push',
  kind: 'push',
  owner: 'account',
  isSet: false,
  words: {
    item: 'push',
    counted: ['push setting', 'push settings'],
    title: 'Push settings',
    all: 'the push settings',
    rules: {'': 'Push must be set like this.'},
  },
  schema: () => field(schema(), 'push settings'),
  rulesIn: (reader: SectionReader<z.infer<ReturnType<typeof schema>>>) => ({
    push: reader
      .members(({on_drift: _, ...settings}) => settings)
      .map(([setting, {value, path}]) => ({location: reader.at(path), setting, wanted: value})),
  }),
  rulesOf: ({push: rules = []}) =>
    rules.map(({setting, location}): Rule => ({rule: `push.${setting}`, kind: 'push', subject: setting, source: location})),
  asks: ({push: rules = []}) => rules.length > 0,
  named: ({policy: {push: rules = []}}) => rules.map(({setting}) => ({subject: setting})),
  compared: (subject) => subject.trim(),
  reads: getPushState,
  read: async (client) => ({
    push: await fetched(async () => trusted(shape(), (await client.call(getPushState, {})).value, client.host, getPushState.path)),
  }),
  fingerprint: ({push: part}) => ({push: Object.entries(valueOf(part) ?? {}).sort(([one], [other]) => compareText(one, other))}),
  compare({policy: {push: rules = []}}, state, {advice: {account}, people}) {
    const settings = valueOf(state.push) ?? {};
    // Applies only turn push off as a whole.
    const doing = people?.did({kind: 'push', subject: 'notify_enabled'});
    const change = changeFor(rules, settings, doing?.byHand);
    const different = rules.filter(({setting, wanted}) => settings[setting] !== wanted);
    const isLeft = ({wanted}: PushRule) => !wanted && doing?.left !== undefined;
    const differences = different
      .filter((rule) => !isLeft(rule))
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
          fix: commandText('push update', {args: ['DEVICE_TOKEN'], flags: {...flags, ...account}}),
          ...(!wanted && {byHand: doing?.byHand}),
          change,
        };
      });
    const skipped = different.filter(isLeft).flatMap(({setting, location: source}): Skipped | readonly [] => {
      const heldBy = {rule: `push.${setting}`, source, how: 'kept'} as const;
      return doing?.left === undefined ? [] : {kind: 'push', subject: setting, why: doing.left, heldBy};
    });
    return {differences, skipped};
  },
  exported: ({push: part}) => part && {value: {...fetchedValue(part)}, leftOut: []},
  formats: [],
  changing: {
    schemas: () => [pushOff()],
    operations: {update: disablePush},
    input: () => ({}),
    text: () => 'turn push off; the server forgets the device',
    inOrder: (changes) => changes,
    target: ({subject}) => JSON.stringify(['push', subject]),
    misfit: (_, {push: part}) => (valueOf(part)?.['notify_enabled'] === true ? undefined : 'push is off already'),
    isDone: (_, __, {push: part}) => valueOf(part)?.['notify_enabled'] === false,
    // Turning push off is the last change of a plan, and the settings before it are not known.
    before: () => ({}),
    touched: ({subject}) => ({subject, was: true}),
    was: () => z.literal(true),
    undo: () => ({
      changes: [],
      lost: [{subject: 'push', why: 'the server forgot the device when push was turned off; set push up again in the app'}],
    }),
  },
  made: {
    schema: () => z.literal(false),
    after: () => false,
    before: () => true,
    now({push: part}) {
      const settings = valueOf(part);
      return settings && (() => settings['notify_enabled']);
    },
    isLess: (one, other) => one !== other,
    text: (isOn) => (isOn === true ? 'on' : 'off'),
  },
};
