/** The files of `--report`, with audits or plans. */
import {repeatable} from '../flags.js';
import {Failure, localFailure} from '../../client/failure.js';
import {realPathOf} from '../../files/read-file.js';
import {writeWhole} from '../../files/whole-file.js';
import {enumerate} from '../../json/text.js';
import {type PolicyWithLists, reportFormats, sourceFiles, type WriteReports} from '../../policy/index.js';

const names = Object.keys(reportFormats);

export const reportFlags = {
  report: repeatable(`also write a report: ${enumerate(names, 'or')}; FILE alone where its ending says the format`, 'FORMAT=FILE'),
};

interface ReportFile {
  readonly name: string;
  readonly file: string;
}

/** Reads `FORMAT=FILE`, or `FILE` where its ending says the format. @throws Failure `usage` */
export function parseReportFile(text: string): ReportFile {
  const hint = `write FORMAT=FILE; the formats are ${names.join(', ')}`;
  const [, name = '', file] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (file === undefined) {
    const named = names.find((one) => text.endsWith(`.${reportFormats[one]?.extension}`));
    if (named === undefined) throw new Failure('usage', `--report ${text}: its ending names no format`, {hint});
    return {name: named, file: text};
  }
  if (!names.includes(name)) throw new Failure('usage', `Unknown report format "${name}"`, {hint});
  if (file === '' || file === '-')
    throw new Failure('usage', `--report ${text}: reports go to files`, {hint: 'name a file; --json prints to standard output'});
  return {name, file};
}

/** @param inputs files that are read @throws Failure `usage` when a report would overwrite one of them, or another report */
async function refuseOverwrites(files: readonly ReportFile[], inputs: readonly string[]): Promise<void> {
  const read = new Set(await Promise.all(inputs.map(realPathOf)));
  const written = new Set<string>();
  for (const {file} of files) {
    const path = await realPathOf(file);
    if (read.has(path) || path.endsWith('.state.ndjson'))
      throw new Failure('usage', `${file} is an input of this command and cannot be an output`, {hint: 'write to another file'});
    if (written.has(path)) throw new Failure('usage', `${file} would be written twice`, {hint: 'use a different file for each output'});
    written.add(path);
  }
}

/** The reports that a run writes. */
export interface Reports {
  readonly write: WriteReports;
  /**
   * Reads policies that reports must not overwrite.
   * @param names of the policies
   * @throws Failure `usage` for a report that would overwrite what is read; as `read` does
   */
  reading<Read extends PolicyWithLists | readonly PolicyWithLists[]>(names: readonly string[], read: () => Promise<Read>): Promise<Read>;
}

/** @param texts the values of `--report` @throws Failure `usage` */
export function reportsOf(texts: readonly string[] = []): Reports {
  const files = texts.map(parseReportFile);
  const write: WriteReports = async (textOf) => {
    for (const {name, file} of files)
      await writeWhole(file, await textOf(name), {mode: 0o644}).catch((error: unknown) => {
        throw localFailure(`Cannot write the ${name} report ${file}`, error);
      });
  };
  return {
    write,
    async reading(given, read) {
      await refuseOverwrites(files, given);
      const found = await read();
      await refuseOverwrites(files, [found].flat().flatMap(sourceFiles));
      return found;
    },
  };
}
