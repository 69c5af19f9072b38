/** What the browser shows when it has come back. Nothing of what it brings is repeated on it. */

const pages = {
  approved: {title: 'Approved', text: 'Go back to the terminal to finish. You can close this page.'},
  refused: {title: 'Not signed in', text: 'The sign-in was not approved. Go back to the terminal for details. You can close this page.'},
  stray: {
    title: 'Not this sign-in',
    text: 'This is not the answer that the terminal waits for. It still waits: follow the newest link that it shows.',
  },
  nothing: {title: 'Nothing here', text: 'This address only receives the browser at the end of a sign-in.'},
} as const;

const style = `
:root { color-scheme: light dark; --page: #f1f3f6; --text: #1b212a; --quiet: #5d6876; font: 16px/1.5 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { :root { --page: #12151a; --text: #e7ebf0; --quiet: #9aa6b5; } }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; text-align: center; padding: 16px; box-sizing: border-box;
  color: var(--text); background: var(--page); }
h1 { margin: 0 0 8px; font-size: 28px; font-weight: 600; }
p { margin: 0; max-width: 26em; color: var(--quiet); }
`;

export function callbackPage(what: keyof typeof pages): string {
  const {title, text} = pages[what];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · pixelctl</title>
<style>${style}</style>
</head>
<body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>
`;
}
