/** The commands as the manifest describes them: their arguments, flags, examples and texts. */
import {readFileSync} from 'node:fs';
import type {Command} from '@oclif/core';
import {commandsIn} from '../src/lib/cli/shell/program-config.js';

export const commands = commandsIn(JSON.parse(readFileSync(new URL('../oclif.manifest.json', import.meta.url), 'utf8')));

/** @param id such as `dm:list` */
export const commandWith = (id: string): Command.Cached | undefined => commands.find((command) => command.id === id);
