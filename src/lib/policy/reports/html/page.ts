/** One self-contained page about one or more audits: nothing is loaded, and it is complete without its script. */
import {createHash} from 'node:crypto';
import {counted} from '../counts.js';
import {markup, Markup} from '../markup.js';
import type {AuditReport} from '../report.js';
import {kindNames} from '../rule-text.js';
import {script} from './script.js';
import {section} from './section.js';
import {style} from './style.js';

export function htmlReport(reports: readonly AuditReport[]): string {
  const agreeing = reports.filter(({ok}) => ok).length;
  const findings = reports.reduce((sum, report) => sum + report.findings.length, 0);
  const verdict =
    agreeing === reports.length ? 'No differences' : findings === 0 ? 'Not all could be checked' : counted(findings, 'finding');
  const [first] = reports;
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOfPage()}">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="pixelctl">
<title>${verdict} – audit</title>
<style>${new Markup(style)}</style>
</head>
<body>
<header class="top">
<p class="kicker">Audit${first && markup` of <time datetime="${first.when.toISOString()}">${timeText(first.when)}</time>`}</p>
<h1>${verdict}</h1>
${reports.length > 1 ? contents(reports, agreeing) : undefined}
</header>
${findings > 0 ? toolbar(reports) : undefined}
<main>
${reports.map(section)}</main>
<script>${new Markup(script)}</script>
</body>
</html>
`;
  return page.text;
}

/** Nothing but this very style and this very script. */
function policyOfPage(): string {
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`;
}

function timeText(when: Date): string {
  return `${when.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function contents(reports: readonly AuditReport[], agreeing: number): Markup {
  const items = reports.map(({server, policy, ok, findings}, index) => {
    const {host} = new URL(server);
    const mood = ok ? 'good' : 'bad';
    const result = ok ? 'agrees' : findings.length > 0 ? counted(findings.length, 'finding') : 'not all could be checked';
    return markup`<li>
<a href="#audit-${index + 1}">${host}</a> <span class="muted">${policy}</span> <span class="${mood}">${result}</span>
</li>
`;
  });
  return markup`<p>${agreeing} of ${counted(reports.length, 'audit')} found nothing.</p>
<nav aria-label="Audits"><ul class="plain">
${items}</ul></nav>`;
}

/** Of use only with the script, which shows it. */
function toolbar(reports: readonly AuditReport[]): Markup {
  const kinds = [...new Set(reports.flatMap(({findings}) => findings.map(({kind}) => kind)))].sort();
  const boxes = kinds.map(
    (kind) => markup`<label class="chip"><input type="checkbox" name="kind" value="${kind}" checked> ${kindNames[kind]}</label>\n`,
  );
  return markup`<form class="toolbar" id="filter" role="search" hidden>
<label class="search">Find <input type="search" id="text" autocomplete="off" aria-keyshortcuts="/" placeholder="domain, title, rule…"></label>
<fieldset><legend class="aside">Show</legend>
${boxes}</fieldset>
<output id="shown" for="text"></output>
</form>`;
}
