/** Runs a command that meets faults, in the process of the tests, and keeps what was sent, printed and waited for. */
import {vi} from 'vitest';
import {SkippingClock} from '../../loopback-server.js';
import {run} from '../in-process.js';
import type {Ended} from '../program.js';
import type {Fault} from './faults.js';
import type {Place} from './places.js';
import {pathOf, stageFor, type Arrival, type Script} from './stage.js';
import {lineOf, requestKind, type Subject} from './subjects.js';

export interface Meeting {
  readonly ended: Ended;
  readonly arrivals: readonly Arrival[];
  /** Milliseconds that the command would have waited for. */
  readonly waited: number;
}

const places = new Map<Fault, Place>();

/** The place of a fault, made once. */
export async function placeOf(fault: Fault | undefined): Promise<Place> {
  if (fault?.place === undefined) return {};
  const place = places.get(fault) ?? (await fault.place());
  places.set(fault, place);
  return place;
}

async function inPlace(place: Place, stopsTime: boolean, act: () => Promise<Ended>): Promise<Ended> {
  for (const [name, value] of Object.entries(place.processEnv ?? {})) vi.stubEnv(name, value);
  // Pauses between requests are as long in every run.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  if (stopsTime) vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  try {
    return await act();
  } finally {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
}

export interface Meetings {
  /** The last decides about place. */
  readonly faults?: readonly Fault[];
  /** Command lines in a row, in the same place; one, without further flags, unless given. */
  readonly runs?: readonly (readonly string[])[];
}

/**
 * Runs a command.
 * @param script which requests meet a fault
 * @returns how the last run ended, and all that was sent
 */
export async function meet(subject: Subject, script: Script, {faults = [], runs = [[]]}: Meetings = {}): Promise<Meeting> {
  const place = await placeOf(faults.at(-1));
  await using stage = await stageFor(subject, script, place);
  const clock = new SkippingClock();
  const stopsTime = faults.some((fault) => fault.stopsTime === true);
  let ended: Ended = {stdout: '', stderr: '', status: null, signal: null};
  for (const flags of runs) {
    const words = [...subject.args, ...(place.flags ?? []), ...flags];
    ended = await inPlace(place, stopsTime, () => run(words, {...stage.circumstances, clock, outputError: place.outputError}));
  }
  return {ended, arrivals: [...stage.arrivals], waited: clock.skipped};
}

export interface Rehearsal extends Meeting {
  /** The request that the command is for; undefined where nothing is sent. */
  readonly main: string | undefined;
}

const rehearsals = new Map<string, Promise<Rehearsal>>();

/** How a command goes where nothing is wrong: its own request is what it is for, of several the first write, or else what it asks for last. */
export function rehearsed(subject: Subject, flags: readonly string[]): Promise<Rehearsal> {
  const name = [subject.command, ...flags].join(' ');
  const known = rehearsals.get(name);
  if (known !== undefined) return known;
  const made = meet(subject, () => undefined, {runs: [flags]}).then((meeting) => {
    const lines = meeting.arrivals.map(({line}) => line);
    const own = subject.row?.on2026.sent.at(-1)?.line;
    return {
      ...meeting,
      main: (own && lineOf(subject, pathOf(own), 1)) ?? lines.find((line) => requestKind(line) !== 'read') ?? lines.at(-1),
    };
  });
  rehearsals.set(name, made);
  return made;
}

/** A fault happens to the request that the command is for, each time or once. */
export const striking =
  (fault: Fault, main: string | undefined): Script =>
  (line, count) =>
    fault.strike !== undefined && line === main && (fault.once !== true || count === 1) ? fault : undefined;
