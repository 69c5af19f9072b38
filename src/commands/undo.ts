import {Args} from '@oclif/core';
import {accountOf} from '../lib/cli/policy/account.js';
import {carryOut, plannedRequests} from '../lib/cli/policy/carry-out.js';
import {connect, type Connection} from '../lib/cli/connection.js';
import {changeFlags, stateFlags} from '../lib/cli/policy/flags.js';
import {findLastApply, type Found} from '../lib/cli/policy/last-apply.js';
import {agreeOn, requireSomebody, warnOfEach} from '../lib/cli/policy/showing.js';
import {StateFile, whileLocked} from '../lib/cli/policy/state-file.js';
import {PixelctlCommand, type Typed} from '../lib/cli/command.js';
import {printPlans} from '../lib/cli/dry-run.js';
import {printingOf, type Printing} from '../lib/cli/printing.js';
import type {Session} from '../lib/cli/session.js';
import {afterUndo, lastApply, withUnrecorded, type SavedApply} from '../lib/policy/ownership.js';
import {readState} from '../lib/policy/state.js';
import {makeUndo, undoneParts, type Undo as Undone} from '../lib/policy/undo.js';

export default class Undo extends PixelctlCommand {
  static override summary = 'Revert the last apply';
  static override description = `Restores the account to what it was before the last apply that changed something, as the state file records it, and says what cannot be restored, such as followers that a domain block removed. Run it again to revert the apply before that, up to ten. Without POLICY it reverts the latest apply in the state files of this folder. A dry run reads, and changes nothing.

Calls POST and DELETE /api/v1/domain_blocks, POST /api/v1/accounts/{id}/block, unblock, mute and unmute, POST /api/v2/filters, PUT and DELETE /api/v2/filters/{id}, after GET of what it changes. It needs a token with the scopes read and write.`;
  static override usage = '<%= command.id %> [POLICY] [flags]';
  static override args = {POLICY: Args.string({description: 'the policy whose last apply is reverted', ignoreStdin: true})};
  static override flags = {...stateFlags, ...changeFlags};
  static override examples = [
    {description: 'The last apply here', command: '<%= config.bin %> undo'},
    {description: 'Of one policy, in a script', command: '<%= config.bin %> undo moderation.yml --yes --json'},
    {description: 'Show the requests without sending them', command: '<%= config.bin %> undo moderation.yml --dry-run'},
  ];

  protected override async execute({args, flags}: Typed, session: Session): Promise<void> {
    const printing = await printingOf(session);
    requireSomebody(session);
    const connection = await connect(session);
    try {
      const account = await accountOf(connection);
      const policy = typeof args['POLICY'] === 'string' ? args['POLICY'] : undefined;
      const found = await findLastApply({policy, chosen: flags['state'], account}, connection);
      if (session.dryRun) {
        const {changes, lost} = (await look(found, account, connection)).undo;
        warnOfEach(lost, session);
        return await printPlans(await plannedRequests(changes, connection), connection);
      }
      await whileLocked(found.path, () => takeBack(found, account, {flags, printing, connection}));
    } finally {
      await connection.close();
    }
  }
}

async function look({path, policy}: Found, account: string, {client, server}: Connection) {
  const file = await StateFile.read(path);
  const saved = file.recordOf({server: server.origin, account, policy});
  const parts = (apply: SavedApply | undefined) => (apply ? undoneParts(apply) : new Set<never>());
  const state = await readState(client, server.origin, parts(lastApply(saved)));
  const now = new Date();
  const record = withUnrecorded(saved, state, now);
  const last = lastApply(record);
  const undo: Undone = last ? makeUndo(last, state, now) : {changes: [], lost: []};
  return {file, record, undo, at: last?.at ?? ''};
}

async function takeBack(
  found: Found,
  account: string,
  {flags, printing, connection}: {readonly flags: Typed['flags']; readonly printing: Printing; readonly connection: Connection},
): Promise<void> {
  const {session} = connection;
  const {file, record, undo, at} = await look(found, account, connection);
  const {changes, lost} = undo;
  warnOfEach(lost, session);
  if (changes.length === 0) {
    session.note(`Nothing to do: what the apply of ${at} changed is as it was.`);
    await session.io.write(session.format === 'json' ? '[]\n' : '', 'data');
  } else {
    await agreeOn(changes, {limits: [], beyond: []}, `Take back the apply of ${found.policy} (${at}) as`, connection);
    await carryOut(changes, {command: 'undo', flags, printing, connection});
  }
  await file.write(afterUndo(record));
}
