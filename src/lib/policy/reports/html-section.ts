/** A section of the page: what differs in one account, or in all of them. */
import type {FindingJson} from '../model/documents.js';
import {actualText, type Difference, placesOf, whereText, type Kind, type Skipped} from '../model/difference.js';
import {factsText} from '../model/domain-facts.js';
import {locationText} from '../source/location.js';
import {type Chart, chartsOf} from './html-origins.js';
import {escaped, markup, type Markup} from '../../print/markup.js';
import type {AuditReport, CheckedRule} from './report.js';
import {type AnyRows, Rows} from './rows.js';
import type {Lists, SharedPart} from './shared.js';
import {newFirst, statusOf} from './since.js';
import {auditedName, auditCounts, maxSubjectLength, maxReportText, ruleText, short, sinceText, skippedTitle, titleOf} from './text.js';
import {sectionOf, shownSubject} from '../sections/index.js';
import {andMore, counted, withCommas} from '../../json/text.js';

/** Rows that are not folded. */
const maxOpen = 100;
/** Lines of a list beside the findings that are not folded. */
const maxOpenLines = 20;

interface Words {
  readonly id: string;
  readonly title: string;
  readonly head: Markup;
  /** Commands for all of the findings, where each account has its own. */
  readonly commands?: readonly string[];
}

/** The findings of one kind, by their rules. */
interface Group {
  readonly kind: Difference['kind'];
  readonly rules: readonly {readonly rule: string; readonly rows: Rows<Difference>}[];
}

export class HtmlSection {
  readonly id: string;
  readonly title: string;
  /** All lists of the section, to be fitted into the page. */
  readonly lists: readonly AnyRows[];
  /** How many findings it has. */
  readonly size: number;
  readonly #head: Markup;
  readonly #commands: readonly string[] | undefined;
  readonly #groups: readonly Group[];
  readonly #skipped: Rows<Skipped>;
  readonly #resolved: Rows<FindingJson>;
  readonly #held: Rows<CheckedRule>;
  readonly #origins: Rows<Chart>;

  private constructor({findings, skipped, resolved, held}: Lists, about: AuditReport, origins: Rows<Chart>, words: Words) {
    const {id, title, head, commands} = words;
    this.id = id;
    this.title = title;
    this.size = findings.length;
    this.#head = head;
    this.#commands = commands;
    const text = (one: Difference) => [row(one, about).text, commands === undefined ? commandOf(one) : ''];
    this.#groups = Array.from(
      Map.groupBy(findings, ({kind}) => kind),
      ([kind, of]) => ({
        kind,
        rules: Array.from(
          Map.groupBy(of, ({rule}) => rule),
          ([rule, some]) => ({rule, rows: new Rows(newFirst(some, about), text)}),
        ),
      }),
    );
    this.#skipped = new Rows(skipped, (one) => [untold(one).text]);
    this.#resolved = new Rows(resolved, (one) => [gone(one).text]);
    this.#held = new Rows(held, (one) => [holding(one).text]);
    this.#origins = origins;
    this.lists = [...this.#groups.flatMap(({rules}) => rules.map(({rows}) => rows)), this.#skipped, this.#resolved, this.#held, origins];
  }

  /** What all accounts have in common. */
  static ofAll(
    {policy, reports, total, shared}: SharedPart,
    {id, namesPolicy}: {readonly id: string; readonly namesPolicy: boolean},
  ): HtmlSection {
    const [first] = reports;
    if (first === undefined) throw new Error('nothing is shared by no accounts');
    const checked = reports.length === total ? '' : ' that could be checked completely';
    const who = `${reports.length === 2 ? 'Both' : `All ${withCommas(reports.length)}`} accounts${checked}`;
    const title = namesPolicy ? `${who}: ${short(policy, maxSubjectLength)}` : who;
    const holds = shared.held.length === 0 ? '' : ` ${counted(shared.held.length, 'rule holds', 'rules hold')} in all of them.`;
    const isSame =
      new Set(reports.map(({origins}) => JSON.stringify(origins.map(({contributions}) => contributions.map(({missing}) => missing)))))
        .size === 1;
    const verdict =
      shared.findings.length > 0
        ? `${counted(shared.findings.length, 'difference')} in each of them`
        : 'No difference that all of them have';
    return new HtmlSection(shared, first, chartsOf(isSame ? [first] : [], id), {
      id,
      title,
      head: markup`<p>${verdict}.${holds} Compared with <code>${policy}</code>.</p>`,
      commands: [...new Set(reports.map((report) => report.advice.onPolicy('apply', policy)))],
    });
  }

