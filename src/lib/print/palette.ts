/** Colours and styles. */
import {styleText} from 'node:util';
import type {JsonColors} from '../json/text.js';
import type {Terminal} from './format.js';

export interface Palette {
  readonly heading: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly json: JsonColors;
}

/** A text in a style, for terminals that show colours. */
export function paint(style: Parameters<typeof styleText>[0], text: string, {color}: Pick<Terminal, 'color'>): string {
  // The caller knows whether there is colour, not the stream.
  return color && text !== '' ? styleText(style, text, {validateStream: false}) : text;
}

export function palette(color: boolean): Palette {
  const painter = (style: Parameters<typeof styleText>[0]) => (text: string) => paint(style, text, {color});
  return {
    heading: painter('bold'),
    quiet: painter('dim'),
    good: painter('green'),
    bad: painter('red'),
    json: {key: painter('blue'), string: painter('green'), number: painter('yellow'), literal: painter('magenta')},
  };
}
