/** Lists as other tools read them. */
import type {FilterState} from '../state.js';
import {csvLine} from './csv.js';
import type {ListedDomain} from './list.js';

/** One domain a line, as Mastodon exports what a person blocks. */
export function mastodonDomainBlocks(domains: readonly string[]): string {
  return domains.map((domain) => csvLine([domain])).join('');
}

/** One account a line, as Mastodon exports whom a person blocks. */
export function mastodonBlocks(accounts: readonly string[]): string {
  return accounts.map((account) => csvLine([account])).join('');
}

export function mastodonMutes(accounts: readonly string[]): string {
  return csvLine(['Account address', 'Hide notifications']) + accounts.map((account) => csvLine([account, 'true'])).join('');
}

/** As Mastodon exports filters, and by the same names. */
export function mastodonFilters(filters: readonly FilterState[]): string {
  const exported = filters.map(({title, expiresAt, context, action, keywords}) => ({
    title,
    expire_at: expiresAt,
    context,
    action,
    keywords_attributes: keywords.map(({keyword, wholeWord}) => ({keyword, whole_word: wholeWord})),
    statuses: [],
  }));
  return `${JSON.stringify({custom_filters: exported}, null, 2)}\n`;
}

const fediBlockHoleColumns = ['domain', 'severity', 'public_comment', 'private_comment', 'reject_media', 'reject_reports', 'obfuscate'];

export type WritableDomain = Omit<ListedDomain, 'place'>;

export function fediBlockHole(entries: readonly WritableDomain[]): string {
  const rows = entries.map(
    ({domain, severity, publicComment = '', privateComment = '', rejectMedia = false, rejectReports = false, obfuscate = false}) =>
      csvLine([domain, severity, publicComment, privateComment, String(rejectMedia), String(rejectReports), String(obfuscate)]),
  );
  return csvLine(fediBlockHoleColumns) + rows.join('');
}
