/** Answers of real servers. */
import {readFileSync} from 'node:fs';

interface Recording {
  readonly name: string;
  readonly response: {readonly body: unknown};
}

/** The text of a recorded answer, as `recorded('2026/filters', 'filters-list')`. */
export function recorded(file: string, name: string): string {
  const path = new URL(`../../fixtures/recordings/${file}.json`, import.meta.url);
  const recordings: readonly Recording[] = JSON.parse(readFileSync(path, 'utf8'));
  const recording = recordings.find((candidate) => candidate.name === name);
  if (recording === undefined) throw new Error(`no recording ${name} in ${file}`);
  return JSON.stringify(recording.response.body);
}
