/** What comes back from the browser: the query of a redirect, or what a person copied out of it. */
import {Failure} from '../client/failure.js';

export interface BrowserAnswer {
  readonly parameters: URLSearchParams;
  /** It was copied without its `state`, as one does who copies the code alone. */
  readonly codeAlone: boolean;
}

const answered = (parameters: URLSearchParams): BrowserAnswer => ({parameters, codeAlone: false});

function membersIn(json: string): URLSearchParams | undefined {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null) return undefined;
    const texts = Object.entries(value).filter((member): member is [string, string] => typeof member[1] === 'string');
    return new URLSearchParams(texts);
  } catch {
    return undefined;
  }
}

/**
 * Reads the JSON that servers show (`{"code","state"}`), the whole address that the browser ended on, or a code alone.
 * @throws Failure `usage` for anything else
 */
export function readAnswer(answer: URLSearchParams | string): BrowserAnswer {
  if (typeof answer !== 'string') return answered(answer);
  const text = answer.trim();
  const members = membersIn(text);
  if (members !== undefined) return answered(members);
  if (URL.canParse(text)) return answered(new URL(text).searchParams);
  if (/^[\w.~+/=-]+$/.test(text)) return {parameters: new URLSearchParams({code: text}), codeAlone: true};
  throw new Failure('usage', 'This is not what the browser shows after the approval', {
    reason: 'bad_paste',
    hint: 'copy all of the text that it shows, or the whole address that it ended on',
  });
}
