/** Numbers that reports begin with, in words. */
import type {AuditReport} from './report.js';

export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : several}`;
}

/** What an audit came to, between the names of a server and of a policy. */
export function verdictText({ok, findings}: AuditReport): string {
  if (ok) return 'agrees with';
  return findings.length > 0 ? 'differs from' : 'could not be checked against';
}

export interface Counts {
  readonly findings: number;
  readonly held: number;
  readonly unchecked: number;
}

export function countsOf({findings, rules}: AuditReport): Counts {
  return {
    findings: findings.length,
    held: rules.filter(({outcome}) => outcome === 'held').length,
    unchecked: rules.filter(({outcome}) => outcome === 'unchecked').length,
  };
}

/** In one line: `5 findings, 12 rules hold, 1 rule was not checked`. */
export function countsText(report: AuditReport): string {
  const {findings, held, unchecked} = countsOf(report);
  const parts = [
    findings === 0 ? 'no findings' : counted(findings, 'finding'),
    counted(held, 'rule holds', 'rules hold'),
    ...(unchecked === 0 ? [] : [counted(unchecked, 'rule was', 'rules were') + ' not checked']),
  ];
  return parts.join(', ');
}
