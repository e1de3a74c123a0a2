/** For tests only: answers, as short as the rules are. */

/** The registry gives an OCI manifest only to those who name its type. */
export const OCI_MANIFEST = 'application/vnd.oci.image.manifest.v1+json';

export async function jsonOf(response: Response | Promise<Response>) {
  return (await response).json();
}

/** Status, and what code it says where it refuses. */
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
