/** Writes a plan, or the mistakes in its policy, as Markdown. */
import {Failure, localFailure} from '../../client/failure.js';
import {writeWhole} from '../../files/whole-file.js';
import {fullName, type Plan} from '../../policy/index.js';
import type {Gathered} from '../accounts.js';

/** The plan of one account, or why there is none. */
interface ReportedPlan {
  /** `ana@pix.example` */
  readonly account: string;
  readonly plan: Plan | undefined;
  readonly why?: string | undefined;
}

/** The plans of accounts, and why others have none. */
export function reportedPlans({all}: Gathered<{readonly plan: Plan}>): ReportedPlan[] {
  return all.map((one) =>
    'failure' in one
      ? {account: one.member.account, plan: undefined, why: one.failure.message}
      : {account: fullName(one.value.plan.comparison.about), plan: one.value.plan},
  );
}

interface Heads {
  /** What the plans are about, where each has a heading. */
  readonly noun: readonly [one: string, several: string] | undefined;
  /** Commands that apply the plan. */
  readonly commands: readonly string[];
}

/** Reports of one run of plan or apply. */
export class PlanReports {
  readonly #reports: readonly string[];
  readonly #policy: string;

  constructor(reports: readonly string[], policy: string) {
    this.#reports = reports;
    this.#policy = policy;
  }

  /** @throws Failure `usage` for what is neither `markdown=FILE` nor a file that ends with `.md` */
  get files(): readonly string[] {
    return this.#reports.map((text) => {
      if (!text.includes('=') && text.endsWith('.md')) return text;
      const [, name = '', file = ''] = /^([^=]*)=?(.*)$/s.exec(text) ?? [];
      if (name !== 'markdown' && file !== '')
        throw new Failure('usage', `Unknown report format "${name}"`, {hint: 'the format is markdown'});
      if (file === '') throw new Failure('usage', `--report takes FORMAT=FILE, not "${text}"`, {hint: 'the format is markdown'});
      if (file === '-')
        throw new Failure('usage', `--report ${text}: reports go to files`, {hint: 'name a file; --json prints to standard output'});
      return file;
    });
  }

  /** Reads a policy; its mistakes are in the reports. @throws Failure of the reading */
  async reading<Value>(read: () => Promise<Value>, now: () => Date): Promise<Value> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof Failure && this.#reports.length > 0) {
        const mistakes = error.details.mistakes ?? [{file: this.#policy, line: 1, message: error.message}];
        const {markdown} = await import('../../policy/reports/formats/markdown.js');
        await this.#write([...markdown.render([], {mistakes, when: now()})].join(''));
      }
      throw error;
    }
  }

  /** @throws Failure `local` when a file cannot be written */
  async write(plans: readonly ReportedPlan[], {noun, commands}: Heads): Promise<void> {
    if (this.#reports.length === 0) return;
    const {planMarkdown} = await import('../../policy/reports/formats/plan-markdown.js');
    await this.#write(planMarkdown({policy: this.#policy, plans, noun, commands}));
  }

  async #write(text: string): Promise<void> {
    for (const file of this.files)
      await writeWhole(file, text, {mode: 0o644}).catch((error: unknown) => {
        throw localFailure(`Cannot write the plan to ${file}`, error);
      });
  }
}
