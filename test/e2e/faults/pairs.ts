/** Two faults in a row: the answer to a write is lost, and then something else is wrong. */
import {faults, type Fault} from './faults.js';
import type {Script} from './stage.js';

function faultNamed(name: string): Fault {
  const found = faults.find((fault) => fault.name === name);
  if (found === undefined) throw new Error(`There is no fault ${name}`);
  return found;
}

/** After which a write is sent again that does no harm. */
export const firsts: readonly Fault[] = [
  'reset after the request was read',
  'reset after the request was carried out',
  'reset during the answer',
  '503 after the request was carried out',
].map(faultNamed);

/** Nobody listens any more when the answer is lost. */
const gone: Fault = {name: 'connection refused', group: 'connections', ends: 'unavailable', write: 'not carried out'};

const nothing: Fault = {name: 'nothing', group: 'connections', ends: 'done', write: 'carried out'};

export const seconds: readonly Fault[] = [
  gone,
  ...[
    'no answer',
    '401',
    '403 with a reason',
    '404',
    '422',
    '429 with Retry-After: 3600',
    '500',
    'web page',
    'redirect to another host',
    'redirect to the login page',
  ].map(faultNamed),
  nothing,
];

/** The fault of the first request that the command is for, and that of every later one. */
export function inTurn(first: Fault, second: Fault, main: string | undefined): Script {
  const leaving: Fault = {
    ...first,
    strike: async (struck) => {
      struck.closeDoor();
      struck.response.setHeader('connection', 'close');
      await first.strike?.(struck);
    },
  };
  return (line, count) => {
    if (line !== main) return undefined;
    if (count === 1) return second === gone ? leaving : first;
    return second.strike === undefined ? undefined : second;
  };
}
