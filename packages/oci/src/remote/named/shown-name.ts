/**
 * Keeps the address of a registry out of messages, for registries whose address is no concern of
 * the reader: errors name it as the options say.
 */
import { isOciError } from '../../oci-error.ts';

export interface ShownName {
  host: string;
  /** What messages call the registry. */
  shownAs: string;
}

export function shownText(text: string, { host, shownAs }: ShownName): string {
  // A host of one word, such as `registry`, is also a word of the sentence.
  const isWord = /^\w+$/.test(host);
  const before = isWord ? '(?:^|(?<=\\bto ))' : '(?<![\\w.-])';
  const after = isWord ? '(?![\\w.:-])' : '(?![\\w-])';
  const name = host.replaceAll(/[^\w]/g, '\\$&');
  return text.replaceAll(new RegExp(before + name + after, 'gi'), () => shownAs);
}

export async function withShownName<T>(shown: ShownName, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw nameError(error, shown);
  }
}

/** In place, so that the error keeps its stack, its kind and its side. */
export function nameError(error: unknown, shown: ShownName): unknown {
  if (!isOciError(error)) return error;
  error.message = shownText(error.message, shown);
  if (error.detail?.host === shown.host) error.detail.host = shown.shownAs;
  return error;
}
