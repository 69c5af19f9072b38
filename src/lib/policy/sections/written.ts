/** Items of servers in other forms: as sections of policies, and as lists of other tools. */
import * as z from 'zod/mini';
import {csvLine} from '../../files/csv.js';
import {isFileName} from '../../operations/domains.js';
import type {DomainList} from '../lists/list.js';
import {
  isDomainListFormat,
  type ListFormat,
  listFormats,
  type ListSetting,
  writeDomainList,
  type WrittenList,
} from '../lists/write-list.js';
import {plainFacts, writtenDomain} from '../model/domain-facts.js';
import {isFilter, toBlock, toFilter, type Value} from '../model/value.js';
import {compareText} from '../source/location.js';
import type {Actual, Kind} from './policy-kind.js';

function entryOf(name: string, value: Value): unknown {
  if (!isFilter(value)) return writtenDomain(name, plainFacts(toBlock(value)));
  const {context, action, keywords, expires = 'never'} = value;
  return {title: name, context, action, keywords: keywords.map((one) => (one.whole_word ? one.keyword : one)), expires};
}

/** Writes a section that does not differ from the server, and names what no policy can express. @param actual without filters that have ended */
export function writeSection({item, section: {noun, schema}}: Kind, {items}: Actual) {
  const section = schema();
  const must: unknown[] = [];
  const leftOut: string[] = [];
  for (const [name, {value, id}] of [...items].sort(([one], [other]) => compareText(one, other))) {
    const entry = entryOf(name, value);
    // A domain such as `list.csv` would be taken for the file of a list.
    const isWritable = !(noun === 'domain' && isFileName(name)) && z.safeParse(section, {must: [entry]}).success;
    if (isWritable) must.push(entry);
    else leftOut.push(`${item} ${id === undefined ? '' : `${id} `}"${name}"`);
  }
  return {value: {must}, leftOut};
}

const formatsOf: Readonly<Record<string, readonly ListFormat[]>> = {
  account: ['mastodon-csv'],
  domain: listFormats.filter(isDomainListFormat),
  filter: ['mastodon-json'],
};

/** Whether a list of another tool can hold items of a kind. */
export const canHold = (format: ListFormat, {section: {noun}}: Kind): boolean => formatsOf[noun]?.includes(format) === true;

/** Writes a list of another tool, which {@link canHold} the kind. */
export function writeList({key, section: {noun}}: Kind, format: ListFormat, {items}: Actual, setting: ListSetting): WrittenList {
  const all = [...items].sort(([one], [other]) => compareText(one, other));
  if (noun === 'domain' && isDomainListFormat(format)) {
    const domains = all.map(([domain, {value}]) => ({domain, facts: toBlock(value)}));
    return writeDomainList(format, domains, setting);
  }
  if (noun === 'account') {
    // As Mastodon exports them.
    const lines =
      key === 'mutes' ? [['Account address', 'Hide notifications'], ...all.map(([name]) => [name, 'true'])] : all.map(([name]) => [name]);
    return {text: lines.map((cells) => csvLine(cells)).join(''), leftOut: []};
  }
  const custom_filters = all.map(([title, {value}]) => {
    const {context, action, expires = 'never', keywords} = toFilter(value);
    return {title, expire_at: expires === 'never' ? null : expires, context, action, keywords_attributes: keywords, statuses: []};
  });
  return {text: `${JSON.stringify({custom_filters}, null, 2)}\n`, leftOut: []};
}

/** The items of a list of domains, by name. */
export function itemsIn({entries}: DomainList, {owner}: Kind): ReadonlyMap<string, Value> {
  const blocks = entries.filter(({facts}) => facts.severity !== 'noop');
  // Of an account's block a server stores the domain alone.
  return new Map(blocks.map(({domain, facts: {severity}}) => [domain, owner === 'server' ? {severity} : true]));
}
