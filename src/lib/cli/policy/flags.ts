/** Flags of the commands about policies. */
import type {FlagValues} from '../../files/command-text.js';
import {joinFlags} from '../flags.js';
import {Args, Flags} from '@oclif/core';
import type {GivenFlags} from '../flags.js';
import {listFlags, type ListFlags, sameLists} from './list-access.js';
import type {partFlags} from './part.js';
import {Failure} from '../../client/failure.js';
import {type PrivateComments, type Section, sections} from '../../policy/index.js';
import {enumerated} from '../../json/text.js';

/** The flags that are about some sections only, and those sections. */
const sectionFlags: readonly {readonly names: readonly (keyof PolicyFlags)[]; readonly isOf: (section: Section) => boolean}[] = [
  {names: ['allow-remote-lists', 'allow-outside'], isOf: ({ofDomains}) => ofDomains !== undefined},
  {names: ['allow-additions'], isOf: ({changing}) => changing?.reaches !== undefined},
  {names: ['show-private'], isOf: ({isSet}) => isSet},
];

/**
 * @param isMeant whether a section can be the subject of the run
 * @param name of what has the rules: a policy, a part of it, a plan
 * @throws Failure `usage` for a flag that would do nothing in any section
 */
export function refuseWithoutEffect(flags: PolicyFlags, isMeant: (section: Section) => boolean, name: string): void {
  for (const {names, isOf} of sectionFlags)
    for (const flag of names) {
      const able = sections.filter(isOf);
      if (flags[flag] === undefined || flags[flag] === false) continue;
      if (able.some((section) => isMeant(section))) continue;
      const keys = enumerated(
        able.map(({key}) => key),
        'or',
      );
      throw new Failure('usage', `--${flag} has no effect: no rules about ${keys} in ${name}`, {hint: 'leave it out'});
    }
}

/**
 * @param flags names of those that are about policies
 * @param what it is instead
 * @throws Failure `usage` where one is given
 */
export function refuseForOther(flags: PolicyFlags, names: readonly (keyof PolicyFlags)[], what: string): void {
  const given = names.find((name) => flags[name] !== undefined && flags[name] !== false);
  if (given !== undefined) throw new Failure('usage', `--${given} has no effect: ${what}`, {hint: 'leave it out'});
}

/** What lets a plan pass that would be held back. */
export const guardFlags = {
  'allow-removals': Flags.integer({
    description: 'allow N removals that no rule asks for by name; in a saved plan, all removals count',
    helpValue: 'N',
    min: 0,
  }),
  'allow-additions': Flags.integer({
    description: 'allow N new server-wide suspensions of domains',
    helpValue: 'N',
    min: 0,
  }),
};

const privateFlags = {
  'show-private': Flags.boolean({
    description: 'also show private comments',
  }),
};

export const stateFlags = {
  state: Flags.string({
    description: 'the state file, which records what apply made and what existed before (default: POLICY.state.json)',
    helpValue: 'FILE',
  }),
};

/** What a policy and its lists are read with. */
export const readingFlags = joinFlags(listFlags, privateFlags);

/** Where help says what a policy can say. */
export const keysText = 'Every key of a policy is described in docs/reference/policy.md.';

export const policyArgument = Args.string({description: 'a policy, YAML or JSON (-: standard input)', required: true, ignoreStdin: true});

export const policiesArgument = Args.string({
  description: 'policies, YAML or JSON (-: standard input)',
  required: true,
  multiple: true,
  ignoreStdin: true,
});

/** The flags of these commands, as parsed; not every command has all of them. */
export type PolicyFlags = GivenFlags<typeof guardFlags & typeof partFlags & typeof privateFlags & typeof stateFlags> & ListFlags;

/** The flags that lead to the same lists and state files, for commands that are suggested. */
export function sameFlags(flags: PolicyFlags): FlagValues {
  const {state} = flags;
  return {...sameLists(flags), ...(state !== undefined && {state})};
}

/** Which private comments are read. @param besides of a command that is not asked to show them */
export function commentsFor(flags: PolicyFlags, besides: PrivateComments = 'sent'): PrivateComments {
  return flags['show-private'] === true ? 'all' : besides;
}
