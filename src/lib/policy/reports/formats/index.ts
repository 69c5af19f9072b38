/** Every format of reports. Written by `npm run generate` from the files beside it: do not edit. */
import type {ListedFormat} from '../format.js';

export const reportFormats = {
  github: {
    extension: 'txt',
    about: 'annotations that a GitHub workflow shows at the lines of a policy',
    load: async () => (await import('./github.js')).github,
  },
  html: {
    extension: 'html',
    about: 'a page for people, to read and to send',
    load: async () => (await import('./html.js')).html,
  },
  json: {
    extension: 'json',
    about: 'all that `audit --json` prints, for programs and for later audits',
    load: async () => (await import('./json.js')).json,
  },
  junit: {
    extension: 'xml',
    about: 'test results, as CI systems show them',
    load: async () => (await import('./junit.js')).junit,
  },
  markdown: {
    extension: 'md',
    about: 'a summary for a workflow step or a comment',
    load: async () => (await import('./markdown.js')).markdown,
  },
  sarif: {
    extension: 'sarif',
    about: 'results of code scanning',
    load: async () => (await import('./sarif.js')).sarif,
  },
  thresholds: {
    extension: 'csv',
    about: 'how many lists name each domain, to choose `agree` and weights',
    load: async () => (await import('./thresholds.js')).thresholds,
  },
} satisfies Readonly<Record<string, ListedFormat>>;
