/** Writes a plan, or the mistakes in its policy, as Markdown. */
import {Failure, localFailure} from '../../client/failure.js';
import {writeWhole} from '../../files/whole-file.js';
import {guardTexts} from './guard.js';
import {skippedTexts} from './remarks-text.js';
import type {Ready, Remarks} from './apply.js';
import {planMarkdown, planReportFormats} from './plan-markdown.js';
import {markdown} from '../reports/formats/markdown.js';
import {parseReportFile} from '../reports/write.js';

/** The plan of one account, or why there is none. */
interface ReportedPlan {
  /** `ana@pix.example` */
  readonly account: string;
  readonly plan: (Pick<Ready, 'changes' | 'guard'> & Remarks) | undefined;
  readonly why?: string | undefined;
}

/** Writes reports of one run of plan or apply. */
export class PlanReports {
  readonly files: readonly string[];
  readonly #policy: string;

  /** @throws Failure `usage` for what is no FORMAT=FILE */
  constructor(reports: readonly string[], policy: string) {
    this.files = reports.map((text) => parseReportFile(text, planReportFormats).file);
    this.#policy = policy;
  }

  /** Reads a policy; its mistakes are in the reports. @throws Failure of the reading */
  async reading<Value>(read: () => Promise<Value>, now: () => Date): Promise<Value> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof Failure) {
        const mistakes = error.details.mistakes ?? [{file: this.#policy, line: 1, message: error.message}];
        await this.#write([...markdown.render([], {mistakes, when: now()})].join(''));
      }
      throw error;
    }
  }

  /** @throws Failure `local` when a file cannot be written */
  async write(all: readonly ReportedPlan[]): Promise<void> {
    const remarks = all.flatMap(({account, plan}) => {
      const guard = plan ? guardTexts(plan.guard) : [];
      return [...(plan?.limits ?? []), ...guard].map((text) => (all.length > 1 ? `${account}: ${text}` : text));
    });
    const part = all.find(({plan}) => plan !== undefined)?.plan?.part;
    const skipped = [...skippedTexts(all.map(({account, plan}) => ({account, skipped: plan?.skipped ?? []})))];
    await this.#write(planMarkdown({policy: this.#policy, plans: all, part, remarks, skipped}));
  }

  async #write(text: string): Promise<void> {
    for (const file of this.files)
      await writeWhole(file, text, {mode: 0o644}).catch((error: unknown) => {
        throw localFailure(`Cannot write the plan to ${file}`, error);
      });
  }
}
