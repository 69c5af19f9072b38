/** Audits of a policy that wants 50,000 domains blocked, on an account that blocks none, with the four longest reports and without. */
import {fork} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {root} from '../root.js';
import {bin} from '../sandbox.js';
import {inTurns} from './measured.js';

const domains = 50_000;
const warmUps = 1;
const reports = ['sarif', 'html', 'junit', 'json'].flatMap((format) => ['--report', `${format}=report.${format}`]);
const audits = {
  'no reports': [],
  'no reports, with --json': ['--json'],
  'four reports': reports,
  'four reports, with --json': [...reports, '--json'],
};

/** @returns what each audit used by its name, as {@link inTurns} does */
export async function benchAudit(rounds, env) {
  const server = fork(join(root, 'scripts/bench/server.js'), ['[]']);
  const [port] = await once(server, 'message');
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-bench-'));
  const header = '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate\n';
  const lines = Array.from({length: domains}, (_, index) => `spam-${index}.example,suspend,TRUE,FALSE,"spam, harassment",FALSE\n`);
  writeFileSync(join(folder, 'list.csv'), header + lines.join(''));
  writeFileSync(join(folder, 'policy.yml'), 'version: 1\ndomain_blocks:\n  lists: [{file: list.csv}]\n');
  const way = {env: {...env, PIXELCTL_SERVER: `http://127.0.0.1:${port}`}, cwd: folder, status: 10};
  const ways = Object.entries(audits).map(([name, flags]) => [name, {...way, args: [bin, 'audit', 'policy.yml', ...flags]}]);
  try {
    return await inTurns(Object.fromEntries(ways), rounds, warmUps);
  } finally {
    server.disconnect();
    rmSync(folder, {recursive: true});
  }
}
