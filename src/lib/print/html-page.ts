/** What pages of HTML have in common. */
import {createHash} from 'node:crypto';
import {markup, Markup} from './markup.js';

interface PageParts {
  readonly title: string;
  readonly style: string;
  readonly script: string;
  /** Whether it shows files that are beside it. */
  readonly hasMedia?: boolean;
}

/** Allows only this style and this script, and nothing from the network. */
function contentSecurityPolicy({style, script, hasMedia = false}: PageParts): string {
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  // Browsers differ in whether a file is of the same origin as the one beside it.
  const media = hasMedia ? " img-src 'self' file:; media-src 'self' file:;" : '';
  return `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)};${media} base-uri 'none'; form-action 'none'`;
}

/** Everything up to the beginning of the body. */
export function pageHead(parts: PageParts): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(parts)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="pixelctl">
<title>${parts.title}</title>
<style>${new Markup(parts.style)}</style>
</head>
<body>
`.text;
}

/** `2026-11-20 04:41 UTC` */
export function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export const timeOf = (time: Date): Markup => markup`<time datetime="${time.toISOString()}">${timeText(time)}</time>`;
