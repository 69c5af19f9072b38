/** Colours and styles. */
import {Chalk, type ColorName, type ModifierName} from 'chalk';
import type {JsonColors} from '../json/text.js';
import type {Terminal} from './format.js';

export interface Palette {
  readonly heading: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly json: JsonColors;
}

/** The caller decides about colour, not chalk's detection. */
const chalk = new Chalk({level: 1});

type Style = ColorName | ModifierName;

/** A text in a style, for terminals that show colours. */
export function paint(style: Style, text: string, {color}: Pick<Terminal, 'color'>): string {
  return color ? chalk[style](text) : text;
}

export function palette(color: boolean): Palette {
  const painter = (style: Style) => (text: string) => paint(style, text, {color});
  return {
    heading: painter('bold'),
    quiet: painter('dim'),
    good: painter('green'),
    bad: painter('red'),
    json: {key: painter('blue'), string: painter('green'), number: painter('yellow'), literal: painter('magenta')},
  };
}
