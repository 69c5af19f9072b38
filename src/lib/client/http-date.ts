const clockTime = String.raw`\d\d:\d\d:\d\d`;
const weekday = '[A-Z][a-z]{2,8}';
const month = '[A-Z][a-z]{2}';

/** Today's form, and the two old ones that recipients have to read. Without them, `Date.parse` takes `1.` and `5 seconds` for days of 2001. */
const forms = [
  new RegExp(`^${weekday}, \\d{1,2} ${month} \\d{4} ${clockTime} (?:GMT|UTC|[+-]\\d{4})$`),
  new RegExp(`^${weekday}, \\d\\d-${month}-\\d\\d(?:\\d\\d)? ${clockTime} GMT$`),
  new RegExp(`^${weekday} ${month} [ \\d]\\d ${clockTime} \\d{4}$`),
];

/** Milliseconds since 1970; undefined when the text is not a date of HTTP. */
export function httpDate(text: string | undefined): number | undefined {
  const form = forms.findIndex((one) => one.test(text ?? ''));
  // The last form names no time zone: it means GMT, as the others do.
  const date = form === -1 ? Number.NaN : Date.parse(form === 2 ? `${text} GMT` : (text ?? ''));
  return Number.isNaN(date) ? undefined : date;
}
