/** Names a state by its content, to know it again. */
import {createHash} from 'node:crypto';
import {compareText} from './place.js';
import {valueOf, type FilterState, type Part, type State} from './state.js';

function filterFacts({id, title, context, action, expiresAt, keywords}: FilterState): unknown[] {
  return [
    id,
    title,
    context,
    action,
    expiresAt,
    keywords.map((one) => [one.id, one.keyword, one.wholeWord]).sort(([one], [other]) => Number(one) - Number(other)),
  ];
}

/** Of everything that a plan can change; the order in which a server tells it does not count. */
export function fingerprint({domainBlocks, filters, blocks, mutes, push}: State): string {
  const settings = valueOf(push);
  const names = (part: Part<ReadonlyMap<string, unknown>> | undefined) => [...(valueOf(part)?.keys() ?? [])].sort(compareText);
  const facts = {
    domains: names(domainBlocks),
    blocks: names(blocks),
    mutes: names(mutes),
    filters:
      valueOf(filters)
        ?.toSorted((one, other) => compareText(one.id, other.id))
        .map(filterFacts) ?? [],
    push: settings ? Object.entries(settings).sort(([one], [other]) => compareText(one, other)) : [],
  };
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}
