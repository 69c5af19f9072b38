import {printDocument} from '../lib/cli/printing.js';
import {PixelctlCommand} from '../lib/cli/command.js';

export default class Doctor extends PixelctlCommand {
  static override summary = 'Find out what is wrong, and what to do about it';
  static override description =
    'Looks at Node, the saved profiles and the modes of their files, the keyring, proxies and TLS, then at the server: whether it answers, its clock, its release and features, and whether it accepts the token and for what. Nothing is changed, but a folder of profiles that was open to others is closed. It ends with 0 when all is well, else with the status of the first thing that is not.';
  static override usage = '<%= command.id %> [flags]';
  static override examples = [
    {description: 'Here and now', command: '<%= config.bin %> doctor'},
    {description: 'What is wrong, with jq', command: "<%= config.bin %> doctor --json | jq -r '.checks[] | select(.ok | not) | .fix'"},
  ];

  override async run(): Promise<void> {
    const {session} = await this.start(Doctor);
    const [{examine}, {checksView}] = await Promise.all([import('../lib/cli/doctor.js'), import('../lib/cli/doctor.js')]);
    const {checks, failure} = await examine(session, this.config.pjson.engines?.node ?? '');
    const report = {ok: failure === undefined, checks: checks.map(({name, ok, detail, fix}) => ({name, ok, detail, fix: fix ?? null}))};
    await printDocument(report, {view: checksView, rows: ['checks']}, session);
    if (failure !== undefined) throw failure;
  }
}
