/** Every command that sends an endpoint's request, as its file describes it. */
import {readdirSync} from 'node:fs';
import {Config} from '@oclif/core';
import type {Endpoint} from '../src/lib/api/endpoint.js';
import type {Description} from '../src/lib/cli/spec.js';
import {EndpointCommand} from '../src/lib/cli/endpoint-command.js';

const folder = new URL('../src/commands/', import.meta.url);

export interface DescribedCommand {
  /** `dm list` */
  readonly command: string;
  readonly described: Description<Endpoint>;
}

async function describedIn(file: string): Promise<DescribedCommand[]> {
  const {default: command}: {default?: unknown} = await import(new URL(file, folder).href);
  if (typeof command !== 'function') throw new Error(`${file} exports no command`);
  const made: unknown = Reflect.construct(command, [[], new Config({root: folder.pathname})]);
  return made instanceof EndpointCommand ? [{command: file.replace('.ts', '').replaceAll('/', ' '), described: made.described}] : [];
}

export async function endpointCommands(): Promise<DescribedCommand[]> {
  const files = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter((file) => file.endsWith('.ts'));
  return (await Promise.all(files.map(describedIn))).flat();
}
