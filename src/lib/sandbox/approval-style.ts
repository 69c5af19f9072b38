/** How the approval page looks, by day and by night. */
export const style = `
:root {
  --page: #f1f3f6; --card: #fff; --line: #d7dce3; --text: #1b212a; --quiet: #5d6876; --accent: #2753c9; --on-accent: #fff;
  font: 16px/1.5 system-ui, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12151a; --card: #1c2129; --line: #38414e; --text: #e7ebf0; --quiet: #9aa6b5; --accent: #89a9ff; --on-accent: #10182c;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; padding: 24px 16px; color: var(--text); background: var(--page);
  display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 16px;
}
main {
  width: 100%; max-width: 420px; padding: 32px; background: var(--card);
  border: 1px solid var(--line); border-radius: 16px; box-shadow: 0 8px 32px rgb(0 0 0 / 8%);
}
h1 { margin: 4px 0 24px; font-size: 22px; font-weight: 400; line-height: 1.3; overflow-wrap: anywhere; }
h2, label { display: block; margin: 0 0 8px; font-size: 14px; font-weight: 600; color: var(--quiet); }
.server, .after, footer { margin: 0; font-size: 14px; color: var(--quiet); overflow-wrap: anywhere; }
select {
  width: 100%; margin: 0 0 24px; padding: 11px 13px; font: inherit; color: inherit; background: var(--page);
  border: 0; border-right: 12px solid transparent; border-radius: 10px; box-shadow: 0 0 0 1px var(--line);
}
ul { margin: 0 0 28px; padding: 0; list-style: none; border-top: 1px solid var(--line); }
li {
  display: flex; align-items: baseline; justify-content: space-between; gap: 16px;
  padding: 10px 0; border-bottom: 1px solid var(--line);
}
code { font: 13px ui-monospace, monospace; color: var(--quiet); }
.buttons { display: flex; flex-direction: row-reverse; gap: 12px; margin: 0 0 20px; }
button {
  flex: 1; padding: 12px; font: inherit; font-weight: 600; cursor: pointer; color: inherit;
  background: none; border: 1px solid var(--line); border-radius: 10px;
}
.approve { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
button:hover { filter: brightness(1.08); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;
