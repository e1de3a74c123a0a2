/** The images of the demonstration's source registry, made from nothing. */
import { generateKeyPairSync, sign } from 'node:crypto';
import {
  alpineFiles,
  buildArtifact,
  buildImage,
  buildIndex,
  debianFiles,
  type Files,
  goFiles,
  helmChart,
  mavenJar,
  npmFiles,
  pythonFiles,
  randomFiles,
  type TestImage,
  type TestPackage,
  ubuntuFiles,
} from '@portcullis/testing';

export interface SampleImage {
  repository: string;
  tag: string;
  image: TestImage;
  /** What it is, for people. */
  about: string;
}

/** The images that the demonstration names. */
export const NAMED = {
  clean: { repository: 'samples/web', tag: '1.0' },
  exploited: { repository: 'samples/billing', tag: '1.0' },
  repaired: { repository: 'samples/billing', tag: '1.1' },
  unfixed: { repository: 'samples/queue', tag: '1.0' },
  outdated: { repository: 'samples/gateway', tag: '1.0' },
  signed: { repository: 'samples/signed', tag: '1.0' },
} as const;

export async function sampleImages(): Promise<SampleImage[]> {
  const signed = await twoPlatforms([DEBIAN]);
  const library = randomFiles(3_000_000, 'usr/lib/sample.bin');
  const debian = (...packages: TestPackage[]) => debianFiles([...CALM, ...packages]);
  const layered = (...layers: Files[]) => buildImage({ layers });
  return [
    {
      ...NAMED.clean,
      image: await twoPlatforms([DEBIAN, library]),
      about: 'Debian 12, two platforms',
    },
    {
      ...NAMED.outdated,
      image: await layered(debian({ name: 'openssl', version: '3.0.11-1~deb12u1' })),
      about: 'Debian 12, old OpenSSL',
    },
    {
      ...NAMED.unfixed,
      image: await layered(
        debian({ name: 'zlib1g', version: '1:1.2.13.dfsg-1', source: 'zlib' }),
        library,
      ),
      about: 'Debian 12, no fix yet',
    },
    {
      repository: 'samples/proxy',
      tag: '1.0',
      image: await layered(alpineFiles([{ name: 'musl', version: '1.2.5-r10' }])),
      about: 'Alpine 3.22',
    },
    {
      repository: 'samples/tools',
      tag: '1.0',
      image: await layered(ubuntuFiles([...CALM, { name: 'tar', version: '1.35+dfsg-3' }])),
      about: 'Ubuntu 24.04',
    },
    {
      repository: 'samples/shop',
      tag: '1.0',
      image: await layered(DEBIAN, npmFiles([{ name: 'lodash', version: '4.17.10' }])),
      about: 'Node.js, old lodash',
    },
    {
      repository: 'samples/shop',
      tag: '1.1',
      image: await layered(DEBIAN, npmFiles([{ name: 'lodash', version: '4.17.21' }])),
      about: 'Node.js with the fix',
    },
    {
      repository: 'samples/reports',
      tag: '1.0',
      image: await layered(DEBIAN, pythonFiles([{ name: 'requests', version: '2.31.0' }])),
      about: 'Python',
    },
    { ...NAMED.exploited, image: await layered(ALPINE, ledger('2.0.0')), about: 'Java, exploited' },
    {
      ...NAMED.repaired,
      image: await layered(ALPINE, ledger('2.1.0')),
      about: 'Java with the fix',
    },
    {
      repository: 'samples/agent',
      tag: '1.0',
      image: await layered(
        DEBIAN,
        goFiles('example.org/agent', [{ name: 'example.org/router', version: 'v1.4.0' }]),
      ),
      about: 'Go',
    },
    { ...NAMED.signed, image: signed, about: 'signed, two platforms' },
    {
      repository: NAMED.signed.repository,
      tag: signatureTag(signed),
      image: signatureOf(signed, NAMED.signed.repository),
      about: 'its signature',
    },
    {
      repository: 'samples/chart',
      tag: '1.0.0',
      image: await helmChart('samples', '1.0.0'),
      about: 'a Helm chart',
    },
  ];
}

/** Without a vulnerability. */
const CALM: readonly TestPackage[] = [
  { name: 'base-files', version: '12.4+deb12u11' },
  { name: 'tzdata', version: '2026a-0+deb12u1' },
];
const DEBIAN = debianFiles([...CALM]);
const ALPINE = alpineFiles([{ name: 'busybox', version: '1.37.0-r18' }]);

const ledger = (version: string): Files => ({
  'srv/lib/ledger.jar': mavenJar('org.example', 'ledger', version),
});

async function twoPlatforms(layers: Files[]): Promise<TestImage> {
  const platforms = ['linux/amd64', 'linux/arm64'];
  return buildIndex(
    await Promise.all(platforms.map((platform) => buildImage({ layers, platform }))),
  );
}

/** The tag under which cosign stores the signature of an image. */
export const signatureTag = ({ digest }: TestImage) => `${digest.replace(':', '-')}.sig`;

/** As `cosign sign` makes it, with a key that is forgotten. */
function signatureOf(image: TestImage, repository: string): TestImage {
  const payload = Buffer.from(
    JSON.stringify({
      critical: {
        identity: { 'docker-reference': repository },
        image: { 'docker-manifest-digest': image.digest },
        type: 'cosign container image signature',
      },
      optional: null,
    }),
  );
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signature = sign('sha256', payload, privateKey).toString('base64');
  const layer = {
    mediaType: 'application/vnd.dev.cosign.simplesigning.v1+json',
    bytes: payload,
    annotations: { 'dev.cosignproject.cosign/signature': signature },
  };
  return buildArtifact({ layers: [layer] });
}
