/** The main job, told step by step: what each account does, and what Portcullis answers. */
import { awaitTransfer } from '@portcullis/client';
import type { Job, TransferView } from '@portcullis/contract';
import { ownName } from '@portcullis/domain';
import { pushImage } from '@portcullis/testing';
import type { Narrator } from '../narrator.ts';
import { Refusal } from '../refusal.ts';
import { NAMED, type SampleImage, signatureTag } from '../sample/images.ts';
import type { SampleSource } from '../source.ts';
import type { Logins, ShownPage } from '../state.ts';
import { signIn } from './cast.ts';
import { nameOf, pullAll, push, threatOf } from './jobs.ts';
import { pullWhole, refusedPull } from './pulls.ts';
import { approve, refusalOf, requestReview } from './review.ts';
import { scannerReady } from './scanner.ts';
import { FOLDER, setUp } from './set-up.ts';

export interface StoryOptions {
  url: string;
  source: Pick<SampleSource, 'host'>;
  images: readonly SampleImage[];
  logins: Omit<Logins, 'robot'>;
  tell: Narrator;
  /** Called once the scanner is set up: what the product prints then is no progress. */
  hush(): void;
}

export interface Told {
  robot: Logins['robot'];
  pages: ShownPage[];
}

const inFolder = (image: { repository: string }) => `${FOLDER}/${ownName(image.repository)}`;

export async function tellStory({
  url,
  source,
  images,
  logins,
  tell,
  hush,
}: StoryOptions): Promise<Told> {
  const admin = await signIn(url, logins.administrator);
  const { registryId, robot } = await tell.step(
    'The administrator sets up a policy, a folder with a pull gate, and accounts',
    () => setUp(admin, logins, source.host),
  );
  await tell.step('The scanner gets its sample database', async () => {
    tell.good(await scannerReady(admin));
    hush();
  });
  const developer = await signIn(url, logins.developer);
  const reviewer = await signIn(url, logins.reviewer);
  // A signature is no image: it is copied with the image that it signs.
  const pulled = images.filter(({ tag }) => !tag.endsWith('.sig'));
  const jobs = await tell.step(
    `dana pulls ${pulled.length} images, and Trivy scans them on all platforms`,
    () => pullAll(developer, registryId, pulled, tell),
  );
  const job = (named: { repository: string; tag: string }) => jobNamed(jobs, nameOf(named));

  await tell.step(`dana pushes ${nameOf(NAMED.exploited)}: blocked, with the reason`, async () => {
    tell.bad(await refusalOf(push(developer, job(NAMED.exploited))));
    tell.line(await threatOf(developer, job(NAMED.exploited)));
    tell.link(`${url}/staging/${job(NAMED.exploited).job_id}`);
  });

  await tell.step(`The next version has the fix: ${nameOf(NAMED.repaired)} is pushed`, async () => {
    for (const named of [NAMED.repaired, NAMED.clean]) {
      await push(developer, job(named));
      tell.good(`${inFolder(named)}:${named.tag} is in the built-in registry`);
    }
  });

  const review = await tell.step(
    `No fix for ${nameOf(NAMED.unfixed)}: dana requests a review, rita approves it`,
    async () => {
      const requested = await requestReview(
        developer,
        job(NAMED.unfixed),
        'Reads trusted files only',
      );
      tell.line(
        `dana requests review #${requested.number}: ${inFolder(NAMED.unfixed)} with what blocks it, for 30 days`,
      );
      tell.bad(`dana approves it: ${await refusalOf(approve(developer, requested))}`);
      await approve(reviewer, requested);
      tell.good('rita approves it');
      await push(developer, job(NAMED.unfixed));
      tell.good(`${inFolder(NAMED.unfixed)}:${NAMED.unfixed.tag} is in the built-in registry`);
      const path = `/reviews?show=all&open=${requested.number}`;
      tell.link(`${url}${path}`);
      return path;
    },
  );

  await tell.step('The robot of a cluster pulls it back over /v2', async () => {
    const { digest, platforms, blobs, bytes } = await pullWhole(
      url,
      inFolder(NAMED.clean),
      NAMED.clean.tag,
      robot,
    );
    if (digest !== job(NAMED.clean).digest) throw new Refusal(`${digest} is not what was pulled`);
    tell.good(`${inFolder(NAMED.clean)}:${NAMED.clean.tag} has the digest of the source`);
    tell.line(
      `${platforms} platforms, ${blobs} blobs, ${(bytes / 1e6).toFixed(1)} MB, each verified`,
    );
  });

  await tell.step('dana pushes an old image past staging; the gate refuses its pull', async () => {
    const { image } = sampleNamed(images, NAMED.outdated);
    await pushImage(url, inFolder(NAMED.outdated), 'direct', image, {
      credentials: logins.developer,
    });
    tell.line(`as docker push ${new URL(url).host}/${inFolder(NAMED.outdated)}:direct does`);
    tell.bad(await refusedPull(url, inFolder(NAMED.outdated), 'direct', robot));
  });

  const transfer = await tell.step(
    'A transfer of everything, as a schedule does it at night',
    async () => {
      const body = {
        images: pulled.map(({ repository, tag }) => ({
          repository,
          tag,
          dest_name: ownName(repository),
        })),
        source_registry_id: registryId,
        dest_folder: FOLDER,
      };
      const { transfer_id } = await developer.call('transfers.transfer', { body });
      let last: TransferView | undefined;
      for await (last of awaitTransfer(developer, transfer_id, { progress: false }));
      const { pushed = 0, blocked = 0, failed = 0 } = last?.outcomes ?? {};
      if (failed > 0) throw new Refusal(`${failed} images of the transfer ${transfer_id} failed`);
      tell.good(`${pushed} of ${pulled.length} are in the folder ${FOLDER}`);
      const signature = await pullWhole(
        url,
        inFolder(NAMED.signed),
        signatureOfSigned(images),
        robot,
      );
      tell.good(`${inFolder(NAMED.signed)} has its signature, ${signature.digest.slice(0, 19)}…`);
      tell.bad(`${blocked} are blocked, each with its reason`);
      tell.link(`${url}/transfers/${transfer_id}`);
      return transfer_id;
    },
  );

  for (const api of [admin, developer, reviewer]) api.close();
  return {
    robot,
    pages: [
      { path: '/dashboard', shows: 'the overview' },
      {
        path: `/staging/${job(NAMED.exploited).job_id}`,
        shows: 'the blocked image and its reason',
      },
      { path: review, shows: 'the review request and who approved it' },
      { path: `/transfers/${transfer}`, shows: 'the transfer' },
      { path: `/folders/${FOLDER}`, shows: 'the folder, its policy and its gate' },
      {
        path: `/images/__local__/${inFolder(NAMED.outdated)}`,
        shows: 'the image that the gate refuses',
      },
      { path: '/vulnerabilities', shows: 'the vulnerabilities of all images' },
    ],
  };
}

/** The tag under which its signature is stored. */
function signatureOfSigned(images: readonly SampleImage[]): string {
  const { image } = sampleNamed(images, NAMED.signed);
  return signatureTag(image);
}

function jobNamed(jobs: ReadonlyMap<string, Job>, name: string): Job {
  const job = jobs.get(name);
  if (job === undefined) throw new Refusal(`${name} is no image of the demonstration`);
  return job;
}

function sampleNamed(
  images: readonly SampleImage[],
  { repository, tag }: { repository: string; tag: string },
): SampleImage {
  const found = images.find((each) => each.repository === repository && each.tag === tag);
  if (found === undefined)
    throw new Refusal(`${repository}:${tag} is no image of the demonstration`);
  return found;
}
