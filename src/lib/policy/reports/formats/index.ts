/** Every format of reports. What an audit without reports needs of them is here. */
import type {ListedFormat} from '../report-format.js';

export const reportFormats = {
  github: {
    extension: 'txt',
    about: 'annotations at the lines of a policy in a GitHub workflow',
    load: async () => (await import('./github.js')).github,
  },
  html: {
    extension: 'html',
    about: 'a web page for people',
    load: async () => (await import('./html.js')).html,
  },
  json: {
    extension: 'json',
    about: 'the output of `audit --json`, for programs and for --since',
    load: async () => (await import('./json.js')).json,
  },
  junit: {
    extension: 'xml',
    about: 'test results for CI systems',
    load: async () => (await import('./junit.js')).junit,
  },
  markdown: {
    extension: 'md',
    about: 'a summary for a workflow step or a comment',
    load: async () => (await import('./markdown.js')).markdown,
  },
  sarif: {
    extension: 'sarif',
    about: 'results for code scanning',
    load: async () => (await import('./sarif.js')).sarif,
  },
} satisfies Readonly<Record<string, ListedFormat>>;
