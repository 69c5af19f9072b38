/** What runs without loading the code of commands: `--version`, and completion. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Interfaces} from '@oclif/core';

/** The word with which completion scripts call the program: `pixelctl __complete fish 1 blocks li`. */
export const completionWord = '__complete';

export const versionWords: readonly string[] = ['--version', '-V', 'version'];

/** @param root the folder of package.json */
export function readPackage(root: string): Interfaces.PJSON {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

const {bun, node} = process.versions;

/** Whether this is a single executable, which starts itself without naming a file: Bun is inside. */
export const isSingleFile = bun !== undefined;

/** What runs the program. */
export const runtime = bun === undefined ? {name: 'Node', version: node} : {name: 'Bun', version: bun};

/** The program, its release, and what it runs on. */
export function userAgentOf({name, version}: Interfaces.PJSON): string {
  return `${name}/${version} ${process.platform}-${process.arch} ${runtime.name.toLowerCase()}-v${runtime.version}`;
}
