/** Every endpoint that has a command. For what needs them all: commands import their own. */
import type {Endpoint} from './endpoint.js';
import * as records from './index.js';

export const endpoints: readonly Endpoint[] = Object.values<Endpoint>(records).filter(({internal}) => !internal);
