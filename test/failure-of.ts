import {Failure} from '../src/lib/client/failure.js';

/** The Failure that a call throws; success or another error fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw new Error('The call threw something else than a Failure', {cause: error});
  }
  throw new Error('The call succeeded');
}
