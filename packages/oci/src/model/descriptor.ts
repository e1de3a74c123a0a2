import type { Digest } from './digest.ts';

/** OCI image index, `platform` (image-index.md). */
export interface Platform {
  os: string;
  architecture: string;
  variant?: string | undefined;
  'os.version'?: string | undefined;
  'os.features'?: string[] | undefined;
}

/** OCI descriptor (descriptor.md). `size` is in bytes. */
export interface Descriptor {
  mediaType: string;
  digest: Digest;
  size: number;
  urls?: string[] | undefined;
  annotations?: Record<string, string> | undefined;
  artifactType?: string | undefined;
  platform?: Platform | undefined;
}

/** `linux/arm64/v8`, the way people and `--platform` write it. */
export function platformName(platform: Platform): string {
  return [platform.os, platform.architecture, platform.variant].filter(Boolean).join('/');
}
