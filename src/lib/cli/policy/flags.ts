/** Flags of the commands about policies. */
import {Args, Flags} from '@oclif/core';
import {type GivenFlags, type relationsFlags, repeatable} from '../flags.js';
import {listFlags, type ListFlags, sameLists} from './list-access.js';
import type {partFlags} from './part.js';
import {Failure} from '../../client/failure.js';
import type {SuggestedFlags} from '../../client/suggest.js';
import type {PrivateComments} from '../../policy/model/domain-facts.js';
import type {Section} from '../../policy/section/section.js';
import {ofDomains} from '../../policy/sections/index.js';
import {enumerated} from '../../json/text.js';

/** Protected domains that are blocked anyway. */
export const protectionFlags = {
  'block-protected': repeatable('block this domain even if the policy protects it (repeatable)', 'DOMAIN'),
};

/** @throws Failure `usage` where something of another kind is named than what the flag protects from */
export function refuseUnprotecting(flags: GivenFlags<typeof protectionFlags>, what: string): void {
  if (flags['block-protected'] === undefined) return;
  throw new Failure('usage', `--block-protected has no effect: ${what}`, {hint: 'leave it out'});
}

/**
 * @param asked the sections that are meant of what `name` says
 * @throws Failure `usage` for a flag that would do nothing in any of them, or not in all in which people expect it
 */
export function refuseWithoutEffect(
  flags: GivenFlags<typeof protectionFlags & typeof relationsFlags>,
  asked: (section: Pick<Section, 'asks' | 'key'>) => boolean,
  name: string,
): void {
  const meant = ofDomains.filter(asked);
  if (meant.length === 0) refuseUnprotecting(flags, `${name} has no rules about domains`);
  if (flags['save-relations'] === undefined) return;
  const [blind] = meant.filter(({ofDomains: {seesFollows}}) => !seesFollows);
  const seeing = ofDomains.flatMap(({key, ofDomains: {seesFollows}}) => (seesFollows ? key : []));
  if (blind !== undefined)
    throw new Failure(
      'usage',
      `--save-relations cannot be used with ${blind.key}, which cuts off everybody on the server: it sees the follows of one account`,
      {
        hint: `leave it out, or use it with --only ${seeing.join(',')}`,
      },
    );
  if (meant.length === 0)
    throw new Failure('usage', `--save-relations has no effect: ${name} has no rules about ${enumerated(seeing)}`, {hint: 'leave it out'});
}

const privateFlags = {
  'show-private': Flags.boolean({
    description: 'also show private comments, which are otherwise left out of everything that is printed',
  }),
};

export const stateFlags = {
  state: Flags.string({
    description: 'the state file, which records what applies made and what existed before (default: POLICY.state.json beside the policy)',
    helpValue: 'FILE',
  }),
};

/** What a policy and its lists are read with. */
export const readingFlags = {...listFlags, ...protectionFlags, ...privateFlags};

export const policyArgument = Args.string({description: 'a policy, YAML or JSON (-: standard input)', required: true, ignoreStdin: true});

/** The flags of these commands, as parsed; not every command has all of them. */
export type PolicyFlags = GivenFlags<
  typeof partFlags & typeof privateFlags & typeof protectionFlags & typeof relationsFlags & typeof stateFlags
> &
  ListFlags;

/** The flags that lead to the same lists, domains and state files, for commands that are suggested. */
export function sameFlags(flags: PolicyFlags): SuggestedFlags {
  const {state} = flags;
  const domains = flags['block-protected'];
  return {...sameLists(flags), ...(domains !== undefined && {'block-protected': domains}), ...(state !== undefined && {state})};
}

/** Which private comments are read. @param besides of a command that is not asked to show them */
export function commentsFor(flags: PolicyFlags, besides: PrivateComments = 'sent'): PrivateComments {
  return flags['show-private'] === true ? 'all' : besides;
}
