import {Args, Flags} from '@oclif/core';
import {readTextFile} from '../lib/client/text-input.js';
import {accountOf} from '../lib/command/policy/account.js';
import {applyChanges} from '../lib/command/policy/applying.js';
import {plannedRequests} from '../lib/command/policy/carry-out.js';
import {connect, type Connection} from '../lib/command/connection.js';
import {changeFlags, listFlags, stateFlags} from '../lib/command/policy/flags.js';
import {intentOf, type Intent} from '../lib/command/policy/intent.js';
import {agreeOn, requireSomebody, tellRemarks} from '../lib/command/policy/showing.js';
import {StateFile, whileLocked} from '../lib/command/policy/state-file.js';
import {PixelctlCommand, type Typed} from '../lib/command/pixelctl-command.js';
import {printPlans} from '../lib/command/printing/dry-run.js';
import {printingOf} from '../lib/command/printing/printing.js';
import type {Session} from '../lib/command/session.js';
import {writeOut} from '../lib/command/standard-streams.js';
import {refuseRemovals} from '../lib/policy/guard.js';
import {finishApply, lastApply} from '../lib/policy/ownership.js';

export default class Apply extends PixelctlCommand {
  static override summary = 'Make an account agree with its policy';
  static override description = `Shows the plan, asks, and carries it out, one change after the other: filters by difference, keyword by keyword. Run again after it was ended in the middle, it does the rest. A plan that was kept with plan --out is carried out as it stands, and refused (5) when the server has changed since.

The state file, POLICY.state.json unless --state names another, remembers what was made, so that it can be removed once the policy no longer names it, and how everything was, for undo. Without it only less is removed. Many removals that no rule asks for by name (over 20, or over 10 % and at least 5) want --allow-removals. A dry run reads, and sends no change.

Calls POST and DELETE /api/v1/domain_blocks, POST /api/v2/filters, PUT and DELETE /api/v2/filters/{id} and POST /api/v1.1/push/disable, after reading what the policy needs. It needs a token with the scopes read, write and, for push, push.`;
  static override usage = '<%= command.id %> POLICY|PLAN [--flags]';
  static override args = {
    POLICY: Args.string({description: 'a policy, or a plan that was kept', required: true, ignoreStdin: true}),
  };
  static override flags = {
    'allow-removals': Flags.integer({description: 'let it remove as many that no rule asks for by name', helpValue: 'N', min: 0}),
    ...stateFlags,
    ...listFlags,
    ...changeFlags,
  };
  static override examples = [
    {description: 'Look, answer, done', command: '<%= config.bin %> apply moderation.yml'},
    {description: 'In a script', command: '<%= config.bin %> apply moderation.yml --yes --json'},
    {description: 'The requests, unsent', command: '<%= config.bin %> apply moderation.yml --dry-run'},
  ];

  protected override async execute(typed: Typed, session: Session): Promise<void> {
    const printing = await printingOf(session);
    const file = String(typed.args['POLICY']);
    const text = await readTextFile(file, `the policy ${file}`);
    requireSomebody(session);
    const intent = await intentOf(file, text, typed, session);
    const connection = await connect(session);
    try {
      const account = await accountOf(connection);
      if (session.dryRun) return await this.#showRequests(intent, account, connection);
      await whileLocked(intent.stateFile, () => this.#apply(intent, account, {typed, printing, connection}));
    } finally {
      await connection.close();
    }
  }

  async #showRequests(intent: Intent, account: string, connection: Connection): Promise<void> {
    const {changes, remarks} = await intent.plan(await StateFile.read(intent.stateFile), account, connection);
    tellRemarks(remarks, connection.session);
    await printPlans(plannedRequests(changes), connection);
  }

  async #apply(
    intent: Intent,
    account: string,
    {typed: {flags}, printing, connection}: {readonly typed: Typed; readonly printing: Awaited<ReturnType<typeof printingOf>>; readonly connection: Connection},
  ): Promise<void> {
    const {session} = connection;
    const file = await StateFile.read(intent.stateFile);
    const ready = await intent.plan(file, account, connection);
    const {changes, guard, remarks, record} = ready;
    if (changes.length === 0) {
      // One that was killed after its last change had nothing left but to say so.
      if (lastApply(record)?.isFinished === false) await file.write(finishApply(record));
      tellRemarks(remarks, session);
      session.note(`Nothing to do: ${connection.server.host} is as ${intent.name} wants it.`);
      return writeOut(session.format === 'json' ? '[]\n' : '', 'data');
    }
    const allowed = flags['allow-removals'];
    refuseRemovals(guard, typeof allowed === 'number' ? allowed : undefined);
    await agreeOn(changes, remarks, `Apply ${intent.name} as`, connection);
    await applyChanges(ready, {file, run: {command: 'apply', flags, printing, connection}});
  }
}
