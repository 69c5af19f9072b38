/** What is applied: a policy, or the plans of a file. */
import {type Meant, meantBy} from '../state-file/meant.js';
import {meantIn} from '../state-file/files.js';
import type {FindingJson} from '../model/documents.js';
import {isNamedByHost, type Target} from '../model/difference.js';
import {readyFromPlan, readyFromPolicy, type Ready} from './apply.js';
import {type KeptPlan, keptPlanOf} from './plan-file.js';
import type {Records} from '../state-file/records.js';
import {sharedSections} from '../sections/index.js';
import type {Wanted} from '../lists/wanted.js';

/** What is applied to one account. */
export interface Own {
  readonly target: Target;
  readonly policy: string;
  /** What differences are from, in sentences: `this part of policy.yml`. */
  readonly name: string;
  /** Whether it is about what the accounts of the server share; undefined: where an earlier apply was. */
  readonly server: boolean | undefined;
  readonly part: KeptPlan['part'];
  readonly question: string;
  /** Why differences are left: `that pixelctl cannot change`. */
  readonly left: string;
  /** What to do about them, where it is not what `plan` says, because nobody is to edit the policy. */
  readonly remedy?: string | undefined;
  /** Said when every change is made; undefined where differences that are left say it. */
  readonly nothing: (host: string, left: readonly FindingJson[]) => string | undefined;
  readonly ready: (records: Records) => Promise<Ready>;
}

/** A policy, or the plans of a file. */
export interface PlanSource {
  readonly wanted: readonly Wanted[];
  /** @param chosen the value of `--state` */
  readonly meant: (chosen: string | undefined) => Meant;
  /** @throws Failure `usage` when there is no plan for the account */
  readonly of: (target: Target) => Own;
}

/** How a command calls what it does with a policy. */
interface Words extends Pick<Own, 'left' | 'name' | 'question' | 'remedy'> {
  /** Where nothing differs. */
  readonly agreed: (host: string) => string;
}

/** A policy that is applied to each account. */
export function policySource(wanted: Wanted, {name, question, left, remedy, agreed}: Words): PlanSource {
  const {part, policy} = wanted;
  return {
    wanted: [wanted],
    meant: (chosen) => meantBy([wanted], chosen),
    of: (target) => ({
      target,
      policy: policy.file,
      name,
      server: meantIn(wanted, target, false).server,
      part,
      question,
      left,
      remedy,
      nothing: (host, different) => (different.length === 0 ? agreed(host) : undefined),
      ready: (records) => readyFromPolicy(wanted, records, target),
    }),
  };
}

/** Plans that were saved. @param name of their file */
export function plansSource(plans: readonly KeptPlan[], name: string, left: string): PlanSource {
  return {
    wanted: [],
    meant: () => ({
      accounts: async () => plans.some((one) => !isNamedByHost(one)),
      async server({origin}) {
        const parts = plans.filter((one) => one.server === origin && isNamedByHost(one)).flatMap((one) => one.parts);
        return sharedSections.filter(({key}) => parts.includes(key));
      },
    }),
    of(given) {
      const kept = keptPlanOf(plans, given);
      const server = sharedSections.some(({key}) => kept.parts.includes(key));
      // The plan of an account alone is about what it shares, too.
      const target = server && !isNamedByHost(kept) ? {...given, owner: undefined} : given;
      return {
        target,
        policy: kept.policy,
        name: kept.policy,
        server,
        part: kept.part,
        question: `Apply ${kept.policy} as`,
        left,
        nothing: () => `Nothing to do: every change of ${name} is made.`,
        ready: (records) => readyFromPlan(kept, records, target),
      };
    },
  };
}
