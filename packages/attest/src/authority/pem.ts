/** Blocks of PEM. */

export interface PemBlock {
  readonly label: string;
  readonly text: string;
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[A-Za-z0-9+/=\s]*-----END \1-----/g;

/** Its blocks in order; null where there is none, or anything else than blocks. */
export function pemBlocks(text: string): readonly PemBlock[] | null {
  const blocks = [...text.matchAll(BLOCK)].map(([block, label = '']) => ({ label, text: block }));
  const rest = text.replace(BLOCK, '').trim();
  return blocks.length > 0 && rest === '' ? blocks : null;
}
