import {Failure} from '../../client/failure.js';
import {connect} from '../connection.js';
import {hintFor} from '../failure/hints.js';
import type {Session} from '../session.js';
import {unwell, type Check} from './check.js';
import {examineServer} from './server.js';
import {examineThisMachine} from './this-machine.js';

/** Looks at everything; what stands in the way of one check does not keep others from being made. */
export async function examine(session: Session, engines: string): Promise<{checks: Check[]; failure: Failure | undefined}> {
  const checks = [...(await examineThisMachine(session, engines)), ...(await examineConnection(session))];
  return {checks, failure: checks.find(({ok}) => !ok)?.failure};
}

async function examineConnection(session: Session): Promise<Check[]> {
  try {
    const connection = await connect(session);
    try {
      return await examineServer(connection);
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [unwell('server', error.message, hintFor(error, session.suggest) ?? 'see `pixelctl --help`', error)];
  }
}
