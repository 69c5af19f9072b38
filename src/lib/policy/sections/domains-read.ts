/** Reads what a policy says about blocked domains. */
import {dirname, relative, resolve} from 'node:path';
import type {DomainsData} from './domains-schema.js';
import {placed, type SectionReader} from './reader.js';
import {countNoun} from '../../json/text.js';
import {typedDomain} from '../../operations/domains.js';
import {blocked, commentOf, defaultMerge} from '../model/domain-facts.js';
import {type Location, locationText} from '../source/location.js';
import {withScheme} from './section-fields.js';
import type {DomainRules, ListReference, OwnDomain} from '../model/policy.js';

export function readDomains(reader: SectionReader<DomainsData>): DomainRules {
  const {data, key} = reader;
  const {must_not: spared, agree} = data;
  const mustNot = Array.isArray(spared) ? {domains: spared} : {...spared};
  const path = Array.isArray(spared) ? ['must_not'] : ['must_not', 'domains'];
  const names = reader.readNames(data.must, placed(mustNot.domains, ...path), {
    readMust: ownDomain,
    readMustNot: (entry) =>
      typeof entry === 'string' ? {value: typedDomain(entry)} : {value: typedDomain(entry.domain), note: entry.note},
  });
  const lists = placed(data.lists, 'lists').map(({value, path: at}) => referenceOf(value, reader.at(at)));
  const allowLists = placed(mustNot.lists, 'must_not', 'lists').map(({value, path: at}) => referenceOf(value, reader.at(at), true));
  const followed = reader.value('protect_followed');
  const maxFollowed = reader.value('max_followed_severity');
  const total = new Set(lists.map(({name}) => name)).size;
  if (typeof agree === 'number' && total > 0 && agree > total)
    reader.complain(
      ['agree'],
      `agree is ${agree}, but there ${total === 1 ? 'is' : 'are'} ${countNoun(total, 'list')}: nothing would be blocked`,
    );
  return {
    key,
    ...names,
    protectFollowed: followed && followed.value > 0 ? followed : undefined,
    only: reader.only,
    limit: reader.value('limit'),
    maxFollowed: maxFollowed && {...maxFollowed, follows: data.followed_limit ?? 1},
    sendComments: data.send_comments,
    lists: [...lists, ...allowLists],
    agree,
    merge: {comments: data.comments ?? defaultMerge.comments, severity: data.severity ?? defaultMerge.severity},
  };
}

function ownDomain(entry: NonNullable<DomainsData['must']>[number]): Pick<OwnDomain, 'facts' | 'value'> {
  if (typeof entry === 'string') return {value: typedDomain(entry)};
  const {domain, severity = blocked.severity, public_comment, private_comment, until: _, ...flags} = entry;
  const comments = {public_comment: commentOf(public_comment), private_comment: commentOf(private_comment)};
  return {value: typedDomain(domain), facts: {severity, ...comments, ...flags}};
}

/** The path under which a server publishes its domain blocks, in Mastodon's API. */
const publishedBlocks = '/api/v1/instance/domain_blocks';

/** The path of a list in one form, however it is written: relative inside of the working folder, else absolute. */
function pathOf(file: string, folder: string): string {
  const path = resolve(folder, file);
  const way = relative('', path);
  return /^(?:\.\.|$)/.test(way) ? path : way;
}

/** @param spares set for a list of `must_not`: every domain of it is spared, whatever its severity */
function referenceOf(list: NonNullable<DomainsData['lists']>[number], location: Location, spares?: true): ListReference {
  const {file = '', url, server, min_severity: minSeverity = 'silence', may_be_empty: mayBeEmpty = false} = list;
  const address = server === undefined ? url && (URL.parse(url)?.href ?? url) : new URL(publishedBlocks, withScheme(server)).href;
  return {
    spares,
    name: address ?? pathOf(file, dirname(location.file)),
    isRemote: address !== undefined,
    where: locationText(location),
    minSeverity: spares ? 'noop' : minSeverity,
    maxSeverity: list.max_severity,
    fields: list.fields,
    privateComment: commentOf(list.private_comment),
    skipsMistakes: list.on_mistake === 'skip',
    mayBeEmpty,
    sha256: list.sha256?.toLowerCase(),
  };
}
