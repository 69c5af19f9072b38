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

/** Made for the first text with a colour. The caller decides whether there are colours, not chalk's detection. */
function painter(): ChalkInstance {
  return (chalk ??= new Chalk({level: 1}));
}

type Style = ColorName | ModifierName;

export function paint(style: Style, text: string, {color}: Pick<Terminal, 'color'>): string {
  return color ? painter()[style](text) : text;
}

export function palette(color: boolean): Palette {
  const styleWith = (style: Style) => (text: string) => paint(style, text, {color});
  return {
    heading: styleWith('bold'),
    quiet: styleWith('dim'),
    good: styleWith('green'),
    bad: styleWith('red'),
    json: {key: styleWith('blue'), string: styleWith('green'), number: styleWith('yellow'), literal: styleWith('magenta')},
  };
}
