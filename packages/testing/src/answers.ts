/** Reads answers of HTTP servers, or throws what was answered instead of what a test expects. */

/** Of `fetch`, or of a browser. */
interface Answered {
  status: number | (() => number);
  url: string | (() => string);
  text(): Promise<string>;
}

/** The JSON of a success. */
export function json(answer: Answered | Promise<Answered>) {
  return jsonIf((status) => status < 300, answer);
}

/** The JSON of a refusal. */
export function refusal(answer: Answered | Promise<Answered>) {
  return jsonIf((status) => status >= 400, answer);
}

async function jsonIf(
  isExpected: (status: number) => boolean,
  answer: Answered | Promise<Answered>,
) {
  const answered = await answer;
  const status = typeof answered.status === 'function' ? answered.status() : answered.status;
  const text = await answered.text();
  if (isExpected(status)) return JSON.parse(text);
  const url = typeof answered.url === 'function' ? answered.url() : answered.url;
  throw new Error(`${url} was answered with ${status}: ${text}`);
}
