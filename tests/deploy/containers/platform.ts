/** What the images are for: this machine's own kind, or the one that `IMAGE_PLATFORM` names. */
import { testEnv } from '@portcullis/testing';

export interface Kind {
  /** As Debian, Go and images call it. */
  arch: string;
  /** As Node calls it. */
  node: string;
  /** As qemu and the kernel call it. */
  qemu: string;
  /** As the header of an ELF file has it. */
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
