/** The images of a transfer: from words and from a file. */
import type { TransferRequest } from '@portcullis/contract';
import { invalid, isAppError } from '@portcullis/errors';
import { DOCKER_HUB_HOST, isTag, parseImage, parseImageName } from '@portcullis/oci';

export type TransferLine = TransferRequest['images'][number];

export interface ImageLine {
  text: string;
  /** For messages. */
  where: string;
}

/** A line is `image [destination]`; `#` begins a comment. */
export function linesIn(text: string, file: string): ImageLine[] {
  return text.split('\n').flatMap((line, index) => {
    const content = line.replace(/(?:^|\s)#.*$/, '').trim();
    return content === '' ? [] : [{ text: content, where: `${file}, line ${index + 1}: ` }];
  });
}

/**
 * `repository:tag`, `repository@digest`, or `repository:PATTERN` with `*` or `?`. The host of the
 * registry may precede it. @throws invalid `IMAGES_INVALID`
 */
export function listedImage({ text, where }: ImageLine, host: string | null): TransferLine {
  const [image = '', destination, ...rest] = text.split(/\s+/);
  try {
    if (rest.length > 0)
      throw invalid('USAGE', 'a line is an image, and optionally its destination');
    const named = namedImage(withoutHost(image, host));
    return destination === undefined
      ? named
      : { ...named, dest_name: parseImageName(destination).repository };
  } catch (error) {
    if (!isAppError(error)) throw error;
    throw invalid('IMAGES_INVALID', `${where}${text}: ${error.message}`, { cause: error });
  }
}

function namedImage(text: string): TransferLine {
  const at = text.lastIndexOf(':');
  const pattern = at < 0 ? '' : text.slice(at + 1);
  if (/[*?]/.test(pattern) && isTag(pattern.replaceAll(/[*?]/g, '_')))
    return {
      repository: parseImageName(text.slice(0, at)).repository,
      tags: { match: { glob: pattern } },
    };
  const { repository, digest, tag } = parseImageName(text);
  return { repository, tag: digest ?? tag ?? 'latest' };
}

/** `host`: of the source; null for Docker Hub. */
function withoutHost(text: string, host: string | null): string {
  const [first = '', ...rest] = text.split('/');
  if (rest.length === 0 || !/[.:]|^localhost$/.test(first)) return text;
  const isSource = host === null ? isOnDockerHub(first) : first === host;
  if (isSource) return rest.join('/');
  throw invalid('USAGE', `its registry is not the one of --from; a transfer has one source`);
}

function isOnDockerHub(host: string): boolean {
  return parseImage(`${host}/library/any`).host === DOCKER_HUB_HOST;
}
