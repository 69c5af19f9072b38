/** `protect_followed`: domains are not blocked where somebody is whom the account follows, or who follows it. */
import {countNoun} from '../../json/text.js';
import type {Actual, Circumstances, Desired, Hold, Kind, Row} from '../model/kind.js';
import {locationText} from '../source/location.js';

const way = 'to block it anyway, run `pixelctl domain-blocks add DOMAIN`';

function followersText(count: number): string {
  return count === 1
    ? '1 account there follows this account or is followed by it'
    : `${count} accounts there follow this account or are followed by it`;
}

/** What is wanted, with what holds it: who is followed is read where the policy asks for it. */
export async function withFollowed(
  kind: Kind,
  desired: Desired,
  {items}: Actual,
  {followed: read}: Pick<Circumstances, 'followed'>,
): Promise<Desired> {
  const rule = desired.rules?.protectFollowed;
  if (rule === undefined) return desired;
  const why = {rule: `${desired.rules?.of.key}.protect_followed`, where: locationText(rule.location)};
  const followed = await read?.();
  if (followed !== undefined && 'value' in followed) {
    const {counts} = followed.value;
    const hold = (domain: string): Hold | undefined => {
      const count = counts.get(domain) ?? 0;
      return count < rule.value ? undefined : {says: `${followersText(count)}; ${way}`, why};
    };
    return {...desired, hold};
  }
  const says = `protect_followed (${why.where}) cannot be checked: ${followed?.failure.message ?? 'followed accounts were not read'}`;
  const open = [...desired.want.keys()].filter((domain) => !items.has(domain)).length;
  if (open === 0) return desired;
  const texts = {
    wanted: `${rule.value}, checked for ${countNoun(open, 'domain')}`,
    actual: says,
    fix: 'run it again when the server responds',
  };
  const row: Row = {
    kind,
    name: 'protect_followed',
    action: 'cannot',
    has: null,
    want: null,
    why,
    isAsked: true,
    how: 'unknown',
    says,
    texts,
  };
  return {...desired, hold: () => ({says, why, how: 'unknown'}), cannot: [...(desired.cannot ?? []), row]};
}
