/** What a format is given, and what it gives back. */
import type {ViewName} from './views.js';

export interface Terminal {
  readonly isTerminal: boolean;
  /** Its columns. */
  readonly width: number;
  readonly color: boolean;
}

/** Where and when something is printed. */
export interface Setting {
  readonly terminal: Terminal;
  readonly now: Date;
}

export interface AnswerSetting extends Setting {
  /** What people see of the answer; undefined: every field. */
  readonly view?: ViewName | undefined;
  /** Where the rows of a list are inside the answer: `[]` for the answer itself; undefined: the answer is one object. */
  readonly rows?: readonly string[] | undefined;
}

/** What became of one of many targets. */
export type Result =
  | {readonly target: string; readonly ok: true; readonly status: number; /** The answer's own text. */ readonly body: string}
  | {readonly target: string; readonly ok: false; readonly status: number | null; readonly error: {readonly message: string}};

/** Text for the two outputs: data ends in a line break, words do not. */
export interface Printed {
  readonly stdout: string;
  readonly stderr?: string;
}

/** What the module of a format provides. */
export interface Formatter {
  readonly formatAnswer: (text: string, setting: AnswerSetting) => Promise<Printed>;
  readonly formatResults: (results: readonly Result[], setting: Setting) => Promise<Printed>;
}
