/** Commands of lists that can be followed. */
import type {Endpoint} from '../api/endpoint.js';
import {requestFor} from '../client/request.js';
import {resolved} from '../operations/operation.js';
import {connect} from './connection.js';
import type {Description} from './spec.js';
import {Drafting} from './request-input.js';
import {endpointCommand, type EndpointCommand} from './endpoint-command.js';
import type {Typed} from './command.js';
import {followFlags, following} from './printing/follow-flags.js';
import {isPaged} from './printing/pages.js';
import {printingOf, warnOfFields} from './printing/printing.js';
import type {Session} from './session.js';

const about = `With --follow it does not end: it looks again every --interval seconds and prints what has come, oldest first, each item once. \
It begins with what comes from now on, or after --min-id. With --since-file it goes on where the last run stopped: nothing is left out between \
two runs, and only what was being printed when a run was killed can come twice.`;

/** The command of a list, which `--follow` watches. */
export function followingCommand<E extends Endpoint>(description: Description<E>): typeof EndpointCommand {
  const listing = endpointCommand({
    ...description,
    description: `${description.description}\n\n${about}`,
    ownFlags: {...description.ownFlags, ...followFlags},
  });
  return class extends listing {
    protected override async execute(typed: Typed, session: Session): Promise<void> {
      const chosen = following(typed.flags, session);
      const {endpoint} = this.described;
      if (chosen === undefined || !isPaged(endpoint)) return super.execute(typed, session);
      const {printFollowed} = await import('./printing/follow.js');
      const printing = await printingOf(session);
      const drafting = new Drafting(this.described, this.words);
      const draft = drafting.complete(drafting.convertCommon(await this.draft(typed)), undefined);
      const connection = await connect(session);
      try {
        const input = await resolved(endpoint, draft, connection);
        await warnOfFields(printing, {of: 'answers', endpoint}, session);
        const names = this.names(input, connection);
        await printFollowed(requestFor(endpoint, input), {endpoint, printing, connection, names}, chosen);
      } finally {
        await connection.close();
      }
    }
  };
}
