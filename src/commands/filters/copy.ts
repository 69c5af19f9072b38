import {PixelctlCommand} from '../../lib/cli/command.js';
import {copyBetween, copyFlags} from '../../lib/cli/policy/copy-command.js';
import {copyFilters} from '../../lib/policy/index.js';

export default class FiltersCopy extends PixelctlCommand {
  static override summary = 'Copy filters to another account';
  static override writes = true;
  static override description =
    'Creates the filters whose titles the other account does not have yet. Existing filters are not changed. It needs a token with the scope read here, and read and write there.';
  static override details = `Existing filters are not changed; what is not copied is listed. The copies get their own ids and dates.

Calls GET /api/v2/filters on both sides, and POST /api/v2/filters on the other one. It needs a token with the scope read here, and a profile with the scopes read and write there.`;
  static override usage = '<%= command.id %> --to PROFILE [flags]';
  static override flags = copyFlags;
  static override examples = [
    {description: 'Copy from the active profile', command: '<%= config.bin %> filters copy --to bob@pix.example'},
    {
      description: 'Show the requests for another profile without sending them',
      command: '<%= config.bin %> filters copy --profile ana@pix.example --to bob@pix.example --dry-run',
    },
  ];

  override async run(): Promise<void> {
    const {flags, session} = await this.start(FiltersCopy);
    await copyBetween({part: 'filters', copy: copyFilters, flags}, session);
  }
}
