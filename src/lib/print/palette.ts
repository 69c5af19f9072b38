/** Colours. */
import {Chalk} from 'chalk';
import type {JsonColors} from '../json/text.js';

export interface Palette {
  readonly heading: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly json: JsonColors;
}

/** The caller decides about colour, not chalk's detection. */
export function palette(color: boolean): Palette {
  const chalk = new Chalk({level: color ? 1 : 0});
  return {
    heading: chalk.bold,
    quiet: chalk.dim,
    good: chalk.green,
    bad: chalk.red,
    json: {key: chalk.blue, string: chalk.green, number: chalk.yellow, literal: chalk.magenta},
  };
}
