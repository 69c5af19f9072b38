/** The files of `--report`: what audits and plans say, or what is wrong with their policies. */
import {Failure, localFailure} from '../../client/failure.js';
import {realPathOf} from '../../files/read-file.js';
import {type Text, writeWhole} from '../../files/whole-file.js';
import type {AuditReport, ListedFormat, Unusable} from '../../policy/index.js';

interface ReportFile {
  readonly name: string;
  readonly format: ListedFormat;
  readonly file: string;
}

/**
 * Reads `FORMAT=FILE`, or `FILE` where its ending says the format.
 * @param formats that the command writes
 * @throws Failure `usage`
 */
export function parseReportFile(text: string, formats: Readonly<Record<string, ListedFormat>>): ReportFile {
  const ending = Object.entries(formats).find(([, {extension}]) => !text.includes('=') && text.endsWith(`.${extension}`));
  if (ending !== undefined) return {name: ending[0], format: ending[1], file: text};
  const [, name = '', file = ''] = /^([^=]*)=?(.*)$/s.exec(text) ?? [];
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  const names = Object.keys(formats);
  const hint = names.length === 1 ? `the format is ${names.join()}` : `the formats are ${names.join(', ')}`;
  if (file === '') {
    const example = format && `name a file: --report ${name}=audit.${format.extension}`;
    throw new Failure('usage', `--report takes FORMAT=FILE, not "${text}"`, {hint: example ?? hint});
  }
  if (format === undefined) throw new Failure('usage', `Unknown report format "${name}"`, {hint});
  if (file === '-')
    throw new Failure('usage', `--report ${text}: reports go to files`, {hint: 'name a file; --json prints to standard output'});
  return {name, format, file};
}

/** The report files of one run. */
export class ReportFiles {
  readonly #files: readonly ReportFile[];

  /** @throws Failure `usage` as {@link parseReportFile} does */
  constructor(texts: readonly string[] = [], formats: Readonly<Record<string, ListedFormat>>) {
    this.#files = texts.map((text) => parseReportFile(text, formats));
  }

  /** @param inputs files that are read @throws Failure `usage` when a file is read too, or written twice */
  async refuseOverwrites(inputs: readonly string[]): Promise<void> {
    const read = new Set(await Promise.all(inputs.map(realPathOf)));
    const written = new Set<string>();
    for (const {file} of this.#files) {
      const path = await realPathOf(file);
      if (read.has(path) || path.endsWith('.state.ndjson'))
        throw new Failure('usage', `${file} is an input of this command and cannot be an output`, {hint: 'write to another file'});
      if (written.has(path)) throw new Failure('usage', `${file} would be written twice`, {hint: 'use a different file for each output'});
      written.add(path);
    }
  }

  /** Reads policies; what is wrong with them is in the reports too. @param policy the first of them @throws Failure of the reading */
  async reading<Value>(read: () => Promise<Value>, policy: string, now: () => Date): Promise<Value> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof Failure)
        await this.writeAudits([], {
          mistakes: error.details.mistakes ?? [{file: policy, line: 1, message: error.message}],
          when: now(),
        });
      throw error;
    }
  }

  /** @param unusable set when policies could not be read, and there are no audits @throws Failure `local` */
  async writeAudits(reports: readonly AuditReport[], unusable?: Unusable): Promise<void> {
    for (const one of this.#files) await write(one, (await one.format.load()).render(reports, unusable));
  }

  /** @param text makes what each of them has @throws Failure `local` */
  async write(text: () => Promise<Text>): Promise<void> {
    for (const one of this.#files) await write(one, await text());
  }
}

/** @throws Failure `local` that names the file */
const write = ({name, file}: ReportFile, text: Text): Promise<void> =>
  writeWhole(file, text, {mode: 0o644}).catch((error: unknown) => {
    throw localFailure(`Cannot write the ${name} report ${file}`, error);
  });