  /** @param setting.common the section of what it has in common with others */
  static ofOne(
    report: AuditReport,
    lists: Lists,
    {id, common}: {readonly id: string; readonly common: HtmlSection | undefined},
  ): HtmlSection {
    const origins = chartsOf(common?.hasOrigins === true ? [] : [report], id);
    const above = report.findings.length - lists.findings.length;
    const link =
      common && above > 0
        ? markup`, ${above === report.findings.length ? 'all' : withCommas(above)} of them <a href="#${common.id}">above</a>`
        : undefined;
    const since = report.since && markup`<p>${sinceText(report)}</p>`;
    const name = auditedName(report);
    return new HtmlSection(lists, report, origins, {
      id,
      title: name,
      head: markup`<p class="muted">Compared with <code>${report.policy}</code></p>
${common === undefined ? tiles(report, origins.items.length > 0 ? `${id}-origins` : undefined) : markup`<p>${countText(report)}${link}.</p>${since}`}`,
    });
  }

  get hasOrigins(): boolean {
    return this.#origins.items.length > 0;
  }

  *pieces(): Generator<string> {
    const {id} = this;
    yield markup`<section id="${id}" aria-labelledby="${id}-name">
<h2 id="${id}-name"><bdi>${this.title}</bdi></h2>
${this.#head}
`.text;
    for (const group of this.#groups) yield* this.#table(group);
    if (this.#commands !== undefined && this.size > 0) yield commandsText(this.#commands);
    yield* list(this.#skipped, skippedTitle(this.#skipped.items), {isOpen: this.#skipped.items.length <= maxOpenLines});
    yield* list(this.#resolved, `${counted(this.#resolved.items.length, 'difference')} resolved`, {isOpen: false});
    if (this.hasOrigins) {
      yield markup`<h3 id="${id}-origins">Where blocks come from</h3>\n`.text;
      yield* this.#origins.texts();
      if (this.#origins.rest > 0) yield '<p class="muted">It does not fit on this page.</p>\n';
    }
    yield* list(this.#held, counted(this.#held.items.length, 'rule that holds', 'rules that hold'), {isOpen: false});
    yield '</section>\n';
  }

  *#table({kind, rules}: Group): Generator<string> {
    const count = rules.reduce((sum, {rows}) => sum + rows.items.length, 0);
    const rest = rules.reduce((sum, {rows}) => sum + rows.rest, 0);
    yield markup`<details class="group"${count <= maxOpen ? markup` open` : undefined}>
<summary><h3>${titleOf(kind)}</h3> <span class="count">${withCommas(count)}</span></summary>
<table class="cards ${isSet(kind) ? 'set' : 'texts'}">
<thead><tr>
<th scope="col">What</th><th scope="col">Should be</th><th scope="col">Is</th><th scope="col">Reason</th>
</tr></thead>
`.text;
    for (const {rule, rows} of rules) {
      yield markup`<tbody>
<tr class="rule"><th colspan="4" scope="rowgroup">${ruleText(rule)} <code class="muted">${rule}</code></th></tr>
`.text;
      yield* rows.texts();
      if (rows.rest > 0) yield `<tr class="rest"><td colspan="4">… ${andMore(rows.rest)}, not shown here</td></tr>\n`;
      yield '</tbody>\n';
    }
    yield '</table>\n';
    if (this.#commands === undefined)
      yield* commandsOf(
        rules.map(({rows}) => rows),
        rest > 0,
      );
    yield '</details>\n';
  }
}

/** Kinds that are there or not: what is said about them is in the reason. */
const isSet = (kind: Difference['kind']): boolean => sectionOf(kind)?.isSet === true;

function countText({findings}: AuditReport): string {
  return findings.length === 0 ? 'No differences' : counted(findings.length, 'difference');
}

function tiles(report: AuditReport, originsId: string | undefined): Markup {
  const {findings, held: heldRules, unchecked} = auditCounts(report);
  const {since} = report;
  const wanted = report.origins.flatMap(({contributions}) => contributions).reduce((sum, {domains}) => sum + domains.length, 0);
  const domains = 'Domains to block';
  return markup`<dl class="tiles">
${tile('Differences', findings, findings > 0 ? 'bad' : 'good')}
${since && tile(markup`New since <code>${since.file}</code>`, since.added.size, since.added.size > 0 ? 'bad' : 'good')}
${since && tile('Resolved', since.resolved.length)}
${tile('Rules that hold', heldRules)}
${tile('Rules not checked', unchecked, unchecked > 0 ? 'doubtful' : '')}
${tile(wanted > 0 && originsId !== undefined ? markup`<a href="#${originsId}">${domains}</a>` : domains, wanted)}
</dl>`;
}

function tile(name: Markup | string, count: number, mood = ''): Markup {
  return markup`<div class="tile"><dt>${name}</dt><dd class="${mood}">${withCommas(count)}</dd></div>`;
}

const isCommand = (fix: string): boolean => fix.startsWith('pixelctl ');

function commandOf({fix}: Difference): string {
  return isCommand(fix) ? `${escaped(fix)}\n` : '';
}

function row(finding: Difference, report: AuditReport): Markup {
  const {rule, kind, wanted, fix, details, named} = finding;
  const status = statusOf(report, finding);
  const mark = status && markup` <span class="${status === 'new' ? 'bad' : 'muted'}">${status === 'new' ? 'new' : 'still open'}</span>`;
  // Of several each says its own.
  const said = details === undefined || named !== undefined ? '' : factsText(details);
  const why = said === '' ? undefined : markup`<bdi>${short(said, maxReportText)}</bdi> `;
  return markup`<tr class="finding" data-kind="${kind}" data-rule="${rule}">
<th scope="row"><bdi>${short(shownSubject(finding), maxSubjectLength)}</bdi>${mark}</th>
<td data-name="Should be"><bdi>${short(wanted, maxReportText)}</bdi></td>
<td data-name="Is"><bdi>${short(actualText(finding), maxReportText)}</bdi></td>
<td data-name="Reason">${why}${isCommand(fix) ? undefined : markup`<bdi>${short(fix, maxReportText)}</bdi> `}<code class="muted"><bdi>${short(whereText(placesOf(finding)), maxReportText)}</bdi></code></td>
</tr>
`;
}

function commandsText(commands: readonly string[]): string {
  return commandsBlock(commands.map((command) => `${escaped(command)}\n`).join(''));
}

function* commandsOf(rules: readonly Rows<Difference>[], areSome: boolean): Generator<string> {
  const [open, close] = commandsBlock('\u0000', areSome).split('\u0000');
  let isOpen = false;
  for (const rows of rules)
    for (const command of rows.texts(1)) {
      if (!isOpen) yield open ?? '';
      isOpen = true;
      yield command;
    }
  if (isOpen) yield close ?? '';
}

function commandsBlock(lines: string, areSome = false): string {
  return `<details class="commands"><summary>Commands that fix ${areSome ? 'those shown' : 'this'}</summary>
<pre tabindex="0">${lines}</pre></details>
`;
}

function* list<Item>(rows: Rows<Item>, title: string, {isOpen}: {readonly isOpen: boolean}): Generator<string> {
  if (rows.items.length === 0) return;
  yield markup`<details class="held"${isOpen ? markup` open` : undefined}>
<summary><h3>${title}</h3></summary>
<ul class="plain">
`.text;
  yield* rows.texts();
  if (rows.rest > 0) yield `<li class="muted">… ${andMore(rows.rest)}, not shown here</li>\n`;
  yield '</ul>\n</details>\n';
}

function gone(finding: FindingJson): Markup {
  const {rule, wanted} = finding;
  return markup`<li><code>${rule}</code>${named(finding)} <span class="muted">${short(wanted, maxReportText)}</span></li>\n`;
}

function untold(skipped: Skipped): Markup {
  const {kind, why, failure} = skipped;
  return markup`<li class="${failure ? 'bad' : ''}"><b>${titleOf(kind)}</b>${named(skipped)}: <bdi>${short(why, maxReportText)}</bdi></li>\n`;
}

function holding(held: CheckedRule): Markup {
  const {rule, source} = held;
  return markup`<li><code>${rule}</code>${named(held)} <span class="muted">${short(locationText(source), maxSubjectLength)}</span></li>\n`;
}

/** A text with a direction of its own, which does not affect the text around it. */
function named({kind, subject}: {readonly kind: Kind; readonly subject?: string | undefined}): Markup | undefined {
  return subject === undefined ? undefined : markup` <bdi>${short(shownSubject({kind, subject}), maxSubjectLength)}</bdi>`;
}
