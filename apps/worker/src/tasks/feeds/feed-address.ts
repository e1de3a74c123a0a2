/** Addresses of threat feeds: a file over HTTP, or an OCI artifact with the file as its layer. */
import { type Image, parseImageName, registryHost } from '@portcullis/oci';

export type FeedAddress = { text: string } & (
  | { kind: 'file'; url: URL }
  | { kind: 'artifact'; image: Image }
);

const SCHEME = 'oci://';

/** Undefined where `text` is no address. It is shown to administrators and has no credentials. */
export function parseFeedAddress(text: string): FeedAddress | undefined {
  if (text.startsWith(SCHEME)) return artifactAddress(text);
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  return { text, kind: 'file', url };
}

function artifactAddress(text: string): FeedAddress | undefined {
  try {
    // In a URL the first component is always the host; in an image it may be a part of the name.
    const [host = '', ...rest] = text.slice(SCHEME.length).split('/');
    const { repository, tag = 'latest', digest } = parseImageName(rest.join('/'));
    const image = { host: registryHost(host), repository, reference: digest ?? tag };
    return { text, kind: 'artifact', image };
  } catch {
    return undefined;
  }
}
