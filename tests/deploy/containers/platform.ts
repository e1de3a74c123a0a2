/** The platform of the images: this machine's, or the one in `IMAGE_PLATFORM`. */
import { testEnv } from '@portcullis/testing';

export interface Kind {
  /** Name in Debian, Go and images. */
  arch: string;
  /** Name in Node. */
  node: string;
  /** Name in qemu and the kernel. */
  qemu: string;
  /** Value in an ELF header. */
  machine: number;
}

const KINDS: Kind[] = [
  { arch: 'amd64', node: 'x64', qemu: 'x86_64', machine: 0x3e },
  { arch: 'arm64', node: 'arm64', qemu: 'aarch64', machine: 0xb7 },
];

export const OWN: Kind = kindOf(`linux/${KINDS.find(({ node }) => node === process.arch)?.arch}`);
export const TARGET: Kind = kindOf(testEnv.IMAGE_PLATFORM ?? platformOf(OWN));
export const IS_FOREIGN: boolean = TARGET !== OWN;

export function platformOf({ arch }: Kind): string {
  return `linux/${arch}`;
}

function kindOf(platform: string): Kind {
  const kind = KINDS.find((each) => platformOf(each) === platform);
  if (kind === undefined)
    throw new Error(`no images for ${platform}; there are ${KINDS.map(platformOf).join(', ')}`);
  return kind;
}
