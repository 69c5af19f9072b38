import {Args} from '@oclif/core';
import {Failure} from '../lib/client/failure.js';
import {listFlags} from '../lib/cli/policy/flags.js';
import {commonParts, openSide} from '../lib/cli/policy/sides.js';
import {PixelctlCommand, type Typed} from '../lib/cli/command.js';
import {printDocument, printingOf} from '../lib/cli/printing.js';
import type {Session} from '../lib/cli/session.js';
import {diff} from '../lib/policy/diff.js';
import {differencesView} from '../lib/policy/views.js';

export default class Diff extends PixelctlCommand {
  static override summary = 'Compare two servers, policies or lists';
  static override description = `Each side is a policy, a list, or the name of a profile. Without a second one, the first is compared with the server in use. What only one side has rules for is not compared. The exit status is 0 when they are the same, and 10 when not.

With --json: {"left", "right", "differences": [{"kind", "subject", "left", "right"}]}, null where a side has nothing.

Of servers it reads what both sides speak of: GET /api/v1/domain_blocks, /api/v2/filters, /api/v1/blocks and /api/v1/mutes. It needs a token with the scope read.`;
  static override usage = '<%= command.id %> A [B] [flags]';
  static override args = {
    A: Args.string({description: 'a policy, a list, or a profile', required: true, ignoreStdin: true}),
    B: Args.string({description: 'another one; the server in use unless given', ignoreStdin: true}),
  };
  static override flags = {...listFlags};
  static override examples = [
    {description: 'A list, and the server in use', command: '<%= config.bin %> diff domains.txt'},
    {description: 'A policy and a list', command: '<%= config.bin %> diff moderation.yml domains.txt --json'},
  ];

  protected override async execute(typed: Typed, session: Session): Promise<void> {
    await printingOf(session);
    const {A: first, B: second} = typed.args;
    const left = await openSide(String(first), typed, session);
    try {
      const right = await openSide(typeof second === 'string' ? second : undefined, typed, session);
      try {
        const parts = commonParts(left, right);
        if (parts.size === 0) throw new Failure('usage', `${left.name} and ${right.name} speak of nothing in common`);
        const host = left.host ?? right.host ?? '';
        const differences = diff(await left.moderation(host, parts), await right.moderation(right.host ?? host, parts));
        const document = {left: left.name, right: right.name, differences};
        await printDocument(document, {view: differencesView, rows: ['differences']}, session);
        if (differences.length > 0) throw new Failure('drift', `${left.name} and ${right.name} differ in ${differences.length}`);
      } finally {
        await right.close();
      }
    } finally {
      await left.close();
    }
  }
}
