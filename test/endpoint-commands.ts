/** Every command that sends an endpoint's request, as its file describes it. */
import {readdirSync} from 'node:fs';
import type {Endpoint} from '../src/lib/api/endpoint.js';
import type {CommandSpec} from '../src/lib/cli/endpoint/spec.js';
import {specOf} from '../src/lib/cli/endpoint/endpoint-command.js';

const folder = new URL('../src/commands/', import.meta.url);

export interface SpecifiedCommand {
  /** `dm list` */
  readonly command: string;
  readonly spec: CommandSpec<Endpoint>;
}

async function specIn(file: string): Promise<SpecifiedCommand[]> {
  const {default: command}: {default?: unknown} = await import(new URL(file, folder).href);
  if (typeof command !== 'function') throw new Error(`${file} exports no command`);
  const spec = specOf(command);
  return spec === undefined ? [] : [{command: file.replace('.ts', '').replaceAll('/', ' '), spec}];
}

export async function endpointCommands(): Promise<SpecifiedCommand[]> {
  const files = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter((file) => file.endsWith('.ts'));
  return (await Promise.all(files.map(specIn))).flat();
}
