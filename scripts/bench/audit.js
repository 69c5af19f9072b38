/** Audits of a policy that wants 50,000 domains blocked, on accounts that block none, with reports and without. */
import {fork} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {ProfileStore} from '../../dist/lib/auth/profile-store.js';
import {reportFormats} from '../../dist/lib/policy/reports/formats/index.js';
import {root} from '../root.js';
import {bin} from '../sandbox.js';
import {inTurns} from './measured.js';
import {timesInTurns} from './start.js';

const domains = 50_000;
const warmUps = 1;
const mostRounds = 3;
const audit = [bin, 'audit', 'policy.yml'];
const reportsIn = (...formats) => formats.flatMap((format) => ['--report', `${format}=report.${format}`]);
const reports = reportsIn('sarif', 'html', 'junit', 'json');
const everyReport = reportsIn(...Object.keys(reportFormats));
const audits = {
  'no reports': [],
  'no reports, with --json': ['--json'],
  'four reports': reports,
  'four reports, with --json': [...reports, '--json'],
};

/** @returns what each audit used by its name, as {@link inTurns} does */
export async function benchAudit(rounds, env) {
  return withPolicy(async (url, folder) => {
    const way = {env: {...env, PIXELCTL_SERVER: url}, cwd: folder, status: 10};
    const ways = Object.entries(audits).map(([name, flags]) => [name, {...way, args: [...audit, ...flags]}]);
    return inTurns(Object.fromEntries(ways), rounds, warmUps);
  });
}

const accounts = 20;

/** @returns what {@link timesInTurns} does, for an audit of many accounts with every report and a table, and for one in JSON alone */
export async function benchFleet(rounds, {PIXELCTL_SERVER: _, PIXELCTL_TOKEN: __, ...env}, inRound = (all) => all) {
  return withPolicy(async (url, folder) => {
    const profiles = join(folder, 'profiles');
    const store = new ProfileStore(profiles, {storage: 'file'});
    const rest = {scopes: ['read', 'write'], expiresAt: null, isProtected: false, isAdmin: false, client: null};
    for (let id = 1; id <= accounts; id += 1) {
      const name = `account${id}`;
      await store.save({...rest, name, server: url, account: {id: String(id), acct: name}}, {accessToken: name});
    }
    const args = [...audit, '--all-profiles'];
    const json = `pixelctl audit --json, ${accounts} accounts`;
    const runs = [
      {name: json, args: [...args, '--json'], status: 10},
      {name: `pixelctl audit, ${accounts} accounts, all reports`, args: [...args, ...everyReport], status: 10, beside: json},
    ];
    const own = {...env, PIXELCTL_CONFIG_DIR: profiles, PIXELCTL_STORAGE: 'file'};
    // Each takes half a minute: no warm-ups, and few rounds.
    const withoutWarmUps = (all, round) => (round < 0 ? [] : inRound(all, round));
    return timesInTurns(runs, Math.min(rounds, mostRounds), {env: own, cwd: folder}, withoutWarmUps);
  });
}

/** @param measure takes the address of a server on which nothing is blocked, and a folder with the policy */
async function withPolicy(measure) {
  const server = fork(join(root, 'scripts/bench/server.js'), ['[]']);
  const [port] = await once(server, 'message');
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-bench-'));
  const header = '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate\n';
  const lines = Array.from({length: domains}, (_, index) => `spam-${index}.example,suspend,TRUE,FALSE,"spam, harassment",FALSE\n`);
  writeFileSync(join(folder, 'list.csv'), header + lines.join(''));
  writeFileSync(join(folder, 'policy.yml'), 'version: 1\ndomain_blocks:\n  lists: [{file: list.csv}]\n');
  try {
    return await measure(`http://127.0.0.1:${port}`, folder);
  } finally {
    server.disconnect();
    rmSync(folder, {recursive: true});
  }
}
