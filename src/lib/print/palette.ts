/** Colours and styles. */
import {Chalk, type ChalkInstance, type ColorName, type ModifierName} from 'chalk';
import type {JsonColors} from '../json/text.js';
import type {Terminal} from './format.js';

export interface Palette {
  readonly heading: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly json: JsonColors;
}

let chalk: ChalkInstance | undefined;

/** Loaded for the first text with a colour. The caller decides about colour, not chalk's detection. */
function painter(): ChalkInstance {
  return (chalk ??= new Chalk({level: 1}));
}

type Style = ColorName | ModifierName;

/** A text in a style, for terminals that show colours. */
export function paint(style: Style, text: string, {color}: Pick<Terminal, 'color'>): string {
  return color ? painter()[style](text) : text;
}

export function palette(color: boolean): Palette {
  const styled = (style: Style) => (text: string) => paint(style, text, {color});
  return {
    heading: styled('bold'),
    quiet: styled('dim'),
    good: styled('green'),
    bad: styled('red'),
    json: {key: styled('blue'), string: styled('green'), number: styled('yellow'), literal: styled('magenta')},
  };
}
