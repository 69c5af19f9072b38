/** Text of servers where there is little room. */
import {inert} from '../../print/inert.js';

/** One inert line of at most so many characters. */
export function short(text: string, longest: number): string {
  const characters = [...inert(text)];
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : characters.join('');
}
