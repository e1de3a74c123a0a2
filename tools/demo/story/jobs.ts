/** Staging jobs of the story: pulls with their scans, and pushes. */
import { type ApiClient, awaitJob } from '@portcullis/client';
import type { Job } from '@portcullis/contract';
import { ownName, SEVERITIES } from '@portcullis/domain';
import type { Narrator } from '../narrator.ts';
import { Refusal } from '../refusal.ts';
import type { SampleImage } from '../sample/images.ts';
import { FOLDER } from './set-up.ts';

type Named = Pick<SampleImage, 'repository' | 'tag'>;

export const nameOf = ({ repository, tag }: Named) => `${repository}:${tag}`;

/** Concurrently; each is reported once it is scanned. */
export async function pullAll(
  api: ApiClient,
  registryId: string,
  images: readonly SampleImage[],
  tell: Narrator,
): Promise<Map<string, Job>> {
  const pulled = await Promise.all(
    images.map(async (image) => {
      const { repository, tag } = image;
      const body = { image: repository, tag, source_registry_id: registryId };
      const { job_id } = await api.call('staging.pull', { body });
      const job = await waitUntilSettled(api, job_id);
      report(job, image, tell);
      return [nameOf(image), job] as const;
    }),
  );
  return new Map(pulled);
}

async function waitUntilSettled(api: ApiClient, id: string): Promise<Job> {
  let last: Job | undefined;
  for await (const job of awaitJob(api, id, { progress: false })) last = job;
  if (last?.status === 'failed')
    throw new Refusal(`${last.image}:${last.tag} failed: ${last.error?.message}`);
  if (last === undefined) throw new Refusal(`the job ${id} is gone`);
  return last;
}

function report(job: Job, image: SampleImage, tell: Narrator): void {
  const text = `${nameOf(image).padEnd(22)} ${verdictText(job).padEnd(22)} ${image.about}`;
  if (job.blocked) tell.bad(text);
  else tell.good(text);
}

function verdictText({ blocked, verdict, vuln_result }: Job): string {
  if (vuln_result?.artifact_type !== undefined) return 'no image, not scanned';
  const found = SEVERITIES.flatMap((severity) => {
    const count = vuln_result?.counts[severity] ?? 0;
    return count > 0 ? [`${count} ${severity.toLowerCase()}`] : [];
  });
  if (blocked) return `BLOCKED, ${found.join(', ')}`;
  return found.length > 0 ? `passes, ${found.join(', ')}` : verdict;
}

/** In the folder, under the last part of its name. */
export const targetOf = ({ job_id, image, tag }: Job) => ({
  job_id,
  folder: FOLDER,
  target_image: ownName(image),
  target_tag: tag,
});

/** Into the folder, under the last part of its name. @throws the refusal of the gate */
export async function push(api: ApiClient, job: Job): Promise<Job> {
  const { job_id } = await api.call('staging.push', { body: targetOf(job) });
  const done = await waitUntilSettled(api, job_id);
  if (done.status !== 'pushed')
    throw new Refusal(`the push of ${job.image} ended as ${done.status}`);
  return done;
}

/** What the threat feeds say about the first finding of an image. */
export async function threatOf(api: ApiClient, { job_id }: Job): Promise<string> {
  const { vuln_result } = await api.call('staging.getJob', { params: { job_id } });
  const [finding] = vuln_result?.vulnerabilities ?? [];
  const chance = finding?.epss == null ? 'unknown' : `${Math.round(finding.epss * 100)} %`;
  const exploited = finding?.kev ? 'known to be exploited' : 'not known to be exploited';
  return `${finding?.id} is ${exploited} (KEV); probability of an exploit: ${chance} (EPSS)`;
}
