/** The frame of every page of HTML: what it may load, its colours, and how it begins and ends. Pages are complete without a network. */
import {createHash} from 'node:crypto';
import {markup, Markup} from './markup.js';

interface PageParts {
  readonly title: string;
  /** CSS for this page, in addition to that of all pages. */
  readonly style: string;
  readonly script?: string;
  /** Whether the page shows photos or videos from files beside it. */
  readonly hasMedia?: boolean;
  /** Whether the page has a form. Browsers would also apply `form-action` to a redirect in the answer, which may lead to another site. */
  readonly isSent?: boolean;
}

/** The text before and after the content of a page: a long page is written in pieces. */
interface Frame {
  readonly begin: string;
  readonly end: string;
}

/** Colours for light screens, dark screens and print, and the styles that all pages share. */
const commonStyle = `
:root {
  color-scheme: light dark;
  --page: #f4f6f8; --card: #ffffff; --own: #dfeeff; --text: #1c2128; --muted: #57606a; --line: #d4dae1;
  --good: #146c2e; --bad: #b42318; --doubtful: #7d4e00; --accent: #0b57a4; --there: #5b8fc7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1318; --card: #181e25; --own: #16304a; --text: #e6eaf0; --muted: #a0aab6; --line: #303a46;
    --good: #6fdc8c; --bad: #ff9389; --doubtful: #f0b95b; --accent: #84bdf7; --there: #4a7fb5;
  }
}
@media print {
  :root {
    --page: #fff; --card: #fff; --own: #fff; --text: #000; --muted: #444; --line: #bbb;
    --good: #146c2e; --bad: #b42318; --doubtful: #7d4e00; --accent: #000;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1.25rem 4rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
p { margin: .25rem 0; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
[hidden] { display: none !important; }
summary { cursor: pointer; }
.muted { color: var(--muted); }
`;

/** Allows only this style and this script, and nothing from the network. */
function contentSecurityPolicy(style: string, {script, hasMedia = false, isSent = false}: PageParts): string {
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    `default-src 'none'; style-src ${hash(style)}`,
    ...(script === undefined ? [] : [`script-src ${hash(script)}`]),
    // Browsers differ in whether two files of one folder have the same origin.
    ...(hasMedia ? ["img-src 'self' file:; media-src 'self' file:"] : []),
    "base-uri 'none'",
    ...(isSent ? [] : ["form-action 'none'"]),
  ].join('; ');
}

export function pageFrame(parts: PageParts): Frame {
  const {title, script} = parts;
  const style = commonStyle + parts.style;
  return {
    begin: markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(style, parts)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="pixelctl">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
`.text,
    end: `${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`,
  };
}

/** `2026-11-20 04:41 UTC` */
export function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export const timeOf = (time: Date): Markup => markup`<time datetime="${time.toISOString()}">${timeText(time)}</time>`;
