/** The jobs of a transfer in pages, which are read one after the other. */
import type { Store, TransferredJob, TransferredJobs } from '@portcullis/store';

const PAGE = 200;

export async function* jobPages(
  transfers: Pick<Store['transfers'], 'jobs'>,
  transferId: string,
  outcome?: TransferredJobs['outcome'],
): AsyncGenerator<TransferredJob[]> {
  let after: TransferredJob | undefined;
  for (;;) {
    const page = await transfers.jobs(transferId, {
      limit: PAGE,
      after,
      ...(outcome !== undefined && { outcome }),
    });
    if (page.length > 0) yield page;
    after = page.at(-1);
    if (page.length < PAGE) return;
  }
}
