/** The door for container clients, `/v2`, as a client of another project sees it. */
import { createHash } from 'node:crypto';
import { fetchManifest } from '@portcullis/testing';
import { z } from 'zod';
import { Refusal } from '../refusal.ts';
import type { Login } from '../state.ts';

const Index = z.object({ manifests: z.array(z.object({ digest: z.string() })) });
const Descriptor = z.object({ digest: z.string(), size: z.number() });
const Manifest = z.object({ config: Descriptor, layers: z.array(Descriptor) });

export interface PulledImage {
  digest: string;
  platforms: number;
  blobs: number;
  bytes: number;
}

/** Every manifest and blob; each is compared with its digest. @throws Refusal */
export async function pullWhole(
  url: string,
  repository: string,
  tag: string,
  credentials: Login,
): Promise<PulledImage> {
  const root = await manifest(url, repository, tag, credentials);
  const children = Index.safeParse(JSON.parse(root.text)).data?.manifests;
  const images = children
    ? await Promise.all(
        children.map(({ digest }) => manifest(url, repository, digest, credentials)),
      )
    : [root];
  const blobs = images.flatMap(({ text }) => {
    const { config, layers } = Manifest.parse(JSON.parse(text));
    return [config, ...layers];
  });
  const unique = [...new Map(blobs.map((blob) => [blob.digest, blob])).values()];
  for (const { digest } of unique) await blob(url, repository, digest, credentials);
  return {
    digest: root.digest,
    platforms: images.length,
    blobs: unique.length,
    bytes: unique.reduce((sum, { size }) => sum + size, 0),
  };
}

async function manifest(url: string, repository: string, reference: string, credentials: Login) {
  const answer = await fetchManifest(url, repository, reference, { credentials });
  const text = answer.body.toString('utf8');
  if (answer.status !== 200) throw new Refusal(`${repository}:${reference}: ${text}`);
  return { text, digest: digestOf(answer.body) };
}

async function blob(
  url: string,
  repository: string,
  digest: string,
  { username, password }: Login,
) {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const answer = await fetch(`${url}/v2/${repository}/blobs/${digest}`, {
    headers: { authorization },
  });
  const found = digestOf(new Uint8Array(await answer.arrayBuffer()));
  if (found !== digest) throw new Refusal(`${digest} was served with other bytes`);
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

const Denial = z.object({ errors: z.array(z.object({ code: z.string(), message: z.string() })) });
/** Holds until an image is scanned end with 429; each is held for up to twenty seconds. */
const MOST_HOLDS = 5;

/** What a client prints where the gate refuses its pull. @throws Refusal where it is served */
export async function refusedPull(
  url: string,
  repository: string,
  tag: string,
  credentials: Login,
): Promise<string> {
  for (let holds = 0; holds < MOST_HOLDS; holds++) {
    const answer = await fetchManifest(url, repository, tag, { credentials });
    if (answer.status === 429) continue;
    if (answer.status !== 403) break;
    const [first] = Denial.parse(JSON.parse(answer.body.toString('utf8'))).errors;
    return `${answer.status} ${first?.code}: ${first?.message}`;
  }
  throw new Refusal(`the gate did not refuse ${repository}:${tag}`);
}
