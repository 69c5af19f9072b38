/** Flags of the commands about policies, and the reports that `--report` names. */
import type {FlagValues} from '../../files/command-text.js';
import {joinFlags, numberFlag, repeatable} from '../flags.js';
import {Args, Flags} from '@oclif/core';
import type {AccountsFlags, GivenFlags} from '../flags.js';
import {Failure, localFailure} from '../../client/failure.js';
import {realPathOf} from '../../files/read-file.js';
import {writeWhole} from '../../files/whole-file.js';
import {enumerate} from '../../json/text.js';
import {type PolicyWithLists, reportFormats, sectionKeys, sourceFiles, type WriteReports} from '../../policy/index.js';

export const listFlags = {
  'allow-remote-lists': Flags.boolean({description: 'allow https:// lists, and lists that servers publish'}),
  'allow-outside': Flags.boolean({description: "read lists from outside the policy's folder and the working folder"}),
};

/** Flags for plans that apply refuses without them. */
export const guardFlags = {
  'allow-removals': numberFlag({description: 'allow N removals that no rule names', helpValue: 'N'}, {least: 0, whole: true}),
  'allow-additions': numberFlag({description: 'allow N new server-wide suspensions of domains', helpValue: 'N'}, {least: 0, whole: true}),
};

const privateFlags = {
  'show-private': Flags.boolean({
    description: 'also show private comments',
  }),
};

export const stateFlags = {
  state: Flags.string({
    description: 'where the state is: a file that ends with .ndjson, or a folder (default: POLICY.ACCOUNT.state.ndjson)',
    helpValue: 'PATH',
  }),
};

export const partFlags = {
  only: repeatable(`only these sections of the policy: ${sectionKeys.join(', ')}`, 'SECTIONS', {
    delimiter: ',',
    options: [...sectionKeys],
  }),
};

export const readingFlags = joinFlags(listFlags, privateFlags);

export const keysText = 'Every key of a policy is described in docs/reference/policy.md.';

/** The policy and the names are one argument, because oclif allows no optional argument before one with several values. */
export const namesArguments = {
  POLICY: Args.string({
    description: 'the policy (-: one of standard input, with --state), then domains, accounts, and titles of filters',
    multiple: true,
  }),
};

export const selectionFlags = {all: Flags.boolean({description: 'all items instead of named ones'})};

export const policyArgument = Args.string({description: 'a policy, YAML or JSON (-: standard input)', required: true});

export const policiesArgument = Args.string({
  description: 'policies, YAML or JSON (-: standard input)',
  required: true,
  multiple: true,
});

/** The flags of these commands, as parsed; not every command has all of them. */
export type PolicyFlags = AccountsFlags &
  Partial<
    GivenFlags<typeof guardFlags & typeof listFlags & typeof partFlags & typeof privateFlags & typeof reportFlags & typeof stateFlags>
  >;

/** The flags that lead to the same lists and states, for commands that are suggested. */
export function sameFlags(flags: PolicyFlags): FlagValues {
  const names = ['allow-remote-lists', 'allow-outside', 'state'] as const;
  return Object.fromEntries(names.flatMap((name) => (flags[name] === undefined || flags[name] === false ? [] : [[name, flags[name]]])));
}

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
  /** @throws Failure `usage` for a report that would overwrite a policy, or what it is read from */
  readonly refuseOverwrites: (policies: readonly PolicyWithLists[]) => Promise<void>;
}

/** @param texts the values of `--report` @throws Failure `usage` */
export function reportsOf(texts: readonly string[] = []): Reports {
  const files = texts.map(parseReportFile);
  return {
    async write(textOf) {
      for (const {name, file} of files)
        await writeWhole(file, await textOf(name), {mode: 0o644}).catch((error: unknown) => {
          throw localFailure(`Cannot write the ${name} report ${file}`, error);
        });
    },
    refuseOverwrites: (policies) => refuseOverwrites(files, policies.flatMap(sourceFiles)),
  };
}
