import {Flags} from '@oclif/core';
import {Failure} from '../lib/client/failure.js';
import {connect} from '../lib/cli/connection.js';
import {PixelctlCommand} from '../lib/cli/command.js';
import {printDocument, printingOf} from '../lib/cli/printing.js';
import type {Session} from '../lib/cli/session.js';
import {exportList, exportPolicy, listFormats, type ListFormat} from '../lib/policy/export.js';
import {readState, type Part, type PartName, type State} from '../lib/policy/state.js';

const parts = ['blocks', 'config', 'domain_blocks', 'filters', 'mutes', 'push'] as const satisfies readonly PartName[];
/** What is the account's own. */
const usualParts: readonly PartName[] = ['blocks', 'domain_blocks', 'filters', 'mutes', 'push'];
const partOfFormat = {
  'mastodon-csv': 'domain_blocks',
  'mastodon-json': 'filters',
  fediblockhole: 'domain_blocks',
} as const satisfies Record<ListFormat, PartName>;

export default class Export extends PixelctlCommand {
  static override summary = 'Export an account as a policy or a list';
  static override description = `Prints a policy without differences from the account. The output is the same every time. What a policy cannot express is left out, with a warning. The configuration of the server is included only with --only config.

Reads GET /api/v1/domain_blocks, /api/v2/filters, /api/v1/blocks, /api/v1/mutes, /api/v1.1/push/state and /api/v2.1/config. It needs a token with the scope read.`;
  static override usage = '<%= command.id %> [flags]';
  static override flags = {
    only: Flags.string({
      description: `export only these parts: ${parts.join(', ')}`,
      helpValue: 'PARTS',
      options: [...parts],
      multiple: true,
      multipleNonGreedy: true,
      delimiter: ',',
    }),
    as: Flags.string({
      description: `export one part as a list for another tool: ${listFormats.join(', ')}`,
      helpValue: 'FORMAT',
      options: [...listFormats],
    }),
  };
  static override examples = [
    {description: 'Start a policy from the account', command: '<%= config.bin %> export --only domain_blocks,filters > policy.yml'},
    {description: 'Export blocked domains for Mastodon', command: '<%= config.bin %> export --as mastodon-csv > domains.csv'},
    {description: 'Export filters for Mastodon', command: '<%= config.bin %> export --as mastodon-json > filters.json'},
  ];

  override async run(): Promise<void> {
    const {flags, session} = await this.start(Export);
    const format = listFormats.find((one) => one === flags.as);
    const chosenParts = parts.filter((part) => flags.only?.includes(part));
    await printingOf(session);
    const chosen = chosenParts.length > 0 ? chosenParts : format === undefined ? usualParts : [partOfFormat[format]];
    const [part] = chosen;
    if (format !== undefined && (chosen.length !== 1 || part === undefined))
      throw new Failure('usage', `--as ${format} takes one part`, {hint: 'name it with --only'});
    if (!['json', 'table', 'yaml'].includes(session.format))
      throw new Failure('usage', `There is no export as ${session.format}`, {
        hint: 'a policy is YAML, or JSON with --json; lists are chosen with --as',
      });
    await using connection = await connect(session);
    const {client, server} = connection;
    const read = await readState(client, server.origin, new Set(chosen));
    const state = chosenParts.length > 0 || format !== undefined ? read : withoutAbsent(read, session);
    const now = session.io.now();
    if (format !== undefined && part !== undefined) return session.io.write(exportList(format, part, state, now), 'data');
    const {text, leftOut} = exportPolicy(state, now);
    for (const what of leftOut) session.warn(`left out, because a policy cannot express it: ${what}`);
    if (session.format !== 'json' && session.flags.jq === undefined) return session.io.write(text, 'data');
    const {parse} = await import('yaml');
    await printDocument(parse(text), {}, session);
  }
}

/** Leaves out what the server does not offer, when it was not requested by name. */
function withoutAbsent(state: State, session: Session): State {
  const kept = <Value>(part: Part<Value> | undefined, name: string): Part<Value> | undefined => {
    if (part === undefined || !('failure' in part) || part.failure.code !== 'not_found') return part;
    session.note(`left out: ${name}: ${part.failure.message}`);
    return undefined;
  };
  return {
    ...state,
    domainBlocks: kept(state.domainBlocks, 'domain_blocks'),
    filters: kept(state.filters, 'filters'),
    blocks: kept(state.blocks, 'blocks'),
    mutes: kept(state.mutes, 'mutes'),
    push: kept(state.push, 'push'),
  };
}
