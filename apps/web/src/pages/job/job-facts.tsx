/** Shows what a job is about. */
import { Title } from '@mantine/core';
import type { Job } from '@portcullis/contract';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { CopyButton } from '../../kit/action/copy-button.tsx';
import { FactList } from '../../kit/layout/fact-list.tsx';
import { Digest } from '../../kit/text/digest.tsx';
import { useSampleData } from '../../shell/use-sample-data.ts';
import classes from './job.module.css';

export function JobFacts({ job }: { job: Job }) {
  const [t, format] = useWords('job');
  const { sampleData } = useMessages('shell');
  const isSample = useSampleData();
  const { platforms, digest, size, owner, vuln_result: result, image_released_at: released } = job;
  const os = result?.os;
  const scanner = result?.scanner;
  return (
    <section className={classes.panel}>
      <Title order={2} mb="xs">
        {t.facts}
      </Title>
      <FactList
        facts={[
          [t.digest, digest && <Digest key="digest" digest={digest} />],
          [t.size, size !== null && format.bytes(size)],
          [t.stagedImage, released && t.imageReleased(format.dateTime(released))],
          [t.platforms, platforms === 'all' ? t.all : platforms.join(', ')],
          [t.owner, owner],
          [t.overrides, useOverrides(job)],
          [t.os, os && `${os.family} ${os.name}${os.eosl ? ` (${t.eosl})` : ''}`],
          [t.scanner, scanner && `${scanner.name} ${scanner.version}`],
          [
            t.database,
            scanner?.db_updated_at &&
              format.dateTime(scanner.db_updated_at) + (isSample ? ` (${sampleData.title})` : ''),
          ],
          [
            t.requestId,
            job.request_id && (
              <span key="id">
                <code>{job.request_id}</code> <CopyButton text={job.request_id} />
              </span>
            ),
          ],
        ]}
      />
    </section>
  );
}

function useOverrides({ overrides }: Job): string {
  const [t, format] = useWords('job');
  const { severity } = useMessages('verdict');
  const { vuln_scan_enabled: scan, vuln_severities: severities } = overrides;
  const parts = [
    scan === false ? t.noScan : null,
    severities && t.blocks(format.list(severities.map((each) => severity[each]))),
  ];
  return parts.filter(Boolean).join(', ');
}
