/** Times as people say them. */

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const far = 30 * day;

const isoTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d|$)/;

/** `3 min ago`, `in 2 days`; the date (UTC) when it is more than 30 days away; what is not a time comes back as it is. */
export function relativeTime(iso: string, now: Date): string {
  const time = isoTime.test(iso) ? Date.parse(iso) : Number.NaN;
  if (Number.isNaN(time)) return iso;
  const distance = Math.abs(time - now.getTime());
  if (distance >= far) return new Date(time).toISOString().slice(0, 10);
  if (distance < minute) return 'just now';
  return time > now.getTime() ? `in ${duration(distance)}` : `${duration(distance)} ago`;
}

/** To the nearest whole unit: what ends in seven days less a moment is not six days away. */
function duration(milliseconds: number): string {
  const minutes = Math.round(milliseconds / minute);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(milliseconds / hour);
  if (hours < 24) return `${hours} h`;
  const days = Math.round(milliseconds / day);
  return days === 1 ? '1 day' : `${days} days`;
}
