/** For tests only: requests and short forms of their answers. */

/** The registry returns an OCI manifest only to clients that accept its type. */
export const OCI_MANIFEST = 'application/vnd.oci.image.manifest.v1+json';

/** The status, and the code of a denial. */
export async function answerOf(
  response: Response | Promise<Response>,
): Promise<[number, string | null]> {
  const answered = await response;
  const text = await answered.text();
  return [answered.status, answered.ok ? null : JSON.parse(text).code];
}

/** The credential of a fixture account on `/v2`. */
export function basicOf(username: string): Record<string, string> {
  const pair = Buffer.from(`${username}:pass-of-${username}`).toString('base64');
  return { authorization: `Basic ${pair}` };
}
