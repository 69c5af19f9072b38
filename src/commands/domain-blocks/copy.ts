import {PixelctlCommand} from '../../lib/cli/command.js';
import {copyBetween, copyFlags} from '../../lib/cli/policy/copy-command.js';
import {copyDomainBlocks} from '../../lib/policy/index.js';

export default class DomainBlocksCopy extends PixelctlCommand {
  static override summary = 'Copy blocked domains to another account';
  static override writes = true;
  static override description = `Blocks the domains that the other account does not block yet. Its followers on them are removed permanently. Nothing is unblocked; what is not copied is listed.

Calls GET /api/v1/domain_blocks on both sides, and POST /api/v1/domain_blocks on the other one. It needs a token with the scope read here, and a profile with the scopes read and write there.`;
  static override usage = '<%= command.id %> --to PROFILE [flags]';
  static override flags = copyFlags;
  static override examples = [
    {description: 'Copy from the active profile', command: '<%= config.bin %> domain-blocks copy --to bob@pix.example'},
    {
      description: 'Show the requests for another profile without sending them',
      command: '<%= config.bin %> domain-blocks copy --profile ana@pix.example --to bob@pix.example --dry-run',
    },
  ];

  override async run(): Promise<void> {
    const {flags, session} = await this.start(DomainBlocksCopy);
    await copyBetween({part: 'domain_blocks', copy: copyDomainBlocks, flags}, session);
  }
}
