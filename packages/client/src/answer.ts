/** Reads answers as JSON. An address that is not that of a Portcullis often answers with a page. */
import { unavailable } from '@portcullis/errors';

/** @throws unavailable `SITE_ANSWER_INVALID` */
export function parsedAnswer(text: string, { host }: URL) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unavailable(
      'SITE_ANSWER_INVALID',
      `${host} did not answer in JSON; check that it is the address of a Portcullis, and HTTPS_PROXY`,
      { cause },
    );
  }
}
