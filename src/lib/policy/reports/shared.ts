/** What several audits have in common, which a page shows once. */
import type {AuditReport} from '../rows/audit.js';
import type {Kind, Row} from '../model/kind.js';
import {areEqual} from '../model/value.js';

/** What all audits with one policy that could be made have in common. */
export interface Common {
  /** The first one of them, with nothing but that. */
  readonly report: AuditReport;
  /** Two at least. */
  readonly reports: readonly AuditReport[];
  readonly of: ReadonlySet<AuditReport>;
  /** How many audits there are with the policy, with those that could not be made. */
  readonly total: number;
  /** What an audit has besides. */
  readonly rest: (report: AuditReport) => readonly Row[];
}

type Named = ReadonlyMap<Kind, ReadonlyMap<string, Row>>;

const byName = ({findings}: AuditReport): Named =>
  new Map(
    Array.from(
      Map.groupBy(findings, ({kind}) => kind),
      ([kind, rows]) => [kind, new Map(rows.map((row) => [row.name, row]))] as const,
    ),
  );

/** There may be very many, so values are compared, and no texts are made. */
function isSame(row: Row, other: Row | undefined): boolean {
  if (other === undefined || row.action !== other.action || row.why.rule !== other.why.rule || row.why.where !== other.why.where)
    return false;
  return areEqual(row.has, other.has) && areEqual(row.want, other.want) && row.byHand === undefined && other.byHand === undefined;
}

/** What could not be read, or was compared with an earlier report, has nothing in common with others. */
export function commonIn(reports: readonly AuditReport[]): Common[] {
  return Array.from(Map.groupBy(reports, ({policy}) => policy).values()).flatMap((all): Common[] => {
    const same = all.filter(({failure, since}) => failure === undefined && since === undefined);
    const [first, ...others] = same;
    if (first === undefined || others.length === 0) return [];
    const shared = others.reduce<readonly Row[]>((left, other) => {
      const has = byName(other);
      return left.filter((row) => isSame(row, has.get(row.kind)?.get(row.name)));
    }, first.findings);
    const common = {...first, findings: shared, held: [], unread: []};
    const names = byName(common);
    const rest = ({findings}: AuditReport) => findings.filter(({kind, name}) => names.get(kind)?.has(name) !== true);
    return [{report: common, reports: same, of: new Set(same), total: all.length, rest}];
  });
}
