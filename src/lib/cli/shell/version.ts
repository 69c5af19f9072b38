/** What `--version` and completion need. They do not load the code of commands. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Interfaces} from '@oclif/core';
import {runtime} from '../../files/runtime.js';

/** The word with which completion scripts call the program: `pixelctl __complete 1 blocks li`. */
export const completionWord = '__complete';

export const versionWords: readonly string[] = ['--version', '-V', 'version'];

function isPackage(found: unknown): found is Interfaces.PJSON {
  return typeof found === 'object' && found !== null && 'name' in found && 'version' in found && 'oclif' in found;
}

export function readPackage(root: string): Interfaces.PJSON {
  const found: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (!isPackage(found)) throw new Error('package.json is incomplete');
  return found;
}

export function userAgentOf({name, version}: Interfaces.PJSON): string {
  return `${name}/${version} ${process.platform}-${process.arch} ${runtime.name.toLowerCase()}-v${runtime.version}`;
}
