/** How far lists agree on each domain that they name, as a table: for choosing `agree`. */
import {whoseText} from '../../model/difference.js';
import {csvFormula, csvLine} from '../../../files/csv.js';
import {inert} from '../../../print/inert.js';
import {placeText} from '../../source/mistakes.js';
import {shareText} from '../../lists/agreement.js';
import {countAgreeing, type WantedDomains} from '../../lists/merge.js';
import type {ReportFormat} from '../format.js';
import type {AuditReport, Unusable} from '../report.js';

/** The count and share are those of the lists that name the domain severely enough. */
const columns = ['domain', 'count', 'share', 'lists'];

/** Reports of one policy share what its lists say, unless it differs for the account. */
export const thresholds: ReportFormat = {
  render: thresholdsReport,
};

function* thresholdsReport(reports: readonly AuditReport[], unusable?: Unusable): Generator<string> {
  if (unusable !== undefined) {
    yield line(['mistake', 'where']);
    for (const mistake of unusable.mistakes) yield line([mistake.message, placeText(mistake)]);
    return;
  }
  const uses = reports.flatMap((report) => [...report.domains.values()].map((domains) => ({report, domains})));
  const same = Map.groupBy(uses, ({domains}) => domains);
  const isOne = reports.length <= 1;
  // A policy may ask for several sections of domains.
  const namesSection = reports.some(({domains}) => domains.size > 1);
  yield line([...(isOne ? [] : ['policy', 'accounts']), ...(namesSection ? ['section'] : []), ...columns]);
  for (const [domains, of] of same) {
    const [policy = ''] = of.map(({report}) => report.policy);
    const accounts = of.map(({report}) => whoseText(report)).join('; ');
    yield* rowsOf(domains, [...(isOne ? [] : [policy, accounts]), ...(namesSection ? [domains.rules.of.key] : [])]);
  }
}

function* rowsOf({mentions, total}: WantedDomains, about: readonly string[]): Generator<string> {
  const first = about.length === 0 ? '' : `${line(about).slice(0, -1)},`;
  for (const [domain, all] of mentions) {
    const count = countAgreeing(all);
    const lists = new Set(all.filter(({counts}) => counts).map(({by}) => by.list));
    yield first + line([domain, String(count), shareText(count, total), [...lists].join('; ')]);
  }
}

/** No cell is a formula for a spreadsheet. */
function line(cells: readonly string[]): string {
  return csvLine(cells.map((cell) => inert(csvFormula.test(cell) ? `'${cell}` : cell)));
}
